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
  /** The store's own key of this moment. */
  signingKey: () => Promise<SigningKey>
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
