import { gtinProblem } from '../../commerce/gtin.ts'
import { isCurrency } from '../../commerce/iso.ts'
import type { Availability } from '../../commerce/product.ts'
import { type ProductMarkup, variantsOf } from '../../markup/products.ts'

/** What one place says of one product, its variants included. */
export interface StatedProduct {
  offers: StatedOffer[]
  gtins: string[]
  mpns: string[]
  skus: string[]
}

export interface StatedOffer {
  /** As written. */
  availability: string | null
  /** Null where the text is not on the list of values. */
  stock: Availability | null
  /** In major units with a point, and its code of ISO 4217. */
  price: { decimal: string; currency: string } | null
}

/** What two places say differently of one product. */
export type Disagreement = 'availability' | 'currency' | 'identifiers'

/**
 * Both values of one that differs, as they are written; null where they agree or cannot be
 * compared.
 */
interface Different {
  what: string
  one: string
  other: string
}

/** The highest rate of value added tax is 27 %. */
const MAX_TAX = 1.27

/** Whether one of two prices may be the other without its taxes. */
export const mayDifferByTax = (one: number, other: number): boolean =>
  Math.max(one, other) <= Math.min(one, other) * MAX_TAX

/** What a page's markup says of its product and the variants of it. */
export function statementOf(product: ProductMarkup): StatedProduct {
  const all = [product, ...variantsOf(product)]
  const offers = all.flatMap((each) => each.offers)
  return {
    offers: offers.map(({ availability, stock, price, currency }) => ({
      availability,
      stock,
      price: price === null ? null : pricedIn(price, currency),
    })),
    gtins: [...all, ...offers].flatMap(({ gtins }) => gtins.map(({ value }) => value)),
    mpns: all.flatMap(({ mpn }) => mpn ?? []),
    skus: [...all, ...offers].flatMap(({ sku }) => sku ?? []),
  }
}

/** A text that is not a currency has a gap of its own, and cannot be compared. */
function pricedIn(decimal: string, written: string | null): StatedOffer['price'] {
  const currency = written?.toUpperCase() ?? ''
  return isCurrency(currency) ? { decimal, currency } : null
}

export const compareStatements: Record<
  Disagreement,
  (one: StatedProduct, other: StatedProduct) => Different | null
> = {
  /** Only that all can be bought here and none there: what is ordered ahead has many words. */
  availability(one, other) {
    const [here, there] = [stockOf(one), stockOf(other)]
    if (here === null || there === null || here.isInStock === there.isInStock) return null
    return { what: 'availability', one: here.written, other: there.written }
  },
  /** The same number in other money: a price that was converted has another number. */
  currency(one, other) {
    const [here, there] = [pricesOf(one), pricesOf(other)]
    if (here.some((a) => there.some((b) => a.currency === b.currency))) return null
    for (const price of here) {
      const same = there.find(({ number }) => number === price.number)
      if (same === undefined) continue
      const text = ({ number, currency }: typeof price) => `${number} ${currency}`
      return { what: 'currency', one: text(price), other: text(same) }
    }
    return null
  },
  /** Numbers of one kind on both sides, none of which is the same. */
  identifiers(one, other) {
    const kinds = [
      { what: 'gtin', here: valid(one.gtins), there: valid(other.gtins), plain: plainGtin },
      { what: 'mpn', here: one.mpns, there: other.mpns, plain: plainWord },
      { what: 'sku', here: one.skus, there: other.skus, plain: plainWord },
    ]
    for (const { what, here, there, plain } of kinds) {
      const known = new Set(there.map(plain))
      const [first, second] = [here[0], there[0]]
      if (first === undefined || second === undefined) continue
      return here.some((value) => known.has(plain(value)))
        ? null
        : { what, one: first, other: second }
    }
    return null
  },
}

/** Null unless every offer says the same of two: in stock, or out of stock. */
function stockOf({ offers }: StatedProduct): { isInStock: boolean; written: string } | null {
  const [first] = offers
  if (first?.stock !== 'in_stock' && first?.stock !== 'out_of_stock') return null
  const isOne = offers.every(({ stock }) => stock === first.stock)
  return isOne ? { isInStock: first.stock === 'in_stock', written: first.availability ?? '' } : null
}

/** Numbers as they are meant, so that `249` and `249.00` are one; free goods have no currency. */
const pricesOf = ({ offers }: StatedProduct) =>
  offers.flatMap(({ price }) => {
    const number = price === null || !isDecimal(price.decimal) ? 0 : Number(price.decimal)
    return price === null || number === 0
      ? []
      : [{ number, currency: price.currency.toUpperCase() }]
  })

const isDecimal = (text: string): boolean => /^\d{1,12}(?:\.\d{1,6})?$/.test(text)

/** One that is wrong in itself has a gap for that. */
const valid = (gtins: readonly string[]): string[] =>
  gtins.filter((gtin) => gtinProblem(gtin) === null)

/** GTINs of different lengths are one number with zeros before it. */
const plainGtin = (text: string): string => text.replaceAll(/\D/g, '').padStart(14, '0')
const plainWord = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
