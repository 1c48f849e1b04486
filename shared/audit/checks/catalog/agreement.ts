import { Availability, Money, toMajor } from '../../../commerce/product.ts'
import { field, isRecord, shown } from '../../../web/json/json.ts'
import type { CatalogSeen, ProductPageSeen } from '../../evidence.ts'
import {
  compareStatements,
  type Disagreement,
  type StatedOffer,
  type StatedProduct,
  statementOf,
} from '../agreement.ts'
import { matchCatalogPages } from './match-pages.ts'

/** Where the catalog and the pages of the same products contradict each other. */
export function compareCatalog(
  catalog: CatalogSeen,
  pages: readonly ProductPageSeen[],
  about: Disagreement,
): { compared: number; differences: string[] } {
  const differences: string[] = []
  let compared = 0
  for (const { listed, markup, url } of matchCatalogPages(catalog, pages)) {
    compared += 1
    const said = listed.map(({ product }) => statementOfProduct(product))
    const found = compareStatements[about](together(said), statementOf(markup))
    if (found === null) continue
    differences.push(
      `${listed[0]?.where} has the ${found.what} ${shown(found.one)}, and ${url} says ${shown(found.other)}`,
    )
  }
  return { compared, differences }
}

/** A product with variants is what its variants are: its own price and stock sum them up. */
function statementOfProduct(product: unknown): StatedProduct {
  const variants = field(product, 'variants')
  const parts = Array.isArray(variants) ? variants.filter(isRecord).slice(0, MAX_VARIANTS) : []
  const said = [product, ...parts].map(statementOfPart)
  return { ...together(said), offers: (parts.length > 0 ? parts : [product]).map(offerOf) }
}

/** One variant, or a product aside from its variants. */
export function statementOfPart(part: unknown): StatedProduct {
  const texts = (name: string) => {
    const value = field(part, name)
    return typeof value === 'string' && value.trim() !== '' ? [value] : []
  }
  return { offers: [offerOf(part)], gtins: texts('gtin'), mpns: texts('mpn'), skus: texts('sku') }
}

const MAX_VARIANTS = 200

function offerOf(part: unknown): StatedOffer {
  const price = Money.safeParse(field(part, 'price'))
  const stock = Availability.safeParse(field(part, 'availability'))
  return {
    availability: stock.success ? stock.data : null,
    stock: stock.success ? stock.data : null,
    price: price.success ? { decimal: toMajor(price.data), currency: price.data.currency } : null,
  }
}

const together = (statements: readonly StatedProduct[]): StatedProduct => ({
  offers: statements.flatMap(({ offers }) => offers),
  gtins: statements.flatMap(({ gtins }) => gtins),
  mpns: statements.flatMap(({ mpns }) => mpns),
  skus: statements.flatMap(({ skus }) => skus),
})
