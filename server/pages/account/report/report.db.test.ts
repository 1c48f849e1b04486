import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { createProperty } from '../../../attribution/properties.ts'
import { saveAudit } from '../../../db/audit/audits.ts'
import { sessionOf } from '../../../db/events/ids.ts'
import { STORED_VISIT } from '../../../db/events/packed.ts'
import { rebuildRollup } from '../../../db/events/rebuild.ts'
import { events } from '../../../db/events/tables.ts'
import { cleanResult } from '../../../testing/app.ts'
import { MINE, NOON, OTHER, testPages } from '../testing/pages.ts'

const { ask, db, signIn } = await testPages()

interface Sent {
  domain?: string
  event?: string
  session_id: string
  timestamp?: string
  ai_surface?: string
  source?: string
  properties?: Record<string, unknown>
}

/** As a merchant's server sends it. */
async function send(event: Sent) {
  const answer = await ask('/api/report', {
    body: {
      domain: MINE,
      event: 'ai_checkout_completed',
      source: 'acp',
      ai_surface: 'chatgpt',
      timestamp: NOON.toISOString(),
      ...event,
    },
  })
  expect(answer.status).toBe(200)
}

const order = (
  session_id: string,
  value: number,
  currency = 'USD',
  timestamp = NOON.toISOString(),
) => send({ session_id, timestamp, properties: { value, currency } })

await send({ session_id: 's1', event: 'ai_product_viewed' })
await send({ session_id: 's1', event: 'ai_checkout_initiated' })
await order('s1', 12_345)
await order('s2', 2_000, 'EUR')
await order('s3', 1_000, 'EUR')
await order('before', 5_000, 'USD', '2026-10-10T12:00:00Z')
await send({ domain: OTHER, session_id: 'foreign-session', ai_surface: 'perplexity' })

const browser = await signIn({ domains: [MINE] })
const read = async (query = '', headers = {}) =>
  (await browser.get(`/report?domain=${MINE}${query}`, headers)).text()
/** The addresses of a page that lead to another view of it. */
const links = (html: string) =>
  [...html.matchAll(/href="\/report\?([^"#]*)[^"]*"/g)].map(
    ([, to]) => to?.replaceAll('&amp;', '&') ?? '',
  )

describe('what was reported is on the page', () => {
  test('the last 28 days, in the currency of most orders', async () => {
    const html = await read()
    expect(html).toContain('Oct 25, 2026 to Nov 21, 2026')
    for (const figure of ['€30.00', 'ChatGPT', 'value="previous" checked', '€15.00']) {
      expect(html).toContain(figure)
    }
    expect(html).not.toContain('Perplexity, ')
    expect(html).not.toContain('foreign-session')
  })

  test.each([
    ['&currency=USD', '$123.45'],
    ['&currency=JPY', '¥0'],
    ['&currency=nonsense', '€30.00'],
    ['&start=2026-10-01&end=2026-10-31', '$50.00'],
    ['&start=2026-10-01&end=2026-10-31&granularity=week', 'by week'],
    ['&metric=orders', 'AI orders by day'],
    ['&metric=nonsense', 'AI revenue by day'],
    ['&metric=__proto__', 'AI revenue by day'],
  ])('%s shows %s', async (query, text) => {
    expect(await read(query)).toContain(text)
  })

  test('without a comparison no figure has a change', async () => {
    const range = '&start=2026-11-01&end=2026-11-21'
    expect(await read(range)).not.toContain('Previous period')
    expect(await read(`${range}&compare=previous`)).toContain('Previous period')
  })

  test('orders count in all currencies, and amounts are in the one that is shown', async () => {
    const html = await read()
    // Of three orders in this period, two are in euros.
    expect(html).toMatch(/AI orders<\/span><span class="kpi-value">3</)
    expect(html).toContain('of 2 of 3 orders, those in EUR')
    expect(html).toMatch(/Average order value<\/span><span class="kpi-value">€15\.00</)
    expect(
      html.slice(html.indexOf('id="surfaces"'), html.indexOf('id="currencies"')),
    ).not.toContain('$')
    const [dollars = ''] = links(html).filter((link) => link.includes('currency=USD'))
    expect(await (await browser.get(`/report?${dollars}`)).text()).toMatch(
      /AI orders<\/span><span class="kpi-value">3</,
    )
  })

  test.each([
    ['&surface=chatgpt', ['Only', 'ChatGPT', 'Remove']],
    ['&kind=protocol', ['Only', 'Protocol']],
    ['&landing=/boots', ['Only', 'Landing page /boots', 'There is nothing in this period']],
    ['&product_id=%3Cb%3E', ['Product &lt;b>', 'There is nothing in this period']],
    ['&landing=/boots&product_id=boot', ['Landing page /boots']],
  ])('%s filters the page, says so, and can be taken away', async (query, texts) => {
    const html = await read(query)
    for (const text of texts) expect(html).toContain(text)
    const filter = /&(\w+)=/.exec(query)?.[1] ?? ''
    const away = links(html).filter((link) => !new URLSearchParams(link).has(filter))
    expect(away.length).toBeGreaterThan(0)
    expect(links(html).some((link) => link.includes('format=csv') && link.includes(filter))).toBe(
      true,
    )
    expect(html).toContain(`<input type="hidden" name="${filter}"`)
  })

  test.each(['&surface=A%20B', '&kind=x', '&landing=boots', '&product_id=', '&sort=x', '&rows=x'])(
    '%s is no filter, and is left out',
    async (query) => {
      expect(await read(query)).not.toContain('class="active-filters"')
    },
  )

  test('tables are sorted by what the address says', async () => {
    expect(await read('&sort=orders')).toContain('aria-sort="descending"><strong>Orders')
    expect(
      links(await read('&sort=orders')).filter((link) => link.includes('sort=orders')).length,
    ).toBeGreaterThan(5)
  })

  test('every link keeps what else was chosen', async () => {
    const chosen = '&start=2026-11-01&end=2026-11-21&granularity=week&currency=USD&metric=orders'
    const found = links(await read(chosen))
    expect(found.length).toBeGreaterThan(9)
    for (const link of found) {
      const query = new URLSearchParams(link)
      expect(query.get('domain')).toBe(MINE)
      expect(['USD', 'EUR']).toContain(query.get('currency'))
      expect(query.has('compare')).toBe(false)
      expect((await browser.get(`/report?${link}`)).status).toBe(200)
    }
    expect(found.map((link) => new URLSearchParams(link).get('metric'))).toContain('sessions')
  })

  test('the preset of the range is marked, and leads to its days', async () => {
    const html = await read()
    const [, href = ''] = /<a href="([^"]*)" aria-current="true">Last 28 days/.exec(html) ?? []
    expect(new URLSearchParams(href.split('?')[1]?.replaceAll('&amp;', '&')).get('start')).toBe(
      '2026-10-25',
    )
    expect(await read('&start=2026-11-01&end=2026-11-02')).not.toContain('aria-current="true">Last')
  })
})

