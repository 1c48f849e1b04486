import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { rulesOf } from '../../shared/audit/checks/index.ts'
import { type AuditResult, NO_LINKS, toResult } from '../../shared/audit/result/result.ts'
import { gap, notLookedAt, pass } from '../../shared/audit/rule.ts'
import { DEFAULT_CHECKS, type Severity } from '../../shared/audit/vocabulary.ts'
import { eventually } from '../../shared/testing/wait.ts'
import type { SeenAnswers } from '../../shared/watch/answers.ts'
import { PERIOD_MS } from '../../shared/watch/period.ts'
import { NO_ACCESS } from '../access/testing/no-access.ts'
import type { Engine } from '../audit/engine.ts'
import { listAudits, saveAudit } from '../db/audit/audits.ts'
import { listChecks } from '../db/watch/checks.ts'
import { listIncidents } from '../db/watch/incidents.ts'
import { watch_channels } from '../db/watch/tables.ts'
import { claimWatches, findWatch } from '../db/watch/watches.ts'
import { ApiError } from '../http/api-error.ts'
import { createLog } from '../process/log.ts'
import { auditWith, cleanResult, connectAgain, testDatabase } from '../testing/app.ts'
import { CHECK_LEASE_MS, type CheckDeps, checkWatched } from './check.ts'
import { createWatchScheduler, type SchedulerDeps } from './scheduler.ts'
import { changeWatch, checkNow, createWatch, endWatch } from './set-up.ts'

const { db, sql, url } = await testDatabase()
const START = new Date('2026-11-25T10:00:00Z')
let now = START
const log = createLog({ write: () => {} })
const maker = { keyId: 'key', mayReadReport: false }
const walks = {
  join: () => {
    throw new Error('Nothing is walked here.')
  },
}

/** Audits that find nothing, and what a test makes of them. */
function setting(
  judge: (...asked: Parameters<Engine['audit']>) => Promise<AuditResult> = async (order) =>
    cleanResult(order.domain, order.checks, now),
  answers: () => SeenAnswers = () => ({}),
) {
  const audit: Engine['audit'] = async (...asked) => ({
    ...auditWith(await judge(...asked)),
    answers: answers(),
  })
  const deps: CheckDeps = {
    db,
    now: () => now,
    log,
    walks,
    siteAccess: NO_ACCESS,
    baseUrl: 'https://aisle.example',
    audit,
  }
  const schedule = (change: Partial<SchedulerDeps> = {}) =>
    createWatchScheduler({ ...deps, isBusy: () => false, everyMs: 5, ...change })
  return { deps, schedule }
}
const watch = (domain: string, more: Partial<Parameters<typeof createWatch>[1]> = {}) =>
  createWatch({ db, now: () => now }, { domain, ...more }, maker)
const claim = (most = 10, at = now) => {
  const lease = randomUUID()
  const until = new Date(at.getTime() + CHECK_LEASE_MS)
  return claimWatches(db, { most, now: at, lease, until }).then((rows) =>
    rows.map((row) => ({ ...row, lease })),
  )
}
const none = new AbortController().signal
const fresh = async () => {
  now = START
  await sql`truncate watches, watch_looks, incidents, notices, watch_answers, watch_deliveries`
}

test('what is due is looked at once in each period, over two replicas', async () => {
  await fresh()
  for (let n = 0; n < 30; n += 1) await watch(`shop-${n}.example`)
  const asked: string[] = []
  const { schedule } = setting(async ({ domain, checks }) => {
    asked.push(domain)
    return cleanResult(domain, checks, now)
  })
  const replicas = [schedule(), schedule({ db: (await connectAgain(url)).db })]
  for (const each of replicas) each.start()
  await eventually(() => asked.length).toBe(30)
  await eventually(() => replicas.every((each) => each.load().running === 0)).toBe(true)
  // A whole period passes: each is due once more.
  now = new Date('2026-11-25T11:59:00Z')
  await eventually(() => asked.length).toBe(60)
  await sleep(50)
  await Promise.all(replicas.map((each) => each.stop()))
  expect(asked.toSorted()).toEqual([...new Set(asked)].flatMap((each) => [each, each]).toSorted())
  const [{ n } = { n: 0 }] = await sql<{ n: number }[]>`select count(*)::int as n from watch_looks`
  expect(n).toBe(60)
  expect(replicas.map((each) => each.load().ends.seen).reduce((a, b) => a + b)).toBe(60)
})

