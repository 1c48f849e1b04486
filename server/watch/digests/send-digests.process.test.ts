import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { desc, eq, inArray } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { CHECKS } from '../../../shared/audit/checks/index.ts'
import { NO_LINKS, toResult } from '../../../shared/audit/result/result.ts'
import { JUDGED_ALL } from '../../../shared/audit/result/testing/judged-all.ts'
import { runRules } from '../../../shared/audit/rule.ts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { DAY_MS, shiftDay } from '../../../shared/web/moment.ts'
import { insertRollup } from '../../attribution/report/testing/rows.ts'
import { properties } from '../../db/attribution/tables.ts'
import { saveAudit } from '../../db/audit/audits.ts'
import type { Transaction } from '../../db/connect.ts'
import { countWaiting } from '../../db/testing/locks.ts'
import { deleteChannel, findChannelById } from '../../db/watch/channels.ts'
import { openIncident } from '../../db/watch/incidents.ts'
import {
  notices,
  watch_channels,
  watch_deliveries,
  watch_looks,
  watches,
} from '../../db/watch/tables.ts'
import { deleteWatch } from '../../db/watch/watches.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import { program } from '../../testing/program.ts'
import { unsubscribeChannels } from '../channels/consent.ts'
import { createWatch } from '../set-up.ts'
import { sendDigests } from './send-digests.ts'

const database = await testDatabase()
const { db, sql } = database
const other = await connectAgain(database.url)
const lines: string[] = []
const log = createLog({ write: (line) => lines.push(line) })
/** A Monday, 08:00 in Berlin. */
const MONDAY = new Date('2026-11-30T07:00:00Z')
let clock = MONDAY
const now = () => clock
let n = 0

beforeEach(async () => {
  clock = MONDAY
  await db.update(watches).set({ paused_at: MONDAY })
})

const deps = (of = db) => ({ db: of, now, log, baseUrl: 'https://aisle.example' })
/** How many digests two replicas write at the same time. */
const send = async () => {
  const written = await Promise.all([db, other.db].map((each) => sendDigests(deps(each))))
  return written.reduce((sum, each) => sum + each, 0)
}

async function watch(
  change: Partial<typeof watches.$inferInsert> = {},
  domain = `shop${n++}.example`,
) {
  const made = { domain, time_zone: 'Europe/Berlin' }
  const setUpAt = () => new Date('2026-11-01T12:00:00Z')
  await createWatch({ db, now: setUpAt }, made, { keyId: 'k', mayReadReport: true })
  await db
    .update(watches)
    .set({ digest_at: MONDAY, score: 83, grade: 'A', outcome: 'seen', ...change })
    .where(eq(watches.domain, domain))
  return domain
}

const addChannel = async (
  domain: string,
  change: Partial<typeof watch_channels.$inferInsert> = {},
) => {
  const id = `channel ${n++}`
  await db.insert(watch_channels).values({
    id,
    domain,
    kind: 'mail',
    target: `${id}@shop.example`,
    events: ['digest'],
    key_id: 'k',
    created_at: MONDAY,
    confirmed_at: MONDAY,
    ...change,
  })
  return id
}

const insertZone = (domain: string, time_zone: string) =>
  db
    .insert(properties)
    .values({ id: `prop ${domain}`, domain, origins: [], time_zone, created_at: MONDAY })

const noticesOf = (domain: string) => db.select().from(notices).where(eq(notices.domain, domain))
const deliveriesTo = (id: string) =>
  db.select().from(watch_deliveries).where(eq(watch_deliveries.channel_id, id))

test('on Monday at eight by the clocks of the watch, once over two replicas, and again a week later', async () => {
  const domain = await watch()
  const channel = await addChannel(domain)
  clock = new Date(MONDAY.getTime() - 1)
  expect(await send()).toBe(0)
  clock = MONDAY
  expect(await send()).toBe(1)
  expect(await send()).toBe(0)
  expect(await noticesOf(domain)).toMatchObject([
    { event: 'digest', notice: { title: `${domain}: a quiet week` } },
  ])
  expect(await deliveriesTo(channel)).toMatchObject([{ domain, next_at: MONDAY }])
  clock = new Date(MONDAY.getTime() + 7 * DAY_MS)
  expect(await send()).toBe(1)
  expect(await noticesOf(domain)).toHaveLength(2)
})

const flapped = (flaps: number, flapped_at: string) => ({
  is: 'well' as const,
  well_at: flapped_at,
  since: null,
  flaps,
  flapped_at,
})

