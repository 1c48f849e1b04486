import { getDomain } from 'tldts'
import {
  compareOnline,
  type FeedOnline,
  type OnlinePage,
  pageToAsk,
  shopOf,
} from '../../shared/audit/checks/feed/online.ts'
import type { CatalogSeen } from '../../shared/audit/evidence.ts'
import type { FeedItem } from '../../shared/commerce/feed.ts'
import { presenceOf } from '../../shared/web/http/presence.ts'
import { type AuditDeps, DomainUnreadable } from './audit-domain.ts'
import { openSeen } from './judging/sealed-page.ts'
import { type AuditSession, auditSession, probePage } from './probe/session.ts'
import { readEvidence } from './read-evidence.ts'
import { type GivenAccess, withAccess } from './with-access.ts'

/** Reading a page takes a slow shop some seconds; two are read at a time. */
const PAGE_MS = 3_000
const BESIDE_PAGES_MS = 20_000

/** What is compared with which shop. */
interface OnlineOrder {
  items: readonly FeedItem[]
  /** The address that the feed came from; null for a file. */
  from: string | null
  /** The shop that was named, in place of the host to which the products lead. */
  shop?: string | undefined
  /** What the owner gave, for the shop's domain; only where the owner asks. */
  access?: (shop: string) => GivenAccess
}

type OnlineDeps = Pick<AuditDeps, 'fetcher' | 'judges' | 'now' | 'signal'>

const isOfSite = (host: string, other: string): boolean => {
  const [one, two] = [host, other].map((each) => getDomain(each, { allowPrivateDomains: true }))
  return host === other || (one !== null && one === two)
}

/**
 * Compares products of a feed with their pages and with the shop's catalog. Pages of other hosts
 * than the shop's are not asked for. What could not be reached is said of each product, and is not
 * a difference. Never throws for what the shop answers.
 */
export async function compareFeedOnline(
  { items, from, shop: asked, access }: OnlineOrder,
  deps: OnlineDeps,
): Promise<FeedOnline> {
  const { shop, notes } = shopOf(items, { asked, from }, isOfSite)
  if (shop === null) return { shop, products: [], notes }
  const { done, seen_with } = await withAccess(access?.(shop), deps, (fetcher) =>
    compareWith(items, shop, { ...deps, fetcher }),
  )
  const seen = { ...done, notes: [...notes, ...done.notes] }
  return seen_with === undefined ? seen : { ...seen, seen_with }
}

async function compareWith(
  items: readonly FeedItem[],
  shop: string,
  deps: OnlineDeps,
): Promise<FeedOnline> {
  const asked = items.map((item) => pageToAsk(item, shop))
  const urls = new Set(asked.flatMap((each) => ('url' in each ? [each.url] : [])))
  const session = deps.fetcher.open({
    deadlineMs: BESIDE_PAGES_MS + PAGE_MS * urls.size,
    more: urls.size,
    signal: deps.signal,
  })
  const pages = new Map<string, OnlinePage>()
  try {
    const reading = auditSession(session, deps.judges)
    const [listed] = await Promise.all([
      readCatalog(shop, deps),
      ...[...urls].map(async (url) => void pages.set(url, await readProductPage(reading, url))),
    ])
    deps.signal?.throwIfAborted()
    const products = items.map((item, n) => {
      const ask = asked[n] ?? { skipped: 'it was not asked for' }
      const page = 'skipped' in ask ? ask : (pages.get(ask.url) ?? { skipped: 'it was not read' })
      return compareOnline(item, { page, catalog: listed.catalog })
    })
    return { shop, products, notes: listed.notes }
  } finally {
    await session.close()
  }
}

async function readProductPage(session: AuditSession, url: string): Promise<OnlinePage> {
  const named = { by: 'the product feed lists it', points: 5 }
  return { ...openSeen(await probePage(session, url, named)), found_by: 'feed' }
}

/** The shop's catalog, or what to say of one that was not read. */
async function readCatalog(
  shop: string,
  deps: OnlineDeps,
): Promise<{ catalog: CatalogSeen | null; notes: string[] }> {
  try {
    const { catalog } = await readEvidence({ domain: shop, reads: ['catalog'] }, deps)
    if (catalog === undefined) return { catalog: null, notes: [] }
    const presence = presenceOf(catalog.first.fetched)
    if (presence.is === 'present') return { catalog, notes: [] }
    const why = presence.is === 'absent' ? 'there is none' : presence.why
    return { catalog: null, notes: [`No catalog was compared: ${why}.`] }
  } catch (error) {
    if (!(error instanceof DomainUnreadable)) throw error
    return { catalog: null, notes: [`No catalog was compared: ${error.message}`] }
  }
}