test('of one site one domain is looked at at a time, and the first is the one that would be late first', async () => {
  await fresh()
  await watch('weekly.example', { period: 'weekly' })
  await watch('a.shop.example', { period: 'daily' })
  await watch('b.shop.example', { period: 'hourly' })
  expect((await claim()).map(({ domain }) => domain).toSorted()).toEqual([
    'b.shop.example',
    'weekly.example',
  ])
  expect(await claim()).toEqual([])
  await fresh()
  await watch('weekly.example', { period: 'weekly' })
  await watch('hourly.example', { period: 'hourly' })
  expect((await claim(1)).map(({ domain }) => domain)).toEqual(['hourly.example'])
  expect((await claim(1)).map(({ domain }) => domain)).toEqual(['weekly.example'])
})

test('a look whose process was killed is made by another, and what the first one says later counts for nothing', async () => {
  await fresh()
  await watch('killed.example')
  const { deps } = setting()
  const [first] = await claim()
  expect(await claim()).toEqual([])
  now = new Date(now.getTime() + CHECK_LEASE_MS + 1)
  const [second] = await claim()
  expect(second?.slot_at).toEqual(first?.slot_at)
  expect(await checkWatched(deps, second!, none)).toBe('seen')
  expect(await checkWatched(deps, first!, none)).toBe('lost')
  expect(await listChecks(db, 'killed.example')).toHaveLength(1)
})

test('a look that is stopped is due for another replica immediately', async () => {
  await fresh()
  await watch('stopped.example')
  let began = false
  const { schedule } = setting((_, { signal }) => {
    began = true
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('left')))
    })
  })
  const stopping = schedule()
  stopping.start()
  await eventually(() => began).toBe(true)
  await stopping.stop()
  const [again] = await claim()
  expect(again?.domain).toBe('stopped.example')
  expect(await listChecks(db, 'stopped.example')).toEqual([])
})

test('a look that was leased while its process began to stop asks for nothing, and is given back', async () => {
  await fresh()
  await watch('stopping.example')
  let asked = 0
  const { deps } = setting(async ({ domain, checks }) => {
    asked += 1
    return cleanResult(domain, checks, now)
  })
  const [row] = await claim()
  expect(await checkWatched(deps, row!, AbortSignal.abort())).toBe('failed')
  expect(asked).toBe(0)
  expect((await claim()).map(({ domain }) => domain)).toEqual(['stopping.example'])
})

test('a look that fails on our side is made again in a minute, in the same period', async () => {
  await fresh()
  await watch('fails.example')
  let failures = 2
  const { deps } = setting(async ({ domain, checks }) => {
    failures -= 1
    if (failures >= 0) throw new Error('a bug')
    return cleanResult(domain, checks, now)
  })
  for (let n = 0; n < 2; n += 1) {
    const [row] = await claim()
    expect(await checkWatched(deps, row!, none)).toBe('failed')
    expect((await findWatch(db, 'fails.example'))?.outcome).toBe('failed')
    expect(await claim()).toEqual([])
    now = new Date(now.getTime() + 60_000)
  }
  const [row] = await claim()
  expect(await checkWatched(deps, row!, none)).toBe('seen')
  expect(await listChecks(db, 'fails.example')).toMatchObject([{ outcome: 'seen', slot_at: START }])
})

test('while people wait for slots, one look is made at a time', async () => {
  await fresh()
  for (const name of ['a', 'b', 'c']) await watch(`busy-${name}.example`)
  let running = 0
  let most = 0
  const { schedule } = setting(async ({ domain, checks }) => {
    running += 1
    most = Math.max(most, running)
    await sleep(10)
    running -= 1
    return cleanResult(domain, checks, now)
  })
  const scheduler = schedule({ isBusy: () => true })
  scheduler.start()
  await eventually(() => scheduler.load().ends.seen).toBe(3)
  await scheduler.stop()
  expect(most).toBe(1)
})