test('what flapped in an earlier week, or twice only, leaves a week quiet', async () => {
  const domain = await watch({
    state: {
      'gap:catalog_empty': flapped(4, '2026-11-22T10:00:00Z'),
      'gap:price_mismatch': flapped(2, '2026-11-24T10:00:00Z'),
    },
  })
  await addChannel(domain)
  await send()
  const [row] = await noticesOf(domain)
  expect(row?.notice.title).toBe(`${domain}: a quiet week`)
})

test('it says what changed, what to do first, and what AI brought in the days of the shop', async () => {
  const domain = await watch({
    score: 71,
    grade: 'B',
    state: { 'gap:catalog_empty': flapped(4, '2026-11-24T10:00:00Z') },
  })
  const at = (text: string) => new Date(text)
  const seenAt = (slot: string, ended: string, score: number) => ({
    domain,
    slot_at: at(slot),
    look: 0,
    due_at: at(ended),
    started_at: at(ended),
    ended_at: at(ended),
    outcome: 'seen' as const,
    score,
    grade: 'A' as const,
    gaps: [],
    requests: 1,
    judged: JUDGED_ALL,
    why: null,
  })
  await db.insert(watch_looks).values([
    seenAt('2026-11-22T10:00:00Z', '2026-11-22T10:30:00Z', 83),
    // One of a period that began before the last digest, and one after it, which sent no alert.
    seenAt('2026-11-23T00:00:00Z', '2026-11-23T13:00:00Z', 50),
    seenAt('2026-11-29T00:00:00Z', '2026-11-29T00:30:00Z', 71),
  ])
  const incident = {
    domain,
    kind: 'gap' as const,
    severity: 'high' as const,
    detail: '',
    fix: '',
    points: 5,
    changes: [],
    steps: [],
    is_known: false,
    well_at: null,
    first_seen_at: MONDAY,
    last_seen_at: MONDAY,
  }
  for (const [label, opened, closed] of [
    ['New', '2026-11-25T10:00:00Z', null],
    ['Short', '2026-11-25T10:00:00Z', '2026-11-26T10:00:00Z'],
    ['Old', '2026-11-02T10:00:00Z', null],
    ['Long over', '2026-11-02T10:00:00Z', '2026-11-05T10:00:00Z'],
  ] as const) {
    await openIncident(db, {
      ...incident,
      id: randomUUID(),
      subject: label,
      label,
      opened_at: at(opened),
      closed_at: closed === null ? null : at(closed),
    })
  }
  await openIncident(db, {
    ...incident,
    id: randomUUID(),
    subject: 'k',
    label: 'Known',
    is_known: true,
    opened_at: at('2026-11-25T10:00:00Z'),
    closed_at: null,
  })
  await insertRollup(db, domain, [
    { day: '2026-11-16', sessions: 10, completed: 2, revenue: 2000, currency: 'EUR' },
    { day: '2026-11-23', sessions: 9, completed: 1, revenue: 1500, currency: 'EUR' },
    { day: '2026-11-29', sessions: 6, completed: 1, revenue: 900, currency: 'JPY' },
    // Outside these weeks.
    { day: '2026-11-15', sessions: 1000 },
    { day: '2026-11-30', sessions: 1000 },
  ])
  const rules = CHECKS.catalog.slice(0, 4).map((each, n) => ({
    ...each,
    severity: 'high' as const,
    label: `${['one', 'two', 'three', 'four'][n]} is open`,
    fix: `Fix ${n + 1}.`,
    judge: () => ({ kind: 'gap' as const, detail: '' }),
  }))
  const result = toResult(domain, DEFAULT_CHECKS, runRules(rules, {}), MONDAY, NO_LINKS)
  const ids = result.gaps.map(({ id }) => id).toReversed()
  await saveAudit(db, {
    ...result,
    first_steps: { gaps: ids.slice(0, 3), scores: [20, 30, 40], score: 40 },
  })
  await send()
  const [row] = await noticesOf(domain)
  expect(row?.notice.title).toBe(`${domain}: score 71 (−12), 2 new, 1 over, 2 open`)
  expect(row?.notice.lines).toEqual(['The week of 23 – 29 November 2026.'])
  expect(
    row?.notice.sections?.map(({ title, items }) => [title, ...items.map(({ label }) => label)]),
  ).toEqual([
    ['Which AI brings me money?', 'ChatGPT'],
    ['Fix first', 'four is open (+20 points)', expect.any(String), expect.any(String)],
    ['New this week', expect.any(String), expect.any(String)],
    ['Still open', 'Old'],
    ['Over', 'Short'],
    ['Unsteady', 'The catalog is empty'],
  ])
  expect(row?.notice.facts).toEqual([
    { label: 'AI revenue', value: '15.00 EUR (−25%)' },
    { label: 'AI revenue', value: '900 JPY (none the week before)' },
    { label: 'AI orders', value: '2 (±0%)' },
    { label: 'AI sessions', value: '15 (+50%)' },
    { label: 'Score', value: '71 (B), 83 a week ago' },
  ])
})

