import type { JsonObject } from '../../http/store-request.ts'
import { imagePath, pagePath } from '../assortment.ts'
import type { InventoryRequest } from '../inventory.ts'
import { policyLinks } from '../pages/policies.ts'
import { SHIPPING, SHOP_NAME } from '../settings.ts'
import { type Listing, productListings } from './listing.ts'
import { linesOf } from './table.ts'

/**
 * ACP's `metadata.json`. Unspecified: an agent's server gives a feed its id. A store without such
 * an id uses its host, which is as stable.
 */
export const acpMetadata = ({ host, at }: InventoryRequest): string =>
  JSON.stringify({
    id: `feed_${host}`,
    target_country: SHIPPING.country,
    updated_at: at.toISOString(),
  })

/** ACP's `products.jsonl`: a product in each line, with all its offers. */
export const acpProducts = (request: InventoryRequest): string =>
  linesOf(request.inventory.articles.map((article) => productOf(request, article)))

type Articles = InventoryRequest['inventory']['articles']

function productOf(request: InventoryRequest, article: Articles[number]): JsonObject {
  const { origin } = request
  return {
    id: article.id,
    title: article.name,
    description: { plain: article.description },
    url: `${origin}${pagePath(article)}`,
    media: [imageOf(`${origin}${imagePath(article)}`, article.name)],
    variants: productListings(request, article).map((listing) => variantOf(request, listing)),
  }
}

function variantOf(request: InventoryRequest, listing: Listing): JsonObject {
  const { id, group, article, offer, title, url, image, price } = listing
  const options = group === null ? [] : Object.entries(offer.attributes)
  return {
    id,
    title,
    description: { plain: article.description },
    url,
    barcodes: [{ type: 'GTIN', value: offer.gtin }],
    price,
    availability: {
      available: offer.availability !== 'out_of_stock',
      status: offer.availability,
    },
    categories: [{ value: article.category, taxonomy: 'merchant' }],
    condition: ['new'],
    ...(options.length > 0 && {
      variant_options: options.map(([name, value]) => ({ name: titled(name), value })),
    }),
    media: [imageOf(image, title)],
    seller: { name: SHOP_NAME, links: policyLinks(request) },
  }
}

/** Names of options are for people. */
const titled = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

const imageOf = (url: string, alt_text: string) => ({ type: 'image', url, alt_text })