test.each([
  ['&start=2026-11-02&end=2026-11-01', 'start is after end'],
  ['&start=2020-01-01&end=2026-11-01', 'at most 400 days'],
  ['&start=yesterday&end=2026-11-01', 'Send a date such as'],
  ['&start=2026-11-01', 'Send a date such as'],
  ['&start=2026-02-30&end=2026-03-01', 'Send a date'],
  ['&start=0001-01-01&end=0001-01-02', 'Send a date from 2000-01-01 to 2999-12-31.'],
  ['&start=9999-12-01&end=9999-12-31', 'Send a date from 2000-01-01 to 2999-12-31.'],
  ['&start=<script>alert(1)</script>&end=x', 'Send a date such as'],
])('%s is said to be no range, and the last 28 days are shown', async (query, reason) => {
  for (const format of ['', '&format=csv']) {
    const html = await read(query + format)
    expect(html).toContain(reason)
    expect(html).toContain('That period cannot be shown')
    expect(html).toContain('Oct 25, 2026 to Nov 21, 2026')
    expect(html).not.toContain('<script>alert')
    expect(links(html).filter((link) => link.includes('format=csv'))).toHaveLength(1)
  }
})

test('the CSV is what the page shows, to be saved', async () => {
  const [csv = ''] = links(await read('&start=2026-11-20&end=2026-11-21')).filter((link) =>
    link.includes('format=csv'),
  )
  const answer = await browser.get(`/report?${csv}`)
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="aisle-${MINE}-2026-11-20-2026-11-21.csv"`,
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.text()).toContain('2026-11-21,chatgpt,EUR,3,1,2,30,0,0,30,1,0,0\r\n')
})

test('figures are written as the browser asks, and dates in English with the day first', async () => {
  const html = await read('', { 'Accept-Language': 'de-DE,de;q=0.9' })
  expect(html).toContain('30,00\u00a0€')
  expect(html).toContain('25 Oct 2026')
})

describe('the last events', () => {
  test('are listed newest first, those of the domain only', async () => {
    const html = await read()
    const list = html.slice(html.indexOf('id="events"'), html.indexOf('id="share"'))
    const sessions = [...list.matchAll(/<code[^>]*>([^<]*)/g)].map(([, id]) => id)
    expect(sessions).toEqual(['before', 's3', 's2', 's1', 's1', 's1'])
    expect(list).toContain('€20.00')
    expect(html).not.toContain('foreign-session')
  })

  test('a test event is listed and counts nowhere', async () => {
    const domain = 'tested.example'
    const tester = await signIn({ domains: [domain] })
    const sent = await tester.post('/report/test-event', { domain })
    expect(sent.headers.get('location')).toBe(`/report?domain=${domain}&events=open#events`)
    await tester.post('/report/test-event', { domain })
    const html = await (await tester.get('/report')).text()
    expect(html.match(/Test event<\/th>/g)).toHaveLength(2)
    expect(html).toContain('No AI sessions yet')
    const csv = await tester.get('/report?start=2026-11-01&end=2026-11-30&format=csv')
    const [, ...lines] = (await csv.text()).trim().split('\r\n')
    const figures = lines.flatMap((line) => line.split(',').slice(3))
    expect(figures.length).toBeGreaterThan(0)
    expect(new Set(figures)).toEqual(new Set(['0']))
    const stored = await db
      .select({
        opens_session: events.opens_session,
        session_id: events.session_id,
        visit_id: sql<string>`${sql.raw(STORED_VISIT)}`,
      })
      .from(events)
      .where(eq(events.domain, domain))
    expect(stored.map(({ opens_session }) => opens_session)).toEqual([false, false])
    for (const { session_id, visit_id } of stored) expect(visit_id).toBe(sessionOf(session_id))
    expect(await rebuildRollup(db, { domain, since: '2026-10', dryRun: true })).toEqual([])
    expect(await rebuildRollup(db, { domain, since: '2026-10', dryRun: false })).toEqual([])
  })

  test('a key that may not write has no button', async () => {
    const reader = await signIn({ domains: [MINE], scopes: ['report:read'] })
    const html = await (await reader.get('/report')).text()
    expect(html).toContain('Last events received')
    expect(html).not.toContain('/report/test-event')
    expect(html).not.toContain('/audits/')
  })
})

