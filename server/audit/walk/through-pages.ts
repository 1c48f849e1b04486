import { sampleAddress } from '../../../shared/walk/addresses.ts'
import { type Good, productName } from '../../../shared/walk/goods.ts'
import { BUYER } from '../../../shared/walk/pages/fields.ts'
import {
  beginPages,
  endedPages,
  keptStep,
  type PagesKept,
  PICTURE_BYTES,
  PICTURES_BYTES,
  withPagesStep,
} from '../../../shared/walk/pages/pages-kept.ts'
import type { ListedGood } from '../../../shared/walk/webmcp/page-facts.ts'
import { keptTools, unseenTools } from '../../../shared/walk/webmcp/tools-kept.ts'
import type { Browsers } from '../browser/browser.ts'
import type { Judges } from '../judging/judges.ts'
import { readEvidence } from '../read-evidence.ts'
import type { WalkDeps, WalkThroughPages } from './order.ts'

// Unspecified: a product that is sold out is followed by another one, three in all.
const MOST_PRODUCTS = 3

/** Goods of the catalog that are compared with what tools answer. */
const MOST_LISTED = 500

const NO_PAGE =
  'No product page was found to begin on. Name one, or audit the store first, so that one is known.'
const CLOSED =
  'The store is closed, and its owner gave headers that open it: a browser is not given them.'

interface ThroughPagesDeps {
  browsers: Pick<Browsers, 'run'>
  /** Looks for product pages of a domain; rejects where the store does not answer. */
  findPages: (domain: string, signal: AbortSignal | undefined) => Promise<readonly string[]>
}

/** Looks for product pages as an audit does. */
export const createFindPages =
  ({
    judgesOf,
    ...deps
  }: Pick<WalkDeps, 'fetcher' | 'now'> & {
    judgesOf: (domain: string) => Judges
  }): ThroughPagesDeps['findPages'] =>
  async (domain, signal) => {
    const { productPages = [] } = await readEvidence(
      { domain, reads: ['productPages'] },
      { ...deps, judges: judgesOf(domain), ...(signal && { signal }) },
    )
    return productPages.flatMap(({ page }) => (page === null ? [] : [page.url]))
  }

/** The walk through pages of a process that has these browsers. */
export const createThroughPages =
  ({ browsers, findPages }: ThroughPagesDeps): WalkThroughPages =>
  async ({ domain, pages: asked = {}, covered = [], access }, hooks) => {
    const { signal, keepPicture, knownPages, goods, onEvent } = hooks
    if (access) return { ...beginPages(asked.url ?? null), unseen: CLOSED }
    const own = [domain, ...covered.filter((each) => each !== '*')]
    const address = sampleAddress(domain, undefined)
    let pages = beginPages(null)
    let bytes = 0
    const walkFrom = async (url: string): Promise<PagesKept> => {
      pages = { ...beginPages(url), steps: pages.steps }
      onEvent({ event: 'pages', pages })
      const saved: Promise<void>[] = []
      const seen = await browsers.run(
        'pages',
        { url, contact: { ...BUYER, address }, own },
        {
          signal,
          onStep(step) {
            const n = pages.steps.length + 1
            const { picture } = step
            const fits =
              keepPicture !== undefined &&
              picture.length <= PICTURE_BYTES &&
              bytes + picture.length <= PICTURES_BYTES
            if (fits) {
              bytes += picture.length
              // A picture that is not stored is missing on the page, and nothing else.
              saved.push(keepPicture(n, picture).catch(() => {}))
            }
            const kept = keptStep(step, n, fits)
            pages = withPagesStep(pages, kept)
            onEvent({ event: 'page', step: kept })
          },
        },
      )
      await Promise.all(saved)
      return 'unseen' in seen ? { ...pages, unseen: seen.why } : endedPages(pages, seen.done)
    }
    const candidates =
      asked.url === undefined
        ? await productPages(
            () => knownPages?.() ?? [],
            () => findPages(domain, signal),
          )
        : [asked.url]
    for (const url of candidates.slice(0, MOST_PRODUCTS)) {
      pages = await walkFrom(url)
      if (pages.ended !== 'sold_out') break
    }
    const { url } = pages
    if (url === null) return { ...pages, unseen: NO_PAGE }
    // What kept the walk from the pages keeps the tools as well.
    if (pages.ended === null || pages.ended === 'elsewhere') return pages
    onEvent({ event: 'pages', pages })
    const listed = goods.slice(0, MOST_LISTED).map(toListed)
    const seen = await browsers.run('tools', { url, own, listed }, { signal })
    const tools = 'unseen' in seen ? unseenTools(seen.why) : keptTools(seen.done)
    return { ...pages, tools }
  }

const toListed = (good: Good): ListedGood => ({
  id: good.product_id,
  name: productName(good),
  price: good.price,
  page: good.page ?? null,
})

/** Those that an audit has judged, else those that are found now. */
async function productPages(
  known: () => Promise<readonly string[]> | readonly string[],
  find: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const judged = await known()
  return judged.length > 0 ? judged : find().catch(() => [])
}
