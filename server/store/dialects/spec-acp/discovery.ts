import { ACP_PATHS, type AcpDiscovery } from '../../../../shared/protocols/acp.ts'
import { acpRefusal } from '../../http/refusals.ts'
import { cacheable, json, type Reply } from '../../http/reply.ts'
import { applyFaults, type StoreRequest } from '../../http/store-request.ts'
import { catalogPage, readQuery } from '../../shop/catalog.ts'
import type { InventoryRequest } from '../../shop/inventory.ts'
import { noteLookUp } from '../../shop/product-views.ts'

const VERSION = '2026-04-17'

/** What ACP agents read first, in official ACP's form. */
export function discoveryReply(request: StoreRequest): Reply {
  const document: AcpDiscovery = {
    protocol: { name: 'acp', version: VERSION, supported_versions: [VERSION] },
    api_base_url: `${request.origin}/acp`,
    transports: ['rest'],
    capabilities: {
      services: ['checkout'],
      supported_currencies: ['usd'],
      supported_locales: ['en-US'],
    },
  }
  return json(applyFaults(request, 'acpDiscovery', document), cacheable(300))
}

/** `GET /acp/products/search`. Unspecified: its query and its body. They are the catalog's. */
export function searchReply(request: InventoryRequest, parameters: Record<string, string>): Reply {
  const read = readQuery(request, parameters)
  if ('fields' in read) return acpRefusal(422, 'validation_error', read.message)
  const page = catalogPage(request, read.query, ACP_PATHS.search)
  noteLookUp(request, { source: 'acp', shown: page.products, total: page.pagination?.total })
  return json(page, cacheable(60))
}