test('it begins with what an incident cost, where enough came before to say', async () => {
  const domain = await watch()
  const first = '2026-09-21'
  await insertRollup(
    db,
    domain,
    Array.from({ length: 70 }, (_, day) => ({
      day: shiftDay(first, day),
      sessions: day < 63 ? 40 + (day % 5) : 6,
    })),
  )
  const lasted = { first_seen_at: new Date('2026-11-23T09:00:00Z'), closed_at: null }
  await openIncident(db, {
    ...{ id: randomUUID(), domain, kind: 'gap', subject: 'catalog_empty', severity: 'critical' },
    ...{ label: 'The catalog is empty', detail: '', fix: '', points: 5, changes: [], steps: [] },
    ...{ is_known: false, well_at: null, last_seen_at: MONDAY, ...lasted },
    opened_at: lasted.first_seen_at,
  })
  await send()
  const [row] = await noticesOf(domain)
  expect(row?.notice.lines).toEqual([
    'The week of 23 – 29 November 2026.',
    expect.stringMatching(
      /^The catalog is empty: From 23 – 29 November 2026 AI brought 42 visits and 0 orders\. Expected from the weeks before were 2\d\d to 3\d\d visits \(with 95% certainty\): 2\d\d to 3\d\d visits fewer\. Orders: too few to say\.$/,
    ),
  ])
  expect(row?.notice.data.digest).toMatchObject({ worth: [expect.any(String)] })
  const silent = await watch({ with_report: false })
  await send()
  expect((await noticesOf(silent))[0]?.notice.data.digest).toMatchObject({ worth: [] })
})

/** Of a digest that is due, the days and orders that it counts. */
async function countAi(domain: string, digest_at: string) {
  clock = new Date(digest_at)
  await db.update(watches).set({ digest_at: clock }).where(eq(watches.domain, domain))
  await send()
  const all = await db
    .select({ notice: notices.notice })
    .from(notices)
    .where(eq(notices.domain, domain))
    .orderBy(desc(notices.at))
    .limit(1)
  return all[0]?.notice
}

test('what AI brought is of days that are over in the shop, and each day is in one digest', async () => {
  const domain = await watch({ time_zone: 'Australia/Sydney' })
  await insertZone(domain, 'America/New_York')
  await insertRollup(db, domain, [
    { day: '2026-11-14', completed: 100 },
    { day: '2026-11-15', completed: 1 },
    { day: '2026-11-21', completed: 2 },
    // Not over: at 16:00, the first digest would see only some of its orders.
    { day: '2026-11-22', completed: 4 },
    { day: '2026-11-28', completed: 8 },
    { day: '2026-11-29', completed: 200 },
  ])
  const first = await countAi(domain, '2026-11-22T21:00:00Z')
  expect(first?.data.digest).toMatchObject({
    from: '2026-11-16',
    to: '2026-11-22',
    ai: { from: '2026-11-15', to: '2026-11-21', orders: 3, orders_before: 100 },
  })
  expect(first?.lines[1]).toBe(
    "What AI brought is of 15 – 21 November 2026, the store's days that are over.",
  )
  const second = await countAi(domain, '2026-11-29T21:00:00Z')
  expect(second?.data.digest).toMatchObject({ ai: { orders: 12, orders_before: 3 } })
})

test('each day of a shop is in one digest also where clocks are changed', async () => {
  const domain = await watch({ time_zone: 'Australia/Sydney' })
  // At 08:00 in Sydney it is Sunday there for half of the year, and Monday for the other half.
  await insertZone(domain, 'Europe/Berlin')
  const days = Array.from({ length: 63 }, (_, n) => shiftDay('2026-03-01', n))
  await insertRollup(
    db,
    domain,
    days.map((day) => ({ day, completed: 1 })),
  )
  for (const due of ['2026-03-22T21', '2026-03-29T21', '2026-04-05T22', '2026-04-12T22']) {
    const notice = await countAi(domain, `${due}:00:00Z`)
    const saturday = shiftDay(due.slice(0, 10), -1)
    expect(notice?.data.digest).toMatchObject({
      ai: { from: shiftDay(saturday, -6), to: saturday, orders: 7 },
    })
  }
})

