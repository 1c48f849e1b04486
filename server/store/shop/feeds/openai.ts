import { type Availability, formatMoney } from '../../../../shared/commerce/product.ts'
import { applyFaults, type JsonObject } from '../../http/store-request.ts'
import type { Apparel } from '../catalog-data.ts'
import type { InventoryRequest } from '../inventory.ts'
import { POLICIES_PATH, RETURN_DAYS, SHIPPING, SHOP_NAME } from '../settings.ts'
import { type Listing, listingsOf } from './listing.ts'
import { linesOf, tableOf } from './table.ts'

/** The columns of the table, in their order. */
const COLUMNS = [
  ...['item_id', 'title', 'description', 'url', 'image_url', 'brand', 'seller_name'],
  ...['availability', 'price', 'is_eligible_search', 'is_eligible_checkout'],
  ...['seller_privacy_policy', 'seller_tos', 'seller_url'],
  ...['group_id', 'listing_has_variations', 'variant_dict', 'size', 'color', 'gender', 'age_group'],
  ...['gtin', 'mpn', 'condition', 'product_category', 'shipping_price'],
  ...['accepts_returns', 'return_deadline_in_days', 'return_policy'],
  ...['target_countries', 'store_country'],
]

const AVAILABILITY: Record<Availability, string> = {
  in_stock: 'in_stock',
  out_of_stock: 'out_of_stock',
  preorder: 'pre_order',
  backorder: 'backorder',
}

/** OpenAI's product feed for file upload, as JSON Lines. */
export const openaiLines = (request: InventoryRequest): string => linesOf(openaiItems(request))

/** OpenAI's feed as tab-separated text. */
export const openaiTable = (request: InventoryRequest): string =>
  tableOf(COLUMNS, openaiCells(request))

/** The rows as the cells of a table: objects are JSON, booleans in lower case. */
export const openaiCells = (request: InventoryRequest): Record<string, string>[] =>
  openaiItems(request).map((item) =>
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    ),
  )

const openaiItems = (request: InventoryRequest): JsonObject[] =>
  applyFaults(
    request,
    'openaiItems',
    listingsOf(request).map((listing) => openaiItem(request.origin, listing)),
  )

function openaiItem(origin: string, listing: Listing): JsonObject {
  const { id, group, article, offer, title, url, image, price, apparel } = listing
  const { google_product_category: _, ...worn }: Partial<Apparel> = apparel ?? {}
  const policies = `${origin}${POLICIES_PATH}`
  const isFree = price.amount >= SHIPPING.freeFrom.amount
  return {
    item_id: id,
    title,
    description: article.description,
    url,
    image_url: image,
    brand: article.brand,
    seller_name: SHOP_NAME,
    availability: AVAILABILITY[offer.availability],
    price: formatMoney(price),
    is_eligible_search: true,
    is_eligible_checkout: true,
    seller_privacy_policy: `${policies}#privacy_policy`,
    seller_tos: `${policies}#terms_of_service`,
    seller_url: `${origin}/`,
    ...worn,
    ...(group !== null && {
      group_id: group,
      listing_has_variations: true,
      variant_dict: offer.attributes,
      ...offer.attributes,
    }),
    gtin: offer.gtin,
    mpn: offer.sku,
    condition: 'new',
    product_category: `Outdoor Gear > ${article.category}`,
    shipping_price: formatMoney({ ...price, amount: isFree ? 0 : SHIPPING.standard.amount }),
    accepts_returns: true,
    return_deadline_in_days: RETURN_DAYS,
    return_policy: `${policies}#refund_policy`,
    // Asked for by the newer of OpenAI's two pages alone.
    target_countries: [SHIPPING.country],
    store_country: SHIPPING.country,
  }
}
