import { expect, test } from 'vitest'
import { Report } from '../../shared/attribution/report.ts'
import { createBeaconDays } from '../attribution/beacon/days.ts'
import { PER_PROPERTY_AND_DAY } from '../attribution/beacon/limits.ts'
import { asBrowser, beacon, SHOP } from '../attribution/beacon/testing/beacon.ts'
import { createProperty } from '../attribution/properties.ts'
import { addBeaconDays } from '../db/attribution/beacon-days.ts'
import { beacon_days } from '../db/attribution/tables.ts'
import { forgetSession } from '../db/events/forget.ts'
import { dropBefore } from '../db/events/partitions.ts'
import { ai_sessions, events } from '../db/events/tables.ts'
import { shardsOf } from '../db/sharding/shards.ts'
import { connectAgain, testApp } from '../testing/app.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const NOON = Date.parse('2026-11-21T12:00:00Z')
const DAY = '2026-11-21'

/** A shop whose clock is the test's, and what arrives of it. */
async function shop() {
  const clock = { at: NOON }
  const now = () => new Date(clock.at)
  const own = await testApp({ now })
  const property = await createProperty(own.db, { domain: 'shop.example' }, now())
  const ask = asBrowser(own.app, property.id)
  const loadReport = async () => {
    await own.beaconDays.flush()
    const answer = await own.ask('/api/report?domain=shop.example&start=2026-11-20&end=2026-11-22')
    return Report.parse(await answer.json())
  }
  return { ...own, clock, now, property, ask, loadReport }
}

let sessions = 0
const session = () => {
  sessions += 1
  return beacon({ id: `session-${sessions}` })
}

/** Sends in turns of a second, so that no limit per second hides those per day. */
async function flood(
  { clock, ask }: Awaited<ReturnType<typeof shop>>,
  seconds: number,
  each: (second: number) => Parameters<typeof ask>[0][],
) {
  const answers: number[] = []
  for (let second = 0; second < seconds; second += 1) {
    clock.at += 1000
    const sent = each(second).map((given) => ask({ body: session(), ...given }))
    answers.push(...(await Promise.all(sent)).map(({ status }) => status))
  }
  return answers
}

test('a flood from one address is set aside, and every visitor beside it counts', async () => {
  const own = await shop()
  const forged = { from: '198.51.100.7' }
  const perSecond = 200
  const seconds = 20
  const visitors = seconds * 3
  const counted = 100 + visitors
  // Whatever of the flood took a place of the property would push a visitor out.
  const earlier = PER_PROPERTY_AND_DAY - counted
  const key = { domain: 'shop.example', day: DAY, property_id: own.property.id }
  const none = { over_address: 0, over_network: 0, over_property: 0 }
  await addBeaconDays(shardsOf(own.sql).at([key.domain]), [{ ...key, ...none, admitted: earlier }])
  const answers = await flood(own, seconds, () => [
    ...Array.from({ length: perSecond }, () => forged),
    // Two from networks of their own, and one from the flood's.
    {},
    {},
    { from: `198.51.100.${100 + (sessions % 100)}`, headers: { 'User-Agent': FIREFOX } },
  ])
  const sent = seconds * perSecond + visitors
  expect(answers.filter((status) => status === 200)).toHaveLength(counted)
  expect(answers.filter((status) => status === 429)).toHaveLength(sent - counted)

  const { summary, set_aside } = await own.loadReport()
  expect(summary.ai_sessions).toBe(counted)
  const forgedAside = sent - counted
  expect(set_aside).toEqual([
    { date: DAY, sessions: forgedAside, by_address: forgedAside, by_network: 0, by_property: 0 },
  ])
  for (const table of [events, ai_sessions]) {
    expect(await own.db.$count(table)).toBe(counted)
  }
  expect(await own.db.select().from(beacon_days)).toEqual([
    { ...key, ...none, admitted: earlier + counted, over_address: forgedAside },
  ])
})

test.each([
  { name: 'an IPv4 /24', address: (n: number) => `198.51.100.${n % 256}` },
  { name: 'an IPv6 /48', address: (n: number) => `2001:db8:7:${(n % 60_000).toString(16)}::1` },
])('a flood from $name takes a small part of its property, and visitors count', async (given) => {
  const own = await shop()
  let n = 0
  const answers = await flood(own, 40, () => [
    ...Array.from({ length: 60 }, () => ({ from: given.address(n++) })),
    {},
    {},
  ])
  expect(answers.filter((status) => status === 200)).toHaveLength(1000 + 80)
  const { summary, set_aside } = await own.loadReport()
  expect(summary.ai_sessions).toBe(1080)
  expect(set_aside).toMatchObject([{ sessions: 1400, by_property: 0 }])
  expect(1000).toBeLessThanOrEqual(PER_PROPERTY_AND_DAY / 20)
})