test('without the right to the report it says nothing of orders', async () => {
  const domain = await watch({ with_report: false })
  await insertRollup(db, domain, [{ day: '2026-11-25', sessions: 10 }])
  await send()
  const [row] = await noticesOf(domain)
  expect(row?.notice.facts).toEqual([])
  expect(row?.notice.data).toMatchObject({ digest: { ai: null } })
})

test('none of a paused watch, and none that is days late', async () => {
  const paused = await watch({ paused_at: MONDAY })
  const late = await watch({ digest_at: new Date(MONDAY.getTime() - 7 * DAY_MS) })
  expect(await send()).toBe(0)
  expect(await noticesOf(paused)).toEqual([])
  expect(await noticesOf(late)).toEqual([])
  const [row] = await db.select().from(watches).where(eq(watches.domain, late))
  expect(row?.digest_at).toEqual(new Date(MONDAY.getTime() + 7 * DAY_MS))
})

test('channels of one mailbox get one message with all domains', async () => {
  const target = 'agency@agency.example'
  const domains = await Promise.all(Array.from({ length: 30 }, () => watch()))
  const channels: string[] = []
  for (const domain of domains) channels.push(await addChannel(domain, { target }))
  // Another key's channel to the same mailbox, one in another zone, and webhooks get theirs alone.
  const [first = ''] = domains
  const foreign = await addChannel(first, { target, key_id: 'other' })
  const hooks = [
    await addChannel(first, { kind: 'webhook', target }),
    await addChannel(domains[1] ?? '', { kind: 'webhook', target }),
  ]
  const elsewhere = await addChannel(await watch({ time_zone: 'Asia/Tokyo' }), { target })
  await send()
  const deliveries = (await Promise.all(channels.map(deliveriesTo))).flat()
  expect(deliveries).toHaveLength(1)
  const [one] = deliveries
  expect(one?.notice.title).toBe('30 domains: nothing is open')
  expect(one?.notice.data.digests).toMatchObject(domains.toSorted().map((domain) => ({ domain })))
  // It is complete, so it does not wait.
  expect(one?.next_at).toEqual(MONDAY)
  for (const alone of [foreign, ...hooks, elsewhere]) {
    const [own, ...more] = await deliveriesTo(alone)
    expect(more).toEqual([])
    expect(own?.notice.data).toHaveProperty('digest')
  }
  // Each domain's feed has only its own.
  expect(await noticesOf(first)).toMatchObject([
    { notice: { data: { digest: { domain: first } } } },
  ])
})

test('an address that was entered twice for a domain gets that domain once', async () => {
  const target = 'twice@agency.example'
  const domains = [await watch(), await watch()].toSorted()
  const channels = [
    await addChannel(domains[0] ?? '', { target }),
    await addChannel(domains[0] ?? '', { target }),
    await addChannel(domains[1] ?? '', { target }),
  ]
  await send()
  const deliveries = (await Promise.all(channels.map(deliveriesTo))).flat()
  expect(deliveries).toMatchObject([
    { notice: { data: { digests: domains.map((domain) => ({ domain })) } }, next_at: MONDAY },
  ])
})

test('who is late gets another message', async () => {
  const target = 'late@agency.example'
  const [early, late] = [
    await watch(),
    await watch({ digest_at: new Date(MONDAY.getTime() + 1000) }),
  ]
  const channels = [await addChannel(early, { target }), await addChannel(late, { target })]
  await send()
  const first = (await Promise.all(channels.map(deliveriesTo))).flat()
  expect(first).toMatchObject([{ next_at: new Date(MONDAY.getTime() + 15 * 60_000) }])
  await db
    .update(watch_deliveries)
    .set({ delivered_at: clock, next_at: null })
    .where(eq(watch_deliveries.notice_id, first[0]?.notice_id ?? ''))
  // As if it had been due with the other, and its replica had been slow.
  await db.update(watches).set({ digest_at: MONDAY }).where(eq(watches.domain, late))
  await send()
  const all = (await Promise.all(channels.map(deliveriesTo))).flat()
  expect(all.map(({ notice }) => (notice.data.digests as unknown[]).length)).toEqual([1, 1])
})

