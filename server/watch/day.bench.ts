import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import {
  CHECK_PERIODS,
  type CheckPeriod,
  nextSlot,
  PERIOD_MS,
  type Slot,
  slotAt,
} from '../../shared/watch/period.ts'
import { WATCH_LIMITS } from '../audit/slots.ts'
import { bundle } from '../build/bundler.ts'
import { connect, MIGRATIONS } from '../db/connect.ts'
import { onLoopback } from '../testing/on-loopback.ts'

// A day of watched domains over two replicas with a faster clock and three kills -9. An audit is
// replaced by one HTTP request to this process, so that the scheduler, its writes and Postgres are
// measured.

const DOMAINS = Number(process.env.WATCHED ?? 10_000)
/** How much faster than ours their clock runs: a day in six minutes. */
const SPEED = Number(process.env.SPEED ?? 240)
const HOURS = 24
/** How long one replica is measured for. */
const MEASURED_MS = 20_000
const START = new Date('2026-11-25T00:00:00Z')
/** How many of ten domains have each period. */
const OF_TEN: Record<CheckPeriod, number> = { hourly: 1, six_hourly: 3, daily: 4, weekly: 2 }
const periods = CHECK_PERIODS.flatMap((period) => Array<CheckPeriod>(OF_TEN[period]).fill(period))
const periodOf = (n: number): CheckPeriod => periods[n % 10] ?? 'daily'

const dataDir = await mkdtemp(join(tmpdir(), 'aisle-day-'))
const databaseUrl = process.env.DATABASE_URL
const database = await connect({ databaseUrl, dataDir, migrations: MIGRATIONS })
const { sql, url } = database
// Below dist/, so that the bundle finds the packages.
await mkdir('dist', { recursive: true })
const out = await mkdtemp('dist/day-')
// With the whole service, whose licences the bundle knows.
await bundle({ replica: 'server/watch/testing/day-replica.ts', main: 'server/main.ts' }, out)
afterAll(async () => {
  await database.close()
  for (const each of [dataDir, out]) await rm(each, { recursive: true, force: true })
})

/**
 * One domain in fifty has a gap for some hours of the day, one in fifty flaps from check to check.
 */
const asked = new Map<string, number>()
let answersAfterMs = 0
const answers = await onLoopback((request, response) => {
  const domain = request.url?.slice(1) ?? ''
  const times = (asked.get(domain) ?? 0) + 1
  asked.set(domain, times)
  const n = Number(/\d+/.exec(domain)?.[0])
  const isBroken = n % 50 === 10 && times > 3 && times <= 8
  const flaps = n % 50 === 13 && times % 2 === 0
  const body = JSON.stringify(isBroken || flaps ? ['catalog_empty'] : [])
  if (answersAfterMs === 0) response.end(body)
  else setTimeout(() => response.end(body), answersAfterMs)
})
afterAll(answers.close)

let began = 0
const simulated = () => new Date(START.getTime() + (Date.now() - began) * SPEED)

function startReplica(env: Record<string, string> = {}): ChildProcess {
  return fork(join(out, 'replica.js'), {
    env: {
      ...process.env,
      DATABASE_URL: url,
      ANSWERS: answers.origin,
      BEGAN: String(began),
      START: String(START.getTime()),
      SPEED: String(SPEED),
      ...env,
    },
  })
}

interface Load {
  heap: number
  /** Of the process since it began. */
  cpuMs: number
  ends: Record<string, number>
}
async function loadOf(replica: ChildProcess): Promise<Load> {
  replica.send('load')
  const [load] = await once(replica, 'message')
  return load
}

/** Watches of `count` domains, as they are at `START`. */
async function insertWatches(
  count: number,
  slotOf: (domain: string, n: number) => [CheckPeriod, Slot],
) {
  for (let n = 0; n < count; n += 1000) {
    const rows = Array.from({ length: Math.min(1000, count - n) }, (_, k) => {
      const domain = `shop-${n + k}.example`
      const [period, { slot_at, next_at, late_at }] = slotOf(domain, n + k)
      return {
        domain,
        site: domain,
        key_id: 'x',
        checks: ['catalog'],
        walk: false,
        period,
        slot_at,
        next_at,
        late_at,
      }
    })
    await sql`
      insert into watches (domain, site, key_id, checks, walk, period, severity, time_zone, with_report, tags,
        created_at, slot_at, look, next_at, late_at, state, digest_at)
      select domain, site, key_id, array(select jsonb_array_elements_text(checks)), walk, period, 'high', 'UTC',
        false, '{}', slot_at, slot_at, 0, next_at, late_at, '{}', '2030-01-01'
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given(domain text, site text, key_id text,
        checks jsonb, walk boolean, period text, slot_at timestamptz, next_at timestamptz, late_at timestamptz)`
  }
}

