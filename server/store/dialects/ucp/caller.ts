import type { InventoryRequest } from '../../shop/inventory.ts'
import type { UcpContext, UcpSessions } from './checkout.ts'
import { negotiate } from './negotiation/negotiate.ts'
import type { PlatformProfiles } from './negotiation/platform-profiles.ts'
import type { NegotiationRefusal } from './negotiation/refusals.ts'
import type { UcpAgent } from './negotiation/ucp-agent.ts'
import { capabilitiesOf } from './profile.ts'

/** A request before it is known who asks. */
export interface UcpCaller {
  request: InventoryRequest
  sessions: UcpSessions
  platforms: PlatformProfiles
}

/** What an operation is called with, or why this platform is not answered. */
export async function agreeWith(
  { request, sessions, platforms }: UcpCaller,
  read: { agent: UcpAgent } | { refusal: NegotiationRefusal },
): Promise<{ context: UcpContext } | { refusal: NegotiationRefusal }> {
  if ('refusal' in read) return read
  const outcome = await negotiate(platforms, read.agent, capabilitiesOf)
  if ('refusal' in outcome) return outcome
  return { context: { request, sessions, negotiated: outcome.negotiated } }
}
