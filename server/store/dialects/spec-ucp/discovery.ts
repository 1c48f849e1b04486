import { CATALOG_FILTERS } from '../../../../shared/commerce/product.ts'
import { buildManifest } from '../../../../shared/manifest/manifest.ts'
import { UCP_PATHS } from '../../../../shared/protocols/ucp.ts'
import { cacheable, json, type Reply } from '../../http/reply.ts'
import { say, type Visit } from '../../http/store-request.ts'
import { ORDERS_PATH, SHIPPING_PATH } from '../../shop/settings.ts'

/** The manifest of `/.well-known/ucp`, as it is published: without `generated_at`. */
export function manifestReply(visit: Visit): Reply {
  const { generated_at, ...manifest } = buildManifest(
    {
      domain: visit.host,
      catalog_endpoint: `${visit.origin}${UCP_PATHS.catalog}`,
      checkout_endpoint: `${visit.origin}${UCP_PATHS.checkout}`,
      shipping_endpoint: `${visit.origin}${SHIPPING_PATH}`,
      orders_endpoint: `${visit.origin}${ORDERS_PATH}`,
      supports_search: true,
      supports_filters: [...CATALOG_FILTERS],
      supported_payment_methods: [...visit.paymentMethods],
    },
    visit.at,
  )
  return json(say(visit, 'manifest', manifest), cacheable(300))
}
