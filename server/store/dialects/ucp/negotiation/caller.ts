import { hash } from 'node:crypto'
import { networkOf } from '../../../../http/client-address.ts'
import type { SigningKey } from '../../../../signatures/jwk.ts'
import type { StoreDeps } from '../../../checkout/deps.ts'
import type { CountCheckout } from '../../../checkout/quota.ts'
import type { StoreRequest } from '../../../http/store-request.ts'
import type { Agreed } from '../envelope.ts'
import type { PlatformProfiles } from './platform-profiles.ts'

/** A request before its caller is known. */
export interface UcpCaller {
  request: StoreRequest
  deps: StoreDeps
  count: CountCheckout
  platforms: PlatformProfiles
  /** The profile that signed the request; null if it is not signed. */
  signedBy: string | null
  /** The nonce of its signature, if it has one. */
  nonce: string | null
  /** For development: a caller without a signature counts as the profile that it names. */
  trustsProfiles: boolean
  /** The client's address; null for a connection without one. */
  address: () => string | null
  /** The key that signs checkouts; rejects if none can be opened. */
  signingKey: () => Promise<SigningKey>
}

/** The evidence for the caller, in addition to the profile that a call names. */
type Identified = Pick<UcpCaller, 'signedBy' | 'trustsProfiles'> & Pick<Agreed, 'negotiated'>

/** The profile that is proved to call; null: the named one is only a claim. */
export const knownProfile = ({ signedBy, trustsProfiles, negotiated }: Identified): string | null =>
  signedBy ?? (trustsProfiles ? negotiated.profileUrl : null)

/** The store's id of a platform: its profile, hashed. */
export const platformOf = (profileUrl: string): string => `platform:${hash('sha256', profileUrl)}`

/**
 * The name under which a new checkout or cart is counted. Unspecified: calls without a signature
 * are counted by the client's network, because anyone can name any profile, and strangers could use
 * up a platform's quota.
 */
export function countedAs(call: Identified & Pick<UcpCaller, 'address'>): string {
  const profile = knownProfile(call)
  const address = call.address()
  const network = address === null ? call.negotiated.profileUrl : networkOf(address)
  return profile === null ? `unsigned:${hash('sha256', network)}` : platformOf(profile)
}

/** A call under an idempotency key: the hash of the key, and that of the request. */
export interface KeyedCall {
  key: string
  fingerprint: string
}

/** What an operation gets. */
export interface UcpCallContext extends UcpCaller, Agreed {
  request: StoreRequest
  /** Signs checkouts with mandates; null if no key can be opened, or for other things. */
  signer: SigningKey | null
  keyed: KeyedCall | null
}
