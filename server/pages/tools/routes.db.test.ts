import '../../../snippet/testing/packed.ts'
import { describe, expect, test } from 'vitest'
import { productsOf } from '../../../snippet/mark.ts'
import { caught, type Layer } from '../../../snippet/page.ts'
import { testApp } from '../../testing/app.ts'
import { BROWSER, codeOf, HOSTILE, read, testTools, unescaped } from './testing/tools.ts'

const { app, asked, store, post } = await testTools()
const ID = 'prop_8aF3kQ2mZx71LrT0vWnY'
const TAG = `<script async src="https://aisle.example/attribution.js?id=${ID}"></script>`

describe('validate', () => {
  test.each([
    ['{"version":"1.0",}', 422, 'This is not valid JSON: '],
    ['[]', 200, '1 error'],
    ['{"version":"1.0"}', 200, 'capabilities'],
    ['"<script>alert(1)</script>"', 200, 'Format: unknown.'],
    [`${'['.repeat(50_000)}`, 422, 'This is not valid JSON: '],
  ])('pasted %.20s: %d', async (manifest, status, text) => {
    const answer = await post('/tools/validate', { manifest })
    expect(answer.status).toBe(status)
    const html = await answer.text()
    expect(unescaped(html)).toContain(text)
    expect(html).not.toContain('<script>alert')
  })

  test('by its address, what came back is text', async () => {
    const html = await (
      await post('/tools/validate', { url: 'https://shop.example/.well-known/ucp' })
    ).text()
    expect(asked.at(-1)).toBe('https://shop.example/.well-known/ucp')
    expect(html).not.toContain('<img src=x')
    expect(html).toContain('not checked')
  })

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'https://u:p@shop.example/', ''])(
    '%j is not fetched',
    async (url) => {
      const before = asked.length
      expect((await post('/tools/validate', { url })).status).toBe(422)
      expect((await post('/tools/snippet', { url })).status).toBe(422)
      expect(asked.length).toBe(before)
    },
  )
})

describe('snippet', () => {
  const page = (query: string) => app.request(`/tools/snippet?${query}`, { headers: BROWSER })

  test('a property id gives its tag, for each platform', async () => {
    const html = await read(page(`id=${ID}`))
    expect(codeOf(html, 'The tag')).toBe(TAG)
    for (const place of ['layout/theme.liquid', 'aisle.php', 'Custom HTML', 'The pinned tag']) {
      expect(codeOf(html, place.replace('aisle', 'wp-content/mu-plugins/aisle'))).toContain(ID)
    }
  })

  test('it says what a consent banner sets and calls', async () => {
    const html = await read(page(`id=${ID}`))
    expect(codeOf(html, 'The tag that waits for consent')).toBe(
      TAG.replace('async', 'async data-consent="required"'),
    )
    const call = codeOf(html, 'What the banner calls')
    const said: unknown[] = []
    const push = (callback: (api: unknown) => void) =>
      callback({ consent: (granted: unknown) => said.push(granted) })
    new Function('window', call)({ aisle: { push } })
    expect(said).toEqual([true])
  })

  test('it names all that analytics are told, by the very names', async () => {
    const html = await read(page(`id=${ID}`))
    const layer: Layer = [{ event: 'gtm.js' }]
    const found = ['mistral', 0.95, 'chat.mistral.ai'] as const
    for (const tell of productsOf(() => layer, found, '')) caught(tell)
    const names = Object.keys(Object(layer[0]))
    expect(names.length).toBeGreaterThan(5)
    for (const name of ['ai_session', 'data-layer=', ...names]) expect(html).toContain(name)
  })

  test('its steps stand in the order in which they are taken', async () => {
    const html = await read(page(`id=${ID}`))
    const steps = [...html.matchAll(/<h2[^>]*>(\d)\./g)].map(([, step]) => step)
    expect(steps).toEqual(['1', '2', '3'])
  })

  test.each(HOSTILE)('%j is no property id', async (text) => {
    const answer = await page(`id=${encodeURIComponent(text)}&domain=%3Cb%3E`)
    const html = await answer.text()
    expect(html).toContain('This is not a property id')
    expect(html).not.toMatch(/<script>alert|<img src=x|attribution\.js/)
  })

  test.each([
    [`<head>${TAG}</head>`, 'The tag is live on https://shop.example/'],
    ['<head></head>', 'Visits from AI surfaces are not tracked'],
    [`<head></head><body>${TAG}`, 'is in the body'],
    [`<head>${TAG.replace(ID, 'prop_other')}</head>`, "The page has another property's tag"],
    [`<head>${TAG.replace(ID, 'prop_other')}</head>`, 'Replace it with your own tag.'],
  ])('a page with %j', async (html, text) => {
    store.page = html
    expect(await read(post('/tools/snippet', { id: ID, url: 'shop.example' }))).toContain(text)
    expect(asked.at(-1)).toBe('https://shop.example/')
  })
})

describe('what costs a request', () => {
  test('is not done for a form of another site', async () => {
    const before = asked.length
    const answer = await post(
      '/tools/validate',
      { url: 'https://shop.example/' },
      { 'Sec-Fetch-Site': 'cross-site' },
    )
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('This form was sent from another site')
    expect(asked.length).toBe(before)
  })

  test('is done twenty times in ten minutes, for each address', async () => {
    const { app: fresh } = await testApp({})
    const ask = () =>
      fresh.request('/tools/snippet', {
        method: 'POST',
        headers: BROWSER,
        body: new URLSearchParams({ url: 'https://shop.example/' }),
      })
    for (let count = 0; count < 20; count++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.text()).toContain('Try again in')
  })

  test.each([
    ['application/json', '{}', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
    ['application/x-www-form-urlencoded', `manifest=${'x'.repeat(300_000)}`, 413],
  ])('a body of %s: refused as a page', async (type, body, status) => {
    const answer = await app.request('/tools/validate', {
      method: 'POST',
      headers: { ...BROWSER, 'Content-Type': type },
      body,
    })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  })
})
