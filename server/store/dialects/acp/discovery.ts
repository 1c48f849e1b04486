import type { AcpDiscovery } from '../../../../shared/protocols/acp/discovery.ts'
import { ACP } from '../../../../shared/protocols/acp/versions.ts'
import {
  applyFaults,
  cacheable,
  json,
  type Reply,
  type StoreRequest,
} from '../../http/store-request.ts'
import { CURRENCY } from '../../shop/assortment.ts'
import { ACP_SERVICES } from './paths.ts'
import { ownInterventions } from './session/capabilities.ts'
import type { AcpSettings } from './settings.ts'

/** ACP, Discovery: an hour at least. */
const MAX_AGE_S = 3600

/** The first document that ACP agents read: everything in it answers below its base address. */
export function acpDiscoveryReply(request: StoreRequest, settings: AcpSettings): Reply {
  const interventions = ownInterventions(settings, ACP.newest)
  const document: AcpDiscovery = {
    protocol: { name: 'acp', version: ACP.newest, supported_versions: [...ACP.served] },
    api_base_url: `${request.origin}${ACP_SERVICES.base}`,
    transports: ['rest', 'mcp'],
    capabilities: {
      services: ['checkout', 'orders', 'carts'],
      ...(interventions.length > 0 && { intervention_types: interventions }),
      supported_currencies: [CURRENCY.toLowerCase()],
      supported_locales: ['en-US'],
    },
  }
  return json(applyFaults(request, 'acpDiscovery', document), cacheable(MAX_AGE_S))
}
