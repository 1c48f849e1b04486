import type { FeedSeen, PageSeen, Platform } from '../../../../shared/audit/evidence.ts'
import type { FeedItem } from '../../../../shared/commerce/feed.ts'
import type { Page } from '../../../../shared/markup/page.ts'
import { isActing } from '../../../../shared/markup/page-signs/visitor-address.ts'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import { presenceOf } from '../../../../shared/web/http/presence.ts'
import { sitemapsIn } from '../../../../shared/web/http/robots.ts'
import type { Exceeded } from '../../judging/judges.ts'
import type { SealedPage } from '../../judging/sealed-page.ts'
import { createTextStream, createUnzip, joinBytes } from '../fetch/body.ts'
import { BODY_CAPS } from '../fetch/request.ts'
import { type AuditSession, unread } from '../session.ts'
import { type FeedRead, type FeedState, type Followed, feedOf, notAFeed } from './format.ts'

// Unspecified: feeds are looked for at four addresses at most, announced ones first, so that an
// audit without a feed stays within its budget.
const MAX_REQUESTS = 4
const MAX_PER_SOURCE = 2

// Unspecified: a feed is read for six seconds, and to 64 MiB: the other requests of an audit take
// as long, and one of 50 MB has fifty thousand rows.
const LIMITS: FeedLimits = { ms: 6_000, bytes: BODY_CAPS.feed }

/** Servers that choose by it send the form that says most. */
const ACCEPT =
  'application/rss+xml, application/atom+xml, text/tab-separated-values, text/csv, application/json, */*;q=0.5'

/** An address, what it answered, and what was read of it. */
type Tried = Candidate & FeedRead & { fetched: Fetched }

/**
 * Looks for the store's product feed where the store announces it, where its platform keeps it, and
 * last at a few usual paths, with at most four requests. A feed that is announced costs one.
 */
export async function probeFeed(
  session: AuditSession,
  site: { domain: string; origin: string; homePage: PageSeen<SealedPage>; robots: Fetched },
  limits = LIMITS,
): Promise<FeedSeen> {
  const tries: Tried[] = []
  const isNew = ({ url }: Candidate) => tries.every((tried) => tried.url !== url)
  for (const candidate of announcedFeeds(site)) {
    if (tries.length === MAX_REQUESTS) break
    if (!isNew(candidate)) continue
    const tried = await tryFeed(session, candidate, limits)
    tries.push(tried)
    if (tried.kind !== null) break
  }
  if (tries.every(({ kind }) => kind === null)) {
    // Guesses are independent of each other, so they are asked together.
    const guesses = usualFeeds(site.origin)
      .filter(isNew)
      .slice(0, MAX_REQUESTS - tries.length)
    tries.push(
      ...(await Promise.all(guesses.map((candidate) => tryFeed(session, candidate, limits)))),
    )
  }
  const { kind, url, ...seen } = tellingOf(tries)
  return { ...seen, kind, url: kind === null ? null : url, tried: tries.map((tried) => tried.url) }
}

/** Where the store itself says that there is a feed, the surest first. */
const announcedFeeds = (site: {
  origin: string
  homePage: PageSeen<SealedPage>
  robots: Fetched
}): Candidate[] => [
  ...linkedFeeds(site.homePage.page).slice(0, MAX_PER_SOURCE),
  ...robotsFeeds(site.robots).slice(0, MAX_PER_SOURCE),
  ...platformFeeds(site.homePage, site.origin),
]

/** Reads one address as it answers. An error page that looks like a feed does not count. */
async function tryFeed(
  session: AuditSession,
  candidate: Candidate,
  limits: FeedLimits,
): Promise<Tried> {
  const stream = createFeedStream(session, limits)
  try {
    const fetched = await session.request({
      url: candidate.url,
      headers: { accept: ACCEPT },
      maxBytes: limits.bytes,
      read: (bytes, headers) => stream.write(bytes, headers['content-type']),
    })
    const isError = fetched.kind === 'answer' && (fetched.status < 200 || fetched.status >= 300)
    if (isError || fetched.kind === 'not_asked') return { ...candidate, ...notAFeed(), fetched }
    const isCut = fetched.kind === 'no_answer' || fetched.truncated
    const ended = await stream.end(isCut)
    if ('read' in ended) return { ...candidate, ...ended.read, fetched }
    const unreadable = fetched.kind === 'answer' ? unread(fetched, ended) : fetched
    return { ...candidate, ...notAFeed(), fetched: unreadable }
  } finally {
    stream.close()
  }
}

/** The feed; without one, the answer that leaves open whether there is one. */
function tellingOf(tries: readonly Tried[]): Tried {
  const open = ({ fetched }: Tried) => !['present', 'absent'].includes(presenceOf(fetched).is)
  const nothing: Fetched = { kind: 'not_asked', reason: 'no address of a feed was tried' }
  return (
    tries.find(({ kind }) => kind !== null) ??
    tries.find(open) ??
    tries[0] ?? { ...notAFeed(), url: '', found_by: '', fetched: nothing }
  )
}

interface Candidate {
  url: string
  /** How it was found, in words. */
  found_by: string
}

/** Media types with which shops announce a product feed. */
const FEED_TYPES = [
  'application/rss+xml',
  'application/atom+xml',
  'text/tab-separated-values',
  'text/csv',
]

/** Words in a path that tell a feed of products from one of articles. */
const ABOUT_PRODUCTS = /product|merchant|shopping|google|catalog|shop(?!ify)/i

/** Words of feeds that every blog has; reading one would cost a request. */
const ABOUT_ARTICLES = /blog|comment|news|article|journal|podcast|magazine/i

/** robots.txt lists sitemaps, and some shops their feeds among them. */
const FEED_NAME = /feed|merchant|shopping/i