test('a domain that cannot be looked at is said to be that after a second look, and no gap', async () => {
  await fresh()
  await watch('gone.example')
  let refusal: Error | null = null
  const { deps } = setting(async ({ domain, checks }) => {
    if (refusal !== null) throw refusal
    return cleanResult(domain, checks, now)
  })
  const look = async () => {
    const row = await findWatch(db, 'gone.example')
    now = row!.next_at > now ? row!.next_at : now
    const [taken] = await claim()
    return checkWatched(deps, taken!, none)
  }
  await look()
  refusal = new ApiError(422, 'domain_unreachable', 'GET https://gone.example/ timed out.')
  expect(await look()).toBe('unseen')
  expect(await listIncidents(db, 'gone.example')).toEqual([])
  expect(await look()).toBe('unseen')
  expect(await listIncidents(db, 'gone.example')).toMatchObject([
    {
      kind: 'unseen',
      subject: 'domain',
      severity: 'high',
      detail: 'GET https://gone.example/ timed out.',
      closed_at: null,
    },
  ])
  expect(await findWatch(db, 'gone.example')).toMatchObject({ score: 100, outcome: 'unseen' })
  refusal = null
  await look()
  await look()
  const titles = await sql<{ title: string }[]>`
    select notice->>'title' as title from notices where domain = 'gone.example' order by at`
  expect(titles.map(({ title }) => title)).toEqual([
    'gone.example: The store could not be audited',
    'gone.example: Can be seen again: The store could not be audited',
  ])
})

test('what stands between us and a part of a shop is told as that, with the severity of what it hides', async () => {
  await fresh()
  await watch('gated.example', { severity: 'critical' })
  let isGated = false
  const { deps } = setting(async ({ domain, checks }) => {
    const result = cleanResult(domain, checks, now)
    const hidden = ['catalog_unreachable', 'catalog_empty']
    return isGated
      ? {
          ...result,
          passed: result.passed.filter((id) => !hidden.includes(id)),
          skipped: hidden.map((id) => ({
            id,
            check: 'catalog' as const,
            reason: 'GET https://gated.example/ucp/products answered 503',
          })),
        }
      : result
  })
  const look = async () => {
    const row = await findWatch(db, 'gated.example')
    now = row!.next_at > now ? row!.next_at : now
    const [taken] = await claim()
    return checkWatched(deps, taken!, none)
  }
  await look()
  isGated = true
  await look()
  await look()
  const [incident] = await listIncidents(db, 'gated.example', { only: 'open' })
  expect(incident).toMatchObject({
    kind: 'unseen',
    subject: 'catalog',
    severity: 'critical',
    detail: 'GET https://gated.example/ucp/products answered 503.',
  })
})

test('what a shop writes that Postgres cannot store is stored as far as it can be', async () => {
  await fresh()
  await watch('hostile.example')
  const HOSTILE = 'a\u0000b\ud800 <script>'
  let isWrong = false
  const answers = (): SeenAnswers => {
    const fields = { '/name': `${isWrong} ${HOSTILE}` }
    const answer = {
      at: 'catalog.first',
      request: 'GET https://hostile.example/',
      status: 200,
      why: null,
    }
    return { catalog: [{ ...answer, headers: {}, fields, unsteady: [] }] }
  }
  const { deps } = setting(async ({ domain, checks }) => {
    const result = cleanResult(domain, checks, now)
    const gap = { id: 'catalog_empty', check: 'catalog', severity: 'critical' } as const
    const texts = { label: 'It is empty', detail: HOSTILE, fix: 'Fill it.' }
    return isWrong
      ? { ...result, gaps: [{ ...gap, ...texts, fix_url: null, docs_url: null }] }
      : result
  }, answers)
  for (const wrong of [false, true, true]) {
    isWrong = wrong
    const row = await findWatch(db, 'hostile.example')
    now = row!.next_at > now ? row!.next_at : now
    const [taken] = await claim()
    expect(await checkWatched(deps, taken!, none)).toBe('seen')
  }
  const [incident] = await listIncidents(db, 'hostile.example')
  expect(incident).toMatchObject({ detail: 'a\ufffdb\ufffd <script>', closed_at: null })
  expect(incident?.changes[0]?.after).toBe('true a\ufffdb\ufffd <script>')
})

/** Audits that find the catalog empty, or nothing. */
const settingOf = (isWrong: boolean, severity: Severity) =>
  setting(async ({ domain, checks }) => {
    const gap = { id: 'catalog_empty', check: 'catalog', severity } as const
    const texts = { label: 'It is empty', detail: 'Nothing.', fix: 'Fill it.', points: 1 }
    const result = cleanResult(domain, checks, now)
    return isWrong
      ? { ...result, score: 59, gaps: [{ ...gap, ...texts, fix_url: null, docs_url: null }] }
      : result
  })

