import type postgres from 'postgres'
import type { Sql } from 'postgres'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { testDatabase } from '../../testing/app.ts'
import { countWaiting } from '../testing/locks.ts'
import { proxyTo } from '../testing/proxy.ts'
import { isDatabaseUnavailable } from './failures.ts'
import { createPool } from './pool.ts'

const { sql: other, url } = await testDatabase()
await other`create table noted (what text)`
const noted = async () =>
  (await other`select what from noted order by what`).map(({ what }) => what)

const opened: Sql[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sql) => sql.end({ timeout: 5 })))
  await other`truncate noted`
})
function open(max: number) {
  const sql = createPool(url, { max, onnotice: () => {} })
  opened.push(sql)
  return sql
}

const pidOf = async (sql: Pick<Sql, 'unsafe'>): Promise<number> =>
  (await sql.unsafe('select pg_backend_pid() as pid'))[0]?.pid
const terminate = (pid: number) => other`select pg_terminate_backend(${pid}::int)`
const isGone = (pid: number) =>
  eventually(async () => [
    ...(await other`select from pg_stat_activity where pid = ${pid}`),
  ]).toEqual([])
/**
 * A server that does not read all before it closes resets the connection; one that has closed is
 * not written to.
 */
const ENDED = { code: expect.stringMatching('CONNECTION_CLOSED|ECONNRESET|EPIPE') }

/** For work that goes on only when the test says so. */
function gate() {
  let pass = () => {}
  const passed = new Promise<void>((resolve) => {
    pass = resolve
  })
  return { pass, passed }
}

test('types, parts, arrays and prepared statements are the driver’s', async () => {
  const sql = open(2)
  const part = sql`where n > ${1}`
  const rows = () => sql`select n from generate_series(1, 3) n ${part}`
  expect([...(await rows())]).toEqual([{ n: 2 }, { n: 3 }])
  expect([...(await rows().values())]).toEqual([[2], [3]])
  expect([...(await sql`select n from unnest(${['a,', 'b']}::text[]) n`)]).toHaveLength(2)
  expect([...(await sql`select array[1, 2] as all, ${sql.json({ a: 1 })}::jsonb as json`)]).toEqual(
    [{ all: [1, 2], json: { a: 1 } }],
  )
  await sql`insert into noted ${sql([{ what: 'one' }, { what: 'two' }])}`
  expect(await noted()).toEqual(['one', 'two'])
  await expect(sql`select 1 / 0`).rejects.toMatchObject({ code: '22012' })
  const one = open(1)
  const pid = await pidOf(one)
  await expect(one`select 1 / 0`).rejects.toThrow()
  expect(await pidOf(one)).toBe(pid)
  const asked = Array.from({ length: 20 }, (_, n) => sql`select ${n}::int as n`)
  expect((await Promise.all(asked)).map(([row]) => row?.n)).toEqual([...Array(20).keys()])
})

test('a connection that ends in a transaction ends that transaction, and nothing else', async () => {
  const sql = open(1)
  const { pass, passed } = gate()
  let pid = 0
  let late: unknown
  const lost = sql.begin(async (tx) => {
    await tx`insert into noted values ('lost')`
    pid = await pidOf(tx)
    await passed
    late = await tx`insert into noted values ('late')`.catch((error) => error)
    throw late
  })
  lost.catch(() => {})
  await eventually(() => pid).toBeGreaterThan(0)
  await terminate(pid)
  await expect(lost).rejects.toMatchObject(ENDED)

  // The next one is under way while the first still works.
  const next = gate()
  const kept = sql.begin(async (tx) => {
    await tx`insert into noted values ('kept')`
    await next.passed
  })
  await eventually(
    () => other`select from pg_locks where relation = 'noted'::regclass`,
  ).toHaveLength(1)
  pass()
  await eventually(() => late).toMatchObject(ENDED)
  next.pass()
  await kept
  expect(await noted()).toEqual(['kept'])
})

