import {
  type FaultCount,
  FEED_KINDS,
  type FeedTally,
  type RowFaultKind,
} from '../../../commerce/feed.ts'
import type { Page } from '../../../markup/page.ts'
import { mainProduct } from '../../../markup/products.ts'
import { describeFetch } from '../../../web/http/fetched.ts'
import { presenceOf } from '../../../web/http/presence.ts'
import { shown } from '../../../web/json/json.ts'
import type { Evidence, FeedSeen, ProductPageSeen } from '../../evidence.ts'
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
import type { GapId } from '../../words.ts'
import type { Disagreement } from '../agreement.ts'
import { WITHOUT_HOME_PAGE, WITHOUT_PAGE_PRICE } from '../lost-with.ts'
import { describeTruncated, whyNoneRead } from '../pages.ts'
import { compareFeed, compareFeedPrices, type FeedComparison, NO_CURRENCY } from './agreement.ts'
import { compareFeedWithCatalog } from './catalog-agreement.ts'

const GOOGLE = 'Google Merchant Center, product data specification'
const OPENAI = 'OpenAI, product feed by file upload'

type About = Pick<RuleDefinition<'feed'>, 'id' | 'lostWith' | 'dialect' | 'authority'>

/** Without items, and without a page's price, there is nothing to compare. */
const NOTHING_TO_COMPARE = [
  'feed_items_incomplete',
  'feed_currency_mismatch',
  ...WITHOUT_PAGE_PRICE,
] as const

/** A rule over the feed alone; none of our tools fixes feeds. */
const feedRule = (
  about: About,
  audit: (feed: FeedSeen, others: Partial<Evidence>) => Verdict,
): Rule =>
  rule({
    ...about,
    check: 'feed',
    tool: null,
    reads: ['feed'],
    audit: ({ feed }, others) => audit(feed, others),
  })

/** A rule about the items: it is skipped when the feed has no items. */
const itemRule = (about: About, audit: (feed: FeedSeen) => Verdict): Rule =>
  feedRule({ ...about, lostWith: about.lostWith ?? ['feed_unreadable'] }, (feed) => {
    const reason = whyNoItems(feed)
    return reason === null ? audit(feed) : skip(reason)
  })

/** A rule of Google's about the items of a feed that has Google's names. */
const googleRule = (id: GapId, kinds: readonly RowFaultKind[]): Rule =>
  itemRule({ id, dialect: 'google', authority: GOOGLE }, (feed) =>
    feed.vendor === 'google' ? verdictOn(feed, kinds) : inOtherDialect(OTHER_NAMES),
  )

/** A rule of OpenAI's. Without a feed it is not lost: another one would be for Google. */
const openaiRule = (id: GapId, kinds: readonly RowFaultKind[]): Rule =>
  feedRule({ id, dialect: 'openai', authority: OPENAI }, (feed) => {
    if (feed.vendor !== 'openai') return inOtherDialect(OTHER_NAMES)
    const reason = whyNoItems(feed)
    return reason === null ? verdictOn(feed, kinds) : skip(reason)
  })

const OTHER_NAMES = 'the feed has the names of another vendor'

/** A rule about what the feed and the page of a product say differently. */
const agreementRule = (about: Disagreement, id: GapId): Rule =>
  rule({
    id,
    check: 'feed',
    tool: null,
    authority: `${GOOGLE}, match the landing page`,
    reads: ['feed', 'productPages', 'catalog'],
    lostWith: NOTHING_TO_COMPARE,
    audit: ({ feed, productPages, catalog }) => {
      const reason = whyNoItems(feed)
      if (reason !== null) return skip(reason)
      const onPages = compareFeed(feed, productPages, about)
      const inCatalog = compareFeedWithCatalog(feed, catalog, productPages, about)
      return onPages.why === NO_CURRENCY && feed.vendor === null
        ? notApplicable(NO_CURRENCY)
        : agreementVerdict(onPages, inCatalog, productPages)
    },
  })