test('the day of a property ends for all replicas, also after a start, and begins anew', async () => {
  const own = await shop()
  const { property, clock, now, db, ask, loadReport } = own
  const key = { domain: 'shop.example', day: DAY, property_id: property.id }
  const none = { over_address: 0, over_network: 0, over_property: 0 }
  await addBeaconDays(shardsOf(own.sql).at([key.domain]), [
    { ...key, ...none, admitted: PER_PROPERTY_AND_DAY - 3 },
  ])

  const other = await connectAgain(own.url)
  const replica = await testApp({
    db: other.db,
    ingest: own.ingest,
    beaconDays: createBeaconDays({ sql: other.sql, now, log: own.log }),
    now,
  })
  const askReplica = asBrowser(replica.app, property.id)
  expect((await ask({ body: session() })).status).toBe(200)
  await own.beaconDays.flush()
  expect((await askReplica({ body: session() })).status).toBe(200)
  expect((await askReplica({ body: session() })).status).toBe(200)
  const refused = await askReplica({ body: session() })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe(String(12 * 3600))
  await replica.beaconDays.flush()
  // The first has not heard of it yet, and hears of it with what it writes.
  await ask({ body: session() })
  await own.beaconDays.flush()
  expect((await ask({ body: session() })).status).toBe(429)

  const { summary, set_aside } = await loadReport()
  expect(summary.ai_sessions).toBe(4)
  expect(set_aside).toEqual([
    { date: DAY, sessions: 2, by_address: 0, by_network: 0, by_property: 2 },
  ])
  clock.at += 12 * 3_600_000
  expect((await ask({ body: session() })).status).toBe(200)
  expect((await loadReport()).set_aside).toHaveLength(1)
  expect(await db.$count(beacon_days)).toBe(2)
})

test('a full day of the longest sessions is less than 50 MB', async () => {
  const own = await shop()
  const { app, sql, property, clock } = own
  const ask = asBrowser(app, property.id)
  const random = (length: number) =>
    Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('')
  const host = (end: string) =>
    `https://${random(60)}.${random(60)}.${random(60)}.${random(48)}.${end}`
  const foreign = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.random() * 20_000)).join('')
  const size = async () => {
    const [row] = await sql<{ bytes: string }[]>`
      select sum(pg_total_relation_size(oid)) as bytes from pg_class
      where relkind = 'r' and relname ~ '^(events|event_keys|ai_sessions|rollup_daily|beacon_days)'`
    return Number(row?.bytes)
  }
  const many = 2000
  const send = async (count: number) => {
    for (let n = 0; n < count; n += 200) {
      clock.at += 1000
      const answers = await Promise.all(
        Array.from({ length: 200 }, () =>
          ask({
            headers: { Origin: SHOP },
            body: beacon({
              id: random(64),
              referrer: host('chatgpt.com'),
              landing: `${host('shop.example')}/?utm_source=${foreign(100)}&utm_medium=${foreign(100)}&utm_campaign=${foreign(100)}&gclid=1`,
              text_fragment: true,
              surface: random(64),
              model: random(32),
            }),
          }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }
  }
  await send(200)
  const before = await size()
  await send(many)
  const each = ((await size()) - before) / many
  expect(each * PER_PROPERTY_AND_DAY).toBeLessThan(50e6)
})

test('what was set aside stays with the totals; erasing a session does not concern it', async () => {
  const { sql, db } = await testApp()
  const of = (day: string, over_address: number) => ({
    domain: 'shop.example',
    day,
    property_id: 'p',
    admitted: 5,
    over_address,
    over_network: 0,
    over_property: 0,
  })
  const days = ['2026-09-30', '2026-10-01', '2026-11-01'] as const
  await addBeaconDays(shardsOf(sql).at(['shop.example']), [
    of(days[0], 7),
    of(days[1], 0),
    of(days[2], 0),
  ])
  await sql`create table events_2026_10 partition of events
    for values from ('2026-10-01') to ('2026-11-01')`
  await dropBefore(sql, '2026-11')
  const kept = await db.select().from(beacon_days)
  expect(kept.map(({ day }) => day).sort()).toEqual([days[0], days[2]])
  await forgetSession(db, 'shop.example', 'session-0001')
  expect(await db.select().from(beacon_days)).toEqual(kept)
})
