import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from '../../../../shared/testing/browser.ts'
import { shoot } from '../../../../shared/testing/look.ts'
import { DAY_MS } from '../../../../shared/web/moment.ts'
import { createShare } from '../../../access/share-links.ts'
import { createProperty } from '../../../attribution/properties.ts'
import { makeHistory, recordHistory } from '../../../commands/demo/history.ts'
import {
  addressOf,
  enableScripts,
  look,
  signIn,
  startWorld,
  type World,
} from '../../testing/world.ts'

const DOMAIN = 'shop.example'
const SURFACES = ['chatgpt', 'google_ai_mode', 'perplexity', 'claude', 'my_bot']
/** A store with two months of history: eight surfaces, two currencies. */
const RICH = 'rich.example'
const HOSTILE = '<img src=x onerror=alert(1)>'

/** Eight weeks of views that became checkouts, most of them orders, in two currencies. */
function sessions() {
  const steps = ['ai_product_viewed', 'ai_checkout_initiated'] as const
  return Array.from({ length: 33 }, (_, n) => {
    const end = n % 7 === 6 ? 'ai_checkout_failed' : 'ai_checkout_completed'
    const events = n % 4 === 3 ? steps : [...steps, end]
    return events.map((event) => ({
      event,
      domain: DOMAIN,
      session_id: n === 26 ? HOSTILE : `order-${1001 + n}`,
      source: n % 3 ? 'acp' : 'ucp',
      ai_surface: SURFACES[n % 8] ?? 'chatgpt',
      timestamp: new Date(Date.now() - ((n * 5) % 56) * DAY_MS).toISOString(),
      properties: { value: 2900 + ((n * 13) % 50) * 190, currency: n % 6 === 5 ? 'EUR' : 'USD' },
    }))
  }).flat()
}

/** Refunds of the newest order, of one a week older, and of one that was never reported. */
const refunds = () =>
  [
    { session_id: 'order-1001', value: 1450 },
    { session_id: 'order-1002', value: 9900 },
    { session_id: 'order-9999', value: 500 },
  ].map(({ session_id, value }) => ({
    event: 'ai_order_refunded',
    domain: DOMAIN,
    session_id,
    source: 'ucp',
    timestamp: new Date().toISOString(),
    properties: { refund_id: `re_${session_id}`, value, currency: 'USD' },
  }))

async function send(world: World, events: unknown[]) {
  const { app, key } = world
  const answer = await app.request('/api/report', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(events),
  })
  const { results } = (await answer.json()) as { results: { status: number }[] }
  expect(results.map(({ status }) => status)).toEqual(events.map(() => 200))
}

