import { expect, test } from 'vitest'
import type { LogLine } from '../../../shared/attribution/fetches/fetch.ts'
import { CHALLENGED } from '../../../shared/attribution/fetches/kept.ts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { saveAudit } from '../../db/audit/audits.ts'
import { reportingApp } from '../../routes/testing/reporting-app.ts'
import { cleanResult } from '../../testing/app.ts'
import { createProperty } from '../properties.ts'
import { createIntake } from './intake.ts'
import { loadFetchReport } from './load-report.ts'

/** A month of one shop, from crawl to refund, beside what this test counts itself. */

const NOW = new Date('2026-11-30T12:00:00Z')
const now = () => NOW
const { db, send, app } = await reportingApp({ now })
const DOMAIN = 'month.example'
const intake = createIntake({
  ...{ db, now, retentionMonths: 13 },
  verifierFor: async () => (line) => (line.address === '192.0.2.1' ? 'verified' : 'claimed'),
})

const DAY = 86_400_000
const at = (day: number, hour = 6) => Date.UTC(2026, 10, day, hour)
const PRODUCTS = [
  { product_id: 'boot', title: 'Winter boot', path: '/products/boot' },
  { product_id: 'hat', title: 'Hat', path: '/products/hat' },
]
const audited = (day: number, price: number) =>
  saveAudit(
    db,
    cleanResult(DOMAIN, DEFAULT_CHECKS, new Date(at(day))),
    PRODUCTS.map((product) => ({ ...product, price, currency: 'USD' })),
  )

const line = (userAgent: string, change: Partial<LogLine>): LogLine => ({
  ...{ at: at(1), method: 'GET', path: '/', status: 200, userAgent, address: '192.0.2.1' },
  ...change,
})
const ANSWERS = 'ChatGPT-User/1.0'
const INDEX = 'OAI-SearchBot/1.4'

// Of thirty days: each day both products are indexed, the boot is read for n answers.
const lines: LogLine[] = []
let expected = 0
for (let day = 1; day <= 30; day += 1) {
  const path = '/products/boot'
  for (let n = 0; n < day % 5; n += 1) {
    lines.push(line(ANSWERS, { at: at(day, n), path }))
    expected += 1
  }
  if (day <= 20) lines.push(line(INDEX, { at: at(day), path: '/products/hat' }))
  lines.push(line(INDEX, { at: at(day), path: '/products/boot/' }))
  lines.push(line('Mozilla/5.0 Chrome/142.0', { at: at(day), path }))
  if (day > 24) lines.push(line(INDEX, { at: at(day), path: '/products/gone', status: 404 }))
  if (day > 24) lines.push(line(ANSWERS, { at: at(day), path: '/about', status: 403 }))
  if (day % 7 === 0) lines.push(line('PerplexityBot/1.0', { at: at(day), path: '/robots.txt' }))
}