test.each([
  ['a statement', (tx: postgres.TransactionSql) => tx`select pg_sleep(60)`],
  [
    'a savepoint',
    (tx: postgres.TransactionSql) => tx.savepoint((inner) => inner`select pg_sleep(60)`),
  ],
  [
    'statements that wait for each other',
    (tx: postgres.TransactionSql) =>
      Promise.all(Array.from({ length: 500 }, () => tx`select pg_sleep(60)`)),
  ],
])('a connection that ends during %s of a transaction', async (_, act) => {
  const sql = open(1)
  let pid = 0
  let heard: unknown
  const lost = sql.begin(async (tx) => {
    pid = await pidOf(tx)
    await act(tx).catch((error: unknown) => {
      heard = error
      throw error
    })
  })
  lost.catch(() => {})
  await eventually(() => pid).toBeGreaterThan(0)
  await terminate(pid)
  await expect(lost).rejects.toMatchObject(ENDED)
  await eventually(() => heard).toMatchObject(ENDED)
  expect(await pidOf(sql)).not.toBe(pid)
})

test('an idle connection that ends is replaced', async () => {
  const sql = open(1)
  const pid = await pidOf(sql)
  await terminate(pid)
  await isGone(pid)
  await eventually(() => pidOf(sql).catch(() => pid)).not.toBe(pid)
})

test('a transaction that fails gives its connection back', async () => {
  const sql = open(1)
  const pid = await pidOf(sql)
  const failed = sql.begin((tx) => tx`select 1 / 0`)
  await expect(failed).rejects.toMatchObject({ code: '22012' })
  const partly = sql.begin(async (tx) => {
    await tx`insert into noted values ('kept')`
    await tx.savepoint((inner) => inner`select 1 / 0`).catch(() => {})
    return 'done'
  })
  expect(await partly).toBe('done')
  expect(await pidOf(sql)).toBe(pid)
  expect(await noted()).toEqual(['kept'])
})

test('it knows what is in use and what waits', async () => {
  const sql = open(2)
  const { pass, passed } = gate()
  expect(sql.load()).toEqual({ inUse: 0, waiting: 0, max: 2 })
  const held = [1, 2, 3].map(() => sql.begin(() => passed))
  await eventually(sql.load).toEqual({ inUse: 2, waiting: 1, max: 2 })
  pass()
  await Promise.all(held)
  expect(sql.load()).toEqual({ inUse: 0, waiting: 0, max: 2 })
})

test('a place that is kept is nobody’s until it is given back, and its connection is closed', async () => {
  const sql = open(2)
  const [pid] = await Promise.all([pidOf(sql), pidOf(sql)])
  const giveBack = [await sql.reserveSlot(), await sql.reserveSlot()]
  await isGone(pid)
  expect(sql.load()).toEqual({ inUse: 2, waiting: 0, max: 2 })
  const waits = pidOf(sql)
  await eventually(() => sql.load().waiting).toBe(1)
  giveBack[0]?.()
  expect(await waits).not.toBe(pid)
  await isGone(pid)
  giveBack[1]?.()
  const more = [sql`select pg_sleep(0.05)`, sql`select pg_sleep(0.05)`, sql`select pg_sleep(0.05)`]
  expect(await Promise.all(more)).toHaveLength(3)
  expect(sql.load()).toEqual({ inUse: 0, waiting: 0, max: 2 })
})

test('a database that cannot be reached is said at once, each time', async () => {
  const sql = createPool('postgres://127.0.0.1:1/none', { max: 1 })
  for (const _ of [1, 2, 3]) {
    await expect(sql`select 1`).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(sql.begin(async () => {})).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  }
})