describeInBrowser('the report', () => {
  let world: World
  let page: Page
  let key: string
  let richKey: string
  beforeAll(async () => {
    world = await startWorld()
    ;({ key } = await world.createTestKey({ domains: [DOMAIN] }))
    const sent = sessions()
    // The listed events are sent last: when many are sent together, any may be stored first.
    await send(world, sent.slice(0, -20))
    await send(world, sent.slice(-20))
    await send(world, refunds())
    ;({ key: richKey } = await world.createTestKey({ domains: [RICH] }))
    const until = new Date()
    const plan = { domain: RICH, seed: 7, days: 60, visitsPerDay: 100, until }
    await recordHistory(makeHistory(plan), { ...world, domain: RICH })
    const property = await createProperty(world.db, { domain: DOMAIN }, new Date())
    for (let n = 0; n < 1234; n += 1)
      world.beaconDays.setAside(property, n % 9 ? 'address' : 'network')
    await world.beaconDays.flush()
    page = await world.browser.newPage()
  })
  afterAll(() => world?.stop())

  test('a key opens the report of what was sent, and a wrong one says why not', async () => {
    await page.goto(addressOf('/report'))
    await page.getByLabel('API key').fill('aisle_live_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This is not a valid API key').waitFor()
    await look(page, 'sign-in-refused')
    await signIn(page, key)
    await page.getByRole('heading', { name: 'AI commerce on shop.example' }).waitFor()
    // The list of events folds away below the figures.
    expect(await page.locator('#events').getAttribute('open')).toBeNull()
    await page.getByText('Last events received').click()
    expect(await page.locator('#events tbody tr').count()).toBe(20)
    await page.getByText('$113.50 refunded').waitFor()
    await page.getByText('Refund (not counted)').waitFor()
    expect(await page.getByText(HOSTILE).count()).toBe(3)
    await page.getByText('Sessions set aside: 1,234').waitFor()
    expect(world.complaints()).toEqual([])
  })

  test('cards, presets and the form change what is shown, and the address keeps it', async () => {
    await page.getByRole('link', { name: 'AI sessions' }).click()
    await page.getByRole('img', { name: /^AI sessions by day/ }).waitFor()
    await page.getByRole('link', { name: 'Last 90 days' }).click()
    await page.getByRole('img', { name: /^AI sessions by week/ }).waitFor()
    await page.getByText('Another period or currency').click()
    await page.getByLabel('Currency').selectOption('EUR')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/currency=EUR/)
    expect(page.url()).toContain('metric=sessions')
    expect(await page.locator('.kpis').innerText()).toContain('€')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^aisle-shop\.example-.*\.csv$/)
  })

  test('forced colors show what is current, and nothing else as current', async () => {
    await page.goto(addressOf(`/report?domain=${DOMAIN}`))
    await page.emulateMedia({ forcedColors: 'active' })
    const stylesOf = (selector: string, style: 'borderBottomColor' | 'outlineStyle') =>
      page.locator(selector).evaluateAll(
        (all, style) =>
          all.map((each) => ({
            isCurrent: each.matches('[aria-current="page"], [aria-current="true"]'),
            has: getComputedStyle(each)[style],
          })),
        style,
      )
    const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    for (const { isCurrent, has } of await stylesOf('.site-header nav a', 'borderBottomColor')) {
      if (!isCurrent) expect(has).toBe(canvas)
      else expect(has).not.toBe(canvas)
    }
    for (const selector of ['.presets a', 'a.kpi']) {
      const found = await stylesOf(selector, 'outlineStyle')
      expect(found.some(({ isCurrent }) => isCurrent)).toBe(true)
      for (const { isCurrent, has } of found)
        expect(has, selector).toBe(isCurrent ? 'solid' : 'none')
    }
    await shoot(page, 'pages-report-forced-colors')
    await page.emulateMedia({ forcedColors: 'none' })
  })

  test('a test event arrives in the list', async () => {
    await page.goto(addressOf('/report'))
    const before = await page.locator('.kpis').innerText()
    await page.getByText('Last events received').click()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.waitForURL(/events=open#events$/)
    await page.locator('#events tbody tr').first().getByText('Test event').waitFor()
    expect(await page.locator('.kpis').innerText()).toBe(before)
  })

  test('a link shows it to a stranger until it is ended', async () => {
    await page.getByRole('heading', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await look(page, 'share-made')
    const link = await page.locator('.code-block code').innerText()
    const other = await world.browser.newPage()
    await other.goto(link)
    await other.getByRole('heading', { name: 'AI commerce on shop.example' }).waitFor()
    expect(await other.locator('form[method=post], #events').count()).toBe(0)
    await look(other, 'share-report')

    // A background tab draws one frame a second.
    await page.bringToFront()
    await page.getByRole('link', { name: 'Back to the report' }).click()
    await look(page, 'report')
    await page.getByRole('button', { name: /^Revoke/ }).click()
    await page.waitForURL(/#share$/)
    await other.reload()
    await other.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    expect(world.complaints()).toEqual([])
  })

  test('a link ends by itself', async () => {
    const made = { domain: DOMAIN, view: 'report', key_id: 'x', days: 7 } as const
    const past = new Date(Date.now() - 7 * DAY_MS)
    const { token } = await createShare(world.db, made, past)
    await page.goto(addressOf(`/shared/${token}`))
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  })

  for (const scripts of [true, false]) {
    test(`three questions are answered ${scripts ? 'with' : 'without'} JavaScript`, async () => {
      const rich = await world.browser.newPage()
      await enableScripts(rich, scripts)
      await signIn(rich, richKey)
      const heading = (name: string) => rich.getByRole('heading', { name, exact: true })
      for (const name of ['Which AI brings me money?', 'Is it growing?', 'What converts?']) {
        await heading(name).waitFor()
      }
      const names = () => rich.locator('#surfaces tbody th .wild:not(.row-about)').allInnerTexts()
      const byRevenue = await names()
      expect(byRevenue.length).toBeGreaterThanOrEqual(8)
      expect(await rich.locator('#surfaces tfoot').innerText()).toContain('All AI')
      // Those with revenue: from two of the eight few people buy, and on some dates none in these
      // weeks.
      const more = rich.getByText('How they came, how far they got')
      await more.click()
      const trends = await rich.locator('#trends .trend-head .wild').allInnerTexts()
      expect(trends.length).toBeGreaterThanOrEqual(6)
      expect(trends).toEqual(byRevenue.slice(0, trends.length))
      if (scripts) await look(rich, 'report-rich')

      // Sorted by a link, which returns to the table.
      await rich.locator('#surfaces thead').getByRole('link', { name: 'Conversion' }).click()
      await rich.waitForURL(/sort=conversion.*#surfaces$/)
      expect(await names()).not.toEqual(byRevenue)
      expect(await rich.locator('#surfaces [aria-sort=descending]').innerText()).toBe('Conversion')

      // A surface filters the whole page, until the filter is removed.
      const orders = () => rich.locator('.kpi', { hasText: 'AI orders' }).innerText()
      const all = await orders()
      await more.click()
      await rich.locator('#trends').getByRole('link', { name: 'Perplexity' }).click()
      await rich.getByRole('region', { name: 'Filters' }).getByText('Perplexity').first().waitFor()
      await rich.waitForLoadState()
      expect(await names()).toEqual(['Perplexity'])
      expect(await orders()).not.toBe(all)
      await rich.getByRole('img', { name: /^Perplexity: AI revenue by day/ }).waitFor()
      if (scripts) await look(rich, 'report-filtered')
      await rich.locator('#landings').getByRole('link', { name: '/products/trail-boot' }).click()
      await rich.getByText('Landing page /products/trail-boot').first().waitFor()
      await rich.getByRole('link', { name: 'Remove Landing page' }).click()
      await rich.getByRole('link', { name: 'Remove Perplexity' }).click()
      expect(await orders()).toBe(all)
      expect(await rich.getByRole('region', { name: 'Filters' }).count()).toBe(0)

      // The other currency has all of its own figures.
      await rich.getByText('Each currency, how they came').click()
      await rich.locator('#currencies').getByRole('link').click()
      await rich.waitForURL(/currency=(EUR|USD)/)
      const [, other] = /currency=(EUR|USD)/.exec(rich.url()) ?? []
      const foreign = other === 'EUR' ? '$' : '€'
      expect(await rich.locator('.kpis').innerText()).toContain(`and ${foreign}`)
      for (const part of ['#surfaces', '#landings', '#products']) {
        expect(await rich.locator(part).innerText(), part).not.toContain(foreign)
      }
      // Orders count in every currency, whichever amounts are shown.
      expect(await orders()).toBe(all)

      // One Tab stop, then arrows: each period reads out its figures.
      const readings = rich.locator('.chart-reading input')
      await readings.first().focus()
      const shown = () =>
        rich
          .locator('.chart-tip')
          .evaluateAll((tips) =>
            tips
              .filter((tip) => getComputedStyle(tip).clipPath === 'none')
              .map((tip) => tip.innerHTML),
          )
      const [first, ...others] = await shown()
      expect(others).toEqual([])
      await rich.keyboard.press('ArrowRight')
      expect(await shown()).toHaveLength(1)
      expect(await shown()).not.toEqual([first])
      await rich.close()
    })
  }

  test('without JavaScript: sign in, choose a range, share, sign out', async () => {
    const context = world.browser
    const plain = await context.newPage()
    await context.clearCookies()
    await enableScripts(plain, false)
    await signIn(plain, key)
    await plain.getByRole('link', { name: 'Last 7 days' }).click()
    await plain.locator('[aria-current=true]', { hasText: 'Last 7 days' }).waitFor()
    await plain.getByText('Another period').click()
    await plain.getByLabel('From', { exact: true }).fill('2026-01-01')
    await plain.getByRole('button', { name: 'Show' }).click()
    await plain.waitForURL(/start=2026-01-01/)
    await plain.getByRole('heading', { name: 'Share' }).click()
    await plain.getByRole('button', { name: 'Create link' }).click()
    const link = await plain.locator('.code-block code').innerText()
    await plain.goto(link)
    await plain.getByText('Shared with you by the owner').waitFor()
    for (const [path, text] of [
      ['/gaps/all', 'No UCP manifest'],
      ['/gaps/catalog_empty', 'How to fix it'],
    ] as const) {
      await plain.goto(addressOf(path))
      await plain.getByText(text).first().waitFor()
    }
    await plain.goto(addressOf('/tools/validate'))
    await plain.getByLabel('Manifest', { exact: true }).fill('{}')
    await plain.getByRole('button', { name: 'Check', exact: true }).click()
    await plain.getByRole('alert').first().waitFor()
    await plain.goto(addressOf('/report'))
    await plain.getByRole('button', { name: 'Sign out' }).click()
    await plain.goto(addressOf('/report'))
    await plain.getByLabel('API key').waitFor()
    await plain.close()
  })
})
