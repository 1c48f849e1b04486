import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { NO_LINKS } from '../../../shared/audit/result/result.ts'
import { isRecord } from '../../../shared/web/json/json.ts'
import { auditDomain } from '../../audit/audit-domain.ts'
import { createJudges, type Judges } from '../../audit/judging/judges.ts'
import { createFetcher } from '../../audit/probe/fetch/fetch.ts'
import { parseTestHosts } from '../../audit/probe/fetch/test-hosts.ts'

/** Where the address of the page is told: both as shops do it, or one alone. */
export const WAYS = ['both', 'sitemap', 'home'] as const
export type Way = (typeof WAYS)[number]

/** What the audit of one page's shop came to. */
interface ServedPage {
  id: string
  url: string
  way: Way
  /** The page itself was read and judged as a product page. */
  judged: boolean
  found_by: string | null
  because: readonly string[]
  /** Of the checks that read pages. */
  gaps: { id: string; detail: string }[]
  /** Why there was no page to judge; null where there was one. */
  reason: string | null
  requests: number
  ms: number
}

interface Shop {
  id: string
  /** Without its fragment. */
  url: URL
  html: string
}

/**
 * Serves each page of `<folder>/pages` on loopback at its own host and path, in a shop that has a
 * home page, a sitemap and pages of other kinds, and audits that shop. Throws if the folder is not
 * a corpus.
 */
export async function auditServed(
  folder: string,
  ways: readonly Way[],
  told: (page: ServedPage) => void,
  judges: Judges = createJudges(),
): Promise<ServedPage[]> {
  const shops = await readShops(join(folder, 'pages'))
  const results: ServedPage[] = []
  try {
    for (const way of ways) {
      for (const shop of shops) {
        const result = await auditShop(shop, way, judges)
        told(result)
        results.push(result)
      }
    }
  } finally {
    await judges.close()
  }
  return results
}

async function readShops(pages: string): Promise<Shop[]> {
  const truths: unknown = JSON.parse(await readFile(join(pages, 'truth.json'), 'utf8'))
  if (!isRecord(truths)) throw new Error('truth.json must be an object of page id → values')
  const shops: Shop[] = []
  for (const [id, truth] of Object.entries(truths)) {
    const url = isRecord(truth) && typeof truth.url === 'string' ? URL.parse(truth.url) : null
    if (url === null) continue
    url.hash = ''
    shops.push({
      id,
      url,
      html: gunzipSync(await readFile(join(pages, `${id}.html.gz`))).toString(),
    })
  }
  return shops
}

async function auditShop(shop: Shop, way: Way, judges: Judges): Promise<ServedPage> {
  const { hostname } = shop.url
  let requests = 0
  const { port, close } = await listen((request) => {
    requests += 1
    const { pathname, search } = new URL(request.url)
    const { status, type, body } = answerOf(shop, way, pathname + search)
    return new Response(body, { status, headers: { 'content-type': type } })
  })
  const fetcher = createFetcher({
    userAgent: 'Aisle (corpus)',
    testHosts: parseTestHosts(`${hostname}=http://127.0.0.1:${port}`, undefined),
  })
  const started = performance.now()
  try {
    const { result } = await auditDomain(
      { domain: hostname, checks: ['schema', 'entity', 'feed'] },
      { fetcher, judges, now: () => new Date(), links: NO_LINKS },
    )
    const page = result.product_pages?.find(({ url }) => isSamePage(url, shop.url))
    const gaps = result.gaps.filter(({ check }) => check !== 'feed')
    return {
      id: shop.id,
      url: shop.url.href,
      way,
      judged: page !== undefined,
      found_by: page?.found_by ?? null,
      because: page?.because ?? [],
      gaps: gaps.map(({ id, detail }) => ({ id, detail })),
      reason: result.skipped.find(({ id }) => id === 'product_schema_missing')?.reason ?? null,
      requests,
      ms: Math.round(performance.now() - started),
    }
  } finally {
    await fetcher.close()
    close()
  }
}

const isSamePage = (url: string, { pathname, search }: URL): boolean => {
  const parsed = URL.parse(url)
  return parsed?.pathname === pathname && parsed.search === search
}

/** A free port of loopback, until it is closed. */
function listen(
  answer: (request: Request) => Response,
): Promise<{ port: number; close: () => void }> {
  return new Promise((resolve) => {
    const server = serve({ fetch: answer, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve({ port, close: () => server.close() }),
    )
  })
}

/** Addresses of a shop that are not products; reading one must show that. */
const OTHERS = [
  ['/about-us', 'About us'],
  ['/sale', 'Sale'],
  ['/new-arrivals', 'New arrivals'],
  ['/women/shoes-and-boots', 'Shoes and boots'],
  ['/blog/how-to-choose-the-right-size-2024', 'How to choose the right size'],
  ['/contact', 'Contact'],
  ['/help/delivery-and-returns', 'Delivery and returns'],
  ['/store-finder/london-12', 'London'],
] as const

function answerOf(
  { url, html }: Shop,
  way: Way,
  asked: string,
): { status: number; type: string; body: string } {
  const page = (body: string) => ({ status: 200, type: 'text/html; charset=utf-8', body })
  const { origin } = url
  const path = `${url.pathname}${url.search}`
  if (asked === path) return page(html)
  if (asked === '/robots.txt') {
    const sitemap = way === 'home' ? '' : `Sitemap: ${origin}/sitemap.xml\n`
    return { status: 200, type: 'text/plain', body: `User-agent: *\nDisallow: /cart\n${sitemap}` }
  }
  if (asked === '/sitemap.xml' && way !== 'home') {
    const urls = [...OTHERS.map(([each]) => each), path].map(
      (each) => `<url><loc>${escaped(`${origin}${each}`)}</loc></url>`,
    )
    return {
      status: 200,
      type: 'application/xml',
      body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
    }
  }
  if (asked === '/') {
    const links = [
      ...OTHERS.map(([each, name]) => `<a href="${each}">${name}</a>`),
      ...(way === 'sitemap' ? [] : [`<a href="${escaped(path)}">See it</a>`]),
    ]
    return page(simple(url.hostname, `<nav>${links.join(' ')}</nav><p>Welcome to our shop.</p>`))
  }
  const other = OTHERS.find(([each]) => each === asked)
  if (other !== undefined)
    return page(simple(other[1], `<p>${'All that you need to know. '.repeat(80)}</p>`))
  return {
    status: 404,
    type: 'text/html',
    body: simple('Not found', '<p>There is nothing here.</p>'),
  }
}

const simple = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** One page in words, for people. */
export function describeServed(page: ServedPage): string[] {
  const verdict = page.judged ? `judged (${page.found_by})` : 'NOT JUDGED'
  return [
    `${page.id.slice(0, 8)} [${page.way}] ${verdict}, ${page.requests} requests, ${page.ms} ms: ${page.url}`,
    ...(page.judged ? page.because.map((each) => `    because ${each}`) : [`    ${page.reason}`]),
    ...page.gaps.map(({ id, detail }) => `    gap ${id}: ${detail}`),
  ]
}

/** The last line: how many were judged. */
export const summarizeServed = (pages: readonly ServedPage[]): string =>
  `${pages.filter(({ judged }) => judged).length} of ${pages.length} pages were judged`
