import { gtinProblem } from '../../../commerce/gtin.ts'
import { isCurrency } from '../../../commerce/iso.ts'
import { readAvailability } from '../../../markup/availability.ts'
import type { OfferMarkup } from '../../../markup/offers.ts'
import type { Page } from '../../../markup/page.ts'
import type { ProductMarkup } from '../../../markup/products.ts'
import { shown } from '../../../web/json.ts'
import type { PageSeen, ProductPageSeen } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'
import { describeTruncated, judgeProducts, type PageFaults, sellables } from './product-pages.ts'

/** Of the product and of its variants. */
export const allOffers = (product: ProductMarkup): OfferMarkup[] => [
  ...product.offers,
  ...product.variants.flatMap((variant) => variant.offers),
]

/**
 * Judges every offer of every page's product. Pages without an offer are left out: they have a gap
 * of their own. `isJudged` narrows the offers.
 */
export function judgeOffers(
  pages: readonly ProductPageSeen[],
  faultOf: (offer: OfferMarkup) => string | null,
  isJudged: (offer: OfferMarkup) => boolean = () => true,
): Verdict {
  return judgeProducts(
    pages,
    (product) => {
      const offers = allOffers(product).filter(isJudged)
      return offers.length === 0 ? null : offers.flatMap((offer) => faultOf(offer) ?? [])
    },
    'no Offer markup to judge',
  )
}

/** Faults of everything that can be bought: the product, or its variants. */
export const judgeSellables = (
  pages: readonly ProductPageSeen[],
  faultOf: (product: ProductMarkup) => string | null,
): Verdict =>
  judgeProducts(pages, (product) => sellables(product).flatMap((each) => faultOf(each) ?? []))

/** Google wants availability from an Offer; an AggregateOffer may only give a range. */
export const isOffer = (offer: OfferMarkup): boolean => !offer.aggregate

/**
 * Google's merchant listings: a plain decimal above 0. Currency signs, commas and words are what
 * shops write by mistake. Null for a right price.
 */
export function priceFault({ price, where, aggregate }: OfferMarkup): string | null {
  const name = aggregate ? 'lowPrice' : 'price'
  if (price === null) return `${name} is missing (${where})`
  const isDecimal = /^\d+(\.\d+)?$/.test(price)
  if (isDecimal && Number(price) > 0) return null
  return `${name} is ${shown(price)} (${where}), expected a plain decimal above 0 such as 19.99`
}

/** Google's merchant listings: `priceCurrency` is an ISO 4217 code of three letters. */
export function currencyFault({ currency, where }: OfferMarkup): string | null {
  if (currency === null) return `priceCurrency is missing (${where})`
  if (isCurrency(currency)) return null
  return `priceCurrency is ${shown(currency)} (${where}), expected an ISO 4217 code such as USD`
}

/** Google's merchant listings: a name of schema.org's ItemAvailability, with or without its URL. */
export function availabilityFault({ availability, where }: OfferMarkup): string | null {
  if (availability === null) return `availability is missing (${where})`
  if (readAvailability(availability) !== null) return null
  return `availability is ${shown(availability)} (${where}), expected a schema.org name such as https://schema.org/InStock`
}

/**
 * Every GTIN of the product, its variants and their offers, judged by GS1's rules; null when none
 * is stated, because not every product has one.
 */
export function gtinFaults(product: ProductMarkup): PageFaults {
  const stated = [product, ...product.variants].flatMap((each) => [
    ...each.gtins.map((gtin) => ({ ...gtin, where: each.where })),
    ...each.offers.flatMap((offer) => offer.gtins.map((gtin) => ({ ...gtin, where: offer.where }))),
  ])
  // An ISBN-10 is not a GTIN: only the 13-digit form is (GS1 prefixes 978 and 979).
  const gtins = stated.filter(
    ({ property, value }) => property !== 'isbn' || value.replace(/[\s-]/g, '').length !== 10,
  )
  if (gtins.length === 0) return null
  return gtins.flatMap(({ property, value, where }) => {
    const problem = gtinProblem(value)
    return problem === null ? [] : [`${property} ${shown(value)} ${problem} (${where})`]
  })
}

/** Stated with the offer, or once for the shop on its home page. */
export function judgePolicy(
  pages: readonly ProductPageSeen[],
  home: PageSeen,
  name: string,
  isStated: (product: ProductMarkup) => boolean,
  shopStates: (page: Page) => boolean,
): Verdict {
  const verdict = judgeProducts(
    pages,
    (product, page) => {
      if (!allOffers(product).some(isOffer)) return null
      return isStated(product) || shopStates(page) ? [] : [`no ${name} (${product.where})`]
    },
    'no Offer markup to judge',
  )
  if (verdict.kind !== 'gap') return verdict
  if (home.page === null)
    return skip(
      `no ${name} on the product pages; the home page, which may state it, could not be read`,
    )
  if (shopStates(home.page)) return pass('stated for the whole shop on the home page')
  return home.page.truncated !== null
    ? skip(`no ${name} on the product pages; ${describeTruncated(home.page)}`)
    : gap(`${verdict.detail} The Organization on the home page does not state it either.`)
}
