import { createPager } from '../../../shared/audit/checks/catalog/paging.ts'
import { totalFrom } from '../../../shared/audit/checks/catalog/seen-products.ts'
import { createWholeTally } from '../../../shared/audit/checks/catalog/whole-tally.ts'
import type { CatalogSeen, WholeCatalog } from '../../../shared/audit/evidence.ts'
import { dialectOf } from '../../../shared/commerce/catalog/listing.ts'
import { describeFetch, type Fetched, type JsonSeen } from '../../../shared/web/http/fetched.ts'
import { retryAfterMs } from '../../../shared/web/http/retry-after.ts'
import type { Judges } from '../judging/judges.ts'

/** Asks for the pages of one catalog. */
export interface CatalogReader {
  first(): Promise<JsonSeen>
  /** The page that an earlier one leads to, by its URL or cursor. */
  next(key: string): Promise<JsonSeen>
  /** Ends what the server keeps of it. */
  close(): Promise<void>
}

/** What ends the reading of a catalog that is larger. */
export interface WholeLimits {
  pages: number
  products: number
  /** Milliseconds. */
  ms: number
}

// Unspecified: of a whole catalog at most 2,000 pages or 100,000 products are read, one request at
// a time, each followed by a rest as long as its answer took (a second at most).
export const WHOLE_LIMITS = { pages: 2_000, products: 100_000 }

/** Requests that all of this may take: some are repeated, and an MCP service is greeted. */
export const WHOLE_REQUESTS = 2 * WHOLE_LIMITS.pages

export interface WholeReading {
  run: Judges['run']
  limits: WholeLimits
  /** Waits `ms` milliseconds. */
  pause: (ms: number) => Promise<unknown>
  /** Milliseconds since any moment. */
  clock: () => number
  /** Called after each page. */
  onPage?: (read: { products: number; pages: number; of: number | null }) => void
}

/** How often one page is asked for when the store is busy. */
const MAX_TRIES = 5

/** Characters of a reason. */
const MAX_WORDS = 500

/** Milliseconds: the first wait where the store names none, and the most between two pages. */
const FIRST_WAIT = 2_000
const MAX_PAUSE = 1_000

/** Pages in a row that list nothing new: their cursors may never end. */
const MAX_STALE = 3

/**
 * Reads every page of a catalog, one request at a time, and waits after each for as long as its
 * answer took. A store that is busy is waited for as it asks (RFC 9110, 10.2.3). Each page is
 * judged by itself and forgotten; held are counts, examples and hashes. Never throws.
 */
export async function readWhole(
  catalog: Pick<CatalogSeen, 'dialect' | 'word'>,
  reader: CatalogReader,
  reading: WholeReading,
): Promise<WholeCatalog> {
  const { run, limits, pause, clock, onPage } = reading
  const until = clock() + limits.ms
  const tally = createWholeTally(limits.products)
  const dialect = dialectOf(catalog)
  let said: unknown = null
  let stale = 0
  const ended = (stopped: string | null, next_fault: WholeCatalog['next_fault'] = null) => ({
    products: tally.products,
    pages: tally.pages,
    of: ofAll(stopped),
    // It may name addresses that the store chose.
    stopped: stopped?.replace(/\.$/, '').slice(0, MAX_WORDS) ?? null,
    findings: tally.findings(),
    next_fault,
  })
  // The total of what a word finds is not that of the catalog.
  const ofAll = (stopped: string | null): number | null =>
    catalog.word !== undefined
      ? null
      : (totalFrom(said, tally.products) ?? (stopped === null ? tally.products : null))
  const ask = (page: () => Promise<JsonSeen>) => askPatiently(page, { pause, clock, until })

  let page = await ask(() => reader.first())
  const pager = createPager({ dialect: catalog.dialect, first: page })
  for (;;) {
    const step = pager(page)
    if (step.is === 'open') return ended(step.why)
    if (step.is === 'fault' && dialect.productsOf(page) === null) return ended(step.detail, step)
    const judged = await run('catalog', {
      dialect: catalog.dialect,
      page,
      number: tally.pages + 1,
    })
    if ('exceeded' in judged) {
      return ended(`page ${tally.pages + 1} could not be judged: ${judged.exceeded}`)
    }
    const fresh = tally.add(judged.done)
    stale = fresh > 0 ? 0 : stale + 1
    said = dialect.totalOf(page) ?? said
    onPage?.({ products: tally.products, pages: tally.pages, of: ofAll('') })
    if (judged.done.isTooLong) {
      return ended(`page ${tally.pages} lists more products than are read of one page`)
    }
    if (step.is === 'fault') return ended(step.detail, step)
    if (step.is === 'end') {
      return ended(
        catalog.word === undefined
          ? null
          : 'the store lists products only for a word, and these are what one finds',
      )
    }
    const limit = limitOf(tally, stale, limits)
    if (limit !== null) return ended(limit)
    await pause(Math.min(MAX_PAUSE, msOf(page.fetched)))
    if (clock() > until) return ended(TIME_OVER)
    const { key } = step
    page = await ask(() => reader.next(key))
    if (clock() > until && page.fetched.kind !== 'answer') return ended(TIME_OVER)
  }
}

const TIME_OVER = 'the time that it was given was over'

function limitOf(
  { products, pages }: { products: number; pages: number },
  stale: number,
  limits: WholeLimits,
): string | null {
  if (stale >= MAX_STALE) return `its last ${MAX_STALE} pages listed nothing that is new`
  if (pages >= limits.pages) return `${limits.pages} pages are the most that are read`
  return products >= limits.products
    ? `${limits.products} products are the most that are read`
    : null
}

/** Asks again while the store says that it is busy, as far as there is time. */
async function askPatiently(
  ask: () => Promise<JsonSeen>,
  { pause, clock, until }: Pick<WholeReading, 'pause' | 'clock'> & { until: number },
): Promise<JsonSeen> {
  for (let tries = 1; ; tries += 1) {
    const seen = await ask()
    const wait = waitOf(seen.fetched, tries)
    if (wait === null || tries === MAX_TRIES) return seen
    if (clock() + wait > until) return outOfTime(seen, wait)
    await pause(wait)
  }
}

/** Why a store that is busy was not waited for. */
const outOfTime = ({ fetched }: JsonSeen, wait: number): JsonSeen => ({
  fetched: {
    kind: 'not_asked',
    reason: `${describeFetch(fetched)}, and waiting ${Math.ceil(wait / 1000)} s for it would take longer than there is time`,
  },
  json: null,
})

/** Milliseconds until a busy store may be asked again; null where its answer is one. */
function waitOf(fetched: Fetched, tries: number): number | null {
  const own = FIRST_WAIT * 2 ** (tries - 1)
  if (fetched.kind === 'not_asked') return null
  if (fetched.kind === 'no_answer') return fetched.why === 'timeout' ? own : null
  if (fetched.status !== 429 && fetched.status < 500) return null
  return retryAfterMs(fetched.headers) ?? own
}

const msOf = (fetched: Fetched): number => (fetched.kind === 'not_asked' ? 0 : fetched.ms)