const endings: Record<string, (channel: { id: string; domain: string }) => Promise<unknown>> = {
  'is deleted': (channel) => deleteChannel(db, channel),
  'is unsubscribed': async ({ id }) => {
    const row = await findChannelById(db, id)
    await unsubscribeChannels(db, row === null ? [] : [row], now())
  },
  'has its watch ended': ({ domain }) => deleteWatch(db, domain, now()),
}
test.each(Object.entries(endings))(
  'the others of a mailbox hear of theirs where one %s, and the last one takes the message along',
  async (_, end) => {
    const target = `left${n}@agency.example`
    const domains = [await watch(), await watch(), await watch()]
    const channels: { id: string; domain: string }[] = []
    for (const domain of domains)
      channels.push({ id: await addChannel(domain, { target }), domain })
    // Neither of these receives the message.
    await addChannel(domains[0] ?? '', { target, kind: 'slack' })
    await addChannel(domains[1] ?? '', { target, disabled_at: MONDAY })
    await send()
    const waiting = async () =>
      (await Promise.all(channels.map(({ id }) => deliveriesTo(id))))
        .flat()
        .filter(({ next_at }) => next_at !== null)
    const [before] = await waiting()
    for (let left = channels.length; left > 0; left -= 1) {
      const found = await waiting()
      expect(found).toMatchObject([
        { notice_id: before?.notice_id, next_at: MONDAY, notice: { title: before?.notice.title } },
      ])
      const channel = channels.find(({ id }) => id === found[0]?.channel_id)
      expect(found[0]).toMatchObject({
        domain: channel?.domain,
        notice: { domain: channel?.domain },
      })
      await end(channel ?? { id: '', domain: '' })
    }
    expect(await waiting()).toEqual([])
  },
)

test('a digest that is being sent when its channel goes does not come twice', async () => {
  const target = 'sending@agency.example'
  const [one, other] = [await watch(), await watch()]
  const channels = [await addChannel(one, { target }), await addChannel(other, { target })]
  await send()
  const [delivery] = (await Promise.all(channels.map(deliveriesTo))).flat()
  await db
    .update(watch_deliveries)
    .set({ leased_until: MONDAY })
    .where(eq(watch_deliveries.notice_id, delivery?.notice_id ?? ''))
  await deleteChannel(db, { id: delivery?.channel_id ?? '', domain: delivery?.domain ?? '' })
  expect((await Promise.all(channels.map(deliveriesTo))).flat()).toEqual([])
})

test('a digest that fails is logged, holds up no other, and is made when it can be', async () => {
  const [broken, whole] = [await watch({ time_zone: 'Nowhere/Here' }), await watch()]
  expect(await send()).toBe(1)
  expect(lines.join('')).toContain(broken)
  expect(await noticesOf(whole)).toHaveLength(1)
  await db.update(watches).set({ time_zone: 'UTC' }).where(eq(watches.domain, broken))
  expect(await send()).toBe(1)
})

test('each once, although replicas are killed while they write', async () => {
  const target = 'killed@agency.example'
  const domains = await Promise.all(Array.from({ length: 200 }, () => watch())).then((made) =>
    made.toSorted(),
  )
  const channels: string[] = []
  for (const domain of domains) channels.push(await addChannel(domain, { target }))
  const file = await program('digest-writer')
  const start = async () => {
    const child = spawn(
      process.execPath,
      [file, JSON.stringify({ url: database.url, now: MONDAY })],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    return { child, ended }
  }
  const written = async () => {
    const rows = await db.select({ domain: notices.domain }).from(notices)
    return rows.flatMap(({ domain }) => (domains.includes(domain) ? [domain] : [])).toSorted()
  }
  /** Two replicas write until both wait for what is locked, and are killed there. */
  const killAt = (lock: (tx: Transaction) => Promise<unknown>) =>
    db.transaction(async (tx) => {
      await lock(tx)
      const both = await Promise.all([start(), start()])
      await eventually(() => countWaiting(sql)).toBe(2)
      for (const { child } of both) child.kill('SIGKILL')
      await Promise.all(both.map(({ ended }) => ended))
    })
  const [first = '', second = ''] = [domains[40], domains[80]]
  await killAt((tx) =>
    tx
      .select()
      .from(watches)
      .where(inArray(watches.domain, [first, second]))
      .for('update'),
  )
  const some = await written()
  expect(some.length).toBeGreaterThanOrEqual(40)
  expect(some.length).toBeLessThan(domains.length)
  // The notice of each is written by then, and the message of the group is not.
  await killAt((tx) =>
    tx
      .select()
      .from(watch_deliveries)
      .where(inArray(watch_deliveries.channel_id, channels))
      .for('update'),
  )
  // Postgres lets go of what the killed ones held once it notices.
  await eventually(async () => {
    await send()
    return (await written()).length
  }).toBe(domains.length)
  expect(await written()).toEqual(domains.toSorted())
  const deliveries = (await Promise.all(channels.map(deliveriesTo))).flat()
  expect(deliveries).toHaveLength(1)
  expect(deliveries[0]?.notice.data.digests).toHaveLength(200)
  // Two hundred transactions, one after the other: a minute is not enough on a busy cluster.
}, 600_000)