/** Why rules about items are skipped, or null when there are some. */
function whyNoItems(feed: FeedSeen): string | null {
  if (feed.kind === null) return 'no public product feed was read'
  return feed.tally.rows === 0 ? `no item of ${feed.url} could be read` : null
}

/**
 * Whether there is a feed, whether it can be read, and whether its items are right. All but the
 * prices are at most medium, because a feed seen in public may not be the one in use.
 */
export const feedRules: readonly Rule[] = [
  feedRule(
    {
      id: 'feed_missing',
      lostWith: WITHOUT_HOME_PAGE,
      authority: GOOGLE,
    },
    ({ kind, url, found_by, fetched, tried }, { homePage }) => {
      if (kind !== null) return pass(`${FEED_KINDS[kind]} at ${url}, found by ${found_by}`)
      const presence = presenceOf(fetched)
      if (presence.is !== 'absent' && presence.is !== 'present') return skip(presence.why)
      if (homePage?.page === null) {
        return skip(
          `the home page, which may link a feed, was not read: ${describeFetch(homePage.fetched)}`,
        )
      }
      return gap(
        `Not found publicly: no product feed at ${tried.join(', ')}. A feed that is uploaded to Merchant Center or sent through an API cannot be seen from outside.`,
      )
    },
  ),
  feedRule(
    {
      // Feeds that are put together from text: an unescaped ampersand, a quotation mark within a
      // cell, or a file that is read while it is being written.
      id: 'feed_unreadable',
      lostWith: ['feed_missing'],
      authority: 'XML 1.0, well-formedness; RFC 4180',
    },
    ({ kind, url, tally, problem, cut }) => {
      if (kind === null) return skip('no public product feed was read')
      if (problem !== null) return gap(`${url}: ${problem}. ${tally.rows} items came before it.`)
      return tally.rows === 0
        ? gap(`${url} lists no products; expected one item per product.`)
        : pass(rowsRead(tally, cut))
    },
  ),
  itemRule(
    {
      // Google requires seven of every product
      // (https://support.google.com/merchants/answer/7052112), OpenAI those and two more. Of a
      // platform's list the seven are wanted.
      id: 'feed_items_incomplete',
      authority: `${GOOGLE}; ${OPENAI}`,
    },
    ({ tally, cut }) => {
      const lacks = faultsOf(tally, ['missing'])
      if (lacks.length === 0) return pass(rowsRead(tally, cut))
      const problems = lacks.map(({ field, count, examples }) => {
        const rows = examples.map(({ row, value }) =>
          value === null ? row : `${row}: ${shown(value)}`,
        )
        return `${field} in ${count} (rows ${rows.join(', ')}${more(count - rows.length)})`
      })
      const share = `${tally.incomplete} of ${tally.rows} items (${percent(tally.incomplete, tally.rows)})`
      return gap(`${share} lack a required attribute: ${problems.join('; ')}.${cutOff(tally, cut)}`)
    },
  ),
  itemRule(
    {
      // Usually an internal number in the field of the barcode, or a zero lost in a spreadsheet.
      id: 'feed_gtin_invalid',
      lostWith: ['feed_unreadable', 'feed_google_identifiers_missing'],
      authority: `${GOOGLE}; GS1 General Specifications, check digit`,
    },
    (feed) =>
      feed.tally.with_gtin === 0
        ? notApplicable('no item of the feed states a GTIN')
        : verdictOn(feed, ['gtin']),
  ),
  itemRule(
    {
      // Variants exported under the id of their product: readers keep only one of them.
      id: 'feed_duplicate_ids',
      lostWith: ['feed_items_incomplete'],
      authority: GOOGLE,
    },
    (feed) =>
      feed.tally.with_id === 0
        ? skip('no item of the feed states an id')
        : verdictOn(feed, ['duplicate']),
  ),
  itemRule(
    {
      // Both vendors ignore such a sale, or refuse the item.
      id: 'feed_sale_price_invalid',
      authority: `${GOOGLE}; ${OPENAI}`,
    },
    (feed) => vendorVerdict(feed, ['sale']),
  ),
  itemRule(
    {
      // An agent chooses a variant by what it differs in; OpenAI wants that in variant_dict.
      id: 'feed_variants_unclear',
      authority: `${GOOGLE}; ${OPENAI}`,
    },
    (feed) => vendorVerdict(feed, ['variants']),
  ),
  // Google refuses an item for a value that is not on its list, or a price without a currency.
  googleRule('feed_google_values_invalid', ['invalid']),
  // A title that is longer is cut, and an id refused.
  googleRule('feed_google_values_too_long', ['too_long']),
  // Without them an offer is not matched with the same product elsewhere.
  googleRule('feed_google_identifiers_missing', ['identifiers']),
  // A preorder needs its day, and a sale with dates that cannot be read has none.
  googleRule('feed_google_dates_invalid', ['dates']),
  // Rows in the names of OpenAI's file upload: its own words for stock, lower-case booleans.
  openaiRule('feed_openai_values_invalid', ['invalid', 'dates']),
  openaiRule('feed_openai_values_too_long', ['too_long']),
  // Such a row is found at most, and never bought.
  openaiRule('feed_openai_eligibility_contradictory', ['eligibility']),
  rule({
    // Google requires the price of the landing page; feeds lag behind when a price changes.
    id: 'feed_price_mismatch',
    lostWith: NOTHING_TO_COMPARE,
    check: 'feed',
    tool: null,
    authority: `${GOOGLE}, price: match the price of the landing page`,
    reads: ['feed', 'productPages', 'catalog'],
    audit: ({ feed, productPages, catalog }) => {
      const reason = whyNoItems(feed)
      if (reason !== null) return skip(reason)
      const onPages = compareFeedPrices(feed, productPages)
      const inCatalog = compareFeedWithCatalog(feed, catalog, productPages, 'price')
      return agreementVerdict(onPages, inCatalog, productPages)
    },
  }),
  // The feed was made before the last one was sold, or the page's markup never changes.
  agreementRule('availability', 'feed_availability_mismatch'),
  // The same number in other money: a price that was converted has another number.
  agreementRule('currency', 'feed_currency_mismatch'),
  // Numbers of another product or variant: what is matched by them is the wrong thing.
  agreementRule('identifiers', 'feed_identifiers_mismatch'),
  rule({
    // Unspecified: `merchant_center_connected` passes where a public widget shows the number of an
    // account, and is unknown otherwise, never a gap: only the account's own API would tell.
    id: 'merchant_center_connected',
    check: 'feed',
    tool: null,
    authority: 'Google Merchant Center, store widget and Customer Reviews',
    reads: ['homePage'],
    audit: ({ homePage: { fetched, page, rendered } }) => {
      if (page === null) return skip(describeFetch(fetched))
      const evidence = merchantId(page) ?? (rendered === undefined ? null : merchantId(rendered))
      return evidence === null
        ? skip('whether a Merchant Center account is connected cannot be seen from outside')
        : pass(evidence)
    },
  }),
]