test('what comes after the end, or waits for it, is refused', async () => {
  const sql = createPool(url, { max: 1 })
  const held = await other.reserve()
  await held`select pg_advisory_lock(1)`
  const running = sql`select pg_advisory_lock(1)`.execute()
  const waits = sql`select 1`
  waits.catch(() => {})
  await eventually(() => countWaiting(other)).toBe(1)
  const ended = sql.end({ timeout: 5 })
  await expect(waits).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
  await held`select pg_advisory_unlock(1)`
  held.release()
  expect(await running).toHaveLength(1)
  await ended
})

test('who shares connections has some of them at a time, and others have theirs', async () => {
  let shares = ['slow.example', 'node 1']
  const sql = createPool(url, { max: 5, shares: () => shares, onnotice: () => {} })
  opened.push(sql)
  const { pass, passed } = gate()
  const begun: number[] = []
  const hold = (n: number) =>
    sql.begin(async (tx) => {
      begun.push(n)
      await tx`select 1`
      await passed
      return n
    })
  const held = [hold(0), hold(1)]
  shares = ['alike.example', 'node 1']
  held.push(hold(2))
  await eventually(() => begun.length).toBe(2)
  shares = ['other.example', 'node 2']
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }])
  shares = []
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }])
  expect(begun.toSorted()).toEqual([0, 1])
  expect(sql.load()).toEqual({ inUse: 2, waiting: 1, max: 5 })
  pass()
  expect(await Promise.all(held)).toEqual([0, 1, 2])
  expect(sql.load()).toEqual({ inUse: 0, waiting: 0, max: 5 })
})

test('who waits too long for one of a share is told so', async () => {
  const options = { max: 2, shares: () => ['slow.example'], shareWaitMs: 20, onnotice: () => {} }
  const sql = createPool(url, options)
  opened.push(sql)
  const { pass, passed } = gate()
  let begun = 0
  const hold = () =>
    sql.begin(async () => {
      begun += 1
      await passed
    })
  const held = [hold(), hold()]
  await eventually(() => begun).toBe(2)
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_SHARE_TAKEN' })
  pass()
  await Promise.all(held)
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }])
})

test('a connection that ends gives its share back', async () => {
  const sql = createPool(url, { max: 5, shares: () => ['one.example'], onnotice: () => {} })
  opened.push(sql)
  for (let n = 0; n < 3; n += 1) {
    const lost = sql.begin(async (tx) => {
      await terminate(await pidOf(tx))
      await tx`select 1`
    })
    await expect(lost).rejects.toMatchObject(ENDED)
  }
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }])
})

test('what does not get its first answer is given up, and what comes next has a new connection', async () => {
  const server = new URL(url)
  const proxy = await proxyTo({ host: server.hostname, port: Number(server.port) })
  server.host = `127.0.0.1:${proxy.port}`
  const sql = createPool(server.href, { max: 3, fetch_types: false, answersWithinMs: 3000 })
  opened.push(sql)
  await Promise.all([sql`select 1`, sql`select 1`, sql`select 1`])
  proxy.hang()
  const asked: Promise<unknown>[] = [
    sql`select 2`.execute(),
    sql.begin((tx) => tx`select 2`),
    sql.reserve(),
  ]
  const errors = await Promise.all(asked.map((each) => each.catch((thrown: unknown) => thrown)))
  expect(errors.map(isDatabaseUnavailable)).toEqual([true, true, true])
  expect(sql.load()).toMatchObject({ inUse: 0, waiting: 0 })
  await proxy.recover()
  expect([...(await sql`select 3 as three`)]).toEqual([{ three: 3 }])
  await proxy.close()
})

test('what a transaction does once it has begun may take its time', async () => {
  const sql = createPool(url, { max: 1, fetch_types: false, answersWithinMs: 3000 })
  opened.push(sql)
  await sql`select 1`
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const rows = await sql.begin((tx) => {
      vi.advanceTimersByTime(60_000)
      return tx`select 1 as one`
    })
    expect([...rows]).toEqual([{ one: 1 }])
  } finally {
    vi.useRealTimers()
  }
})
