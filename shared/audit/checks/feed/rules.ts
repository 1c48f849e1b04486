import type { FeedItem, FeedKind } from '../../../commerce/feed.ts'
import { gtinProblem } from '../../../commerce/gtin.ts'
import type { Page } from '../../../markup/page.ts'
import { describeFetch } from '../../../web/fetched.ts'
import { shown } from '../../../web/json.ts'
import { presenceOf } from '../../../web/presence.ts'
import type { FeedSeen } from '../../evidence.ts'
import {
  gap,
  notApplicable,
  pass,
  type Rule,
  type RuleText,
  rule,
  skip,
  type Verdict,
} from '../../rule.ts'
import { WITHOUT_PAGE_PRICE } from '../lost-with.ts'
import { compareFeedPrices } from './prices.ts'
import { parseFeedPrice } from './values.ts'

const GOOGLE = 'Google Merchant Center, product data specification'

/** The kinds of feed as a person would name them. */
const KINDS: Record<FeedKind, string> = {
  rss: 'RSS 2.0',
  atom: 'Atom',
  tsv: 'tab-separated values',
  csv: 'comma-separated values',
  shopify: 'Shopify products.json',
  woocommerce: 'WooCommerce Store API',
}

// Unspecified: a feed item must have what Google's list demands, which is what most readers of
// feeds go by.
/** Brand, gtin and mpn depend on the product, so that their absence proves nothing. */
const REQUIRED = [
  'id',
  'title',
  'description',
  'link',
  'image_link',
  'availability',
  'price',
] as const

type Words = Pick<
  RuleText<'feed'>,
  'passed' | 'lostWith' | 'severity' | 'label' | 'fix' | 'authority'
> & {
  gap: string
}

/** A rule over the feed alone; no tool of ours fixes feeds. */
const feedRule = (words: Words, audit: (feed: FeedSeen) => Verdict): Rule =>
  rule({ ...words, check: 'feed', tool: null, reads: ['feed'], audit: ({ feed }) => audit(feed) })

/** A rule about the items: it is skipped when the feed has no items. */
const itemRule = (words: Words, audit: (items: readonly FeedItem[]) => Verdict): Rule =>
  feedRule(words, (feed) => {
    const reason = whyNoItems(feed)
    return reason === null ? audit(feed.items) : skip(reason)
  })

/** Why rules about items are skipped, or null when there are some. */
function whyNoItems(feed: FeedSeen): string | null {
  if (feed.kind === null) return 'no public product feed was read'
  return feed.items.length === 0 ? `no item of ${feed.url} could be read` : null
}

/**
 * Whether there is a feed, whether it can be read, and whether its items are right. All but the
 * prices are at most medium, because a feed seen in public may not be the one in use.
 */
