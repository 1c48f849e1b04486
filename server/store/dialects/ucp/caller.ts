import { hash } from 'node:crypto'
import type { StoreDeps } from '../../checkout/deps.ts'
import type { CountCheckout } from '../../checkout/quota.ts'
import type { StoreRequest } from '../../http/store-request.ts'
import type { SigningKey } from '../../signatures/jwk.ts'
import type { Agreed } from './envelope.ts'
import { negotiate } from './negotiation/negotiate.ts'
import type { PlatformProfiles } from './negotiation/platform-profiles.ts'
import type { NegotiationRefusal } from './negotiation/refusals.ts'
import type { UcpAgent } from './negotiation/ucp-agent.ts'
import { capabilitiesOf } from './profile.ts'

/** A request before it is known who asks. */
export interface UcpCaller {
  request: StoreRequest
  deps: StoreDeps
  count: CountCheckout
  platforms: PlatformProfiles
  /** The profile whose signature the request bears; null where it bears none. */
  signedBy: string | null
  /** A development switch: who sends no signature is taken for the profile that it names. */
  trustsProfiles: boolean
  /** The client's network, as `networkOf` names it; null where the connection tells none. */
  network: string | null
  /** The store's own key of this moment. */
  signingKey: () => Promise<SigningKey>
}

/** What tells who asks, beside the profile that a call names. */
type Identified = Pick<UcpCaller, 'signedBy' | 'trustsProfiles'> & Pick<Agreed, 'negotiated'>

/**
 * The profile of which it is known that it asks; null: the one that is named is no more than a
 * claim.
 */
export const knownProfile = ({ signedBy, trustsProfiles, negotiated }: Identified): string | null =>
  signedBy ?? (trustsProfiles ? negotiated.profileUrl : null)

/** Who a platform is to the store: its profile, hashed. */
export const platformOf = (profileUrl: string): string => `platform:${hash('sha256', profileUrl)}`

/** Under whose name a new checkout or cart is counted. */
// Unspecified: calls without a signature are counted by the client's network, since anyone can name
// any profile: in a platform's name strangers would use up what it may open.
export function countedAs(call: Identified & Pick<UcpCaller, 'network'>): string {
  const profile = knownProfile(call)
  return profile === null
    ? `unsigned:${hash('sha256', call.network ?? call.negotiated.profileUrl)}`
    : platformOf(profile)
}

/** A call under an idempotency key: the hash of the key, and that of what it asks. */
export interface KeyedCall {
  key: string
  fingerprint: string
}

/** What an operation is called with. */
export interface UcpCallContext extends UcpCaller, Agreed {
  request: StoreRequest
  keyed: KeyedCall | null
}

/** Only the hash of a key goes on: it may be anything, a card number too. */
export const keyedCall = (key: string, asked: string): KeyedCall => ({
  key: hash('sha256', key),
  fingerprint: hash('sha256', asked),
})

/** What an operation is called with, or why this platform is not answered. */
export async function agreeWith(
  caller: UcpCaller,
  read: { agent: UcpAgent } | { refusal: NegotiationRefusal },
  keyed: KeyedCall | null,
): Promise<{ context: UcpCallContext } | { refusal: NegotiationRefusal }> {
  if ('refusal' in read) return read
  const outcome = await negotiate(caller.platforms, read.agent, capabilitiesOf)
  if ('refusal' in outcome) return outcome
  return { context: { ...caller, negotiated: outcome.negotiated, keyed } }
}
