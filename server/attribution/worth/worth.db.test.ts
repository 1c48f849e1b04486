import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findGapRule } from '../../../shared/audit/checks/index.ts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { shiftDay } from '../../../shared/web/moment.ts'
import { saveAudit } from '../../db/audit/audits.ts'
import { MOST_NAMED } from '../../db/events/rollup-names.ts'
import { rollup_named, rollup_names } from '../../db/events/tables.ts'
import { openIncident } from '../../db/watch/incidents.ts'
import { NOON, testPages } from '../../pages/account/testing/pages.ts'
import { cleanResult } from '../../testing/app.ts'
import { createProperty } from '../properties.ts'
import { insertRollup } from '../report/testing/rows.ts'

const { db, clock, signIn, app } = await testPages()
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const owner = await signIn()
const stranger = await signIn({ scopes: ['audit'] })
const textOf = async (path: string, browser = owner) =>
  (await (await browser.get(path)).text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

const gapOn = (id: string, change: { pages?: string[]; products?: string[] } = {}) => {
  const rule = findGapRule(id)
  if (rule === null) throw new Error(id)
  const { check, severity, label, fix } = rule
  return { id, check, severity, label, detail: 'D.', fix, fix_url: null, docs_url: null, ...change }
}

const audit = (domain: string, day: string, gaps: ReturnType<typeof gapOn>[]) => {
  const clean = cleanResult(domain, DEFAULT_CHECKS, new Date(`${day}T09:00:00Z`))
  const passed = new Set(gaps.map(({ id }) => findGapRule(id)?.passed))
  return saveAudit(db, {
    ...clean,
    gaps,
    passed: clean.passed.filter((pass) => !passed.has(pass)),
  })
}

const incidentOf = (domain: string, change: Partial<Parameters<typeof openIncident>[1]> = {}) => {
  const id = randomUUID()
  return openIncident(db, {
    ...{ id, domain, kind: 'gap', subject: 'catalog_empty', severity: 'critical' },
    ...{
      label: 'The catalog is empty',
      detail: 'D.',
      fix: 'F.',
      points: 9,
      changes: [],
      steps: [],
    },
    ...{ is_known: false, well_at: new Date('2026-11-09T00:10:00Z') },
    first_seen_at: new Date('2026-11-09T01:10:00Z'),
    last_seen_at: new Date('2026-11-18T12:00:00Z'),
    opened_at: new Date('2026-11-09T01:11:00Z'),
    closed_at: new Date('2026-11-18T12:00:00Z'),
    ...change,
  }).then(() => `/watches/${domain}/incidents/${id}`)
}

/** 14 September, a Monday: eight weeks before the incident. */
const FIRST = '2026-09-14'

test('from visits and orders as they come to what a gap has at stake and an incident cost', async () => {
  const domain = 'mine.example'
  clock.now = new Date(`${FIRST}T10:00:00Z`)
  const { id: property } = await createProperty(db, { domain }, clock.now)
  let n = 0
  const visit = async (path: string) => {
    n += 1
    const id = `visit-${String(n).padStart(6, '0')}`
    const sent = await app.request(
      `/sessions?id=${property}`,
      {
        method: 'POST',
        headers: {
          Origin: `https://${domain}`,
          'Content-Type': 'text/plain',
          'User-Agent': CHROME,
        },
        body: JSON.stringify({
          ...{ id, referrer: 'https://chatgpt.com/', surface: 'chatgpt', confidence: 0.9 },
          ...{ model: '1', landing: `https://${domain}?=1&#${path}` },
        }),
      },
      { incoming: { socket: { remoteAddress: `10.${n & 255}.${n >> 8}.1` } } },
    )
    expect(await sent.json()).toMatchObject({ status: 'recorded' })
    return id
  }
  const order = async (visit_id: string) => {
    const sent = await app.request('/api/report', {
      method: 'POST',
      headers: { Authorization: `Bearer ${owner.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ event: 'ai_checkout_completed', domain, session_id: `order of ${visit_id}` },
        ...{
          source: 'web',
          properties: { visit_id, value: 5000, currency: 'EUR', product_id: 'boot' },
        },
      }),
    })
    expect(sent.status).toBe(200)
  }
  // Eight visits on a weekday and four on others, at times two more, of which two order; in the
  // incident two visits and no order.
  for (let day = 0; day < 68; day += 1) {
    clock.now = new Date(`${shiftDay(FIRST, day)}T10:00:00Z`)
    const isDown = day >= 56 && day < 66
    const many = isDown ? 2 : (day % 7 < 5 ? 8 : 4) + (day % 4 === 0 ? 2 : 0)
    const ids = await Promise.all(
      Array.from({ length: many }, (_, at) => visit(at === 0 ? '/' : '/products/boot')),
    )
    if (!isDown) await Promise.all(ids.slice(-2).map(order))
  }
  clock.now = NOON
  const pages = [`https://${domain}/products/boot`]
  await audit(domain, '2026-11-20', [
    gapOn('product_schema_missing', { pages, products: ['boot', 'hat'] }),
    gapOn('robots_blocks_ai_agents'),
  ])
  const html = await textOf(`/audits/${domain}`)
  // 24 October to 20 November: 18 days as before and ten of the incident.
  expect(html).toContain(
    'From 24 October – 20 November 2026 AI brought 148 visits, 36 orders and 1800.00 EUR to the whole store.',
  )
  expect(html).toMatch(
    /AI brought 120 visits, 36 orders and 1800.00 EUR to the page that it was found on\. .*the next 28 days/,
  )
  expect(html).toContain('36 orders and 1800.00 EUR to the 2 products that it was found on.')
  expect(html).toContain('**At stake:** From 24 October')
  expect(await textOf(`/audits/${domain}`, stranger)).not.toMatch(/AI brought|At stake/)

  const path = await incidentOf(domain)
  const incident = await textOf(path)
  expect(incident).toContain('What AI brought from 9 – 18 November 2026')
  // By statsmodels: 48.291 to 109.901, three figures together.
  expect(incident).toContain('Visits 20 visits 48 to 110 visits 28 to 90 visits fewer')
  expect(incident).toMatch(/Orders 0 orders \d+ to \d+ orders \d+ to \d+ orders fewer/)
  expect(incident).toMatch(/\*\*What it cost:\*\* From 9 – 18 November 2026 AI brought 20 visits/)
  expect(await textOf(path, stranger)).not.toContain('What it cost')
})

/** A store with a number of visits and orders a day, from the first of its days. */
async function shop(domain: string, visitsOn: (day: number) => number) {
  await insertRollup(
    db,
    domain,
    Array.from({ length: 68 }, (_, day) => ({
      day: shiftDay(FIRST, day),
      sessions: visitsOn(day),
    })),
  )
  return domain
}

test('nothing is claimed of what chance, counting or the first audit may have made', async () => {
  const steady = await shop('steady.example', (day) => 20 + (day % 3))
  expect(await textOf(await incidentOf(steady))).toContain('no loss that can be told from chance')
  expect(await textOf(await incidentOf(steady, { is_known: true, subject: 'x' }))).toContain(
    'there are no weeks before it to compare',
  )
  const uncounted = { subject: 'dark_traffic_untracked' }
  expect(await textOf(await incidentOf(steady, uncounted))).toContain('cost cannot be told')
  const signal = { kind: 'signal', subject: 'surface_fell:chatgpt' } as const
  expect(await textOf(await incidentOf(steady, signal))).not.toContain('What it cost')
  const now = { first_seen_at: NOON, well_at: NOON, closed_at: null, subject: 'y' }
  expect(await textOf(await incidentOf(steady, now))).toContain('once its first day is over')
  const small = await shop('small.example', (day) => (day % 9 === 0 ? 1 : 0))
  expect(await textOf(await incidentOf(small))).toMatch(/too few to say.*too few to say/)
})

test('days of the same gap before are no days to compare with', async () => {
  const domain = await shop('often.example', (day) => (day >= 42 ? 1 : 30))
  const before = {
    first_seen_at: new Date('2026-10-26T00:00:00Z'),
    closed_at: new Date('2026-11-08T12:00:00Z'),
  }
  await incidentOf(domain, before)
  expect(await textOf(await incidentOf(domain))).toMatch(/10 visits 2\d\d to 3\d\d visits/)
})

test('what changed after a fix, of the pages that it was on', async () => {
  const domain = await shop('fixed.example', () => 100)
  const named = (name: string, visitsOn: (day: number) => number) =>
    Array.from({ length: 68 }, (_, day) => ({
      ...{ domain, dimension: 'landing' as const, name, day: shiftDay(FIRST, day) },
      ...{ surface: 'chatgpt', kind: 'referral' as const, source: 'web' as const, currency: '' },
      ...{ sessions: visitsOn(day), viewed: 0, initiated: 0, completed: 0, failed: 0 },
      ...{ revenue: 0, refunds: 0, refunded: 0 },
    }))
  await db.insert(rollup_named).values([
    ...named('/boot', (day) => (day > 42 ? 40 : 20)),
    // Not among those that are counted by name in each month.
    ...named('/hat', () => 30),
  ])
  const months = ['2026-09', '2026-10', '2026-11']
  await db.insert(rollup_names).values(
    months.flatMap((month) =>
      Array.from({ length: MOST_NAMED }, (_, n) => ({
        ...{ domain, dimension: 'landing' as const, month, chosen_at: null },
        name: n === 0 ? '/boot' : `/other-${n}`,
      })),
    ),
  )
  const pages = [`https://${domain}/boot`, `https://${domain}/hat/`]
  await audit(domain, '2026-10-26', [gapOn('product_schema_missing', { pages })])
  await audit(domain, '2026-10-27', [])
  const html = await textOf(`/audits/${domain}`)
  expect(html).toMatch(/“[^”]*” ?: gone on 27 October 2026/)
  expect(html).toMatch(
    /From 28 October – 20 November 2026 1 of the 2 pages that it was found on had, .* \d+% to \d+% more visits \(with 95% certainty\); orders: too few to say/,
  )
  expect(await textOf(`/audits/${domain}`, stranger)).not.toContain('Did it help?')
})
