import { visibleText } from '../web/invisible.ts'
import { field } from '../web/json.ts'
import { declared, endpointOf } from './inspect.ts'
import type { ManifestRequest } from './manifest.ts'
import { withoutOtherShop } from './other-shop.ts'

type Declared = Partial<Omit<ManifestRequest, 'domain' | 'format'>>

const ENDPOINTS = {
  catalog_endpoint: 'product_catalog',
  checkout_endpoint: 'checkout',
  shipping_endpoint: 'shipping',
  orders_endpoint: 'orders',
} as const

/**
 * What the manifest that `domain` serves says of the shop, as the request that a new one is made
 * of. Nothing of it is validated but its endpoints; what a copied manifest says of another shop is
 * left out, as agents would buy there.
 */
export function declaredRequest(document: unknown, domain: string): Declared {
  const own = withoutOtherShop(document, domain)
  const endpoints = Object.entries(ENDPOINTS).flatMap(([name, capability]) => {
    const endpoint = endpointOf(own, capability)
    return endpoint === null ? [] : [[name, endpoint]]
  })
  const catalog = declared(own, 'product_catalog')
  const search = field(catalog, 'supports_search')
  const filters = textsOf(field(catalog, 'supports_filters'))
  const payment = textsOf(field(declared(own, 'checkout'), 'supported_payment_methods'))
  return {
    ...Object.fromEntries(endpoints),
    ...(typeof search === 'boolean' && { supports_search: search }),
    ...(filters.length > 0 && { supports_filters: filters }),
    ...(payment.length > 0 && { supported_payment_methods: payment }),
  }
}

/** Of each list so many, and each in so many characters. */
const MOST = 50
const MOST_CHARACTERS = 100

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .slice(0, MOST)
    .flatMap((each) =>
      typeof each === 'string' ? [visibleText(each.slice(0, MOST_CHARACTERS)).trim()] : [],
    )
    .filter((text) => text !== '')
