import { isCurrency } from '../../commerce/iso.ts'
import { Availability, formatMoney, Money, toMajor } from '../../commerce/product.ts'
import { stockOf } from '../../markup/availability.ts'
import { amountProblem, ProductFacts } from '../../markup/build.ts'
import { MAX_META, type Page } from '../../markup/page.ts'
import { mainProduct } from '../../markup/products.ts'
import { field } from '../../web/json/json.ts'
import { visibleText } from '../../web/text/invisible.ts'

/** What the catalog, Open Graph and the merchant say of the product of a page. */
export interface KnownProduct {
  url: string
  name: string | undefined
  images: string[]
  description: string | undefined
  brand: string | undefined
  sku: string | undefined
  gtin: string | undefined
  /** Major units; undefined also where they contradict each other, and so is `availability`. */
  price: { price: string; currency: string } | undefined
  availability: Availability | undefined
  shipping: (NonNullable<ProductFacts['shipping']> & { currency: string }) | undefined
  returns: ProductFacts['returns']
}

/** A rate as the merchant states it, who may leave the currency to the products. */
type GivenRate = NonNullable<ProductFacts['shipping']> & { currency?: string | undefined }

/** What is known of the product of a page, its own markup aside; the request's rate comes later. */
export function knownOf(
  given: Partial<Pick<KnownProduct, 'brand' | 'returns'>>,
  url: string,
  product: Record<string, unknown> | null,
  page: Page | null,
): KnownProduct {
  const listed = Money.safeParse(product?.price).data
  const isUnsure = disagreement(product, page) !== null
  const { shape } = ProductFacts
  const one = <Key extends 'name' | 'description' | 'brand' | 'sku' | 'gtin'>(
    key: Key,
    ...texts: (string | undefined)[]
  ) => texts.flatMap((text) => shape[key].safeParse(text).data ?? [])[0]
  return {
    url,
    name: one('name', visibleTextOf(product?.name), visibleTextOf(metaOf(page, 'og:title'))),
    images: imagesOf(product, page),
    description: one(
      'description',
      visibleTextOf(product?.description),
      wholeText(metaOf(page, 'og:description')),
    ),
    brand: one('brand', visibleTextOf(field(product, 'brand')), given.brand),
    sku: one('sku', visibleTextOf(field(product, 'sku'))),
    gtin: one(
      'gtin',
      visibleTextOf(field(product, 'gtin')),
      visibleTextOf(field(product, 'barcode')),
    ),
    price: isUnsure
      ? undefined
      : usable(
          listed === undefined
            ? { price: metaOf(page, PRICE), currency: metaOf(page, CURRENCY) }
            : { price: toMajor(listed), currency: listed.currency },
        ),
    availability: isUnsure
      ? undefined
      : (Availability.safeParse(product?.availability).data ??
        stockOf(metaOf(page, STOCK) ?? '') ??
        undefined),
    shipping: undefined,
    returns: given.returns,
  }
}

const PRICE = 'product:price:amount'
const CURRENCY = 'product:price:currency'
const STOCK = 'product:availability'

/** A price that markup may state; undefined where a part of it is missing or wrong. */
function usable({
  price,
  currency,
}: {
  price?: string | undefined
  currency?: string | undefined
}) {
  const amount = ProductFacts.shape.price.safeParse(price).data
  const code = ProductFacts.shape.currency.safeParse(currency).data
  return amount === undefined || code === undefined || amountProblem(amount, code) !== null
    ? undefined
    : { price: amount, currency: code }
}

/** Where the catalog and Open Graph differ: which of them is right is not known. */
export function disagreement(
  product: Record<string, unknown> | null,
  page: Page | null,
): string | null {
  const listed = Money.safeParse(product?.price).data
  const shown = usable({ price: metaOf(page, PRICE), currency: metaOf(page, CURRENCY) })
  const stock = Availability.safeParse(product?.availability).data
  const shownStock = stockOf(metaOf(page, STOCK) ?? '')
  if (
    listed !== undefined &&
    shown !== undefined &&
    (Number(shown.price) !== Number(toMajor(listed)) || shown.currency !== listed.currency)
  ) {
    return `the catalog says ${formatMoney(listed)} and Open Graph ${shown.price} ${shown.currency}`
  }
  return stock !== undefined && shownStock !== null && stock !== shownStock
    ? `the catalog says ${stock} and Open Graph ${shownStock}`
    : null
}

/** The rate for all pages, and why there is none where it is given. */
export function rateOf(
  shipping: GivenRate | undefined,
  known: readonly KnownProduct[],
  pages: ReadonlyMap<string, { page: Page }>,
): { shipping: KnownProduct['shipping']; problem: string | null } {
  if (shipping === undefined) return { shipping, problem: null }
  const currencies = new Set(
    known.flatMap(({ url, price }) => {
      const page = pages.get(url)?.page
      const main = page === undefined ? null : mainProduct(page)
      const stated = main?.offers.flatMap((offer) => offer.currency?.toUpperCase() ?? []) ?? []
      return stated.length > 0 ? stated.filter(isCurrency) : (price?.currency ?? [])
    }),
  )
  const [only] = currencies
  if (shipping.currency === undefined && currencies.size > 1) {
    const all = [...currencies].slice(0, 10).join(', ')
    return {
      shipping: undefined,
      problem: `shipping.currency: which one the price is in. The products have prices in ${all}.`,
    }
  }
  const currency = shipping.currency ?? only
  const wrong = currency === undefined ? null : amountProblem(shipping.price, currency)
  return currency === undefined || wrong !== null
    ? { shipping: undefined, problem: wrong === null ? null : `shipping.price: ${wrong}` }
    : { shipping: { ...shipping, currency }, problem: null }
}

const MOST_TEXT = 5000

export function visibleTextOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? visibleText(value).trim().slice(0, MOST_TEXT) : ''
  return text === '' ? undefined : text.toWellFormed()
}

/** Undefined where it is as long as what is kept of it: the rest may be missing. */
const wholeText = (content: string | undefined): string | undefined =>
  content === undefined || content.length >= MAX_META ? undefined : visibleTextOf(content)

export const metaOf = (page: Page | null, key: string): string | undefined =>
  page?.meta.find((each) => each.key === key)?.content

function imagesOf(product: Record<string, unknown> | null, page: Page | null): string[] {
  const listed = Array.isArray(product?.images) ? product.images : []
  return [...listed, metaOf(page, 'og:image')]
    .flatMap((each) => (typeof each === 'string' && /^https:\/\//i.test(each) ? [each] : []))
    .filter((each) => ProductFacts.shape.images.element.safeParse(each).success)
    .slice(0, 10)
}