export const feedRules: readonly Rule[] = [
  feedRule(
    {
      // Most feeds are uploaded or sent through an API, so that none in public proves little: hence
      // only medium.
      gap: 'feed_missing',
      passed: 'feed_exists',
      lostWith: ['https_missing'],
      severity: 'medium',
      label: 'No product feed was found publicly',
      fix: 'Publish a product feed and link to it from the home page: <link rel="alternate" type="application/rss+xml" href="/feeds/google.xml">.',
      authority: GOOGLE,
    },
    ({ kind, url, found_by, fetched, tried }) => {
      if (kind !== null) return pass(`${KINDS[kind]} at ${url}, found by ${found_by}`)
      const presence = presenceOf(fetched)
      if (presence.is !== 'absent' && presence.is !== 'present') return skip(presence.why)
      return gap(
        `Not found publicly: no product feed at ${tried.join(', ')}. A feed that is uploaded to Merchant Center or sent through an API cannot be seen from outside.`,
      )
    },
  ),
  feedRule(
    {
      // Feeds that are put together from text: an unescaped ampersand, a quotation mark within a
      // cell, or a file that is read while it is being written.
      gap: 'feed_unreadable',
      passed: 'feed_readable',
      lostWith: ['feed_missing'],
      severity: 'medium',
      label: 'The product feed cannot be read completely',
      fix: 'Write the feed with an XML or CSV library, and replace the file only when it is complete.',
      authority: 'XML 1.0, well-formedness; RFC 4180',
    },
    ({ kind, url, items, problem }) => {
      if (kind === null) return skip('no public product feed was read')
      if (problem !== null) return gap(`${url}: ${problem}. ${items.length} items came before it.`)
      return items.length === 0
        ? gap(`${url} lists no products; expected one item per product.`)
        : pass()
    },
  ),
  itemRule(
    {
      // Attributes that Google requires of every product
      // (https://support.google.com/merchants/answer/7052112).
      gap: 'feed_items_incomplete',
      passed: 'feed_items_complete',
      lostWith: ['feed_unreadable'],
      severity: 'medium',
      label: 'Items of the product feed lack required attributes',
      fix: `Give every item ${REQUIRED.join(', ')}; write prices as 79.95 AUD.`,
      authority: GOOGLE,
    },
    (items) => {
      const lacks = REQUIRED.map((name) => ({ name, in: items.filter((item) => !has(item, name)) }))
      const incomplete = new Set(lacks.flatMap((lack) => lack.in))
      if (incomplete.size === 0) return pass(`${items.length} items read`)
      const problems = lacks.flatMap(({ name, in: found }) =>
        found.length === 0 ? [] : [`${name} in ${found.length} (${rowsOf(found, name)})`],
      )
      const share = `${incomplete.size} of ${items.length} items (${percent(incomplete.size, items.length)})`
      return gap(`${share} lack a required attribute: ${problems.join('; ')}.`)
    },
  ),
  itemRule(
    {
      // Usually an internal number in the field of the barcode, or a zero lost in a spreadsheet.
      gap: 'feed_gtin_invalid',
      passed: 'feed_gtin_valid',
      lostWith: ['feed_unreadable'],
      severity: 'medium',
      label: 'Some GTINs in the feed are invalid',
      fix: 'Send the number below the barcode with its check digit, or omit gtin if the product has none.',
      authority: `${GOOGLE}; GS1 General Specifications, check digit`,
    },
    (items) => {
      const stated = items.flatMap(({ row, gtin }) => (gtin === null ? [] : [{ row, gtin }]))
      if (stated.length === 0) return notApplicable('no item of the feed states a GTIN')
      const faults = stated.flatMap(({ row, gtin }) => {
        const problem = gtinProblem(gtin)
        return problem === null ? [] : [`row ${row}: ${shown(gtin)}: ${problem}`]
      })
      return verdictOn(faults, `${faults.length} of ${stated.length} GTINs are invalid`)
    },
  ),
  itemRule(
    {
      // Variants exported under the id of their product: readers keep only one of them.
      gap: 'feed_duplicate_ids',
      passed: 'feed_ids_unique',
      lostWith: ['feed_items_incomplete'],
      severity: 'medium',
      label: 'Items of the product feed share an id',
      fix: 'Give every item, including variants, a unique id that never changes.',
      authority: GOOGLE,
    },
    (items) => {
      const stated = items.filter(({ id }) => id !== null)
      if (stated.length === 0) return skip('no item of the feed states an id')
      const faults = [...Map.groupBy(stated, ({ id }) => id)].flatMap(([id, same]) =>
        same.length === 1 ? [] : [`${shown(id)} in ${rowsOf(same, 'id')}`],
      )
      return verdictOn(faults, `${faults.length} ids are used by several items`)
    },
  ),
  rule({
    // Google requires the price of the landing page; feeds lag behind when a price changes.
    gap: 'feed_price_mismatch',
    passed: 'feed_price_matches',
    lostWith: ['feed_items_incomplete', ...WITHOUT_PAGE_PRICE],
    check: 'feed',
    severity: 'high',
    label: 'The product feed and the product pages have different prices',
    fix: 'Use one source for both prices, and update the feed when a price changes.',
    tool: null,
    authority: `${GOOGLE}, price: match the price of the landing page`,
    reads: ['feed', 'productPages'],
    audit: ({ feed, productPages }) => {
      const reason = whyNoItems(feed)
      if (reason !== null) return skip(reason)
      const { compared, mismatches } = compareFeedPrices(feed, productPages)
      if (compared === 0) return skip('no product page that was read can be compared with the feed')
      if (mismatches.length === 0) return pass(`${compared} product pages compared`)
      return verdictOn(mismatches, `${mismatches.length} of ${compared} compared prices differ`)
    },
  }),
  rule({
    // Only the account's own API knows whether it is connected. A public widget shows an account
    // number; without one nothing is claimed, so that this rule never costs points.
    gap: null,
    passed: 'merchant_center_connected',
    check: 'feed',
    severity: 'low',
    label: 'A Merchant Center account is in use',
    fix: 'Nothing to do: whether an account exists cannot be seen from outside.',
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

/** Every kind of feed can state each required attribute; a price has to be a number as well. */
const has = (item: FeedItem, name: (typeof REQUIRED)[number]): boolean =>
  item[name] !== null && (name !== 'price' || parseFeedPrice(item[name]) !== null)

/** `rows 3, 7 and 12 more`; a value that is there and cannot be read is quoted. */
function rowsOf(items: readonly FeedItem[], name: string): string {
  const shownRows = items.slice(0, 5).map((item) => {
    const quoted = name === 'price' && item.price !== null ? `: ${shown(item.price)}` : ''
    return `${item.row}${quoted}`
  })
  return `rows ${shownRows.join(', ')}${more(items.length - shownRows.length)}`
}

/** The first faults in words after a summary, or a pass. */
function verdictOn(faults: readonly string[], summary: string): Verdict {
  if (faults.length === 0) return pass()
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
