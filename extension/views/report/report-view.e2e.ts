import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createProperty } from '../../../server/attribution/properties.ts'
import { describeInBrowser } from '../../../shared/testing/browser.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import {
  type ExtensionWorld,
  lookAt,
  SHOP_HOME,
  startExtension,
  turnTo,
} from '../../testing/world.ts'

const SURFACES = ['chatgpt', 'perplexity', 'google_ai_mode', 'chatgpt', 'claude', 'chatgpt']

/**
 * 56 days of orders, most of them in the last 28; amounts in cents. Two days have none: otherwise
 * the report's sums would change if midnight came between sending and reading.
 */
function events() {
  return Array.from({ length: 56 }, (_, daysAgo) =>
    Array.from({ length: 1 + ((60 - daysAgo) % 7) + (daysAgo < 28 ? 2 : 0) }, (_, n) => {
      const common = {
        domain: 'shop.example',
        session_id: `s-${daysAgo}-${n}`,
        source: n % 3 === 0 ? 'acp' : 'ucp',
        ai_surface: SURFACES[(daysAgo + n) % SURFACES.length],
        timestamp: new Date(Date.now() - daysAgo * DAY_MS - 60_000).toISOString(),
      }
      const properties = { value: 2400 + 1300 * n, currency: 'EUR' }
      const steps = [
        { ...common, event: 'ai_product_viewed', properties: { product_id: `ao-${n}` } },
        ...(n % 2 === 0 ? [{ ...common, event: 'ai_checkout_initiated', properties }] : []),
        ...(n % 4 === 0 ? [{ ...common, event: 'ai_checkout_completed', properties }] : []),
        ...(n % 6 === 2 ? [{ ...common, event: 'ai_checkout_failed', properties }] : []),
      ]
      return steps
    }).flat(),
  )
    .filter((_, daysAgo) => daysAgo !== 26 && daysAgo !== 27)
    .flat()
}