test("the shop's day begins where the shop is", async () => {
  const domain = 'early.example'
  // At noon in London it is one in the morning of the next day.
  await createProperty(db, { domain, time_zone: 'Pacific/Auckland' }, NOON)
  await send({ domain, session_id: 'early', properties: { value: 700, currency: 'NZD' } })
  const html = await (await (await signIn({ domains: [domain] })).get('/report')).text()
  expect(html).toContain('Oct 26, 2026 to Nov 22, 2026')
  expect(html).toContain('Days are counted in the time zone Pacific/Auckland.')
  expect(html).toContain('href="/properties?domain=early.example"')
  expect(html).toMatch(/aria-current="true">Last 28 days/)
})

test('the strip says how ready the store is', async () => {
  expect(await read()).toContain('Not audited yet')
  const result = { ...cleanResult(MINE, DEFAULT_CHECKS, NOON), score: 71, grade: 'B' as const }
  await saveAudit(db, result)
  expect(await read()).toContain('grade B, 71 of 100, no gaps.')
  const checked_at = new Date(NOON.getTime() + 1000).toISOString()
  const coverage = { judged: 90, applicable: 106, breakdown: {} }
  await saveAudit(db, { ...result, checked_at, coverage })
  expect(await read()).toContain('no gaps; 90 of 106 rules could be judged.')
})

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "';--",
  '{{7*7}}',
  '\u202e',
])('what a merchant sends appears as text: %j', async (hostile) => {
  const domain = 'hostile.example'
  const ai_surface = 'x_onerror_alert'
  const properties = { product_id: hostile, value: 1, currency: 'USD' }
  await send({ domain, session_id: hostile, ai_surface, properties })
  const html = await (await (await signIn({ domains: [domain] })).get('/report')).text()
  const escaped = hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  expect(html).toContain(`>${escaped}</code>`)
  expect(html).not.toMatch(/<script>alert|<img src=x/)
})

test.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'javascript:alert(1)'])(
  'a product has its name from the store, as text, with its id beside it: %j',
  async (title) => {
    const domain = 'titled.example'
    await send({
      domain,
      session_id: 'titled',
      properties: { product_id: 'boot', value: 1, currency: 'USD' },
    })
    await saveAudit(db, cleanResult(domain, DEFAULT_CHECKS, new Date()), [
      { product_id: 'boot', title },
    ])
    const html = await (await (await signIn({ domains: [domain] })).get('/report')).text()
    const escaped = title.replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    const row = html.slice(html.indexOf('id="products"'))
    expect(row).toMatch(/>boot<\/span>/)
    expect(row).toContain(escaped)
    // The name leads to this report of the product, and nowhere else.
    const place = row.slice(0, row.indexOf(escaped)).match(/href="([^"]*)"[^>]*>$/)?.[1]
    expect(place).toMatch(/^[^:]*product_id=boot/)
    expect(html).not.toMatch(/<script>alert|<img src=x|href="javascript/)
  },
)