/** A verdict on rows in a vendor's names: a platform's list says nothing of sales and variants. */
const vendorVerdict = (feed: FeedSeen, kinds: readonly RowFaultKind[]): Verdict =>
  feed.vendor === null
    ? notApplicable('the feed has the names of no vendor')
    : verdictOn(feed, kinds)

const faultsOf = ({ faults }: FeedTally, kinds: readonly RowFaultKind[]): FaultCount[] =>
  faults.filter(({ kind }) => kinds.includes(kind)).toSorted((a, b) => b.count - a.count)

/** The faults of these kinds by field, the most frequent first, or a pass. */
function verdictOn({ tally, cut }: FeedSeen, kinds: readonly RowFaultKind[]): Verdict {
  const faults = faultsOf(tally, kinds)
  if (faults.length === 0) return pass(rowsRead(tally, cut))
  const listed = faults.slice(0, MAX_FIELDS).map(({ field, count, expected, examples }) => {
    const rows = examples.map(({ row, id, value }) => {
      const where = `row ${row}${id === null ? '' : ` (id ${id})`}`
      return value === null ? where : `${where}: ${shown(value)}`
    })
    const rest = more(count - rows.length)
    return `${field} in ${count} of ${tally.rows} items, expected ${expected}: ${rows.join(', ')}${rest}`
  })
  return gap(`${listed.join('; ')}${more(faults.length - listed.length)}.${cutOff(tally, cut)}`)
}

