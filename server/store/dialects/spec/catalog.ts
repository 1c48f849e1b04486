import { CATALOG_FILTERS } from '../../../../shared/commerce/product.ts'
import { buildManifest } from '../../../../shared/manifest/manifest.ts'
import { ACP_PATHS } from '../../../../shared/protocols/spec/acp.ts'
import { UCP_PATHS } from '../../../../shared/protocols/spec/ucp.ts'
import { acpRefusal, ucpRefusal } from '../../http/refusals.ts'
import {
  applyFaults,
  cacheable,
  json,
  type Reply,
  type StoreRequest,
} from '../../http/store-request.ts'
import { catalogPage, readQuery } from '../../shop/catalog.ts'
import type { InventoryRequest } from '../../shop/inventory.ts'
import { noteLookUp } from '../../shop/product-views.ts'
import { SHIPPING_PATH } from '../../shop/settings.ts'

/** The published manifest at `/.well-known/ucp`: without `generated_at`. */
export function manifestReply(request: StoreRequest): Reply {
  const { generated_at, ...manifest } = buildManifest(
    {
      domain: request.host,
      catalog_endpoint: `${request.origin}${UCP_PATHS.catalog}`,
      checkout_endpoint: `${request.origin}${UCP_PATHS.checkout}`,
      shipping_endpoint: `${request.origin}${SHIPPING_PATH}`,
      orders_endpoint: `${request.origin}${UCP_PATHS.orders}`,
      supports_search: true,
      supports_filters: [...CATALOG_FILTERS],
      supported_payment_methods: [...request.paymentMethods],
    },
    request.at,
  )
  return json(applyFaults(request, 'manifest', manifest), cacheable(300))
}

/** `GET /ucp/products`: a page of the catalog. */
export function catalogReply(request: InventoryRequest, parameters: Record<string, string>): Reply {
  const read = readQuery(request, parameters)
  if ('fields' in read) return ucpRefusal(400, { code: 'invalid_parameter', ...read })
  const page = catalogPage(request, read.query, UCP_PATHS.catalog)
  noteLookUp(request, { source: 'ucp', shown: page.products, total: page.pagination?.total })
  return json(applyFaults(request, 'catalog', page), cacheable(60))
}

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
