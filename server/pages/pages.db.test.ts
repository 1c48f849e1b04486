import { describe, expect, test } from 'vitest'
import { GAP_RULES } from '../../shared/audit/checks/index.ts'
import { linksTo } from '../../shared/audit/gap/links.ts'
import { ROUTE_VENDORS } from '../../shared/audit/readiness/vendors.ts'
import { routesBy } from '../access/testing/routes.ts'
import { buildAssets } from '../build/asset-bundler.ts'
import { collectDecisions } from '../build/decisions.ts'
import { SCOPES } from '../db/access/scopes.ts'
import {
  AUDIT_QUOTA,
  CHANNEL_TEST_QUOTA,
  CONFIRM_QUOTA,
  VALIDATE_QUOTA,
  WALK_QUOTA,
} from '../http/rate-limit.ts'
import { testApp } from '../testing/app.ts'
import { ASSETS_WITHOUT_CONTENT, prepareAssets } from './assets.ts'
import type { PackedExtension } from './extension/packed.ts'
import { SCOPE_WORDS } from './scope-words.ts'
import { COLLECTORS } from './tools/collectors/collectors.ts'
import { RECIPES } from './tools/orders/recipes.ts'

const assets = prepareAssets({
  ...ASSETS_WITHOUT_CONTENT,
  ...Object.fromEntries(await buildAssets()),
})
const help = { text: 'Ask <b>us</b> & wait.', email: 'help@aisle.example' }
const extension: PackedExtension[] = [
  {
    browser: 'chrome',
    file: 'aisle-1.2.3-chrome.zip',
    version: '1.2.3',
    bytes: 200_000,
    read: async () => new Uint8Array(),
  },
]
const decisions = collectDecisions()
const { app, post } = await testApp({ assets, decisions, help, extension })
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = BROWSER) =>
  app.request(path, { headers })

const TOOLS = [
  '/tools/manifest',
  '/tools/schema',
  '/tools/robots',
  '/tools/snippet',
  '/tools/validate',
]
const RECIPE_PAGES = ['/tools/orders', ...RECIPES.map(({ id }) => `/tools/orders/${id}`)]
const COLLECTOR_PAGES = [
  '/tools/collectors',
  ...COLLECTORS.map(({ id }) => `/tools/collectors/${id}`),
]
const PAGES = [
  '/',
  '/gaps',
  '/gaps/all',
  '/tools',
  ...TOOLS,
  ...RECIPE_PAGES,
  ...COLLECTOR_PAGES,
  '/help',
  '/help/kept',
  '/help/operator',
  '/docs',
  '/docs/rules',
  '/docs/reportEvent',
  '/decisions',
  '/decisions/audit',
  '/routes',
  '/standards',
  '/conformance',
  ...ROUTE_VENDORS.map(({ id }) => `/routes/${id}`),
  '/extension',
  '/extension/privacy',
]

