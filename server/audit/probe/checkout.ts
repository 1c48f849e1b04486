import type { CheckoutSeen } from '../../../shared/audit/evidence.ts'
import { productsOfPage } from '../../../shared/commerce/catalog/listing.ts'
import { Money } from '../../../shared/commerce/product.ts'
import type { CheckoutItem, UcpCheckoutRequest } from '../../../shared/protocols/spec/ucp.ts'
import { sampleAddress } from '../../../shared/walk/addresses.ts'
import { field, isRecord } from '../../../shared/web/json/json.ts'
import type { OpenCatalog } from './catalog.ts'
import { BODY_CAPS } from './fetch/request.ts'
import { askLiveness } from './liveness.ts'
import type { EndpointFound } from './manifest.ts'
import { type AuditSession, notAsked, parseGlimpse, requestJson } from './session.ts'

/** Ids that no store has. */
const UNKNOWN_VARIANT = 'aisle-unknown-variant'
const UNKNOWN_PRODUCT = 'aisle-unknown-product'

/** A body that reserves nothing: the type demands `dry_run`, so that no other can be sent. */
type DryRun = UcpCheckoutRequest & { dry_run: true }

/**
 * Asks for three carts, one right and two wrong (spec, Merchant-side UCP endpoints), each as a dry
 * run, and never over http. Without a product to buy, only a safe request is sent, and only where
 * no manifest says whether there is a checkout.
 */
export async function probeCheckout(
  session: AuditSession,
  endpoint: EndpointFound,
  catalog: OpenCatalog,
  now: () => Date,
): Promise<CheckoutSeen> {
  const asked_at = now().toISOString()
  const products = productsOfPage(catalog, catalog.first) ?? []
  const item = pickItem(products)
  const none = (reason: string): CheckoutSeen => ({
    endpoint: 'reason' in endpoint ? null : endpoint,
    item,
    asked_at,
    create: notAsked(reason),
    invalid_address: notAsked(reason),
    unknown_variant: notAsked(reason),
  })
  if ('reason' in endpoint) return none(endpoint.reason)
  if (!endpoint.url.startsWith('https:')) return none('nothing is sent to a checkout without https')
  if (item === null) {
    const nothing = none('the catalog lists nothing that can be put into a cart')
    // Without a manifest it is not certain that there is a checkout at all.
    if (endpoint.declared) return nothing
    const fetched = await askLiveness(session, endpoint.url)
    return { ...nothing, create: { fetched, json: parseGlimpse(fetched) } }
  }

  // An address that the store is likely to ship to: a refusal because of it would hide other
  // faults.
  const shipping_address = sampleAddress(new URL(endpoint.url).hostname, item.price?.currency)
  const { product_id, variant_id } = item
  const cart: CheckoutItem = { product_id, quantity: 1, ...(variant_id && { variant_id }) }
  const post = (json: DryRun) =>
    requestJson(session, {
      method: 'POST',
      url: endpoint.url,
      json,
      maxBytes: BODY_CAPS.manifest,
    })
  const [create, invalid_address, unknown_variant] = await Promise.all([
    post({ items: [cart], shipping_address, dry_run: true }),
    post({
      items: [cart],
      shipping_address: { ...shipping_address, street: '', country: 'ZZ' },
      dry_run: true,
    }),
    post({ items: [unknownItem(products)], shipping_address, dry_run: true }),
  ])
  return { endpoint, item, asked_at, create, invalid_address, unknown_variant }
}

/** The first product that can be bought, in the variant that can. */
function pickItem(products: readonly unknown[]): CheckoutSeen['item'] {
  // Something in stock: a refusal of what is sold out would say nothing about the checkout.
  const ranked = [...products].sort((a, b) => Number(isInStock(b)) - Number(isInStock(a)))
  for (const product of ranked) {
    const product_id = field(product, 'id')
    if (typeof product_id !== 'string' || product_id === '') continue
    const variants = variantsOf(product)
    const variant = variants.find(isInStock) ?? variants[0]
    const variant_id = field(variant, 'id')
    const price = Money.safeParse(field(variant ?? product, 'price'))
    const name = field(product, 'name')
    return {
      product_id,
      ...(typeof variant_id === 'string' && { variant_id }),
      name: typeof name === 'string' ? name : product_id,
      price: price.success ? price.data : null,
    }
  }
  return null
}

/** A product with an unknown variant or, if no product has variants, an unknown product. */
function unknownItem(products: readonly unknown[]): CheckoutItem {
  const product = products.find((each) => variantsOf(each).length > 0)
  const id = field(product, 'id')
  return typeof id === 'string'
    ? { product_id: id, variant_id: UNKNOWN_VARIANT, quantity: 1 }
    : { product_id: UNKNOWN_PRODUCT, quantity: 1 }
}

/** Spec, Product: `in_stock` is what can be bought now. */
const isInStock = (offer: unknown) => field(offer, 'availability') === 'in_stock'

/** The variants of a product as listed, those that are objects. */
function variantsOf(product: unknown): unknown[] {
  const variants = field(product, 'variants')
  return Array.isArray(variants) ? variants.filter(isRecord) : []
}
