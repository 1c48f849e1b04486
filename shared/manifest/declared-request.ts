import { field } from '../web/json/json.ts'
import { visibleText } from '../web/text/invisible.ts'
import { declared, endpointOf, withoutOtherShop } from './inspect.ts'
import type { ManifestRequest } from './manifest.ts'

type Declared = Partial<Omit<ManifestRequest, 'domain' | 'format'>>

const ENDPOINTS = {
  catalog_endpoint: 'product_catalog',
  checkout_endpoint: 'checkout',
  shipping_endpoint: 'shipping',
  orders_endpoint: 'orders',
} as const

/**
 * What the manifest of `domain` says of the shop, as the request that makes a new one. Only its
 * endpoints are validated; if the manifest is a copy of another shop's, the endpoints of that shop
 * are left out, because agents would buy there.
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

/** Limits: entries of each list, and characters of each. */
const MOST = 50
const MOST_CHARACTERS = 100

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .slice(0, MOST)
    .flatMap((each) =>
      typeof each === 'string' ? [visibleText(each.slice(0, MOST_CHARACTERS)).trim()] : [],
    )
    .filter((text) => text !== '')
