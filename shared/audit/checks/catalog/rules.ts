import {
  dialectOf,
  listedProducts,
  productsOfPage,
  summarise,
} from '../../../commerce/catalog/listing.ts'
import { sharedCacheSeconds } from '../../../web/http/cache-control.ts'
import type { Answer } from '../../../web/http/fetched.ts'
import { contentType, excerpt, isJsonType } from '../../../web/http/presence.ts'
import { shown } from '../../../web/json/json.ts'
import type { CatalogSeen, Evidence, NextFault } from '../../evidence.ts'
import {
  gap,
  notApplicable,
  otherDialect,
  pass,
  type Rule,
  type RuleDefinition,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'
import type { GapId } from '../../words.ts'
import { salesOver } from '../acp/steps.ts'
import type { Disagreement } from '../agreement.ts'
import { WITHOUT_ENDPOINT, WITHOUT_PAGE_PRICE, WITHOUT_SERVICE } from '../lost-with.ts'
import { areAllDead } from '../official-profile/service-life.ts'
import {
  compareCatalog,
  comparePrices,
  type PriceFault,
  type ProductDifference,
} from './agreement.ts'
import { changedIds, judgeFindings, type ProductFault } from './findings.ts'
import { isOtherList, missingPagination, nextFault } from './paging.ts'
import { filtersFault, searchFault } from './search.ts'
import { nothingInStock } from './seen-products.ts'

const PRODUCT = 'Specification, Product'
const CATALOG = 'Specification, Merchant-side UCP endpoints'

/** Spec, Limits: catalog prices are cached for at most 5 minutes. */
const MAX_PRICE_CACHE_SECONDS = 300

/** A rule that finds at most one thing. */
const found = (finding: string | null): Verdict => (finding === null ? pass() : gap(finding))

/** A rule that may find many: the first are named, the others counted. */
const findings = (list: readonly string[]): Verdict =>
  list.length === 0 ? pass() : gap(summarise(list))

const judgeDifferences = (found: readonly ProductDifference[]): Verdict =>
  found.length === 0
    ? pass()
    : gap(summarise(found.map(({ sentence }) => sentence)), undefined, {
        pages: found.map(({ page }) => page),
        products: found.flatMap(({ products }) => products),
      })

/** A catalog that does not answer has a gap of its own; all other rules skip it. */
function whenPresent(catalog: CatalogSeen, audit: (answer: Answer) => Verdict): Verdict {
  const presence = dialectOf(catalog).presenceOf(catalog.first)
  return presence.is === 'present' ? audit(presence.answer) : skip(presence.why)
}

/** Judges the products; a catalog without any has a gap of its own, and is skipped here. */
function whenListed(catalog: CatalogSeen, audit: () => Verdict): Verdict {
  return whenPresent(catalog, () =>
    listedProducts(catalog).length > 0 ? audit() : skip('the catalog lists no products'),
  )
}

/** A rule over the catalog alone; its authority is the spec's section on endpoints unless given. */
const catalogRule = (
  about: Pick<RuleDefinition<'catalog'>, 'id' | 'lostWith'> & { authority?: string },
  audit: (catalog: CatalogSeen) => Verdict,
): Rule =>
  rule({
    authority: CATALOG,
    ...about,
    check: 'catalog',
    tool: null,
    reads: ['catalog'],
    audit: ({ catalog }) => otherDialect(catalog.first) ?? audit(catalog),
  })

/** A rule over the products, one for each cause that the product schema tells apart. */
const productRule = (cause: ProductFault, id: GapId): Rule =>
  catalogRule({ id, lostWith: ['catalog_empty'], authority: PRODUCT }, (catalog) =>
    whenListed(catalog, () => judgeFindings(catalog, cause)),
  )

const ineffectiveRule = (
  what: 'search' | 'filters',
  faultOf: (catalog: CatalogSeen) => string | null,
): Rule =>
  catalogRule(
    {
      id: `catalog_${what}_ineffective`,
      lostWith: [...WITHOUT_ENDPOINT, 'catalog_undeclared', 'catalog_empty'],
    },
    (catalog) => {
      const asked = catalog[what]
      if (asked === null) return notApplicable(`the manifest declares no ${what}`)
      const presence = dialectOf(catalog).presenceOf(asked.seen)
      return presence.is === 'unknown' ? skip(presence.why) : found(faultOf(catalog))
    },
  )

/**
 * One fault of paging has one gap; the rules for the other faults skip, as the pages behind it were
 * not read.
 */
const nextRule = (wanted: NextFault['fault'], id: GapId): Rule =>
  catalogRule(
    {
      id,
      lostWith: [
        'catalog_empty',
        'catalog_next_broken',
        'catalog_next_loops',
        'catalog_next_leaves_host',
      ],
    },
    (catalog) =>
      whenListed(catalog, () => {
        const wrong = catalog.whole?.next_fault ?? nextFault(catalog)
        if (wanted === 'leaves_host' && !dialectOf(catalog).hasPageUrls) {
          return notApplicable('pages have no addresses of their own')
        }
        if (wrong === null) return pass()
        return wrong.fault === wanted ? gap(wrong.detail) : skip(wrong.detail)
      }),
  )

const NOTHING_TO_COMPARE = [
  'catalog_empty',
  'catalog_price_not_integer',
  'catalog_currency_invalid',
  'catalog_page_currency_mismatch',
  ...WITHOUT_PAGE_PRICE,
] as const

/**
 * Compares the catalog with the markup of product pages, where both name the same product. One
 * comparison serves both rules: amounts that are off by the currency's factor, and all others.
 */
const priceRule = (wanted: PriceFault, id: GapId): Rule =>
  rule({
    id,
    lostWith: NOTHING_TO_COMPARE,
    check: 'catalog',
    tool: null,
    authority: 'Specification, Common merchant faults',
    reads: ['catalog', 'productPages'],
    audit: (evidence: Pick<Evidence, 'catalog' | 'productPages'>) =>
      otherDialect(evidence.catalog.first) ??
      whenListed(evidence.catalog, () => {
        const prices = comparePrices(evidence.catalog, evidence.productPages)
        return prices.compared === 0
          ? skip('no listed product has a page whose markup states a price')
          : judgeDifferences(prices[wanted])
      }),
  })

/** A rule about what the catalog and the page of a product say differently. */
const agreementRule = (about: Disagreement, id: GapId): Rule =>
  rule({
    id,
    lostWith: NOTHING_TO_COMPARE,
    check: 'catalog',
    tool: null,
    authority: 'Specification, Common merchant faults',
    reads: ['catalog', 'productPages'],
    audit: ({ catalog, productPages }: Pick<Evidence, 'catalog' | 'productPages'>) =>
      otherDialect(catalog.first) ??
      whenListed(catalog, () => {
        const { compared, differences } = compareCatalog(catalog, productPages, about)
        return compared === 0
          ? skip('no listed product has a page whose markup states a product')
          : judgeDifferences(differences)
      }),
  })

/** From the endpoint to single fields: what fails first makes the rules behind it skip. */
export const catalogRules: readonly Rule[] = [
  rule({
    // Often the endpoint asks for a key, or the manifest still names a staging address.
    id: 'catalog_unreachable',
    lostWith: ['https_missing', ...WITHOUT_ENDPOINT, 'catalog_undeclared', ...WITHOUT_SERVICE],
    check: 'catalog',
    tool: null,
    authority: CATALOG,
    reads: ['catalog', 'ucp'],
    audit: ({ catalog, ucp }: Pick<Evidence, 'catalog' | 'ucp'>, { acp }) => {
      const elsewhere = otherDialect(catalog.first)
      if (elsewhere !== null) return elsewhere
      const presence = dialectOf(catalog).presenceOf(catalog.first)
      if (presence.is === 'present') return pass()
      if (presence.is === 'unknown') return skip(presence.why)
      // A gap of its own, for all that the profile offers.
      if (areAllDead(ucp)) return skip(`no service of the profile answers: ${presence.why}`)
      if (!catalog.endpoint?.declared && acp !== undefined && salesOver(acp) !== null) {
        return skip(`${presence.why}, and ACP has no catalog: its agents know products from feeds`)
      }
      const whose = catalog.endpoint?.declared ? '' : 'No manifest declares a catalog: '
      return gap(`${whose}${presence.why}.`)
    },
  }),
  catalogRule(
    {
      // Spec, Common merchant faults, has it for the manifest: frameworks send strings as
      // text/html.
      id: 'catalog_wrong_content_type',
      lostWith: ['catalog_unreachable'],
    },
    (catalog) =>
      whenPresent(catalog, (answer) => {
        if (catalog.official?.transport === 'mcp') {
          return notApplicable('over MCP the content type is that of the whole service')
        }
        return isJsonType(contentType(answer))
          ? pass()
          : gap(`${answer.url} is sent as ${shown(answer.headers['content-type'])}.`)
      }),
  ),
  catalogRule(
    {
      // A bare list of products is the usual mistake: the spec wants an object around it.
      id: 'catalog_not_json',
      lostWith: ['catalog_unreachable'],
    },
    (catalog) =>
      whenPresent(catalog, (answer) => {
        const { json } = catalog.first
        if (answer.truncated && !isOtherList(answer))
          return skip(`${answer.url} is too large to be read completely`)
        if (json?.ok === false) return gap(`${answer.url} is not valid JSON: ${json.problem}`)
        return productsOfPage(catalog, catalog.first) === null
          ? gap(`${answer.url} has no "products" array: ${excerpt(answer)}`)
          : pass()
      }),
  ),
  catalogRule(
    {
      // Spec, Common merchant faults: "Catalog not connected to data".
      id: 'catalog_empty',
      lostWith: ['catalog_not_json'],
    },
    (catalog) =>
      whenPresent(catalog, (answer) => {
        const products = productsOfPage(catalog, catalog.first)
        if (products === null) return skip('the catalog cannot be read')
        return products.length > 0 ? pass() : gap(`${answer.url} lists no products.`)
      }),
  ),
  catalogRule(
    {
      // Stock that is not connected, or a shop between two seasons.
      id: 'catalog_all_sold_out',
      lostWith: ['catalog_empty', 'catalog_availability_invalid'],
      authority: PRODUCT,
    },
    (catalog) => whenListed(catalog, () => found(nothingInStock(catalog))),
  ),
  productRule('fields', 'catalog_product_fields_invalid'),
  // Catches 19.99 and "1999": both come from serialising the shop's own price unchanged.
  productRule('price', 'catalog_price_not_integer'),
  // Spec, Common merchant faults: prices "expressed in major units". 25 for 25.00 USD is a valid
  // integer, so that only the product's page can show the mistake.
  priceRule('major_units', 'catalog_price_major_units'),
  // Catches symbols such as "$" and lower-case codes.
  productRule('currency', 'catalog_currency_invalid'),
  // Catches schema.org's names ("InStock") and booleans where the spec has four words.
  productRule('availability', 'catalog_availability_invalid'),
  // Spec, Product: at least 50 characters.
  productRule('description', 'catalog_description_short'),
  catalogRule(
    {
      // Spec, Product: 150 or more for one search assistant; shorter ones are valid.
      id: 'catalog_description_brief',
      lostWith: ['catalog_empty'],
      authority: PRODUCT,
    },
    (catalog) => whenListed(catalog, () => judgeFindings(catalog, 'description_brief')),
  ),
  // Catches relative paths, and addresses without a scheme (//cdn.example/a.jpg).
  productRule('images', 'catalog_images_invalid'),
  catalogRule(
    {
      // Happens when variants are listed as products under the id of their parent.
      id: 'catalog_ids_duplicate',
      lostWith: ['catalog_empty'],
      authority: PRODUCT,
    },
    (catalog) => whenListed(catalog, () => judgeFindings(catalog, 'ids_duplicate')),
  ),
  catalogRule(
    {
      // Spec, Product: "must not change when details change". Ids that are row numbers or made per
      // request show when one product is listed twice.
      id: 'catalog_ids_unstable',
      lostWith: ['catalog_empty'],
      authority: PRODUCT,
    },
    (catalog) =>
      whenListed(catalog, () => {
        const changed = changedIds(catalog)
        return changed === null ? notApplicable('no product was listed twice') : findings(changed)
      }),
  ),
  productRule('variants', 'catalog_variants_invalid'),
  catalogRule(
    {
      // An agent chooses a variant by its attributes and buys it by its id.
      id: 'catalog_variants_clash',
      lostWith: ['catalog_empty'],
      authority: PRODUCT,
    },
    (catalog) => whenListed(catalog, () => judgeFindings(catalog, 'variants_clash')),
  ),
  catalogRule(
    {
      // Spec, Limits: pagination is expected above 100 products.
      id: 'catalog_pagination_missing',
      lostWith: ['catalog_empty'],
      authority: 'Specification, Limits',
    },
    (catalog) =>
      whenPresent(catalog, ({ truncated }) =>
        truncated || listedProducts(catalog).length > 0
          ? found(missingPagination(catalog))
          : skip('the catalog lists no products'),
      ),
  ),
  // Spec, Product: agents follow `next` until it is absent or null.
  nextRule('broken', 'catalog_next_broken'),
  nextRule('loops', 'catalog_next_loops'),
  nextRule('leaves_host', 'catalog_next_leaves_host'),
  // Servers ignore unknown parameters: ?q= then returns the whole catalog without an error.
  ineffectiveRule('search', searchFault),
  // Agents would offer what the buyer has excluded.
  ineffectiveRule('filters', filtersFault),
  catalogRule(
    {
      // Without a max-age nothing is wrong: the spec limits how long prices are cached, no more.
      id: 'catalog_cached_too_long',
      lostWith: ['catalog_unreachable'],
      authority: 'Specification, Limits',
    },
    (catalog) =>
      whenPresent(catalog, (answer) => {
        if (!dialectOf(catalog).isCacheable) return notApplicable('searches are not cached')
        const seconds = sharedCacheSeconds(answer) ?? 0
        return seconds <= MAX_PRICE_CACHE_SECONDS
          ? pass()
          : gap(
              `${answer.url} may be cached for ${seconds} s (Cache-Control: ${answer.headers['cache-control']}); at most ${MAX_PRICE_CACHE_SECONDS} s.`,
            )
      }),
  ),
  // Two sources of prices, or two caches: an agent quotes one, and the buyer is shown the other.
  priceRule('mismatch', 'catalog_page_price_mismatch'),
  // An agent offers what the page says is gone, or leaves out what could be bought.
  agreementRule('availability', 'catalog_page_availability_mismatch'),
  // The same number in other money: a price that was converted has another number.
  agreementRule('currency', 'catalog_page_currency_mismatch'),
  // Two systems number the products: an order then names what the other does not know.
  agreementRule('identifiers', 'catalog_page_identifiers_mismatch'),
]
