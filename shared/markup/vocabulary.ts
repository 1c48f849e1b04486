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

/** Types that rules ask for by name, each under its lower-case name. */
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
