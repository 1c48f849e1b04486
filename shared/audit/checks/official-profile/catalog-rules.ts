import { dialectOf, listedProducts, summarise } from '../../../commerce/catalog/listing.ts'
import { describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { jsonOf } from '../../../web/http/presence.ts'
import { field, isRecord, shown } from '../../../web/json/json.ts'
import type { CatalogSeen, OfficialCatalogSeen } from '../../evidence.ts'
import {
  gap,
  inOtherDialect,
  notApplicable,
  pass,
  type Rule,
  type RuleDefinition,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'
import { judgeFindings } from '../catalog/findings.ts'

const LOOKUP = 'UCP, Shopping, Catalog Lookup'

/** Judges what only official UCP's catalog has; in other stores the result does not mention it. */
const officialRule = (
  about: Pick<RuleDefinition<'catalog'>, 'id' | 'lostWith' | 'authority'>,
  audit: (official: OfficialCatalogSeen, catalog: CatalogSeen) => Verdict,
): Rule =>
  rule({
    lostWith: ['catalog_empty'],
    ...about,
    dialect: 'official',
    check: 'catalog',
    tool: null,
    reads: ['catalog'],
    audit: ({ catalog }) => {
      if (catalog.dialect !== 'ucp') return inOtherDialect('there is no official UCP profile')
      if (catalog.official === null) return skip(describeFetch(catalog.first.fetched))
      return listedProducts(catalog).length === 0
        ? skip('the catalog lists no products')
        : audit(catalog.official, catalog)
    },
  })

/** The products of an answer, or why nothing is known of them. */
function productsIn(catalog: CatalogSeen, seen: JsonSeen): unknown[] | Verdict {
  const presence = dialectOf(catalog).presenceOf(seen)
  if (presence.is === 'unknown') return skip(presence.why)
  if (presence.is !== 'present') return gap(`${presence.why}.`)
  const body = jsonOf(seen)
  const product = field(body, 'product')
  const products = field(body, 'products') ?? (isRecord(product) ? [product] : undefined)
  return Array.isArray(products)
    ? products.slice(0, 100)
    : gap(`${describeFetch(seen.fetched)} without products.`)
}

const variantsOf = (product: unknown): unknown[] => {
  const variants = field(product, 'variants')
  return Array.isArray(variants) ? variants.slice(0, 200) : []
}

const hasId = (part: unknown, id: string): boolean => field(part, 'id') === id

/** About what official UCP's catalog answers apart from a search. */
export const officialCatalogRules: readonly Rule[] = [
  officialRule(
    {
      // A plain text where the schema has an object: agents that go by it cannot read the product.
      id: 'ucp_description_invalid',
      authority: 'UCP, Shopping, Catalog, Description',
    },
    (_, catalog) => judgeFindings(catalog, 'description_shape'),
  ),
  officialRule(
    {
      // An agent that comes back with the ids of an earlier search finds nothing to buy.
      id: 'ucp_lookup_broken',
      authority: LOOKUP,
    },
    ({ lookup }, catalog) => {
      if (lookup === null) return notApplicable('the profile offers no catalog lookup')
      const products = productsIn(catalog, lookup.seen)
      if (!Array.isArray(products)) return products
      const request = describeFetch(lookup.seen.fetched)
      const missing = [
        ...(products.some((each) => hasId(each, lookup.product))
          ? []
          : [`the product ${shown(lookup.product)}`]),
        ...(products.some((each) => variantsOf(each).some((part) => hasId(part, lookup.variant)))
          ? []
          : [`the variant ${shown(lookup.variant)}`]),
      ]
      return missing.length === 0
        ? pass()
        : gap(`${request} without ${missing.join(' and ')}, which the catalog lists.`)
    },
  ),
  officialRule(
    {
      // UCP, Catalog Lookup: one product with its variants, what is selected first. An agent buys
      // the first variant.
      id: 'ucp_product_unresolved',
      authority: LOOKUP,
    },
    ({ detail }, catalog) => {
      if (detail === null) return notApplicable('the profile offers no catalog lookup')
      const products = productsIn(catalog, detail.seen)
      if (!Array.isArray(products)) return products
      const request = describeFetch(detail.seen.fetched)
      const product = products.find((each) => hasId(each, detail.product))
      if (product === undefined) {
        return gap(`${request} without the product ${shown(detail.product)}, which it lists.`)
      }
      const [first] = variantsOf(product)
      if (first === undefined) return gap(`${request} with a product without variants.`)
      if (detail.selected.length === 0) return pass()
      const chosen = detail.selected.map(({ name, label }) => `${name} ${label}`).join(', ')
      return hasSelected(first, detail.selected)
        ? pass()
        : gap(
            `${request} with the variant ${shown(field(first, 'id'))} first, where ${shown(chosen)} was selected: expected ${shown(detail.variant)}.`,
          )
    },
  ),
  officialRule(
    {
      // A buyer is shown the price of one and pays the price of the other.
      id: 'ucp_transports_differ',
      authority: 'UCP, Transports',
    },
    ({ transport, other, detail }, catalog) => {
      if (other === null) return notApplicable('the catalog is offered over one transport')
      const seen = [catalog.search?.seen, detail?.seen].flatMap((each) => each ?? [])
      const said = seen.flatMap((each) => {
        const products = productsIn(catalog, each)
        return Array.isArray(products) ? products : []
      })
      const offers = new Map(
        said.flatMap(variantsOf).flatMap((part) => {
          const id = field(part, 'id')
          return typeof id === 'string' ? [[id, part] as const] : []
        }),
      )
      let compared = 0
      const differences = listedProducts(catalog).flatMap(({ raw, where }) =>
        variantsOf(raw).flatMap((part) => {
          const id = field(part, 'id')
          const again = typeof id === 'string' ? offers.get(id) : undefined
          // The price may be converted: another currency is another price.
          if (again === undefined || currencyOf(part) !== currencyOf(again)) return []
          compared += 1
          const [one, two] = [priceOf(part), priceOf(again)]
          return one === two
            ? []
            : [`${shown(id)} of ${where} costs ${one} over ${transport} and ${two} over ${other}`]
        }),
      )
      if (compared === 0) return skip('no product was seen over both transports in one currency')
      return differences.length === 0 ? pass() : gap(summarise(differences))
    },
  ),
]

function hasSelected(
  variant: unknown,
  selected: readonly { name: string; label: string }[],
): boolean {
  const options = field(variant, 'options')
  const list = Array.isArray(options) ? options.slice(0, 50) : []
  return selected.every(({ name, label }) =>
    list.some((option) => field(option, 'name') === name && field(option, 'label') === label),
  )
}

const currencyOf = (variant: unknown): string => shown(field(field(variant, 'price'), 'currency'))

const priceOf = (variant: unknown): string => {
  const price = field(variant, 'price')
  return `${shown(field(price, 'amount'))} ${shown(field(price, 'currency'))}`
}
