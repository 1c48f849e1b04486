import type { PageElement } from './html/elements.ts'

/**
 * A schema.org term without its namespace: `Product` for `https://schema.org/Product` and
 * `schema:Product`. Both schemes are in use. Names of other vocabularies stay as written.
 */
export const shortName = (name: string): string =>
  name.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/#?|schema:)/i, '')

/**
 * Product and the types that schema.org derives from it (https://schema.org/Product, "More specific
 * types").
 */
export const PRODUCT_TYPES = new Set(
  (
    'Product ProductGroup ProductModel ProductCollection IndividualProduct SomeProducts ' +
    'DietarySupplement Drug Vehicle BusOrCoach Car Motorcycle MotorizedBicycle'
  ).split(' '),
)

/** Whether something has the type of a product: a node, or a block that could not be parsed. */
export const isProduct = ({ types }: { types: readonly string[] }): boolean =>
  types.some((type) => PRODUCT_TYPES.has(type))

/**
 * Properties through which a page mentions a product that it is not about, such as a list of
 * similar ones (https://schema.org/Product).
 */
export const MENTIONS: ReadonlySet<string> = new Set(
  (
    'itemListElement item itemReviewed itemOffered isRelatedTo isSimilarTo isConsumableFor ' +
    'isAccessoryOrSparePartFor hasPart mentions knowsAbout owns makesOffer'
  ).split(' '),
)

/** Types that rules look up by name, each under its lower-case name. */
const KNOWN_TYPES = new Map(
  [
    ...PRODUCT_TYPES,
    ...'Offer AggregateOffer Brand Organization OnlineStore WebSite'.split(' '),
  ].map((name) => [name.toLowerCase(), name]),
)

/** The short name of a type. Search engines read `product` as `Product`, and so does this. */
export function shortType(name: string): string {
  const short = shortName(name)
  return KNOWN_TYPES.get(short.toLowerCase()) ?? short
}

/** A vocabulary that search engines no longer read, and its first place. */
export interface RetiredVocabulary {
  name: string
  where: string
}

/**
 * Finds types of data-vocabulary.org (read by Google until 2021), of GoodRelations (part of
 * schema.org since 2012), and the microformat hproduct. Terms of GoodRelations that schema.org
 * refers to, such as its payment methods, are values and no types.
 */
export function createRetiredReader() {
  const found: RetiredVocabulary[] = []
  return {
    found,
    start(element: PageElement) {
      for (const { name, value } of element.attributes) {
        const vocabulary = retiredIn(name, value)
        if (vocabulary === null || found.some((each) => each.name === vocabulary)) continue
        found.push({
          name: vocabulary,
          where: `line ${element.line}, column ${element.column}`,
        })
      }
    },
  }
}

function retiredIn(attribute: string, value: string): string | null {
  if (attribute === 'class') {
    return value.includes('hproduct') && /(^|\s)hproduct(\s|$)/.test(value)
      ? 'the microformat hproduct'
      : null
  }
  if (attribute !== 'itemtype' && attribute !== 'typeof' && attribute !== 'vocab') return null
  if (value.includes('data-vocabulary.org')) return 'data-vocabulary.org'
  const isGoodRelations =
    value.includes('purl.org/goodrelations') || (attribute === 'typeof' && /(^|\s)gr:/.test(value))
  return isGoodRelations ? 'GoodRelations' : null
}
