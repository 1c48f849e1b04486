import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { CHECK_NAMES, SEVERITIES } from '../../shared/audit/vocabulary.ts'
import type { ServerEnv } from '../http/env.ts'
import { testApp } from '../testing/app.ts'
import { ASSETS_WITHOUT_CONTENT, prepareAssets } from './assets.ts'
import { gapRoutes } from './gaps/routes.tsx'
import { type KeptPage, keepPages } from './kept-pages.tsx'
import { siteOf } from './site.tsx'

let today = new Date('2026-11-21T12:00:00Z')
const { app } = await testApp({ now: () => today })
const get = (path: string, headers: Record<string, string> = {}) =>
  app.request(path, { headers: { Accept: 'text/html', ...headers } })

const PAGES = [
  '/',
  '/gaps',
  '/gaps/catalog_empty',
  '/tools',
  '/help',
  '/docs/rules',
  '/docs',
  '/docs/audit',
  '/decisions',
]
const TEXTS = ['/llms.txt', '/robots.txt', '/openapi.json']

const decoded = async (answer: Response) => {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  const coding = answer.headers.get('content-encoding')
  const plain =
    coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
  return new TextDecoder().decode(plain)
}

test.each([...PAGES, ...TEXTS])(
  '%s has a strong tag for each form, and the same words in all',
  async (path) => {
    const forms = await Promise.all(
      ['br', 'gzip', 'identity'].map((coding) => get(path, { 'Accept-Encoding': coding })),
    )
    const tags = forms.map(({ headers }) => headers.get('etag'))
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
    expect(forms.map(({ headers }) => headers.get('content-encoding'))).toEqual([
      'br',
      'gzip',
      null,
    ])
    expect(new Set(await Promise.all(forms.map(decoded))).size).toBe(1)
    for (const { headers } of forms) {
      expect(headers.get('cache-control')).toBe('public, max-age=300')
      expect(headers.get('vary')).toBe(
        `Accept-Encoding${TEXTS.includes(path) ? '' : ', Cookie'}${path === '/docs/rules' ? ', Accept-Language' : ''}`,
      )
    }
  },
)

test.each([...PAGES, ...TEXTS])('%s is not sent again to who has it', async (path) => {
  const whole = await get(path, { 'Accept-Encoding': 'gzip' })
  const tag = whole.headers.get('etag')!
  for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const answer = await get(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': held })
    expect(answer.status, held).toBe(304)
    expect(await answer.text()).toBe('')
    for (const name of ['etag', 'vary', 'cache-control', 'content-security-policy']) {
      expect(answer.headers.get(name), name).toBe(whole.headers.get(name))
    }
  }
  // An ETag of another encoding, or of another page.
  for (const [held, coding] of [
    [tag, 'br'],
    ['"other"', 'gzip'],
  ] as const) {
    const answer = await get(path, { 'Accept-Encoding': coding, 'If-None-Match': held })
    expect(answer.status).toBe(200)
  }
})

test('HEAD says what GET would send', async () => {
  const headers = { 'Accept-Encoding': 'br' }
  const [head, whole] = await Promise.all([
    app.request('/gaps', { method: 'HEAD', headers }),
    app.request('/gaps', { headers }),
  ])
  expect(await head.text()).toBe('')
  for (const name of ['etag', 'content-length', 'content-encoding', 'content-type']) {
    expect(head.headers.get(name)).toBe(whole.headers.get(name))
  }
})

test('a query that changes nothing makes no other page', async () => {
  const plain = (await get('/gaps/all')).headers.get('etag')
  for (const query of ['utm_source=x', 'check=__proto__', 'severity=<b>', 'check=&severity=']) {
    expect((await get(`/gaps/all?${query}`)).headers.get('etag'), query).toBe(plain)
  }
  const schema = (await get('/gaps/all?check=schema')).headers.get('etag')
  expect(schema).not.toBe(plain)
  expect((await get('/gaps/all?x=1&check=schema&check=feed')).headers.get('etag')).toBe(schema)
})

test('who asks first in another language does not choose it for others', async () => {
  const arabic = await (await get('/docs/rules', { 'Accept-Language': 'ar-EG' })).text()
  const english = await (await get('/docs/rules', { 'Accept-Language': 'en' })).text()
  expect(arabic).toContain('٦٠')
  expect(english).not.toContain('٦٠')
  expect(english).toContain('60 per hour')
})

test('the days in the examples are those of today', async () => {
  const daysOf = async () => (await (await get('/docs/readReport')).text()).match(/end=[\d-]+/)?.[0]
  expect(await daysOf()).toBe('end=2026-11-21')
  today = new Date('2026-11-23T00:00:01Z')
  expect(await daysOf()).toBe('end=2026-11-23')
})

test('a browser that is lost gets the same page, which nobody keeps', async () => {
  const answer = await get('/nowhere', { 'Accept-Encoding': 'br', 'If-None-Match': '*' })
  expect(answer.status).toBe(404)
  expect(answer.headers.get('etag')).toBeNull()
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await decoded(answer)).toContain('Page not found')
})

test('a page is rendered once, whoever asks how often', async () => {
  const { answer } = keepPages(
    siteOf({ baseUrl: 'https://aisle.example', assets: prepareAssets(ASSETS_WITHOUT_CONTENT) }),
    async () => false,
  )
  let rendered = 0
  const page: KeptPage = { title: 'Numbers', current: '/numbers' }
  const render = () => {
    rendered += 1
    return `${rendered}`
  }
  const small = new Hono<ServerEnv>()
    .get('/plain', (c) => answer(c, page, render))
    .get('/numbers', (c) => answer(c, { ...page, variant: 'n', hasNumbers: true }, render))
  const ask = (path: string, language: string) =>
    small.request(path, { headers: { 'Accept-Language': language } })
  for (const language of ['en', 'de', 'ar', 'fr-CA']) await ask('/plain', language)
  expect(rendered).toBe(1)

  // Any number of tags is possible, but languages are few: a made-up region is dropped.
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const one of letters) for (const two of letters) await ask('/numbers', `de-${one}${two}`)
  expect(rendered).toBeLessThan(20)
})

test('whatever is asked of the gaps, there is a page for each filter and each gap alone', async () => {
  const names = new Set<string>()
  const gaps = gapRoutes({
    answer: async (c, { current, variant }) => {
      names.add(`${current} ${variant}`)
      return c.body(null)
    },
  })
  for (const check of [...CHECK_NAMES, '', 'x', '__proto__']) {
    for (const severity of [...SEVERITIES, '', 'x', 'toString']) {
      await gaps.request(`/gaps/all?check=${check}&severity=${severity}&x=${check}${severity}`)
    }
  }
  expect(names.size).toBe((CHECK_NAMES.length + 1) * (SEVERITIES.length + 1))
  for (const id of ['catalog_empty', '%63atalog_empty', 'catalog_empty?x=1', 'x', '__proto__']) {
    await gaps.request(`/gaps/${id}`)
  }
  const ofOne = [...names].filter((name) => !name.startsWith('/gaps/all'))
  expect(ofOne).toEqual(['/gaps/catalog_empty undefined'])
})