describeInBrowser('the report', () => {
  let world: ExtensionWorld
  let connected: Record<string, unknown>
  beforeAll(async () => {
    world = await startExtension()
    const { url, key, db } = world.server
    connected = { onboarded: true, view: 'report', connection: { url, key } }
    for (const domain of ['shop.example', 'quiet.example']) {
      await createProperty(db, { domain }, new Date())
    }
    const all = events()
    for (let start = 0; start < all.length; start += 100) {
      const answer = await fetch(`${url}/api/report`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(all.slice(start, start + 100)),
      })
      const { results } = (await answer.json()) as { results: { status: number }[] }
      expect(results.every(({ status }) => status === 200)).toBe(true)
    }
  })
  afterAll(() => world?.stop())
  beforeEach(() => world.reset(connected))

  test('figures, chart, funnel and surfaces of the events that were sent', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    const revenue = app.getByRole('button', { name: /^AI revenue/ })
    await revenue.waitFor()
    const lately = events().filter(
      ({ event, timestamp }) =>
        event === 'ai_checkout_completed' &&
        Date.parse(timestamp) >= Date.parse(new Date().toISOString().slice(0, 10)) - 27 * DAY_MS,
    )
    const sum = lately.reduce(
      (sum, { properties }) => sum + ('value' in properties ? properties.value : 0),
      0,
    )
    expect(await revenue.innerText()).toContain(
      (sum / 100).toLocaleString('en', { minimumFractionDigits: 2 }),
    )
    expect(await app.getByRole('figure').innerText()).toContain('AI revenue by day')
    await app.getByText('ChatGPT').first().waitFor()
    await lookAt(app, 'report')

    await app.getByRole('button', { name: /^AI sessions/ }).click()
    expect(await app.getByRole('figure').innerText()).toContain('AI sessions by day')
    const chart = app.getByRole('figure')
    await chart.getByText('Show the numbers').click()
    expect(await chart.locator('.chart-data tbody tr').count()).toBe(28)

    // A click on a surface filters the whole view, and another removes the filter.
    await app.locator('#surfaces').getByRole('button', { name: 'Claude' }).click()
    await app.getByRole('img', { name: /^Claude: AI sessions by day/ }).waitFor()
    await eventually(() => app.locator('#surfaces tbody tr').count()).toBe(1)
    await lookAt(app, 'report-filtered')
    await app.getByRole('button', { name: 'Remove Claude' }).click()
    await app.locator('#surfaces tbody tr').nth(2).waitFor()
    await app.locator('#surfaces').getByRole('button', { name: 'Sort by Sessions' }).click()
    await app.locator('#surfaces [aria-sort]', { hasText: 'Sessions' }).waitFor()
  })

  test('another range, a wrong range and CSV', async () => {
    const { app } = await world.openApp(SHOP_HOME, { width: 1200, file: 'app' })
    await app.getByRole('button', { name: /^AI revenue/ }).waitFor()
    await app.getByRole('link', { name: '90 days' }).click()
    await app.locator('.chart-title', { hasText: 'AI revenue by week' }).waitFor()
    await lookAt(app, 'tab-report')
    await app.getByText('Another period').click()
    await app.getByLabel('From', { exact: true }).fill('2026-12-31')
    await app.getByLabel('To', { exact: true }).fill('2026-01-01')
    await app.getByRole('button', { name: 'Show', exact: true }).click()
    await app.getByText('The start date is after the end date.').waitFor()
    await app.getByRole('link', { name: '7 days' }).click()
    await app.locator('.chart-title', { hasText: 'AI revenue by day' }).waitFor()
    const [download] = await Promise.all([
      app.waitForEvent('download'),
      app.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^aisle-report-shop\.example-.+\.csv$/)
    const lines = (await readFile((await download.path()) ?? '', 'utf8')).trim().split(/\r?\n/)
    expect(lines.length).toBeGreaterThanOrEqual(8)
  })

  test('a panel that was closed begins with the range of the last time', async () => {
    const { app, page } = await world.openApp(SHOP_HOME)
    await app.getByRole('link', { name: '90 days' }).click()
    await app.locator('.chart-title', { hasText: 'AI revenue by week' }).waitFor()
    await app.getByText('Another period').click()
    await app.getByLabel('Compare with the previous period').uncheck()
    await app.getByRole('button', { name: 'Show', exact: true }).click()
    await app.getByText(/^Report of shop\.example from/).waitFor({ state: 'attached' })
    await Promise.all([app.close(), page.close()])
    const { app: again } = await world.openApp(SHOP_HOME)
    await again.locator('.chart-title', { hasText: 'AI revenue by week' }).waitFor()
    const current = again.locator('[aria-current]')
    await current.and(again.getByRole('link', { name: '90 days' })).waitFor()
    expect(await again.getByLabel('Compare with the previous period').isChecked()).toBe(false)
  })

  test('what is typed while the first report is asked for stays', async () => {
    await world.reset({ ...connected, view: 'options' })
    const { app } = await world.openApp(SHOP_HOME)
    const asked = Promise.withResolvers<void>()
    await app.route('**/api/report?**', async (route) => {
      await asked.promise
      await route.continue()
    })
    await turnTo(app, 'Report')
    const from = app.getByLabel('From', { exact: true })
    await app.getByText('Another period').click()
    await from.fill('2026-01-05')
    await app.getByLabel('Compare with the previous period').uncheck()
    asked.resolve()
    await app.getByRole('button', { name: /^AI revenue/ }).waitFor()
    expect(await from.inputValue()).toBe('2026-01-05')
    expect(await app.getByLabel('Compare with the previous period').isChecked()).toBe(false)
  })

  test('a shop without events is told what to do', async () => {
    const { app } = await world.openApp('https://quiet.example/')
    await app.getByText('No AI sessions yet').waitFor()
    await app.getByRole('link', { name: 'Get the tag' }).waitFor()
    await lookAt(app, 'report-empty')
    await app.getByLabel('Domain').selectOption('shop.example')
    await app.getByRole('button', { name: /^AI revenue/ }).waitFor()
  })

  test("where a report fails, no other shop's figures stay", async () => {
    const { app } = await world.openApp('https://stranger.example/')
    await app.locator('.report-period').waitFor()
    await app.route('**/api/report?**', (route) =>
      route.request().url().includes('stranger') ? route.abort() : route.continue(),
    )
    await app.getByLabel('Domain').selectOption('stranger.example')
    await app.getByText('The server cannot be reached').waitFor()
    expect(await app.locator('.report-period').count()).toBe(0)
    await app.getByRole('button', { name: 'Open the options' }).waitFor()
  })

  test('the open domain is not told to the server before it is asked for', async () => {
    const { app } = await world.openApp('https://stranger.example/')
    const asked: string[] = []
    app.on('request', (request) => asked.push(request.url()))
    await app.reload()
    await app.locator('.report-period').waitFor()
    const domains = app.getByLabel('Domain').locator('option')
    expect(await domains.allInnerTexts()).toContain('stranger.example')
    expect(asked.filter((url) => url.includes('stranger.example'))).toEqual([])
  })

  /** A key of these domains, none of which has a storefront, and its report. */
  const withoutStorefront = async (...domains: string[]) => {
    const { url, createTestKey } = world.server
    const { key } = await createTestKey({ domains })
    await world.reset({ ...connected, connection: { url, key } })
  }

  test('a key without a storefront is told how to ask for the open domain', async () => {
    await withoutStorefront('new.example')
    const { app } = await world.openApp('https://new.example/')
    const sentence = app.getByText('Choose Show to ask for this domain.')
    await sentence.waitFor()
    await app.getByRole('button', { name: 'Show' }).click()
    await app.getByText(/^Report of new\.example from/).waitFor({ state: 'attached' })
    expect(await sentence.count()).toBe(0)
  })

  test('a report stands under the name of its shop, also where another is opened', async () => {
    await withoutStorefront('first.example', 'second.example')
    const { app, page } = await world.openApp('https://first.example/')
    await app.getByText('Choose Show to ask for this domain.').waitFor()
    await app.getByRole('button', { name: 'Show' }).click()
    await app.getByText(/^Report of first\.example from/).waitFor({ state: 'attached' })
    await page.goto('https://second.example/')
    const domain = app.getByLabel('Domain')
    await eventually(() => domain.locator('option').allInnerTexts()).toContain('second.example')
    expect(await domain.inputValue()).toBe('first.example')
    await lookAt(app, 'report-of-another')
    await domain.selectOption('second.example')
    await app.getByText(/^Report of second\.example from/).waitFor({ state: 'attached' })
    expect(await domain.inputValue()).toBe('second.example')
  })

  test('a typed domain is asked for with Enter, also as an address, and stays chosen', async () => {
    await withoutStorefront('typed.example')
    const { app, page } = await world.openApp('chrome://version/')
    const domain = app.getByLabel('Domain')
    await domain.fill('https://Typed.example/products?page=2')
    await domain.press('Enter')
    await app.getByText(/^Report of typed\.example from/).waitFor({ state: 'attached' })
    expect(await domain.inputValue()).toBe('typed.example')
    await page.goto('https://second.example/')
    await eventually(() => domain.locator('option').allInnerTexts()).toEqual([
      'second.example',
      'typed.example',
    ])
    expect(await domain.inputValue()).toBe('typed.example')
  })

  test('a report that failed is tried again for its own shop', async () => {
    await withoutStorefront('first.example', 'second.example')
    const { app, page } = await world.openApp('https://first.example/')
    await app.getByText('Choose Show to ask for this domain.').waitFor()
    await app.route('**/api/report?**', (route) => route.abort(), { times: 1 })
    await app.getByRole('button', { name: 'Show' }).click()
    await app.getByText('The server cannot be reached').waitFor()
    await page.goto('https://second.example/')
    const options = app.getByLabel('Domain').locator('option')
    await eventually(() => options.allInnerTexts()).toContain('second.example')
    await app.getByRole('button', { name: 'Try again' }).click()
    await app.getByText(/^Report of first\.example from/).waitFor({ state: 'attached' })
  })

  test('the CSV is of the report that is shown, also where another range failed', async () => {
    const { app } = await world.openApp(SHOP_HOME)
    await app.locator('.chart-title', { hasText: 'AI revenue by day' }).waitFor()
    await app.route('**/api/report?**', (route) => {
      const { searchParams } = new URL(route.request().url())
      const isFailing = searchParams.get('granularity') === 'week'
      return isFailing && searchParams.get('format') === 'json' ? route.abort() : route.continue()
    })
    await app.getByRole('link', { name: '90 days' }).click()
    await app.getByText('The server cannot be reached').waitFor()
    const [request] = await Promise.all([
      app.waitForRequest(/format=csv/),
      app.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    expect(new URL(request.url()).searchParams.get('granularity')).toBe('day')
  })

  test("the first report ends with the shop's today, and so does that of the next shop", async () => {
    const { db } = world.server
    await createProperty(db, { domain: 'east.example', time_zone: 'Asia/Tokyo' }, new Date())
    await createProperty(db, { domain: 'west.example', time_zone: 'Etc/GMT+12' }, new Date())
    const { app, page } = await world.openApp('https://east.example/')
    // Its own report, of the day that it is, has been asked for.
    await app.getByText(/^Report of east\.example from/).waitFor({ state: 'attached' })
    // In Tokyo it is the 21st. Not by Playwright's clock, which is that of all pages.
    const now = Date.parse('2026-11-20T20:00:00Z')
    await app.addInitScript((now) => {
      Date.now = () => now
    }, now)
    const asked: (string | null)[] = []
    app.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/api/report') asked.push(searchParams.get('end'))
    })
    await app.reload()
    await app.getByText(/^Report of east\.example from/).waitFor({ state: 'attached' })
    const current = app.getByRole('link', { name: '28 days' }).and(app.locator('[aria-current]'))
    await current.waitFor()
    await page.goto('https://west.example/')
    await app.getByText(/^Report of west\.example from/).waitFor({ state: 'attached' })
    await current.waitFor()
    expect(asked).toEqual(['2026-11-21', '2026-11-20'])
  })

  test("the currency of one shop's report is not asked of another's", async () => {
    const { url, key, db } = world.server
    await createProperty(db, { domain: 'twice.example' }, new Date())
    const paid = (session_id: string, currency: string) => ({
      domain: 'twice.example',
      session_id,
      source: 'acp',
      ai_surface: 'chatgpt',
      event: 'ai_checkout_completed',
      properties: { value: 2400, currency },
      timestamp: new Date().toISOString(),
    })
    const answer = await fetch(`${url}/api/report`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify([paid('a', 'EUR'), paid('b', 'EUR'), paid('c', 'USD')]),
    })
    expect(answer.status).toBe(200)
    const { app } = await world.openApp('https://twice.example/')
    await app.getByText('Another period or currency').click()
    await app.getByLabel('Currency').selectOption('USD')
    await app.getByRole('button', { name: 'Show', exact: true }).click()
    const revenue = app.getByRole('button', { name: /^AI revenue/ })
    await revenue.filter({ hasText: '$' }).waitFor()
    await app.getByLabel('Domain').selectOption('shop.example')
    await revenue.filter({ hasText: '€' }).waitFor()
  })

  test('without a server it says how to connect one', async () => {
    await world.reset({ onboarded: true })
    const { app } = await world.openApp(SHOP_HOME)
    await turnTo(app, 'Report')
    await app.getByRole('button', { name: 'Connect a server' }).waitFor()
    await lookAt(app, 'report-unconnected')
  })
})
