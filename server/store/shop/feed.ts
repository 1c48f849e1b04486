import { formatMoney } from '../../../shared/commerce/product.ts'
import type { Article, Offer } from '../db/tables.ts'
import { cacheable, type Reply, xml } from '../http/reply.ts'
import { applyFaults, type StoreRequest } from '../http/store-request.ts'
import { availableOn, imagePath, offersOf, pagePath } from './assortment.ts'
import type { InventoryRequest } from './inventory.ts'
import { variantName, variantUrl } from './pages/markup.ts'
import { SHOP_MOTTO, SHOP_NAME } from './settings.ts'
import { escapeXml } from './xml-text.ts'

/** The merchant feed: RSS 2.0 with Google's attributes, one item for each thing that can be bought. */
export function feedReply(request: InventoryRequest): Reply {
  const items = applyFaults(
    request,
    'feedItems',
    request.inventory.articles.flatMap((article) =>
      offersOf(article).map((offer) => feedItem(request, article, offer)),
    ),
  )
  return xml(
    `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
<title>${SHOP_NAME}</title>
<link>${escapeXml(request.origin)}/</link>
<description>${SHOP_MOTTO}</description>
${items.map(itemElement).join('')}</channel>
</rss>
`,
    cacheable(300),
  )
}

function feedItem(request: StoreRequest, article: Article, offer: Offer): Record<string, string> {
  const { name, description, brand, category, id, variants } = article
  const url = `${request.origin}${pagePath(article)}`
  const isVariant = variants.length > 0
  const availability_date = availableOn(offer, request.at)
  return {
    id: offer.id,
    title: isVariant ? variantName(article, offer) : name,
    description,
    link: isVariant ? variantUrl(url, offer) : url,
    image_link: `${request.origin}${imagePath(article)}`,
    availability: offer.availability,
    ...(availability_date !== null && { availability_date }),
    price: formatMoney(applyFaults(request, 'shelfPrice', offer.price)),
    brand,
    gtin: offer.gtin,
    mpn: offer.sku,
    condition: 'new',
    product_type: category,
    ...(isVariant && { item_group_id: id, ...offer.attributes }),
  }
}

/** RSS has these itself; the others are Google's. */
const PLAIN = ['title', 'description', 'link']

function itemElement(item: Record<string, string>): string {
  const elements = Object.entries(item).map(([name, text]) => {
    const tag = PLAIN.includes(name) ? name : `g:${name}`
    return `<${tag}>${escapeXml(text)}</${tag}>\n`
  })
  return `<item>\n${elements.join('')}</item>\n`
}