/** The checks of a domain that are due next, one after the other, with the store as it is then. */
async function checkAlong(
  domain: string,
  found: readonly boolean[],
  severity: Severity = 'critical',
) {
  for (const isWrong of found) {
    const { next_at } = (await findWatch(db, domain)) ?? expect.fail()
    now = next_at > now ? next_at : now
    const [taken] = await claim()
    await checkWatched(settingOf(isWrong, severity).deps, taken ?? expect.fail(), none)
  }
}

test('what a gap costs is what the score fell by, where it came up alone', async () => {
  await fresh()
  await watch('fell.example')
  await checkAlong('fell.example', [false, true, true])
  expect(await listIncidents(db, 'fell.example')).toMatchObject([{ points: 41 }])
})

test('the end of an incident is told where its beginning arrived, and written down in any case', async () => {
  await fresh()
  const domain = 'heard.example'
  await watch(domain)
  const [heard, waits] = ['channel-heard', 'channel-waits']
  for (const id of [heard, waits]) {
    await db.insert(watch_channels).values({
      ...{ id, domain, kind: 'webhook', target: `https://${id}.example/`, key_id: 'key' },
      ...{ events: ['incident.opened', 'incident.closed'], created_at: now, confirmed_at: now },
    })
  }
  await checkAlong(domain, [false, true, true])
  await sql`update watch_deliveries set delivered_at = now(), next_at = null where channel_id = ${heard}`
  await checkAlong(domain, [false, false])
  const told = await sql`
    select channel_id, notice->>'event' as event from watch_deliveries
    where domain = ${domain} order by channel_id, created_at`
  expect([...told]).toEqual([
    { channel_id: heard, event: 'incident.opened' },
    { channel_id: heard, event: 'incident.closed' },
  ])
  const written = await sql`select event from notices where domain = ${domain} order by at`
  expect(written.map(({ event }) => event)).toEqual(['incident.opened', 'incident.closed'])
})

test.each([
  [
    'told, and then the watch tells worse ones alone',
    'high',
    'critical',
    ['incident.opened', 'incident.closed'],
  ],
  ['not told, and then the watch tells more', 'critical', 'low', []],
] as const)('the end is told where the beginning was: %s', async (_, before, after, told) => {
  await fresh()
  const domain = 'severity.example'
  await watch(domain)
  const tell = (severity: Severity) =>
    sql`update watches set severity = ${severity} where domain = ${domain}`
  await tell(before)
  await checkAlong(domain, [false, true, true], 'high')
  await tell(after)
  await checkAlong(domain, [false, false], 'high')
  const written = await sql`select event from notices where domain = ${domain} order by at`
  expect(written.map(({ event }) => event)).toEqual(told)
})

test('no more looks of a period are made than three', async () => {
  await fresh()
  await watch('restless.example')
  let n = 0
  // Each look wants another: what the last one suspected is gone, and another thing is suspected.
  const restless = ['catalog_empty', 'feed_duplicate_ids']
  const { deps } = setting(async ({ domain, checks }) => {
    n += 1
    const outcomes = rulesOf(checks).map((rule) => ({
      rule,
      verdict: n > 1 && rule.gap === restless[n % 2] ? gap('wrong') : pass(),
    }))
    return toResult(domain, checks, outcomes, now, NO_LINKS)
  })
  for (let looks = 0; looks < 12; looks += 1) {
    const row = await findWatch(db, 'restless.example')
    now = row!.next_at > now ? row!.next_at : now
    const [taken] = await claim()
    await checkWatched(deps, taken!, none)
  }
  const looks = await listChecks(db, 'restless.example')
  const most = Map.groupBy(looks, ({ slot_at }) => slot_at.toISOString())
  expect(Math.max(...[...most.values()].map((each) => each.length))).toBe(3)
  expect(await listIncidents(db, 'restless.example')).toEqual([])
})

