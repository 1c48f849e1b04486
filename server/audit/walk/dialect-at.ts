import { agentProfileUrl } from '../../../shared/manifest/ucp/agent-profile.ts'
import { ACP } from '../../../shared/protocols/acp/versions.ts'
import { UCP } from '../../../shared/protocols/ucp/versions.ts'
import type { WalkDialect } from '../../../shared/walk/dialect.ts'
import { officialAcp } from '../../../shared/walk/dialects/acp.ts'
import { specAcp, specUcp } from '../../../shared/walk/dialects/spec.ts'
import { officialUcp } from '../../../shared/walk/dialects/ucp.ts'
import type { RouteAddress } from './route-address.ts'

/** Who calls: our profile as an agent, and the credential that the store wants of agents. */
interface Speaker {
  /** The origin that serves our profile. */
  agentBase: string
  agentKey?: string | undefined
  /** Calls under the profile that buys by mandate. */
  byMandate?: boolean
}

/** The dialect of a route; null for a version that cannot be walked. */
export function dialectAt(
  {
    dialect,
    endpoint,
    version,
    capabilities,
    handlers,
    permalink,
    isAssumed,
    orders,
  }: RouteAddress,
  { agentBase, agentKey, byMandate = false }: Speaker,
): WalkDialect | null {
  switch (dialect) {
    case 'spec_ucp':
      return specUcp({ checkout: endpoint, orders })
    case 'spec_acp':
      return specAcp({ origin: endpoint })
    case 'acp':
      return ACP.isWalked(version)
        ? officialAcp({
            base: endpoint,
            version,
            extensions: capabilities,
            ...(isAssumed && { isAssumed }),
            ...(agentKey && { agentKey }),
          })
        : null
    default:
      return UCP.isWalked(version)
        ? officialUcp({
            version,
            transport: dialect === 'ucp_mcp' ? 'mcp' : 'rest',
            endpoint,
            agent: agentProfileUrl(agentBase, version, { byMandate }),
            capabilities,
            ...(handlers && { handlers }),
            ...(permalink !== undefined && { permalink }),
          })
        : null
  }
}