test('each domain is looked at once in each period, while replicas are killed', async () => {
  await insertWatches(DOMAINS, (domain, n) => [periodOf(n), firstSlot(domain, periodOf(n))])
  began = Date.now()
  const replicas = [startReplica(), startReplica()]
  const ages: number[] = []
  const heaps: number[] = []
  const kills = [HOURS * 0.2, HOURS * 0.5, HOURS * 0.8]
  for (;;) {
    const hours = (simulated().getTime() - START.getTime()) / 3_600_000
    if (hours >= HOURS) break
    await sleep(1000)
    const [row] = await sql<{ age: number }[]>`
      select coalesce(extract(epoch from ${simulated().toISOString()}::timestamptz - min(next_at)), 0)::float8 as age
      from watches where next_at <= ${simulated().toISOString()}::timestamptz`
    ages.push(row?.age ?? 0)
    if (ages.length % 10 === 0) heaps.push((await loadOf(replicas[1]!)).heap)
    if (kills[0] !== undefined && hours > kills[0]) {
      kills.shift()
      replicas[0]?.kill('SIGKILL')
      await sleep(2000)
      replicas[0] = startReplica()
    }
  }
  for (const each of replicas) each.kill('SIGTERM')
  await Promise.all(replicas.map((each) => once(each, 'exit')))

  const end = new Date(START.getTime() + HOURS * 3_600_000)
  const looks = await sql<
    { period: CheckPeriod; slots: number; first: number; late: number; worst: number }[]
  >`
    select watches.period, count(distinct (domain, looks.slot_at))::int as slots,
      count(*) filter (where looks.look = 0)::int as first,
      count(*) filter (where looks.look = 0 and looks.started_at > looks.due_at + case watches.period
        when 'hourly' then interval '6 minutes' when 'six_hourly' then interval '36 minutes'
        when 'daily' then interval '144 minutes' else interval '1008 minutes' end)::int as late,
      max(extract(epoch from looks.started_at - looks.due_at)) filter (where looks.look = 0)::float8 as worst
    from watches join watch_looks looks using (domain)
    where looks.due_at < ${end.toISOString()}::timestamptz - interval '10 minutes'
    group by watches.period`
  /** Those whose check was due until ten minutes before the end. */
  const due = (period: CheckPeriod) =>
    Array.from({ length: DOMAINS }, (_, n) => n)
      .filter((n) => periodOf(n) === period)
      .reduce((sum, n) => {
        const { next_at } = firstSlot(`shop-${n}.example`, period)
        let count = 0
        for (let at = next_at.getTime(); at < end.getTime() - 600_000; at += PERIOD_MS[period])
          count += 1
        return sum + count
      }, 0)
  const [told] = await sql<{ opened: number; flapping: number; again: number }[]>`
    select count(*) filter (where event = 'incident.opened')::int as opened,
      count(*) filter (where substring(domain from '\\d+')::int % 50 = 13)::int as flapping,
      (select count(*)::int from watch_looks where look > 0) as again
    from notices`
  const all = looks.reduce((sum, { first }) => sum + first, 0)
  process.stdout.write(
    `${DOMAINS} domains, a day in ${(HOURS * 60) / SPEED} minutes: ${all} looks and ${told?.again} second ones, ` +
      `${(all / ((HOURS * 3600) / SPEED)).toFixed(0)} a second of ours. Queue age of the day: median ` +
      `${quantile(ages, 0.5).toFixed(0)} s, p99 ${quantile(ages, 0.99).toFixed(0)} s, most ${Math.max(...ages).toFixed(0)} s. ` +
      `Heap ${heaps.map((heap) => (heap / 2 ** 20).toFixed(0)).join(' ')} MiB. ${told?.opened} incidents told.\n`,
  )
  for (const { period, first, slots, late, worst } of looks) {
    process.stdout.write(
      `${period}: ${first} of ${due(period)}, ${late} late, at most ${worst.toFixed(0)} s after they were due\n`,
    )
    expect({ period, first, slots, late }).toEqual({
      period,
      first: due(period),
      slots: due(period),
      late: 0,
    })
  }
  expect(told?.flapping).toBe(0)
  expect(told?.opened).toBeGreaterThan(0)
  const half = Math.ceil(heaps.length / 2)
  expect(quantile(heaps.slice(half), 0.5)).toBeLessThan(quantile(heaps.slice(0, half), 0.5) * 1.5)
})

test('how many looks a second one replica makes when all domains are due at once', async () => {
  for (const takesMs of [0, 1000]) {
    await sql`truncate watches, watch_looks, notices, incidents`
    asked.clear()
    answersAfterMs = takesMs
    await insertWatches(DOMAINS, (domain) => [
      'daily',
      { ...firstSlot(domain, 'daily'), next_at: START },
    ])
    began = Date.now()
    const replica = startReplica({ SPEED: '1' })
    // It answers when it is up.
    const from = await loadOf(replica)
    await sleep(MEASURED_MS)
    const to = await loadOf(replica)
    replica.kill('SIGTERM')
    await once(replica, 'exit')
    const looks = (to.ends.seen ?? 0) - (from.ends.seen ?? 0)
    process.stdout.write(
      `One replica, ${takesMs} ms a look: ${((looks * 1000) / MEASURED_MS).toFixed(1)} looks a second, ` +
        `${((to.cpuMs - from.cpuMs) / looks).toFixed(1)} ms of its CPU each\n`,
    )
    // Its slots, each busy all the time.
    if (takesMs > 0)
      expect((looks * takesMs) / MEASURED_MS).toBeGreaterThan(0.9 * WATCH_LIMITS.slots)
  }
})

/** The first one whose check is not due before the day begins. */
function firstSlot(domain: string, period: CheckPeriod): Slot {
  const slot = slotAt(domain, period, START)
  return slot.next_at >= START ? slot : nextSlot(domain, period, slot.slot_at, START)
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
}
