import type { Money } from '../../../../shared/commerce/product.ts'
import type { Article, Offer } from '../../db/tables.ts'
import { applyFaults } from '../../http/store-request.ts'
import { availableOn, imagePath, offersOf, pagePath, variantName } from '../assortment.ts'
import { type Apparel, DEPARTMENTS } from '../catalog-data.ts'
import type { InventoryRequest } from '../inventory.ts'
import { variantUrl } from '../pages/markup.ts'

/** One offer, which each feed writes in its own form. */
export interface Listing {
  /** The id for a checkout: of the variant, or of a product without options. */
  id: string
  /** The product that it is a variant of; null if it is the product. */
  group: string | null
  article: Article
  offer: Offer
  title: string
  url: string
  image: string
  /** As the product's page states it. */
  price: Money
  /** The day (UTC) on which a preorder or backorder can ship. */
  available: string | null
  /** What vendors demand of clothing and shoes. */
  apparel: Apparel | undefined
}

const APPAREL = new Map(DEPARTMENTS.map(({ category, apparel }) => [category, apparel]))

/** All offers, once, in the order of the catalog: the source of the feeds. */
export const listingsOf = (request: InventoryRequest): Listing[] =>
  request.inventory.articles.flatMap((article) => productListings(request, article))

/** The offers of one product. */
export function productListings(request: InventoryRequest, article: Article): Listing[] {
  const page = `${request.origin}${pagePath(article)}`
  const isVariant = article.variants.length > 0
  return offersOf(article).map((offer) => ({
    id: offer.id,
    group: isVariant ? article.id : null,
    article,
    offer,
    title: isVariant ? variantName(article, offer) : article.name,
    url: isVariant ? variantUrl(page, offer) : page,
    image: `${request.origin}${imagePath(article)}`,
    price: applyFaults(request, 'shelfPrice', offer.price),
    available: availableOn(offer, request.at),
    apparel: APPAREL.get(article.category),
  }))
}
