import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'
import { type OtherSite, otherSites } from './testing/other-shops.ts'

const SITES = otherSites((text) => new Uint8Array(gzipSync(text)))

const htmlOf = (page: OtherSite['pages'][string], path: string): string => {
  const { head = '', body, lang = 'en' } = typeof page === 'string' ? { body: page } : page
  const [, heading = path] = /<h1>(.*?)<\/h1>/.exec(body) ?? []
  return `<!doctype html><html lang="${lang}"><head><title>${heading} – Site</title>${head}</head><body>${body}</body></html>`
}

function answerOf(site: OtherSite, path: string): Response {
  const html = (body: string) =>
    new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  const paths = Object.keys(site.pages)
  if (site.gated?.test(path) === true) return new Response('', { status: 403 })
  if (path === '/') {
    const links = (site.links ?? paths).map(
      (each) => `<a href="${each.replaceAll('&', '&amp;')}">More</a>`,
    )
    const body = `<nav>${links.join('')}</nav>${site.home?.body ?? '<p>Welcome.</p>'}`
    return html(htmlOf({ head: site.home?.head ?? '', body }, path))
  }
  const page = site.pages[path]
  if (page !== undefined) return html(htmlOf(page, path))
  const locations = paths.map(
    (each) => `<url><loc>https://${site.name}.example${each.replaceAll('&', '&amp;')}</loc></url>`,
  )
  const sitemaps = site.sitemaps ?? { '/sitemap.xml': `<urlset>${locations.join('')}</urlset>` }
  const sitemap = sitemaps[path]
  if (sitemap === undefined) return new Response('Not found', { status: 404 })
  return new Response(sitemap as BodyInit, {
    headers: { 'content-type': 'application/octet-stream' },
  })
}

let fetcher: Fetcher
const asked = new Map<string, string[]>()

beforeAll(async () => {
  const front = new Hono().all('*', (c) => {
    const { pathname, search } = new URL(c.req.url)
    const name = c.req.header('host')?.split('.')[0] ?? ''
    asked.set(name, [...(asked.get(name) ?? []), pathname + search])
    const site = SITES.find((each) => each.name === name)
    return site === undefined ? c.text('', 404) : answerOf(site, decodeURI(pathname) + search)
  })
  fetcher = await fetcherTo(front, { clock: () => 0 })
})

test('there are enough of them', () => {
  expect(new Set(SITES.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40)
})

test.each(SITES)('$name: the right pages are judged, and nothing false is said', async (site) => {
  const {
    product_pages = [],
    gaps,
    skipped,
    platform,
  } = await auditHere(
    // With the snippet's rules there is something to judge on any page.
    { domain: `${site.name}.example`, checks: site.checks ?? ['schema', 'attribution'] },
    { fetcher },
  )
  const paths = product_pages.map(({ url }) => {
    const { pathname, search } = new URL(url)
    return decodeURI(pathname) + search
  })
  expect(paths.toSorted()).toEqual(site.judged.toSorted())
  const schema = gaps.filter(({ check }) => check === 'schema')
  expect(schema.map(({ id }) => id)).toEqual(site.gaps ?? [])
  // None of them keeps agents out.
  expect(gaps.map(({ id }) => id)).not.toContain('robots_blocks_ai_agents')
  expect(platform && { id: platform.id, seen_by: platform.seen_by }).toEqual(site.platform)
  expect(product_pages.every(({ because }) => because.length > 0)).toBe(true)
  // The home page and robots.txt beside what is asked for product pages, and where a feed is.
  const requests = asked.get(site.name) ?? []
  expect(requests.length).toBeLessThanOrEqual(14 + 2 + (site.checks === undefined ? 0 : 5))
  expect(requests.filter((path) => site.untouched?.test(path))).toEqual([])
  if (site.judged.length > 0) return
  const reasons = skipped.filter(({ id }) => id === 'product_schema_missing')
  expect(reasons.map(({ reason }) => reason).join()).toMatch(
    /no product page was found(?: among the \d+ pages? looked at \(.+\))?\. Tried: https/,
  )
})
