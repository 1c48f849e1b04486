import { afterEach, expect, test, vi } from 'vitest'
import { eventually, PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { NO_ACCESS } from '../../access/testing/no-access.ts'
import { findWalk, readTranscript } from '../../db/audit/walks.ts'
import { createLog } from '../../process/log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import { makeFreshWalk } from './fresh-walk.ts'
import { createWalks, type WalksDeps } from './jobs.ts'
import type { WalkOrder } from './order.ts'
import { createGate, pretendStore } from './testing/pretend-store.ts'

const { db, sql, url } = await testDatabase()
const lines: string[] = []
const log = createLog({ write: (line) => lines.push(line) })
const baseUrl = 'https://aisle.example'
const NEVER = new AbortController().signal

const walksOf = (
  store: Pick<WalksDeps, 'walk' | 'cancelLeftOpen'>,
  change: Partial<WalksDeps> = {},
) =>
  createWalks({
    ...{ db, now: () => new Date(), log, baseUrl, siteAccess: NO_ACCESS },
    ...store,
    ...change,
  })

const orderOf = (domain: string): WalkOrder => ({
  domain,
  mode: 'look',
  intents: ['cheapest_variant', 'po_box'],
})

/** A walk whose process is gone: it stands still, and nobody says that it lives. */
async function killedWalk(domain: string) {
  const store = pretendStore({ hold: () => new Promise(() => {}) })
  // No heartbeat either.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const { id } = await walksOf(store).start(orderOf(domain), 'key')
  await eventually(() => store.open.size).toBe(1)
  await eventually(
    async () => (await sql`select from walk_events where walk_id = ${id}`).length,
  ).toBe(4)
  vi.useRealTimers()
  return { id, store }
}
afterEach(() => void vi.useRealTimers())

/** As if its process had been silent so long. */
const age = (id: string, seconds: number) => sql`
  update walks set leased_until = now() + make_interval(secs => ${30 - seconds}) where id = ${id}`
const leftOf = (domain: string) =>
  sql<{ session: string; leased: boolean }[]>`
    select session, leased_until is not null as leased from walk_sessions where domain = ${domain}`
const lineOf = async (id: string) => (await findWalk(db, id, ['*']))!

test('a walk whose server was killed is ended by another, and what it left open is cancelled', async () => {
  const { id, store } = await killedWalk('killed.example')
  const other = pretendStore()
  const walks = walksOf(other)
  await age(id, 10)
  await walks.sweep()
  expect((await lineOf(id)).state).toBe('under_way')
  expect(await leftOf('killed.example')).toHaveLength(1)
  expect(other.cancelled).toEqual([])

  await age(id, 31)
  await walks.sweep()
  expect(await lineOf(id)).toMatchObject({
    state: 'ended',
    stopped: 'The server that made this walk stopped. Start the walk again.',
    events: 5,
    summary: { not_walked: 1, requests: 2 },
  })
  const transcript = await readTranscript(db, { domain: 'killed.example', id })
  expect(transcript?.routes[0]?.purchases[0]).toMatchObject({
    outcome: 'not_walked',
    why: 'The walk stopped before the end of this purchase.',
    steps: [{ n: 1 }],
  })
  const [key] = store.open.keys()
  expect(other.cancelled).toMatchObject([
    { walk: id, domain: 'killed.example', key, session: `session-${key}` },
  ])
  expect(other.cancelled[0]?.opening).toMatchObject({ op: 'open', key })
  expect(other.cancelled[0]?.route).toMatchObject({
    dialect: 'spec_ucp',
    endpoint: 'https://shop.example/ucp',
    version: null,
    capabilities: [],
    orders: null,
  })
  expect(await leftOf('killed.example')).toEqual([])
  expect(walks.load().leftOpen).toBe(0)
})

test('who joins gets the walk that is under way, or one of its own', async () => {
  const gate = createGate()
  const store = pretendStore({ hold: gate.hold })
  const walks = walksOf(store)
  const [one, two] = await Promise.all(
    ['one', 'two'].map((key) => walks.join(orderOf('shared.example'), key)),
  )
  expect(one?.id).toBe(two?.id)
  let joined = 0
  const join: typeof walks.join = async (...asked) => {
    const row = await walks.join(...asked)
    joined += 1
    return row
  }
  const fresh = ['three', 'four'].map((keyId) =>
    makeFreshWalk(
      { db, now: () => new Date(), walks: { join }, askMs: 5 },
      { domain: 'shared.example', keyId },
      NEVER,
    ),
  )
  await eventually(() => joined).toBe(2)
  gate.letGo()
  expect((await Promise.all(fresh)).map((walk) => walk?.id)).toEqual([one?.id, one?.id])
  expect(store.orders).toHaveLength(1)
})

test('a walk that was to be cancelled when its server died is cancelled', async () => {
  const { id } = await killedWalk('both.example')
  const walks = walksOf(pretendStore())
  await age(id, 31)
  const name = { domain: 'both.example', id }
  expect(await walks.cancel(name, new AbortController().signal)).toMatchObject({
    state: 'cancelled',
    stopped: 'The walk was cancelled.',
  })
  await walks.sweep()
})

test('what could not be cancelled is tried again after five minutes, by one replica, for a day', async () => {
  const { id } = await killedWalk('stubborn.example')
  await age(id, 31)
  const later = await connectAgain(url)
  const tried: number[] = []
  let at = Date.now()
  const walks = [db, later.db].map((each, n) =>
    walksOf(
      {
        ...pretendStore(),
        cancelLeftOpen: async (entries) => {
          tried.push(n)
          expect(entries).toHaveLength(1)
          return 0
        },
      },
      { db: each, now: () => new Date(at) },
    ),
  )
  const sweepBoth = () => Promise.all(walks.map(({ sweep }) => sweep()))
  await sweepBoth()
  expect(tried).toHaveLength(1)
  expect(walks.map(({ load }) => load().leftOpen)).toEqual([1, 1])
  at += 4 * 60_000
  await sweepBoth()
  expect(tried).toHaveLength(1)
  at += 61_000
  await sweepBoth()
  expect(tried).toHaveLength(2)
  at += 86_400_000
  await sweepBoth()
  expect(tried).toHaveLength(2)
  // Given up, although it is noted for another day.
  expect(walks.map(({ load }) => load().leftOpen)).toEqual([0, 0])
  expect(await leftOf('stubborn.example')).toHaveLength(1)
  await sql`delete from walk_sessions`
})

test('a sweep begins nothing that may last longer than others leave it alone', async () => {
  const { id } = await killedWalk('hanging.example')
  await age(id, 31)
  const late = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  let isLate: boolean | undefined
  const walks = walksOf({
    ...pretendStore(),
    cancelLeftOpen: async (_, { signal }) => {
      late.abort()
      isLate = signal.aborted
      return 0
    },
  })
  await walks.sweep()
  expect(isLate).toBe(true)
  // Rows are leased for five minutes, and one of them takes half a minute at most.
  expect(timeout.mock.calls).toEqual([[4 * 60_000]])
  timeout.mockRestore()
  await sql`delete from walk_sessions`
})

test('a sweep that fails is a line in the log, and the next is not kept from it', async () => {
  const { id } = await killedWalk('broken.example')
  await age(id, 31)
  lines.splice(0)
  const walks = walksOf({
    ...pretendStore(),
    cancelLeftOpen: () => Promise.reject(new Error('no way')),
  })
  walks.keepSweeping()
  await eventually(() => lines.join()).toContain('not cancelled yet')
  await walks.stop(1000)
  expect((await lineOf(id)).state).toBe('ended')
  await sql`delete from walk_sessions`
})

test('a service that stops ends its walks, waits for their cancellation, and takes no more', async () => {
  const store = pretendStore({ hold: createGate().hold })
  const walks = walksOf(store)
  const { id } = await walks.start(orderOf('restart.example'), 'key')
  await eventually(() => store.open.size).toBe(1)
  await walks.stop(PATIENCE_MS)
  expect(store.open.size).toBe(0)
  expect(await lineOf(id)).toMatchObject({
    state: 'ended',
    stopped: 'The service was restarted. Start the walk again.',
    summary: { passed: 1 },
  })
  expect(walks.load().outcomes).toMatchObject({ stopped: 1 })
  await expect(walks.start(orderOf('restart.example'), 'key')).rejects.toMatchObject({
    status: 503,
  })
})

test('it does not wait longer than it may: the next sweep has the rest', async () => {
  const store = pretendStore({ hold: () => new Promise(() => {}) })
  const walks = walksOf(store)
  await walks.start(orderOf('slow.example'), 'key')
  await eventually(async () => (await leftOf('slow.example'))[0]?.session).toEqual(
    expect.any(String),
  )
  await walks.stop(50)
  expect(await leftOf('slow.example')).toEqual([{ session: expect.any(String), leased: false }])
})

test('a walk that takes too long ends with that reason', async () => {
  const store = pretendStore({ hold: createGate().hold })
  const walks = walksOf(store, { longestMs: 50 })
  const { id } = await walks.start(orderOf('endless.example'), 'key')
  await eventually(async () => (await lineOf(id)).state).toBe('ended')
  expect((await lineOf(id)).stopped).toBe('The walk took longer than 20 minutes.')
  expect(store.open.size).toBe(0)
})

test('one that came to its end before it heard that it should stop has ended', async () => {
  let heard = () => {}
  const hears = new Promise<void>((resolve) => {
    heard = resolve
  })
  let isWalked = false
  const { walk, cancelLeftOpen } = pretendStore()
  const walks = walksOf({
    cancelLeftOpen,
    walk: async (order, hooks) => {
      const transcript = await walk(order, hooks)
      isWalked = true
      await hears
      return transcript
    },
  })
  const { id } = await walks.start(orderOf('just.example'), 'key')
  await eventually(() => isWalked).toBe(true)
  const cancelled = walks.cancel({ domain: 'just.example', id }, new AbortController().signal)
  heard()
  expect(await cancelled).toMatchObject({ state: 'ended', stopped: null })
})

test('a walk that another server has ended stops', async () => {
  const store = pretendStore({ hold: createGate().hold })
  const walks = walksOf(store)
  const { id } = await walks.start(orderOf('taken.example'), 'key')
  await eventually(() => store.open.size).toBe(1)
  await age(id, 31)
  // It says that it lives each second; this one is quicker, once.
  await eventually(async () => {
    await age(id, 31)
    await walksOf(pretendStore()).sweep()
    return (await lineOf(id)).state
  }).toBe('ended')
  await eventually(() => store.open.size).toBe(0)
  await eventually(() => walks.load().running).toBe(0)
  expect((await lineOf(id)).stopped).toContain('The server that made this walk stopped')
})

test('while the database is away nothing is lost that the end can still tell', async () => {
  const gate = createGate()
  const store = pretendStore({ hold: gate.hold })
  const walks = walksOf(store)
  await sql`alter table walk_events rename to hidden`
  const { id } = await walks.start(orderOf('away.example'), 'key')
  await eventually(() => lines.join()).toContain('events of a walk not written yet')
  await sql`alter table hidden rename to walk_events`
  gate.letGo()
  await eventually(async () => (await lineOf(id)).state).toBe('ended')
  const rows = await sql`select n from walk_events where walk_id = ${id} order by n`
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: rows.length }, (_, n) => n + 1))
  expect(rows).toHaveLength(10)
})

