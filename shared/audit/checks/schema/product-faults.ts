import { gtinProblem } from '../../../commerce/gtin.ts'
import { isCurrency } from '../../../commerce/iso.ts'
import { readAvailability } from '../../../markup/availability.ts'
import type { OfferMarkup } from '../../../markup/offers.ts'
import type { Page } from '../../../markup/page.ts'
import { allOffers, type ProductMarkup } from '../../../markup/products.ts'
import { shown } from '../../../web/json/json.ts'
import { DAY_MS } from '../../../web/moment.ts'
import type { PageSeen, ProductPageSeen } from '../../evidence.ts'
import { gap, pass, skip, type Verdict } from '../../rule.ts'
import { describeTruncated, judgeProducts, type PageFaults, sellables } from '../pages.ts'

/**
 * Judges every offer of every page's product, also where its syntax describes it twice. Pages
 * without an offer are left out: they have a gap of their own. `isJudged` narrows the offers.
 */
export function judgeOffers(
  pages: readonly ProductPageSeen[],
  faultOf: (offer: OfferMarkup) => string | null,
  isJudged: (offer: OfferMarkup) => boolean = () => true,
): Verdict {
  return judgeProducts(
    pages,
    (product, page) => {
      const repeated = otherVoices(page).filter(({ syntax }) => syntax === product.syntax)
      const offers = [product, ...repeated].flatMap(whereThePriceStands).filter(isJudged)
      return offers.length === 0 ? null : offers.flatMap((offer) => faultOf(offer) ?? [])
    },
    'no Offer markup to judge',
  )
}

/** A group whose variants have prices of their own may say nothing more in its own offers. */
function whereThePriceStands(product: ProductMarkup): OfferMarkup[] {
  const variants = product.variants.flatMap(({ offers }) => offers)
  return product.type === 'ProductGroup' && variants.some(({ price }) => price !== null)
    ? [...product.offers.filter(({ price }) => price !== null), ...variants]
    : allOffers(product)
}

/**
 * Faults of everything that can be bought: the product, or its variants. What another syntax of the
 * page states of the product is not missing.
 */
export const judgeSellables = (
  pages: readonly ProductPageSeen[],
  faultOf: (product: ProductMarkup) => string | null,
): Verdict =>
  judgeProducts(pages, (product, page) => {
    const others = otherVoices(page)
    return sellables(product).flatMap((each) => faultOf(completed(each, others)) ?? [])
  })

/** The same product in the other syntaxes of the page. */
export const otherVoices = ({ products, same_product }: Page): ProductMarkup[] =>
  same_product.flatMap((index) => products[index] ?? [])

function completed(product: ProductMarkup, others: readonly ProductMarkup[]): ProductMarkup {
  const all = [product, ...others]
  const first = (name: 'name' | 'description' | 'brand' | 'sku' | 'mpn'): string | null =>
    all.find((each) => each[name] !== null)?.[name] ?? null
  return {
    ...product,
    name: first('name'),
    description: first('description'),
    images: all.find(({ images }) => images.length > 0)?.images ?? [],
    brand: first('brand'),
    sku: first('sku'),
    mpn: first('mpn'),
    gtins: all.find(({ gtins }) => gtins.length > 0)?.gtins ?? [],
  }
}

/** Google wants availability from an Offer; an AggregateOffer may only give a range. */
export const isOffer = (offer: OfferMarkup): boolean => !offer.aggregate

/**
 * Google's merchant listings: a plain decimal above 0. Currency signs, commas and words are what
 * shops write by mistake. Null for a right price.
 */
export function priceFault({ price, where, aggregate, has_inner }: OfferMarkup): string | null {
  const name = aggregate ? 'lowPrice' : 'price'
  // The offers within it state it instead, and are judged themselves.
  if (price === null) return has_inner ? null : `${name} is missing (${where})`
  const isDecimal = /^\d+(\.\d+)?$/.test(price)
  if (isDecimal && Number(price) > 0) return null
  return `${name} is ${shown(price)} (${where}), expected a plain decimal above 0 such as 19.99`
}