/** Fields that are described; the others are counted. */
const MAX_FIELDS = 8

const rowsRead = ({ rows }: FeedTally, cut: string | null): string =>
  cut === null ? `${rows} items read` : `the first ${rows} items were read, because of ${cut}`

const cutOff = (tally: FeedTally, cut: string | null): string =>
  cut === null ? '' : ` Only ${rowsRead(tally, cut)}.`

/** What comparing the feed with the pages that were read, and with the catalog, came to. */
function agreementVerdict(
  onPages: FeedComparison,
  inCatalog: { compared: number; differences: string[] },
  pages: readonly ProductPageSeen[],
): Verdict {
  const differences = [...onPages.differences, ...inCatalog.differences]
  const [onPage, listed] = [onPages.compared, inCatalog.compared]
  if (onPage + listed === 0) return skip(onPages.why ?? whyNoneListed(pages))
  // The catalog alone does not show that the pages agree: less seen is never a pass.
  const areUnread = pages.length > 0 && pages.every(({ page }) => page === null)
  if (differences.length === 0 && areUnread) {
    return skip(whyNoneRead(pages))
  }
  return differences.length === 0
    ? pass(`${onPage} product pages and ${listed} products of the catalog compared`)
    : mismatchesOf(differences, `${differences.length} of ${onPage + listed} compared differ`)
}

/** Why no page and no product of the catalog was compared. */
function whyNoneListed(pages: readonly ProductPageSeen[]): string {
  const read = pages.flatMap(({ page }) => page ?? [])
  if (read.length === 0)
    return 'no product page could be read, and no product of the catalog is in the feed'
  const whole = read.filter(({ truncated }) => truncated === null)
  const [cut] = read
  if (whole.length === 0 && cut !== undefined) return describeTruncated(cut)
  return whole.some((page) => mainProduct(page) !== null)
    ? 'no product page that was read, and no product of the catalog, is in the feed'
    : 'no product page that was read has Product markup, and no product of the catalog is in the feed'
}

/** The first mismatches in words after a summary. */
function mismatchesOf(faults: readonly string[], summary: string): Verdict {
  const listed = faults.slice(0, 4)
  return gap(`${summary}: ${listed.join('; ')}${more(faults.length - listed.length)}.`)
}

const more = (count: number): string => (count > 0 ? ` and ${count} more` : '')

/** At least 1 %: a rounded 0 would read as "none". */
const percent = (part: number, whole: number): string =>
  `${Math.max(1, Math.round((100 * part) / whole))} %`

/**
 * The account number in one of Google's public widgets, with where it was found; null without one.
 * It is indirect evidence, and the note of the pass says so.
 */
function merchantId({ scripts, merchant_ids }: Page): string | null {
  const hasWidget = scripts.some(({ src }) => /\/merchantwidget\.js(\?|$)/.test(src))
  for (const { id, survey } of merchant_ids) {
    if (survey) return `merchant_id ${id} in gapi.surveyoptin.render`
    if (hasWidget) return `merchant_id ${id} in merchantwidget.js`
  }
  return null
}