test('a walk may buy at the hosts of its key, and all walks together thirty times an hour at one', async () => {
  const { walk, cancelLeftOpen } = pretendStore()
  const seen: unknown[] = []
  const walks = walksOf({
    cancelLeftOpen,
    walk: async (order, hooks) => {
      const { isNamed, countAt } = hooks
      seen.push(['pay.example', 'other.example'].map((host) => isNamed?.(host)))
      for (let n = 0; n < 15; n += 1) seen.push(await countAt?.('busy.example'))
      return walk(order, hooks)
    },
  })
  for (const [n, id] of ['one', 'another', 'third'].entries()) {
    const covered = ['pay.example', '*']
    await walks.start({ ...orderOf(`counted${n}.example`), covered }, id)
    await eventually(() => walks.load().running).toBe(0)
  }
  const [own, ...rest] = seen
  expect(own).toEqual([true, false])
  const said = rest.filter((each) => typeof each === 'string')
  expect(rest.filter((each) => each === null)).toHaveLength(30)
  expect(said).toHaveLength(15)
  expect(said[0]).toMatch(
    /^busy\.example has had 30 walks within an hour, .+ Walk again in 60 minutes\.$/,
  )
})

test('three walks of one key are under way at a time, and another key has its own slot', async () => {
  const gate = createGate()
  const store = pretendStore({ hold: gate.hold })
  const walks = walksOf(store)
  for (const n of [1, 2, 3, 4]) await walks.start(orderOf(`q${n}.example`), 'one')
  await eventually(() => store.open.size).toBe(3)
  expect(walks.load()).toMatchObject({ running: 3, waiting: 1, slots: 4 })
  await walks.start(orderOf('other.example'), 'other')
  await eventually(() => store.open.size).toBe(4)
  gate.letGo()
  await eventually(() => walks.load()).toMatchObject({
    running: 0,
    waiting: 0,
    outcomes: { ended: 5 },
  })
})