describe.each([...PAGES, '/gaps/catalog_empty', '/nowhere'])('%s', (path) => {
  test('has the headers and the frame of a page', async () => {
    const answer = await get(path)
    expect(answer.status).toBe(path === '/nowhere' ? 404 : 200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
      'x-content-type-options': 'nosniff',
    })
    const html = await answer.text()
    expect(html).toMatch(/^<!doctype html><html lang="en">/)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).toMatch(/<title>[^<]+<\/title>/)
    expect(html).toContain('href="#main"')
  })

  test('has no style or script of its own, and asks no other host', async () => {
    const html = await (await get(path)).text()
    expect(html).not.toMatch(/ style=| on[a-z]+="|<style/)
    for (const [script] of html.matchAll(/<script[^>]*>[^<]*/g)) {
      expect(script).toMatch(/^<script defer src="\/assets\/[\w.-]+"><?/)
    }
    for (const [, address] of html.matchAll(/(?:src|<link[^>]* href)="([^"]*)"/g)) {
      expect(address).toMatch(/^\//)
      expect((await get(address!)).status, address).toBe(200)
    }
  })

  test('leads to no page that is not there', async () => {
    const html = await (await get(path)).text()
    const own = [...html.matchAll(/<a[^>]* href="(\/[^"#]*)/g)].map(([, link]) => link!)
    for (const link of new Set(own)) {
      const { status, headers } = await get(link.replaceAll('&amp;', '&'))
      if (status === 303) expect(headers.get('location'), link).toMatch(/^\/sign-in/)
      else expect(status, link).toBe(200)
    }
  })
})

test('who comes to audit a store is led to the form, not to a shell', async () => {
  const html = await (await get('/')).text()
  expect(html).toMatch(/<form method="post" action="\/runs"/)
})

test.each(GAP_RULES)('$gap has a page, and its tool opens', async ({ gap, tool, label }) => {
  const links = linksTo('https://aisle.example')
  const page = await get(new URL(links.docs(gap)!).pathname)
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain(`<code>${gap}</code>`)
  expect(html).toContain(label.replaceAll('<', '&lt;'))
  for (const part of ['What it means', 'Why it matters', 'How to fix it', 'Before', 'After']) {
    expect(html).toContain(part)
  }
  expect(html).not.toMatch(/undefined|null<|\[object/)
  if (tool === null) return
  const { pathname, search } = new URL(links.fix(tool, 'shop.example')!)
  const opened = await get(pathname + search)
  expect(opened.status).toBe(200)
  if (tool !== 'snippet') expect(await opened.text()).toContain('value="')
})

test('gaps are filtered by the query alone', async () => {
  const listed = async (query: string) =>
    [...(await (await get(`/gaps/all${query}`)).text()).matchAll(/href="\/gaps\/(\w+)"/g)].map(
      ([, gap]) => gap,
    )
  expect((await listed('')).toSorted()).toEqual(GAP_RULES.map(({ gap }) => gap).toSorted())
  expect((await listed('?check=schema&severity=medium')).toSorted()).toEqual([
    'product_schema_aggregate_offer_only',
    'product_schema_availability_contradicted',
    'product_schema_availability_invalid',
    'product_schema_gtin_invalid',
    'product_schema_identifier_contradicted',
    'product_schema_price_valid_until_invalid',
  ])
  expect(await listed('?check=attribution&severity=critical')).toEqual([])
  expect(await listed('?check=__proto__&severity=<script>')).toHaveLength(GAP_RULES.length)
})

test.each([
  ['/gaps/nothing', 404],
  ['/gaps/__proto__', 404],
  ['/gaps/%3Cscript%3E', 404],
  [`/gaps/${'x'.repeat(5000)}`, 404],
  ['/tools/nothing', 404],
  ['/assets/style.css', 404],
  ['/assets/..%2Fapp.js', 404],
])('%s: %d, as a page for a browser and as JSON for a program', async (path, status) => {
  const page = await get(path)
  expect(page.status).toBe(status)
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const json = await get(path, {})
  expect(json.status).toBe(status)
  expect(await json.json()).toMatchObject({ error: { code: 'not_found' } })
})

test('the API speaks JSON to browsers as well', async () => {
  const answer = await get('/api/nothing')
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
})

test('the operator says in their own words how to get a key', async () => {
  const html = await (await get('/help')).text()
  expect(html).toContain('Ask &lt;b>us&lt;/b> &amp; wait.')
  expect(html).toContain('mailto:help@aisle.example')
})

test('the help says what is kept of people, and for how long', async () => {
  const html = await (await get('/help/kept')).text()
  const said = html.slice(html.indexOf('<h1>')).replaceAll(/<[^>]*>|\s+/g, ' ')
  expect(said).toMatch(/^ What is kept of visitors, buyers and you .* 13 whole months .* 14 days\./)
  expect(await (await get('/tools/snippet')).text()).toContain('href="/help/kept"')
})

test('each scope is there with what it allows, in the words of the page of keys', async () => {
  const html = await (await get('/docs/rules')).text()
  for (const scope of SCOPES) {
    expect(html).toContain(`<code>${scope}</code></th><td>${SCOPE_WORDS[scope]}.</td>`)
  }
})

test('each limit of a key is there, and each status that the API documents', async () => {
  const html = await (await get('/docs/rules')).text()
  for (const quota of [
    AUDIT_QUOTA,
    WALK_QUOTA,
    VALIDATE_QUOTA,
    CHANNEL_TEST_QUOTA,
    CONFIRM_QUOTA,
  ]) {
    expect(html, quota.name).toContain(`>${quota.requests} per hour and key`)
  }
  const { paths } = await (await get('/openapi.json')).json()
  const operations = Object.entries<Record<string, { responses?: object }>>(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([, item]) => Object.values(item))
  const statuses = operations.flatMap(({ responses = {} }) => Object.keys(responses))
  const refusals = new Set(statuses.filter((status) => status.startsWith('4')))
  for (const status of refusals) expect(html).toMatch(new RegExp(`${status}[:,]`))
})

test('the error that the rules of calls show is the one that the API answers', async () => {
  const html = await (await get('/docs/rules')).text()
  const { error } = await (await post({ domain: 'https://shop.example' })).json()
  const shown = JSON.stringify({ ...error, request_id: '' }, null, 2)
  const code = html
    .replaceAll('&quot;', '"')
    .replace(/"request_id": "[\da-f-]+"/, '"request_id": ""')
  expect(code).toContain(shown.replaceAll('\n', '\n  '))
})

test('numbers are written in the language of the reader', async () => {
  const page = (language: string) => get('/docs/rules', { ...BROWSER, 'Accept-Language': language })
  expect((await page('de')).headers.get('vary')).toContain('Accept-Language')
  expect((await page('<script>'.repeat(1000))).status).toBe(200)
})

test('every call of the API is in its list and in llms.txt', async () => {
  const { paths } = await (await get('/openapi.json')).json()
  const llms = await (await get('/llms.txt')).text()
  expect(llms).toContain('except those under /api/walk/shared')
  const list = await (await get('/docs')).text()
  const operations = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(
    ([path, item]) => Object.values(item).map(({ operationId }) => ({ path, operationId })),
  )
  for (const { operationId } of operations) expect(list).toContain(`href="/docs/${operationId}"`)
  const ofApi = operations.filter(({ path }) => path.startsWith('/api/'))
  expect(llms.match(/^- \[(GET|POST|PUT|PATCH|DELETE) \/api/gm)).toHaveLength(ofApi.length)
})

/** Words that are seen, those in folded parts too. */
const wordsOn = async (path: string): Promise<number> => {
  const html = await (await get(path)).text()
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  return main.replaceAll(/<[^>]*>/g, ' ').match(/\S*\w\S*/g)!.length
}

test.each(['/help', '/gaps', '/decisions'])(
  '%s has at most 600 words, and leads to the rest',
  async (path) => {
    expect(await wordsOn(path)).toBeLessThanOrEqual(600)
  },
)

test('robots.txt keeps crawlers off what needs a key', async () => {
  const answer = await get('/robots.txt')
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await answer.text()
  expect(text).toMatch(/^User-agent: \*\nDisallow: \/api\/\n/)
  const firstOf = (route: string) => `Disallow: ${/ (\/[^/]+)/.exec(route)?.[1]}`
  const wanted = routesBy('sign-in').filter((route) => route.startsWith('GET '))
  expect(wanted.length).toBeGreaterThan(10)
  expect(text.split('\n')).toEqual(expect.arrayContaining(wanted.map(firstOf)))
})

describe('assets', () => {
  const href = async () => /\/assets\/style\.\w+\.css/.exec(await (await get('/')).text())![0]

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0', null],
    ['identity', null],
    ['', null],
  ])('Accept-Encoding %j is answered in %s', async (accepted, coding) => {
    const answer = await get(await href(), { 'Accept-Encoding': accepted })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  })

  test('another content has another name', () => {
    const other = prepareAssets({ ...ASSETS_WITHOUT_CONTENT, 'style.css': 'a {}' })
    expect(other.fileOf('style.css')).not.toBe(assets.fileOf('style.css'))
    expect(other.find(assets.fileOf('style.css'))).toBeUndefined()
  })
})

test('under a path of BASE_URL every link stays below it', async () => {
  const below = await testApp({
    assets,
    decisions,
    extension,
    baseUrl: 'https://aisle.example/base',
  })
  for (const path of PAGES) {
    const html = await (await below.app.request(path, { headers: BROWSER })).text()
    for (const [, link] of html.matchAll(/(?:href|src|action)="(\/[^"]*)/g)) {
      expect(link, path).toMatch(/^\/base\//)
    }
  }
})
