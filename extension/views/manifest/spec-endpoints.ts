import { UCP_PATHS } from '../../../shared/protocols/spec/ucp.ts'

/** Where the specification puts each endpoint: an example for an empty field, never a fact. */
export const specEndpoints = (domain: string) => ({
  catalog_endpoint: `https://${domain}${UCP_PATHS.catalog}`,
  checkout_endpoint: `https://${domain}${UCP_PATHS.checkout}`,
  shipping_endpoint: `https://${domain}/ucp/shipping`,
  orders_endpoint: `https://${domain}${UCP_PATHS.orders}`,
})
