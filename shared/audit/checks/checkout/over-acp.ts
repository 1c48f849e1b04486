import { presenceOf } from '../../../web/http/presence.ts'
import type { CheckoutSeen, Evidence } from '../../evidence.ts'
import { pass, skip, type Verdict } from '../../rule.ts'
import { type AcpSales, salesOver } from '../acp/steps.ts'

/** Why a rule about a cart is open in a store that sells over ACP. */
export const NEEDS_ACP_SESSION =
  'agents buy over ACP, and this shows only in a checkout session: ACP has no dry run'

/**
 * How a store without a UCP checkout sells over ACP; null where it has one, or its manifest says
 * so. ACP is seen where there is no manifest, and where its check was asked for.
 */
export function acpInstead(
  { endpoint, create }: CheckoutSeen,
  { acp }: Partial<Evidence>,
): AcpSales | null {
  if (acp === undefined || endpoint === null || endpoint.declared) return null
  return presenceOf(create.fetched).is === 'present' ? null : salesOver(acp)
}

// Unspecified: the check `checkout` is about the availability of "the UCP/ACP checkout endpoint",
// so that ACP alone is one that can be reached. What UCP would show beyond that is lost with its
// manifest until a walk shows it over ACP.
export function reachedOverAcp({ are, where }: AcpSales, without: string): Verdict {
  if (are === 'certain') {
    return pass(`agents buy over ACP, at ${where}; those that speak UCP alone cannot`)
  }
  const why = {
    likely: `agents may buy over ACP, at ${where}, which no acp.json names`,
    announced: `acp.json names ${where}, where a stranger cannot see whether agents can buy`,
  }
  return skip(`${without}, and ${why[are]}`)
}
