import {
  dialectOf,
  listedProducts,
  productsOfPage,
  summarise,
} from '../../../commerce/catalog/listing.ts'
import { ADVISED_DESCRIPTION, MIN_DESCRIPTION } from '../../../commerce/product.ts'
import { sharedCacheSeconds } from '../../../web/cache-control.ts'
import type { Answer } from '../../../web/fetched.ts'
import { shown } from '../../../web/json.ts'
import { contentType, excerpt, isJsonType } from '../../../web/presence.ts'
import type { CatalogSeen, Evidence, NextFault } from '../../evidence.ts'
import {
  gap,
  notApplicable,
  pass,
  type Rule,
  type RuleDefinition,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'
import { salesOver } from '../acp/steps.ts'
import type { Disagreement } from '../agreement.ts'
import { WITHOUT_ENDPOINT, WITHOUT_PAGE_PRICE, WITHOUT_SERVICE } from '../lost-with.ts'
import { areAllDead } from '../official-profile/service-life.ts'
import { otherDialect } from '../other-dialect.ts'
import { compareCatalog } from './agreement.ts'
import { judgeFindings } from './findings.ts'
import { changedIds } from './ids.ts'
import { missingPagination, nextFault } from './paging.ts'
import { comparePrices, type PriceFault } from './prices.ts'
import type { ProductFault } from './product-faults.ts'
import { filtersFault, searchFault } from './search.ts'

const PRODUCT = 'Specification, Product'
const CATALOG = 'Specification, Merchant-side UCP endpoints'

/** Spec, Limits: catalog prices are cached for at most 5 minutes. */
const MAX_PRICE_CACHE_SECONDS = 300

/** A rule that finds at most one thing. */
const found = (finding: string | null): Verdict => (finding === null ? pass() : gap(finding))

/** A rule that may find many: the first are named, the others counted. */
const findings = (list: readonly string[]): Verdict =>
  list.length === 0 ? pass() : gap(summarise(list))

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

/** What differs between the rules of this check. */
type Words = Pick<
  RuleDefinition<'catalog'>,
  'gap' | 'passed' | 'lostWith' | 'severity' | 'label' | 'fix'
> & {
  gap: string
}

/** A rule over the catalog alone; its authority is the spec's section on endpoints unless given. */
const catalogRule = (
  words: Words & { authority?: string },
  audit: (catalog: CatalogSeen) => Verdict,
): Rule =>
  rule({
    authority: CATALOG,
    ...words,
    check: 'catalog',
    tool: null,
    reads: ['catalog'],
    audit: ({ catalog }) => otherDialect(catalog.first) ?? audit(catalog),
  })

/** A rule over the products, one for each cause that the product schema tells apart. */
const productRule = (cause: ProductFault, words: Words): Rule =>
  catalogRule({ ...words, lostWith: ['catalog_empty'], authority: PRODUCT }, (catalog) =>
    whenListed(catalog, () => judgeFindings(catalog, cause)),
  )

/**
 * One fault of paging has one gap; the rules for the other faults skip, as the pages behind it were
 * not read.
 */
const nextRule = (wanted: NextFault['fault'], words: Words): Rule =>
  catalogRule(
    {
      ...words,
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
]

/**
 * Compares the catalog with the markup of product pages, where both name the same product. One
 * comparison serves both rules: amounts that are off by the currency's factor, and all others.
 */
const priceRule = (wanted: PriceFault, words: Words): Rule =>
  rule({
    ...words,
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
          : findings(prices[wanted])
      }),
  })

/** A rule about what the catalog and the page of a product say differently. */
const agreementRule = (about: Disagreement, words: Words): Rule =>
  rule({
    ...words,
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
          : findings(differences)
      }),
  })

