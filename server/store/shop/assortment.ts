import type { Money, Product } from '../../../shared/commerce/product.ts'
import { DAY_MS, dayOf } from '../../../shared/web/moment.ts'
import type { Article, Offer } from '../db/tables.ts'
import { DEPARTMENTS, type Department, type Option, type Row } from './catalog-data.ts'
import { DAYS_UNTIL_AVAILABLE } from './settings.ts'

// Unspecified: the reference store sells in one currency, USD.
export const CURRENCY = 'USD'

const dollars = (whole: number): Money => ({ amount: whole * 100, currency: CURRENCY })

/** GS1 keeps the prefix 952 for demonstrations: no real product has these numbers. */
function gtin13(serial: number): string {
  const digits = `952${String(serial).padStart(9, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function buildArticle(department: Department, row: Row, index: number, number: number): Article {
  const [name, brand, price, about, availability = 'in_stock'] = row
  const { details, category, code } = department
  const id = `ao-${number}`
  const sku = `AO-${code}-${String(index + 1).padStart(2, '0')}`
  const combinations = combine(department.optionsOf(name, index))
  const variants = combinations.map(({ attributes, surcharge }, at): Offer => {
    const suffix = Object.values(attributes).join('-').replaceAll(' ', '-')
    // In every third product the last variant is sold out, as on real shelves.
    const soldOut = index % 3 === 2 && at === combinations.length - 1
    return {
      id: `${id}-${suffix.toLowerCase()}`,
      sku: `${sku}-${suffix.toUpperCase()}`,
      gtin: gtin13(number * 100 + at + 1),
      attributes,
      price: dollars(price + surcharge),
      availability: soldOut ? 'out_of_stock' : availability,
    }
  })
  return {
    id,
    sku,
    gtin: gtin13(number * 100),
    attributes: {},
    price: dollars(price),
    availability,
    name,
    brand,
    category,
    description: [
      `${about}.`,
      details[index % details.length],
      details[(index + 1) % details.length],
    ].join(' '),
    variants,
  }
}

interface Combination {
  attributes: Record<string, string>
  surcharge: number
}

function combine(options: readonly Option[]): Combination[] {
  if (options.length === 0) return []
  return options.reduce<Combination[]>(
    (combinations, { name, values, surcharge: added }) =>
      combinations.flatMap(({ attributes, surcharge }) =>
        values.map((value) => ({
          attributes: { ...attributes, [name]: value },
          surcharge: surcharge + (added?.[value] ?? 0),
        })),
      ),
    [{ attributes: {}, surcharge: 0 }],
  )
}

/** All products, in the order of the catalog. The same at every start. */
export const ARTICLES: readonly Article[] = DEPARTMENTS.flatMap((department, at) =>
  department.rows.map((row, index) =>
    buildArticle(department, row, index, 1001 + at * 100 + index),
  ),
)

const BY_ID = new Map(ARTICLES.map((article) => [article.id, article]))

/** A product of the assortment by its id: without stock. */
export const findArticle = (id: string): Article | undefined => BY_ID.get(id)

/** The product itself if it has no options. */
export const offersOf = (article: Article): readonly Offer[] =>
  article.variants.length > 0 ? article.variants : [article]

/**
 * The day (UTC, `2026-07-01`) on which a preorder or backorder can ship; null for items in stock.
 * Google demands it for both (product data specification, `availability_date`).
 */
export const availableOn = ({ availability }: Offer, now: Date): string | null =>
  availability === 'preorder' || availability === 'backorder'
    ? dayOf(now.getTime() + DAYS_UNTIL_AVAILABLE * DAY_MS)
    : null

/**
 * `Ridge Jacket, S, Pine`: an order line has no field for options, and Google asks for a variant's
 * own name in markup and feed.
 */
export const variantName = ({ name }: Article, { attributes }: Offer): string =>
  [name, ...Object.values(attributes)].join(', ')

/** Path of the product's page. */
export const pagePath = ({ id }: Article): string => `/products/${id}`
export const imagePath = ({ id }: Pick<Article, 'id'>): string => `/images/${id}.svg`

/** The product as the catalog lists it (spec, Product). */
export function toProduct(article: Article, origin: string): Product {
  const { id, name, description, price, availability, category, brand, sku, variants } = article
  return {
    id,
    name,
    description,
    price,
    availability,
    category,
    brand,
    sku,
    url: `${origin}${pagePath(article)}`,
    images: [`${origin}${imagePath(article)}`],
    ...(variants.length > 0 && {
      variants: variants.map((variant) => ({
        id: variant.id,
        sku: variant.sku,
        attributes: variant.attributes,
        price: variant.price,
        availability: variant.availability,
      })),
    }),
  }
}
