import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Gap } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { DAY_MS } from '../../../../shared/web/moment.ts'
import { insertRollup } from '../../../attribution/report/testing/rows.ts'
import { saveAudit } from '../../../db/audit/audits.ts'
import { updateChannel } from '../../../db/watch/channels.ts'
import { watch_deliveries } from '../../../db/watch/tables.ts'
import { findWatch, updateWatch } from '../../../db/watch/watches.ts'
import { cleanResult } from '../../../testing/app.ts'
import { aNotice, watchedChannel } from '../../../watch/channels/testing/world.ts'
import { hasChecks, hasIncident, watchedDomain } from '../../../watch/testing/watched.ts'
import { NOON, testPages } from '../testing/pages.ts'

const { db, signIn } = await testPages()
const now = NOON

const PRICES = { subject: 'price_mismatch', severity: 'high', label: 'Prices differ' } as const

// a: broken and sells; b: unseen, tagged as a formula; c: fine, fell; d: paused; e: another key's.
const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example`) as [
  string,
  string,
  string,
  string,
  string,
]
const OWN = [A, B, C, D]
await watchedDomain(db, A, { now, tags: ['client 1'], score: 50, grade: 'C' })
await hasIncident(db, A, { now })
await hasIncident(db, A, { now, ...PRICES, subject: 'known', is_known: true })
await watchedDomain(db, B, { now, tags: ['=1+1'], outcome: 'unseen', why: '@SUM(1) <b>403</b>' })
await watchedDomain(db, C, { now, tags: ['client 1', 'fashion'], score: 80, grade: 'B' })
await hasChecks(db, C, { now, scores: [95, 90, 80] })
await watchedDomain(db, D, { now, paused_at: now })
await hasIncident(db, D, { now, ...PRICES })
await watchedDomain(db, E, { now, tags: ['foreign tag'] })
await hasIncident(db, E, { now, label: 'Foreign label' })
const sale = (day: string, revenue: number, currency = 'EUR') => ({
  day,
  currency,
  completed: 1,
  revenue,
})
await insertRollup(db, A, [
  // Today, and the first and last day of both ranges of thirty days.
  sale('2026-11-21', 1000),
  sale('2026-10-23', 500),
  sale('2026-10-22', 300),
  sale('2026-09-23', 200),
  sale('2026-09-22', 7777),
  sale('2026-11-20', 900, 'JPY'),
  // Most orders were reported without a value, so they have no currency.
  { ...sale('2026-11-20', 0, ''), completed: 9 },
])
await insertRollup(db, C, [sale('2026-11-01', 100), sale('2026-10-01', 400)])
await insertRollup(db, E, [sale('2026-11-01', 999_999)])
await insertRollup(db, D, [sale('2026-11-01', 0, '')])

const agency = await signIn({ domains: OWN })
const page = async (query = '', browser = agency) => {
  const answer = await browser.get(`/watches${query}`)
  expect(answer.status).toBe(200)
  return answer.text()
}
/** The stores of a page, in their order. */
const shopsOf = (html: string) =>
  [...html.matchAll(/href="\/watches\/([\w.]+)" class="watch-name"/g)].map(([, domain]) => domain)
const csv = async (query = '', browser = agency) =>
  (await (await browser.get(`/watches.csv${query}`)).text()).split('\r\n')

test.each([
  ['', [A, B, C, D]],
  ['?sort=name', [A, B, C, D]],
  ['?sort=score', [A, C, B, D]],
  ['?sort=revenue', [A, C, B, D]],
  ['?sort=change', [C, A, B, D]],
  ['?state=broken', [A]],
  ['?state=unseen', [B]],
  ['?state=paused', [D]],
  ['?state=fine', [C]],
  ['?tag=client+1', [A, C]],
  ['?tag=foreign+tag', []],
  ['?q=FASHION', [C]],
  ['?q=b.ex', [B]],
  ['?severity=critical', [A]],
  ['?severity=high', [A, D]],
  ['?state=fine&tag=client+1&q=c', [C]],
  ['?page=99', [A, B, C, D]],
  ['?page=-1&sort=x&state=y&severity=z&tag=&q=', [A, B, C, D]],
])('%j shows %j', async (query, shops) => {
  expect(shopsOf(await page(query))).toEqual(shops)
  const rows = await csv(query)
  expect(rows.slice(1, -1).map((row) => row.split(',')[0])).toEqual(shops)
})

test('names no shop, tag, incident or revenue of another key', async () => {
  for (const text of [await page(), (await csv()).join('\n')]) {
    expect(text).toContain(A)
    expect(text).not.toMatch(/e\.example|foreign|9,?999/i)
  }
  const all = await page('?sort=name', await signIn({ domains: ['*'] }))
  expect(shopsOf(all)).toEqual([A, B, C, D, E])
  const own = await signIn({ domains: [E] })
  expect(shopsOf(await page('', own))).toEqual([E])
  expect((await csv('', own)).join()).not.toContain(A)
})

test('says how many have an incident, and what AI brought in each currency', async () => {
  const html = await page()
  expect(html).toContain('1 of 4 stores has an open incident')
  expect(html).toContain('. 1 of 4 stores was not seen in whole.')
  // Of both stores: 15 and 1 now, 5 and 4 before.
  expect(html).toMatch(/€16\.00.*up 78%, was €9\.00/s)
  expect(html).toMatch(/¥900/)
  expect(await page('?tag=client+1')).toContain('1 of 2 stores of this choice has an open incident')
})

test('a key that may not read reports sees no revenue', async () => {
  const browser = await signIn({ domains: OWN, scopes: ['audit'] })
  const html = await page('?sort=revenue', browser)
  expect(html).not.toMatch(/€|revenue/i)
  const [header = '', first = ''] = await csv('', browser)
  const at = header.split(',').indexOf('ai_revenue_30_days')
  expect(first.split(',')[at]).toBe('')
})

test('what orders show is for keys that may read reports', async () => {
  const domain = 'signal.example'
  await watchedDomain(db, domain, { now })
  const signal = { kind: 'signal', subject: 'fell', severity: 'high' } as const
  const { id } = await hasIncident(db, domain, { now, ...signal, label: 'Orders fell to 3' })
  const paths = ['', '.csv', `/${domain}`, `/${domain}/incidents/${id}`]
  const owner = await signIn({ domains: [domain] })
  const other = await signIn({ domains: [domain], scopes: ['audit'] })
  for (const path of paths) {
    expect(await (await owner.get(`/watches${path}`)).text(), path).toContain('Orders fell to 3')
    expect(await (await other.get(`/watches${path}`)).text(), path).not.toContain('Orders fell')
  }
  expect((await other.get(`/watches/${domain}/incidents/${id}`)).status).toBe(403)
  expect(await page('', other)).toContain('The store has no open incident')
  const html = await (await owner.get(`/watches/${domain}/incidents/${id}`)).text()
  expect(html).toContain('It closes by itself once orders show that all is well.')
  expect(html).not.toContain('Confirmed by a second audit')
})

test('what orders show is an incident whatever severity of gaps is told', async () => {
  const domain = 'signal-medium.example'
  await watchedDomain(db, domain, { now, severity: 'critical' })
  const signal = { kind: 'signal', subject: 'expiring', severity: 'medium' } as const
  await hasIncident(db, domain, { now, ...signal, label: 'Checkouts expire' })
  const owner = await signIn({ domains: [domain] })
  const html = await (await owner.get(`/watches/${domain}`)).text()
  expect(html).not.toContain('Nothing has broken')
  expect(await page('', owner)).toContain('Checkouts expire')
  expect((await csv('', owner))[1]).toContain('Open incident')
})

test.each([
  ['seen', { outcome: 'seen' }, 'It was there at the first audit, so no alert was sent.'],
  ['unseen', { outcome: 'unseen', why: 'It answered 403.' }, 'It answered 403.'],
] as const)(
  'a critical gap that was there at first is not called fine: %s',
  async (name, watch, why) => {
    const [domain, well] = [`blocked.${name}.example`, `a.${name}.example`]
    await watchedDomain(db, domain, { now, score: 59, grade: 'C', ...watch })
    await watchedDomain(db, well, { now, ...watch })
    const known = { now, is_known: true } as const
    await hasIncident(db, domain, known)
    await hasIncident(db, domain, { ...known, ...PRICES, points: 90 })
    await hasIncident(db, well, { ...known, ...PRICES })
    const owner = await signIn({ domains: [domain, well] })
    const html = await (await owner.get(`/watches/${domain}`)).text()
    expect(html).toContain('AI agents cannot buy here: the catalog is empty')
    expect(html).toContain(why)
    expect(html).not.toMatch(/Nothing has broken\.|Nothing is known/)
    expect(await (await owner.get(`/watches/${well}`)).text()).not.toContain('cannot buy')

    const list = await page('', owner)
    expect(list).toContain('AI agents cannot buy in 1 of 2 stores.')
    // Not in one breath with that.
    expect(list).not.toMatch(/no open incident|None of/)
    expect(shopsOf(list)).toEqual([domain, well])
    const [row = ''] = list.slice(list.indexOf(`href="/watches/${domain}"`)).split('</tr>')
    expect(row).toMatch(
      /Critical.*The catalog is empty.*without an alert.*1 other gap without an alert/s,
    )
    expect(row).not.toContain('Nothing has broken')
    const own = await page('', await signIn({ domains: [domain] }))
    expect(own).toContain('AI agents cannot buy in the store.')
    expect((await csv('', owner)).join()).toContain('Agents cannot buy')
    await updateWatch(db, domain, { paused_at: now })
    expect(await page('', owner)).not.toContain('cannot buy')
  },
)

test('a channel says what it waits for, and what is wrong with a form where it is', async () => {
  const domain = 'channels.example'
  await watchedDomain(db, domain, { now })
  const owner = await signIn({ domains: [domain] })
  const form = { kind: 'slack', target: 'https://hooks.slack.com/services/T/B/x' }
  const wrong = await (await owner.post(`/watches/${domain}/channels`, form)).text()
  expect(wrong).toMatch(/<fieldset aria-describedby="events-error"><legend>What it receives/)
  expect(wrong).toContain('Choose at least one thing that it receives.')
  expect(wrong).not.toContain('aria-invalid')

  const channel = await watchedChannel(db, domain)
  const mail = { kind: 'mail', target: 'a@shop.example', confirmed_at: null } as const
  await updateChannel(db, channel, { ...mail, created_at: new Date(now.getTime() - 6 * DAY_MS) })
  const text = async () => (await owner.get(`/watches/${domain}`)).text()
  expect(await text()).toContain('Waits for the holder of the address to agree')
  await updateChannel(db, channel, { created_at: new Date(now.getTime() - 8 * DAY_MS) })
  expect(await text()).toContain('The link in our mail has expired')
})

test('a delivery that was never tried is not said to be tried again', async () => {
  const domain = 'held.example'
  await watchedDomain(db, domain, { now })
  const { id } = await watchedChannel(db, domain)
  const owner = await signIn({ domains: [domain] })
  const next_at = new Date(now.getTime() + 6 * 3_600_000)
  const made = { channel_id: id, domain, notice: aNotice({ domain }), created_at: now, next_at }
  await db.insert(watch_deliveries).values([{ ...made, notice_id: EMPTY, attempts: 0 }])
  const text = async () => (await owner.get(`/watches/${domain}`)).text()
  expect(await text()).toMatch(/It is sent <time[^>]*>in 6 hours/)
  await db.update(watch_deliveries).set({ attempts: 1 }).where(eq(watch_deliveries.channel_id, id))
  expect(await text()).toMatch(/It is tried again <time[^>]*>in 6 hours/)
})

test('orders without a value are no revenue', async () => {
  expect(await page()).not.toContain('in no currency')
  const browser = await signIn({ domains: [D] })
  expect(await page('', browser)).toContain('No order with a value reported yet')
})

test('a key of no domain is told how to get one', async () => {
  const html = await page('', await signIn({ domains: [] }))
  expect(html).toContain('Your key does not cover any domain')
})

test('a key without the scope is told so', async () => {
  const browser = await signIn({ domains: OWN, scopes: ['report:read'] })
  for (const path of ['/watches', '/watches.csv', `/watches/${A}`]) {
    expect((await browser.get(path)).status).toBe(403)
  }
})

test('the file has a row for each shop, in whole units, and no formula', async () => {
  const answer = await agency.get('/watches.csv?sort=name')
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toContain('aisle-watches-2026-11-21.csv')
  const [header = '', a = '', b = '', c = ''] = await csv('?sort=name')
  const cell = (row: string, name: string) =>
    row.split(',')[header.replace('\uFEFF', '').split(',').indexOf(name)]
  expect(cell(a, 'ai_revenue_30_days')).toBe('15')
  expect(cell(a, 'ai_revenue_30_days_before')).toBe('5')
  expect(cell(a, 'currency')).toBe('EUR')
  expect(cell(a, 'other_currencies')).toBe('900 JPY')
  expect(cell(a, 'worst_incident')).toBe('The catalog is empty')
  expect(cell(a, 'other_open_gaps')).toBe('1')
  // A cell with a comma is in quotes, and this one comes after it.
  expect(c).toContain('"client 1, fashion",80,B,-15,')
  expect(cell(b, 'tags')).toBe("'=1+1")
  expect(cell(b, 'why_not_seen')).toBe("'@SUM(1) <b>403</b>")
})

test('what a shop wrote is text', async () => {
  const html = await page()
  expect(html).toContain('@SUM(1) &lt;b>403')
  expect(html).not.toContain('<b>403')
})

test('fifty shops are on a page', async () => {
  const many = Array.from({ length: 51 }, (_, at) => `m${String(at).padStart(2, '0')}.example`)
  for (const domain of many) await watchedDomain(db, domain, { now })
  const browser = await signIn({ domains: many })
  expect(shopsOf(await page('?sort=name', browser))).toEqual(many.slice(0, 50))
  const last = await page('?sort=name&page=2', browser)
  expect(shopsOf(last)).toEqual(many.slice(50))
  expect(last).toContain('Page 2 of 2, 51 domains')
  expect(await csv('', browser)).toHaveLength(53)
})

test('a domain is watched by its address, once', async () => {
  const browser = await signIn({ domains: ['new.example'] })
  expect(await page('', browser)).toContain('Watch your first domain')
  const made = await browser.post('/watches', { domain: 'https://New.example/boots?x' })
  expect(made.headers.get('location')).toBe('/watches/new.example')
  expect(await findWatch(db, 'new.example')).toMatchObject({ period: 'hourly', with_report: true })
  await browser.post('/watches/new.example/change', { ...SETTINGS, period: 'weekly' })
  await browser.post('/watches', { domain: 'new.example' })
  expect(await findWatch(db, 'new.example')).toMatchObject({ period: 'weekly' })
  for (const domain of ['', 'a b', '127.0.0.1', '"><script>alert(1)</script>']) {
    const wrong = await browser.post('/watches', { domain })
    expect(wrong.status).toBe(422)
    expect(await wrong.text()).not.toContain('<script>alert')
  }
  expect((await browser.post('/watches', { domain: A })).status).toBe(403)
})

const SETTINGS = {
  period: 'daily',
  severity: 'medium',
  quiet_from: '22:00',
  quiet_to: '07:00',
  time_zone: 'Europe/Berlin',
  tags: ' one, two ,one,, ',
  check_catalog: 'yes',
  check_acp: 'yes',
  with_report: 'yes',
}

test('settings are changed as they are sent', async () => {
  const domain = 'settings.example'
  await watchedDomain(db, domain, { now })
  const browser = await signIn({ domains: [domain] })
  const change = (fields: Record<string, string>) =>
    browser.post(`/watches/${domain}/change`, { ...SETTINGS, ...fields })
  expect((await change({})).status).toBe(303)
  expect(await findWatch(db, domain)).toMatchObject({
    period: 'daily',
    severity: 'medium',
    quiet_hours: { from: '22:00', to: '07:00' },
    time_zone: 'Europe/Berlin',
    tags: ['one', 'two'],
    checks: ['catalog', 'acp'],
    walk: false,
    with_report: true,
  })
  await change({ quiet_from: '', quiet_to: '', walk: 'yes', with_report: '' })
  expect(await findWatch(db, domain)).toMatchObject({
    quiet_hours: null,
    walk: true,
    with_report: false,
  })
  const before = await findWatch(db, domain)
  for (const wrong of [
    { quiet_to: '' },
    { quiet_to: '22:00' },
    { quiet_from: '25:00' },
    { time_zone: 'Nowhere/Town' },
    { period: 'yearly' },
    { tags: 'x'.repeat(41) },
    { check_catalog: '', check_acp: '' },
  ]) {
    const answer = await change(wrong)
    expect(answer.status, JSON.stringify(wrong)).toBe(422)
    const html = await answer.text()
    expect(html, JSON.stringify(wrong)).toContain('field-error')
    // What was typed is still there.
    expect(html).toContain(`value="${wrong.quiet_from ?? '22:00'}"`)
  }
  expect(await findWatch(db, domain)).toEqual(before)
})

test('a key that may not read reports leaves alone what alerts say of orders', async () => {
  const domain = 'no-report.example'
  await watchedDomain(db, domain, { now })
  const browser = await signIn({ domains: [domain], scopes: ['audit'] })
  await browser.post(`/watches/${domain}/change`, { ...SETTINGS, with_report: '' })
  expect(await findWatch(db, domain)).toMatchObject({ with_report: true })
  const html = await (await browser.get(`/watches/${domain}`)).text()
  expect(html).not.toMatch(/with_report|See the report/)
})

test('a watch is paused, resumed, looked at and deleted, the last after a question', async () => {
  const domain = 'life.example'
  await watchedDomain(db, domain, { now, next_at: new Date(now.getTime() + 3_600_000) })
  const browser = await signIn({ domains: [domain] })
  const send = (what: string, fields = {}) => browser.post(`/watches/${domain}/${what}`, fields)
  for (const paused of ['yes', 'yes']) await send('pause', { paused })
  expect((await findWatch(db, domain))?.paused_at).toEqual(now)
  expect((await send('look')).status).toBe(409)
  for (const paused of ['no', 'no']) await send('pause', { paused })
  expect((await findWatch(db, domain))?.paused_at).toBeNull()
  expect((await send('look')).status).toBe(303)
  expect((await findWatch(db, domain))?.next_at).toEqual(now)
  expect((await send('delete')).status).toBe(422)
  expect(await findWatch(db, domain)).not.toBeNull()
  expect((await send('delete', { sure: 'yes' })).status).toBe(303)
  expect(await findWatch(db, domain)).toBeNull()
  expect(await (await browser.get(`/watches/${domain}`)).text()).toContain('is not watched')
  // A page that was left open.
  for (const what of ['pause', 'look', 'channels', 'channels/x/test']) {
    const late = await send(what, { kind: 'feed', event_digest: 'yes' })
    expect(await late.text(), what).toContain('is not watched')
  }
})

test('an incident is shown below its own domain alone', async () => {
  const { id } = await hasIncident(db, C, { now, subject: 'shown', label: 'Shown <i>here</i>' })
  const html = await (await agency.get(`/watches/${C}/incidents/${id}`)).text()
  expect(html).toContain('Shown &lt;i>here')
  for (const path of [`${A}/incidents/${id}`, `${C}/incidents/x`, `${C}/incidents/${EMPTY}`]) {
    expect((await agency.get(`/watches/${path}`)).status, path).toBe(404)
  }
})

const EMPTY = '00000000-0000-4000-8000-000000000000'

test('the page of a watch says first what broke, then what is critical, then what costs most', async () => {
  const domain = 'order.example'
  await watchedDomain(db, domain, { now })
  const has = (subject: string, points: number | null, change = {}) =>
    hasIncident(db, domain, { now, subject, label: `Label ${subject}`, points, ...change })
  await has('cheap', 2, { is_known: true })
  await has('dear', 30, { is_known: true })
  await has('broke', 1)
  await has('low', 50, { severity: 'low' })
  await has('blind', null, { kind: 'unseen' })
  const html = await (await (await signIn({ domains: [domain] })).get(`/watches/${domain}`)).text()
  const toDo = html.slice(html.indexOf('id="to-do"'), html.indexOf('id="incidents"'))
  const order = [...toDo.matchAll(/>Label (\w+)<\/a>/g)].map(([, name]) => name)
  expect(order).toEqual(['broke', 'dear', 'cheap', 'low'])
  const incidents = html.slice(html.indexOf('id="incidents"'), html.indexOf('id="gaps"'))
  expect(incidents).toMatch(/Label (broke|blind)/)
  expect(incidents).not.toMatch(/Label (low|dear)/)
})

test('it says what counts for nothing until a critical gap is closed, and to close that first', async () => {
  const domain = 'capped.example'
  await watchedDomain(db, domain, { now })
  const known = { now, is_known: true } as const
  await hasIncident(db, domain, { ...known, points: 3 })
  await hasIncident(db, domain, { ...known, ...PRICES, points: 5 })
  const result = cleanResult(domain, DEFAULT_CHECKS, NOON)
  const gap = (id: string, severity: 'critical' | 'high', points: number): Gap => ({
    id,
    check: 'catalog',
    severity,
    points,
    held_back: true,
    ...(severity === 'critical' && { cap: 'critical_gap' }),
    label: id,
    detail: '',
    fix: '',
    fix_url: null,
    docs_url: null,
  })
  await saveAudit(db, {
    ...result,
    cap: { reason: 'critical_gap', at: 59, gaps: ['catalog_empty'] },
    first_steps: null,
    gaps: [gap('catalog_empty', 'critical', 3), gap(PRICES.subject, 'high', 5)],
  })
  const html = await (await (await signIn({ domains: [domain] })).get(`/watches/${domain}`)).text()
  const toDo = html.slice(html.indexOf('id="to-do"'), html.indexOf('id="incidents"'))
  expect(toDo).toMatch(
    /The catalog is empty<.*\+3 points<.*at most 59\. Close it first\..*Prices differ<.*\+5 points, later<.*This counts once/s,
  )
})