test('what was read, clicked and bought stands beside what was counted by hand', async () => {
  await audited(2, 9000)
  await audited(22, 8000)
  const { id } = await createProperty(
    db,
    { domain: DOMAIN, origins: [`https://${DOMAIN}`] },
    new Date(at(1)),
  )
  // Four people click, of whom two buy the boot and one gets the money back.
  for (let n = 0; n < 4; n += 1) {
    const visit = `visit-of-person-${n}`
    const beacon = {
      ...{ id: visit, referrer: 'https://chatgpt.com', surface: 'chatgpt', confidence: 0.9 },
      landing: `https://${DOMAIN}/?utm_source=chatgpt.com#/products/boot`,
    }
    const answer = await app.request(`/sessions?id=${id}`, {
      method: 'POST',
      body: JSON.stringify(beacon),
      headers: { 'Content-Type': 'text/plain', Origin: `https://${DOMAIN}` },
    })
    expect(answer.status).toBe(200)
    if (n >= 2) continue
    const order = { domain: DOMAIN, session_id: `order-${n}`, source: 'web' as const }
    const properties = { visit_id: visit, value: 8000, currency: 'USD' }
    await send({
      ...{ ...order, event: 'ai_checkout_completed' as const },
      properties: { ...properties, product_id: 'boot' },
    })
    if (n === 0) {
      await send({
        ...{ ...order, event: 'ai_order_refunded' as const },
        properties: { ...properties, refund_id: 'r1' },
      })
    }
  }
  // The log comes in two halves, the second one first, and then whole.
  for (const part of [lines.slice(60), lines.slice(0, 60), lines]) await intake.take(DOMAIN, part)

  const report = await loadFetchReport(
    db,
    { domain: DOMAIN, start: '2026-11-01', end: '2026-11-30' },
    NOW,
  )
  const boot = report.pages.find(({ path }) => path === '/products/boot')
  expect(boot).toMatchObject({
    ...{ name: 'Winter boot', product_ids: ['boot'], answers: expected, crawls: 30 },
    ...{ clicked: 4, bought: 2 },
    seen: [{ operator: 'OpenAI', price: 'current', days: 8 }],
  })
  // The hat was read last on the 20th; between the 2nd and the 22nd its price is not known.
  const hat = report.pages.find(({ path }) => path === '/products/hat')
  expect(hat).toMatchObject({ answers: 0, crawls: 20, clicked: 0, bought: 0 })
  expect(hat?.seen).toMatchObject([{ last_at: new Date(at(20)).toISOString(), price: 'unknown' }])
  expect(report.surfaces[0]).toEqual({
    ...{ surface: 'chatgpt', answers: expected, sessions: 4, orders: 2 },
  })
  const fetched = report.days.reduce((sum, { fetches }) => sum + fetches, 0)
  expect(fetched).toBe(lines.length - 30)
  expect(report.walls).toMatchObject([
    { agent: 'ChatGPT-User', path: '/about', status: 403, fetches: 6 },
    { agent: 'OAI-SearchBot', path: '/products/gone', status: 404, fetches: 6 },
  ])
  expect(report.gaps.map(({ id, detail }) => [id, detail])).toEqual([
    ['robots_blocks_ai_agents', expect.stringContaining('PerplexityBot read robots.txt 4 times')],
  ])
  const agents = Object.fromEntries(report.agents.map(({ agent, fetches }) => [agent, fetches]))
  expect(agents).toEqual({
    ...{ 'OAI-SearchBot': 56, 'ChatGPT-User': expected + 6, PerplexityBot: 4 },
  })
})

test.each([
  ['gone', [200, 404, 404, 404, 404, 404, 404], ['product_pages_dead']],
  ['gone-and-closed', [200, 404, 404, 404, 404, 404, 403], ['product_pages_dead']],
  ['back', [404, 404, 404, 404, 404, 404, 200], []],
  ['closed', [200, 403, 403, 403, 403, 403, 403], ['agents_refused']],
  ['open', [403, 403, 403, 403, 403, 403, 200], []],
  [
    'walled',
    [200, CHALLENGED, CHALLENGED, CHALLENGED, CHALLENGED, CHALLENGED],
    ['agents_challenged'],
  ],
])(
  'where the newest answer counts, a store that is %s has these gaps',
  async (name, statuses, gaps) => {
    const domain = `${name}.example`
    await saveAudit(
      db,
      cleanResult(domain, DEFAULT_CHECKS, new Date(at(1))),
      PRODUCTS.slice(0, 1).map((product) => ({ ...product, price: 9000, currency: 'USD' })),
    )
    const asked = statuses.map((status, n) =>
      line(ANSWERS, {
        ...{ at: at(n + 1), path: '/products/boot' },
        ...(status === CHALLENGED ? { status: 200, challenged: true } : { status }),
      }),
    )
    // Pages that no store has are no product's.
    const probes = statuses.map((_, n) => line(INDEX, { at: at(n + 1), path: '/wp', status: 404 }))
    await intake.take(domain, [...asked, ...probes])
    const report = await loadFetchReport(
      db,
      { domain, start: '2026-11-01', end: '2026-11-30' },
      NOW,
    )
    expect(report.gaps.map(({ id }) => id)).toEqual(gaps)
  },
)

test('a range without logs has a report of nothing', async () => {
  const range = { domain: DOMAIN, start: '2025-11-01', end: '2025-11-30' }
  expect(await loadFetchReport(db, range, new Date(NOW.getTime() + DAY))).toMatchObject({
    ...{ agents: [], pages: [], walls: [], gaps: [], surfaces: [], over: 0 },
  })
})