/** From the endpoint to single fields: what fails first makes the rules behind it skip. */
export const catalogRules: readonly Rule[] = [
  rule({
    // Often the endpoint asks for a key, or the manifest still names a staging address.
    gap: 'catalog_unreachable',
    passed: 'catalog_reachable',
    lostWith: ['https_missing', ...WITHOUT_ENDPOINT, 'catalog_undeclared', ...WITHOUT_SERVICE],
    check: 'catalog',
    severity: 'critical',
    label: 'Agents cannot read the catalog',
    fix: 'Serve the catalog where the manifest says, or at /ucp/products, without requiring a key.',
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
      gap: 'catalog_wrong_content_type',
      passed: 'catalog_content_type',
      lostWith: ['catalog_unreachable'],
      severity: 'high',
      label: 'The catalog has the wrong content type',
      fix: 'Send Content-Type: application/json with the catalog.',
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
      gap: 'catalog_not_json',
      passed: 'catalog_json',
      lostWith: ['catalog_unreachable'],
      severity: 'critical',
      label: 'The catalog cannot be read',
      fix: 'Answer with a JSON object that has a "products" array.',
    },
    (catalog) =>
      whenPresent(catalog, (answer) => {
        const { json } = catalog.first
        if (answer.truncated) return skip(`${answer.url} is too large to be read completely`)
        if (json?.ok === false) return gap(`${answer.url} is not valid JSON: ${json.problem}`)
        return productsOfPage(catalog, catalog.first) === null
          ? gap(`${answer.url} has no "products" array: ${excerpt(answer)}`)
          : pass()
      }),
  ),
  catalogRule(
    {
      // Spec, Common merchant faults: "Catalog not connected to data".
      gap: 'catalog_empty',
      passed: 'catalog_has_products',
      lostWith: ['catalog_not_json'],
      severity: 'critical',
      label: 'The catalog is empty',
      fix: 'Connect the catalog endpoint to the product data.',
    },
    (catalog) =>
      whenPresent(catalog, (answer) => {
        const products = productsOfPage(catalog, catalog.first)
        if (products === null) return skip('the catalog cannot be read')
        return products.length > 0 ? pass() : gap(`${answer.url} lists no products.`)
      }),
  ),
  productRule('fields', {
    gap: 'catalog_product_fields_invalid',
    passed: 'catalog_product_fields',
    severity: 'high',
    label: 'Products lack required fields',
    fix: 'Give every product all that the protocol requires, such as its id, name, description and price.',
  }),
  productRule('price', {
    // Catches 19.99 and "1999": both come from serialising the shop's own price unchanged.
    gap: 'catalog_price_not_integer',
    passed: 'catalog_price_integer',
    severity: 'high',
    label: 'Prices are not integers',
    fix: 'Send price.amount as an integer in the smallest unit: 19.99 USD is 1999.',
  }),
  priceRule('major_units', {
    // Spec, Common merchant faults: prices "expressed in major units". 25 for 25.00 USD is a valid
    // integer, so that only the product's page can show the mistake.
    gap: 'catalog_price_major_units',
    passed: 'catalog_price_minor_units',
    severity: 'high',
    label: 'Prices are in major units, such as dollars instead of cents',
    fix: 'Send price.amount in the smallest unit of the currency: 25.00 USD is 2500, not 25.',
  }),
  productRule('currency', {
    // Catches symbols such as "$" and lower-case codes.
    gap: 'catalog_currency_invalid',
    passed: 'catalog_currency',
    severity: 'high',
    label: 'Currencies are not ISO 4217 codes',
    fix: 'Send price.currency as a three-letter code such as "USD".',
  }),
  productRule('availability', {
    // Catches schema.org's names ("InStock") and booleans where the spec has four words.
    gap: 'catalog_availability_invalid',
    passed: 'catalog_availability',
    severity: 'high',
    label: 'Availability has values that agents do not know',
    fix: 'Send one of in_stock, out_of_stock, preorder, backorder; in official UCP available: true or false.',
  }),
  productRule('description', {
    // Spec, Product: at least 50 characters.
    gap: 'catalog_description_short',
    passed: 'catalog_description_length',
    severity: 'medium',
    label: `Descriptions are under ${MIN_DESCRIPTION} characters`,
    fix: `Describe each product in at least ${MIN_DESCRIPTION} characters, preferably ${ADVISED_DESCRIPTION}.`,
  }),
  catalogRule(
    {
      // Spec, Product: 150 or more for one search assistant; shorter ones are valid.
      gap: 'catalog_description_brief',
      passed: 'catalog_description_full',
      lostWith: ['catalog_empty'],
      severity: 'low',
      label: `Descriptions are under ${ADVISED_DESCRIPTION} characters`,
      fix: `Describe each product in ${ADVISED_DESCRIPTION} characters or more: one search assistant requires it.`,
      authority: PRODUCT,
    },
    (catalog) => whenListed(catalog, () => judgeFindings(catalog, 'description_brief')),
  ),
  productRule('images', {
    // Catches relative paths, and addresses without a scheme (//cdn.example/a.jpg).
    gap: 'catalog_images_invalid',
    passed: 'catalog_images',
    severity: 'medium',
    label: 'Images are not absolute https URLs',
    fix: 'Send each image as an absolute URL that begins with https://.',
  }),
  catalogRule(
    {
      // Happens when variants are listed as products under the id of their parent.
      gap: 'catalog_ids_duplicate',
      passed: 'catalog_ids_unique',
      lostWith: ['catalog_empty'],
      severity: 'high',
      label: 'Products share an id',
      fix: 'Give each product a unique id.',
      authority: PRODUCT,
    },
    (catalog) => whenListed(catalog, () => judgeFindings(catalog, 'ids_duplicate')),
  ),
  catalogRule(
    {
      // Spec, Product: "must not change when details change". Ids that are row numbers or made per
      // request show when one product is listed twice.
      gap: 'catalog_ids_unstable',
      passed: 'catalog_ids_stable',
      lostWith: ['catalog_empty'],
      severity: 'high',
      label: 'Product ids change between requests',
      fix: 'Use an id that never changes, such as the database key of the product.',
      authority: PRODUCT,
    },
    (catalog) =>
      whenListed(catalog, () => {
        const changed = changedIds(catalog)
        return changed === null ? notApplicable('no product was listed twice') : findings(changed)
      }),
  ),
  productRule('variants', {
    gap: 'catalog_variants_invalid',
    passed: 'catalog_variants',
    severity: 'high',
    label: 'Variants lack required fields',
    fix: 'Give every variant an id, a price, and a value for each option of its product.',
  }),
  catalogRule(
    {
      // An agent chooses a variant by its attributes and buys it by its id.
      gap: 'catalog_variants_clash',
      passed: 'catalog_variants_distinct',
      lostWith: ['catalog_empty'],
      severity: 'high',
      label: 'Variants of a product cannot be told apart',
      fix: 'Give each variant its own id and its own combination of attributes.',
      authority: PRODUCT,
    },
    (catalog) => whenListed(catalog, () => judgeFindings(catalog, 'variants_clash')),
  ),
  catalogRule(
    {
      // Spec, Limits: pagination is expected above 100 products.
      gap: 'catalog_pagination_missing',
      passed: 'catalog_pagination',
      lostWith: ['catalog_empty'],
      severity: 'medium',
      label: 'A large catalog has no pagination',
      fix: 'List at most 100 products per page, and say in pagination how to get the next.',
      authority: 'Specification, Limits',
    },
    (catalog) =>
      whenPresent(catalog, ({ truncated }) =>
        truncated || listedProducts(catalog).length > 0
          ? found(missingPagination(catalog))
          : skip('the catalog lists no products'),
      ),
  ),
  nextRule('broken', {
    // Spec, Product: agents follow `next` until it is absent or null.
    gap: 'catalog_next_broken',
    passed: 'catalog_next_works',
    severity: 'high',
    label: 'The next page of the catalog does not answer',
    fix: 'Name the next page so that it can be asked for: in pagination.next its absolute URL, or in official UCP its pagination.cursor; on the last page neither.',
  }),
  nextRule('loops', {
    gap: 'catalog_next_loops',
    passed: 'catalog_next_ends',
    severity: 'high',
    label: 'The pages of the catalog form a loop',
    fix: 'On the last page omit pagination.next, or in official UCP say has_next_page: false.',
  }),
  nextRule('leaves_host', {
    gap: 'catalog_next_leaves_host',
    passed: 'catalog_next_on_host',
    severity: 'high',
    label: 'The next page of the catalog is on another host',
    fix: 'Keep pagination.next on the host of the catalog endpoint.',
  }),
  catalogRule(
    {
      // Servers ignore unknown parameters, so that ?q= returns the whole catalog and nobody
      // notices.
      gap: 'catalog_search_ineffective',
      passed: 'catalog_search',
      lostWith: [...WITHOUT_ENDPOINT, 'catalog_undeclared', 'catalog_empty'],
      severity: 'medium',
      label: 'Search is declared but has no effect',
      fix: 'Leave out what does not match the words of a search, or declare no search.',
    },
    (catalog) => {
      if (catalog.search === null) return notApplicable('the manifest declares no search')
      const presence = dialectOf(catalog).presenceOf(catalog.search.seen)
      return presence.is === 'unknown' ? skip(presence.why) : found(searchFault(catalog))
    },
  ),
  catalogRule(
    {
      // The same for filters: agents would offer what the buyer has excluded.
      gap: 'catalog_filters_ineffective',
      passed: 'catalog_filters',
      lostWith: [...WITHOUT_ENDPOINT, 'catalog_undeclared', 'catalog_empty'],
      severity: 'medium',
      label: 'Filters are declared but have no effect',
      fix: 'Apply the filters that you declare: in official UCP categories and price.',
    },
    (catalog) => {
      if (catalog.filters === null) return notApplicable('the manifest declares no filters')
      const presence = dialectOf(catalog).presenceOf(catalog.filters.seen)
      return presence.is === 'unknown' ? skip(presence.why) : found(filtersFault(catalog))
    },
  ),
  catalogRule(
    {
      // Without a max-age nothing is wrong: the spec limits how long prices are cached, no more.
      gap: 'catalog_cached_too_long',
      passed: 'catalog_fresh',
      lostWith: ['catalog_unreachable'],
      severity: 'medium',
      label: 'Catalog prices are cached too long',
      fix: `Send Cache-Control: max-age=${MAX_PRICE_CACHE_SECONDS} or less with the catalog.`,
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
  priceRule('mismatch', {
    // Two sources of prices, or two caches: an agent quotes one, and the buyer is shown the other.
    gap: 'catalog_page_price_mismatch',
    passed: 'catalog_page_price',
    severity: 'high',
    label: 'Catalog prices differ from the product pages',
    fix: 'Use one source for both prices, and expire both caches together.',
  }),
  agreementRule('availability', {
    // An agent offers what the page says is gone, or leaves out what could be bought.
    gap: 'catalog_page_availability_mismatch',
    passed: 'catalog_page_availability',
    severity: 'high',
    label: 'The catalog and the product pages differ in what is in stock',
    fix: 'Use one source for both, and expire both caches together.',
  }),
  agreementRule('currency', {
    // The same number in other money: a price that was converted has another number.
    gap: 'catalog_page_currency_mismatch',
    passed: 'catalog_page_currency',
    severity: 'medium',
    label: 'The catalog and the product pages have different currencies',
    fix: 'Send the currency of the product page in price.currency.',
  }),
  agreementRule('identifiers', {
    // Two systems number the products: an order then names what the other does not know.
    gap: 'catalog_page_identifiers_mismatch',
    passed: 'catalog_page_identifiers',
    severity: 'medium',
    label: 'The catalog and the product pages name different product numbers',
    fix: 'Send the same sku and gtin in the catalog and in the markup of the product page.',
  }),
]