test('a watch that is paused, changed, deleted or asked for now behaves so', async () => {
  await fresh()
  const deps = { db, now: () => now }
  await watch('shop.example')
  await expect(watch('shop.example')).rejects.toMatchObject({ code: 'watch_exists' })
  await changeWatch(deps, 'shop.example', { paused: true })
  expect(await claim()).toEqual([])
  await expect(checkNow(deps, 'shop.example')).rejects.toMatchObject({ code: 'watch_paused' })
  await changeWatch(deps, 'shop.example', { paused: false, period: 'weekly' })
  const [taken] = await claim()
  await checkWatched(setting().deps, taken!, none)
  expect(await claim()).toEqual([])
  await checkNow(deps, 'shop.example')
  const [again] = await claim()
  expect(again?.domain).toBe('shop.example')
  await endWatch(deps, 'shop.example')
  expect(await checkWatched(setting().deps, again!, none)).toBe('lost')
  await expect(endWatch(deps, 'shop.example')).rejects.toMatchObject({ code: 'watch_not_found' })
})

const MEANWHILE = 'meanwhile.example'
test.each<[string, () => Promise<{ next_at: Date }>]>([
  ['asked for again', () => checkNow({ db, now: () => now }, MEANWHILE)],
  ['changed', () => changeWatch({ db, now: () => now }, MEANWHILE, { period: 'hourly' })],
])('a watch that is %s while it is looked at is looked at then', async (_, change) => {
  for (const end of ['seen', 'failed']) {
    await fresh()
    await watch(MEANWHILE, { period: 'weekly' })
    const [taken] = await claim()
    let asked: { next_at: Date } | null = null
    const { deps } = setting(async ({ domain, checks }) => {
      now = new Date(now.getTime() + 30_000)
      asked = await change()
      if (end === 'failed') throw new Error('on our side')
      return cleanResult(domain, checks, now)
    })
    expect(await checkWatched(deps, taken!, none)).toBe(end)
    expect(await findWatch(db, MEANWHILE)).toMatchObject({ next_at: asked!.next_at, look: 0 })
  }
})

test.each([
  ['hourly', 'daily'],
  ['hourly', 'weekly'],
  ['daily', 'hourly'],
  ['weekly', 'six_hourly'],
] as const)(
  'changed from %s to %s, a watch is looked at within the new period',
  async (from, to) => {
    const lookAt = async (moment: Date) => {
      now = moment
      const [taken] = await claim()
      expect(await checkWatched(setting().deps, taken ?? expect.fail(), none)).toBe('seen')
    }
    for (let n = 0; n < 20; n += 1) {
      await fresh()
      const domain = `changed-${n}.example`
      // A Thursday, on which periods of all lengths begin.
      now = new Date('2026-11-26T00:00:00Z')
      await watch(domain, { period: from })
      await lookAt(now)
      now = new Date(now.getTime() + 60_000)
      const changed = await changeWatch({ db, now: () => now }, domain, { period: to })
      expect(changed.next_at.getTime() - now.getTime()).toBeLessThanOrEqual(PERIOD_MS[to])
      await lookAt(new Date(Math.max(now.getTime(), changed.next_at.getTime())))
    }
  },
)

test('a look without a walk does not hide for a day what a walk has judged, unless a gap came up', async () => {
  await fresh()
  const domain = 'walked.example'
  await saveAudit(db, cleanResult(domain, DEFAULT_CHECKS, now))
  let open: string[] = []
  const { deps } = setting(async ({ checks }) => {
    const outcomes = rulesOf(checks).map((rule) => ({
      rule,
      verdict: open.includes(rule.gap ?? '')
        ? gap('wrong')
        : rule.reads.join() === 'walk'
          ? notLookedAt('none was made')
          : pass(),
    }))
    return toResult(domain, checks, outcomes, now, NO_LINKS)
  })
  await watch(domain)
  const checkAfter = async (hours: number) => {
    now = new Date(START.getTime() + hours * 3_600_000)
    await checkNow({ db, now: () => now }, domain)
    const [claimed] = await claim()
    expect(await checkWatched(deps, claimed!, none)).toBe('seen')
    const [newest] = await listAudits(db, domain)
    return newest?.checked_at === now.toISOString()
  }
  expect(await checkAfter(0.5)).toBe(false)
  expect(await checkAfter(25)).toBe(true)
  await saveAudit(db, cleanResult(domain, DEFAULT_CHECKS, now))
  open = ['catalog_empty']
  expect(await checkAfter(26)).toBe(true)
})
