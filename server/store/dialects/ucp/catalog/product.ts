import * as z from 'zod'
import type { Article, Offer } from '../../../db/tables.ts'
import type { JsonObject } from '../../../http/store-request.ts'
import { imagePath, offersOf, pagePath, variantName } from '../../../shop/assortment.ts'
import { Text } from '../envelope.ts'

/**
 * The product as UCP lists it, with these of its offers as variants; its price range covers all.
 */
export function toUcpProduct(
  article: Article,
  origin: string,
  variants: readonly JsonObject[] = offersOf(article).map((offer) => toUcpVariant(article, offer)),
): JsonObject {
  const { id, name, category } = article
  const prices = offersOf(article)
    .map(({ price }) => price)
    .sort((one, other) => one.amount - other.amount)
  return {
    id,
    title: name,
    description: { plain: article.description },
    url: origin + pagePath(article),
    categories: [{ value: category, taxonomy: 'merchant' }],
    price_range: { min: prices[0], max: prices.at(-1) },
    media: [{ type: 'image', url: origin + imagePath(article), alt_text: name }],
    ...(article.variants.length > 0 && {
      options: optionsOf(article).map(({ name: option, labels }) => ({
        name: option,
        values: labels.map((label) => ({ label })),
      })),
    }),
    variants,
  }
}

/** A variant as UCP lists it. Its barcode is a GTIN-13, which UCP calls EAN. */
export function toUcpVariant(article: Article, offer: Offer): JsonObject {
  const { id, sku, gtin, attributes, price, availability } = offer
  return {
    id,
    sku,
    barcodes: [{ type: 'EAN', value: gtin }],
    title: variantName(article, offer),
    // Only the product has the text, so that it is not repeated.
    description: { plain: variantName(article, offer) },
    price,
    availability: { available: isAvailable(offer), status: availability },
    options: selectionOf(attributes),
  }
}

/** Whether it can be bought: a preorder or backorder can. */
export const isAvailable = ({ availability }: Offer): boolean => availability !== 'out_of_stock'

/** One option and the value chosen of it, such as `size`, `M`. */
export const Selected = z.object({ name: Text, label: Text })
export type Selected = z.infer<typeof Selected>

/** A variant's attributes as UCP's options. */
export const selectionOf = (attributes: Record<string, string>): Selected[] =>
  Object.entries(attributes).map(([name, label]) => ({ name, label }))

/** The names of the product's options, each with its labels in the order of the variants. */
export function optionsOf({ variants }: Article): { name: string; labels: string[] }[] {
  const options = new Map<string, Set<string>>()
  for (const { name, label } of variants.flatMap(({ attributes }) => selectionOf(attributes))) {
    options.set(name, (options.get(name) ?? new Set()).add(label))
  }
  return [...options].map(([name, labels]) => ({ name, labels: [...labels] }))
}