/** Google's merchant listings: `priceCurrency` is an ISO 4217 code of three letters. */
export function currencyFault(offer: OfferMarkup): string | null {
  const { currency, where, has_inner } = offer
  if (currency === null) return has_inner ? null : `priceCurrency is missing (${where})`
  // Written in lower case it is another gap, with another severity.
  if (isCurrency(currency) || currencyCaseFault(offer) !== null) return null
  return `priceCurrency is ${shown(currency)} (${where}), expected an ISO 4217 code such as USD`
}

/** ISO 4217 knows capital letters alone; most readers forgive others, and some do not. */
export const currencyCaseFault = ({ currency, where }: OfferMarkup): string | null =>
  currency !== null && !isCurrency(currency) && isCurrency(currency.toUpperCase())
    ? `priceCurrency is ${shown(currency)} (${where}), expected ${currency.toUpperCase()}`
    : null

/**
 * Google: `priceValidUntil` is a date of ISO 8601, and a past one says that the price is out of
 * date. `seenAt` is when the page was served; what is out of stock may well have an old price.
 */
export function validUntilFault(
  { valid_until, where, stock }: OfferMarkup,
  seenAt: number | null,
): string | null {
  if (valid_until === null) return null
  const day = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ].*)?$/.exec(valid_until)
  const time =
    day === null ? Number.NaN : Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]))
  const isDay = day !== null && new Date(time).getUTCDate() === Number(day[3])
  if (!isDay) {
    return `priceValidUntil is ${shown(valid_until)} (${where}), expected a date such as 2027-12-31`
  }
  // Valid until the end of that day, in any time zone.
  if (seenAt === null || stock === 'out_of_stock' || time + 2 * DAY_MS > seenAt) return null
  const seen = new Date(seenAt).toISOString().slice(0, 10)
  return `priceValidUntil is ${shown(valid_until)} (${where}), which is past on ${seen}`
}

/** A stated policy that lacks what Google requires of it. */
export function policyFault(
  name: 'hasMerchantReturnPolicy' | 'shippingDetails',
  lacks: string | null,
  where: string,
): string[] {
  if (lacks === null) return []
  return [lacks === '' ? `${name} is empty (${where})` : `${name} has no ${lacks} (${where})`]
}

/** Google's merchant listings: a name of schema.org's ItemAvailability, with or without its URL. */
export function availabilityFault(offer: OfferMarkup): string | null {
  const { availability, where, has_inner } = offer
  if (availability === null) return has_inner ? null : `availability is missing (${where})`
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

/** A number of the maker or of the shop, with the product, its variants, or an offer. */
export const identifierFault = ({
  sku,
  mpn,
  product_id,
  gtins,
  offers,
  where,
}: ProductMarkup): string | null =>
  [sku, mpn, product_id].some((number) => number !== null) ||
  gtins.length > 0 ||
  offers.some((offer) => offer.sku !== null || offer.mpn !== null || offer.gtins.length > 0)
    ? null
    : `no gtin, mpn or sku (${where})`

/** Google: a sku has no white space. */
export const skuFaults = (product: ProductMarkup): PageFaults => {
  const stated = [product, ...product.variants]
    .flatMap((each) => [each, ...each.offers])
    .flatMap(({ sku, where }) => (sku === null ? [] : [{ sku, where }]))
  if (stated.length === 0) return null
  return stated.flatMap(({ sku, where }) =>
    /\s/.test(sku) ? [`sku is ${shown(sku)} (${where}), expected no spaces`] : [],
  )
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
      return [product, ...otherVoices(page)].some(isStated) || shopStates(page)
        ? []
        : [`no ${name} (${product.where})`]
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
    : gap(
        `${verdict.detail} ${home.page.has_organization ? 'The Organization on the home page' : 'The home page'} does not state it either.`,
      )
}
