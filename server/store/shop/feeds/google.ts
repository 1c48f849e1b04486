import { formatMoney } from '../../../../shared/commerce/product.ts'
import { applyFaults } from '../../http/store-request.ts'
import type { InventoryRequest } from '../inventory.ts'
import { SHOP_MOTTO, SHOP_NAME } from '../settings.ts'
import { escapeXml } from '../xml-text.ts'
import { type Listing, listingsOf } from './listing.ts'
import { tableOf } from './table.ts'

/** The columns of the table, in their order; those of a group are `attribute(sub-attribute)`. */
const COLUMNS = [
  ...['id', 'title', 'description', 'link', 'image_link', 'availability', 'availability_date'],
  ...['price', 'brand', 'gtin', 'mpn', 'condition', 'product_type', 'google_product_category'],
  ...['gender', 'age_group', 'item_group_id', 'size', 'color'],
  'native_commerce(checkout_eligibility)',
]

/** Google's feed as tab-separated text. */
export const googleTable = (request: InventoryRequest): string =>
  tableOf(COLUMNS, googleItems(request))

/** Google's feed as RSS 2.0, one item for each offer. */
export const googleRss = (request: InventoryRequest): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
<title>${SHOP_NAME}</title>
<link>${escapeXml(request.origin)}/</link>
<description>${SHOP_MOTTO}</description>
${googleItems(request).map(itemElement).join('')}</channel>
</rss>
`

const googleItems = (request: InventoryRequest): Record<string, string>[] =>
  applyFaults(request, 'feedItems', listingsOf(request).map(googleItem))

/** One row of Google's product data specification. */
function googleItem(listing: Listing): Record<string, string> {
  const { id, group, article, offer, title, url, image, price, available, apparel } = listing
  return {
    id,
    title,
    description: article.description,
    link: url,
    image_link: image,
    availability: offer.availability,
    ...(available !== null && { availability_date: available }),
    price: formatMoney(price),
    brand: article.brand,
    gtin: offer.gtin,
    mpn: offer.sku,
    condition: 'new',
    product_type: article.category,
    ...apparel,
    ...(group !== null && { item_group_id: group, ...offer.attributes }),
    // Unspecified: every product is offered for checkout at Google, even if sold out: its
    // availability shows the current stock.
    'native_commerce(checkout_eligibility)': 'true',
  }
}

/** RSS defines these itself; the others are Google's. */
const PLAIN = ['title', 'description', 'link']

function itemElement(item: Record<string, string>): string {
  const elements = Object.entries(item).map(([name, text]) => {
    const [, group, part] = /^(\w+)\((\w+)\)$/.exec(name) ?? []
    if (group !== undefined && part !== undefined) return googleGroup(group, part, text)
    const tag = PLAIN.includes(name) ? name : `g:${name}`
    return `<${tag}>${escapeXml(text)}</${tag}>\n`
  })
  return `<item>\n${elements.join('')}</item>\n`
}

/** In XML, the parts of a group are nested in it. */
const googleGroup = (group: string, part: string, text: string): string =>
  `<g:${group}><g:${part}>${escapeXml(text)}</g:${part}></g:${group}>\n`