/**
 * Paths that store software documents for its Google feed. No platform has a default of its own.
 */
const USUAL_PATHS = [
  '/merchant_feed/google.xml',
  '/feed/google.xml',
  '/google-shopping.xml',
  '/product-feed.xml',
]

/** `<link rel="alternate">` of the home page: those named after products first, never a blog's. */
function linkedFeeds(page: Pick<Page, 'links'> | null): Candidate[] {
  const urls = (page?.links ?? [])
    .filter(({ rel, type }) => rel.includes('alternate') && FEED_TYPES.includes(essence(type)))
    .map(({ href }) => href)
    .filter((href) => isWebUrl(href) && !ABOUT_ARTICLES.test(pathOf(href)))
  const named = urls.filter((url) => ABOUT_PRODUCTS.test(pathOf(url)))
  return [...new Set([...named, ...urls])].map((url) => ({
    url,
    found_by: 'link rel="alternate"',
  }))
}

/** `Sitemap:` lines of robots.txt that are named after a feed. */
function robotsFeeds(robots: Fetched): Candidate[] {
  return sitemapsIn(robots)
    .filter((url) => isWebUrl(url) && FEED_NAME.test(pathOf(url)))
    .map((url) => ({ url, found_by: 'robots.txt' }))
}

/**
 * The product list that the platform publishes, when the home page shows which platform it is:
 * https://developer.woocommerce.com/docs/apis/store-api for WooCommerce, and Shopify's
 * products.json, which some headless shops lack. Ten products are asked for.
 */
function platformFeeds({ platform }: { platform?: Platform }, origin: string): Candidate[] {
  if (platform === 'shopify') {
    return [{ url: `${origin}/products.json?limit=10`, found_by: 'Shopify /products.json' }]
  }
  if (platform === 'woocommerce') {
    const url = `${origin}/wp-json/wc/store/v1/products?per_page=10`
    return [{ url, found_by: 'WooCommerce Store API' }]
  }
  return []
}

const usualFeeds = (origin: string): Candidate[] =>
  USUAL_PATHS.map((path) => ({ url: `${origin}${path}`, found_by: 'a usual path' }))

/** A media type without its parameters. */
const essence = (type: string | null): string =>
  (type ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Absolute, with http or https, and nothing that acts when it is opened. */
const isWebUrl = (url: string): boolean =>
  /^https?:\/\//i.test(url) && URL.canParse(url) && !isActing(url)

/** The host is left out: every link of `googleshop.example` would be named after products. */
function pathOf(url: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  return pathname + search
}

/**
 * Bytes that are collected before they are read: less than what a request may hold without waiting.
 */
const PART = 192 * 1024

/** What ends the reading of a feed that is longer. */
export interface FeedLimits {
  /** Milliseconds of waiting for its bytes, and of processor for reading them. */
  ms: number
  /** The size of the feed itself, not as it was compressed. */
  bytes: number
}

/** A feed that is read while it arrives. */
interface FeedStream {
  /** False: enough was read. Nothing more is taken while its promise is pending. */
  write(bytes: Uint8Array, contentType: string | undefined): Promise<boolean>
  /** `cut`: the answer goes on, or broke off, where we stopped. */
  end(cut: boolean): Promise<{ read: FeedRead } | Exceeded>
  close(): void
}

/**
 * Reads a feed part by part, each in a worker. Held are one part and the state between two: no more
 * for a feed of a gigabyte than for one of a megabyte.
 */
function createFeedStream(
  { run, waited }: Pick<AuditSession, 'run' | 'waited'>,
  limits: FeedLimits,
): FeedStream {
  const unzip = createUnzip()
  const items: FeedItem[] = []
  let decoder: ReturnType<typeof createTextStream> | null = null
  let state: FeedState | null = null
  let parts: Uint8Array[] = []
  let size = 0
  let total = 0
  let limit: string | null = null
  let exceeded: Exceeded | null = null
  const began = waited()
  let readingMs = 0

  const isOver = () => limit !== null || exceeded !== null || state?.done === true
  const flush = async (followed: Followed): Promise<void> => {
    const text =
      (decoder?.text(joinBytes(parts)) ?? '') + (followed === 'more' ? '' : (decoder?.end() ?? ''))
    parts = []
    size = 0
    const judged = await run('feed', { before: state, text, followed })
    readingMs += judged.tookMs ?? 0
    if ('exceeded' in judged) {
      exceeded = judged
      return
    }
    state = judged.done.state
    items.push(...judged.done.items)
  }
  const take = async (bytes: Uint8Array): Promise<boolean> => {
    const kept = bytes.subarray(0, limits.bytes - total)
    parts.push(kept)
    size += kept.length
    total += kept.length
    if (kept.length < bytes.length) limit = 'its size'
    else if (waited() - began + readingMs > limits.ms) limit = 'the time it takes'
    if (size >= PART && limit === null) await flush('more')
    return !isOver()
  }

  return {
    async write(bytes, contentType) {
      decoder ??= createTextStream(contentType)
      // What is not read is a part of none that follows.
      if (isOver()) return false
      const goesOn = await unzip.write(bytes, take)
      if (!goesOn && !isOver()) limit = 'its compression'
      return !isOver()
    },
    async end(cut) {
      if (state === null && size === 0) return { read: notAFeed() }
      if (exceeded === null && state?.done !== true) {
        if (cut) limit ??= 'the time it takes'
        await flush(cut || limit !== null ? 'cut' : 'end')
      }
      if (state === null) return exceeded === null ? { read: notAFeed() } : exceeded
      // What was read before still holds.
      if (exceeded !== null && state.tally.rows === 0) return exceeded
      return { read: feedOf(state, items, exceeded === null ? limit : 'the work it takes') }
    },
    close: () => unzip.close(),
  }
}
