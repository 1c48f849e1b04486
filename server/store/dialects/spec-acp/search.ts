import { ACP_PATHS } from '../../../../shared/protocols/spec/acp.ts'
import { acpRefusal } from '../../http/refusals.ts'
import { cacheable, json, type Reply } from '../../http/reply.ts'
import { catalogPage, readQuery } from '../../shop/catalog.ts'
import type { InventoryRequest } from '../../shop/inventory.ts'
import { noteLookUp } from '../../shop/product-views.ts'

/**
 * `GET /acp/products/search`. Unspecified: ACP's search takes the catalog's query and answers with
 * the catalog's body.
 */
export function searchReply(request: InventoryRequest, parameters: Record<string, string>): Reply {
  const read = readQuery(request, parameters)
  if ('fields' in read) return acpRefusal(422, { code: 'validation_error', ...read })
  const page = catalogPage(request, read.query, ACP_PATHS.search)
  noteLookUp(request, { source: 'acp', shown: page.products, total: page.pagination?.total })
  return json(page, cacheable(60))
}
