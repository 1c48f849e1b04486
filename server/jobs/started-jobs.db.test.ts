import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { jobColumns } from '../db/leases/columns.ts'
import { jobRows } from '../db/leases/rows.ts'
import { testDatabase } from '../testing/app.ts'
import { createStartedJobs } from './started-jobs.ts'

const rows = pgTable('made_jobs', {
  domain: text().notNull(),
  id: uuid().primaryKey(),
  why: text(),
  ...jobColumns(),
})
type Row = typeof rows.$inferSelect

const { db } = await testDatabase()
await db.execute(sql`
  create table made_jobs (domain text not null, id uuid primary key, why text, leased_until timestamptz,
    asked_at timestamptz not null, ended_at timestamptz, cancel_asked_at timestamptz)`)
await db.execute(sql`create unique index on made_jobs (domain) where ended_at is null`)
const { extend, askToCancel, mayEnd, isNamed } = jobRows(rows, sql`ended_at is null`)

/** Longer than a busy machine delays a heartbeat. */
const LEASE_MS = 1000

/** A process with its jobs: of a killed one nothing is heard any more. */
function startProcess() {
  let isKilled = false
  const buried: string[] = []
  const until = () => new Date(Date.now() + LEASE_MS)
  const end = (row: Row, why: string) =>
    db
      .update(rows)
      .set({ why, ended_at: new Date() })
      .where(mayEnd(row, rows.why, why === 'done' ? 'died' : null))
  const jobs = createStartedJobs<Row>({
    now: () => new Date(),
    everyMs: 20,
    reasons: {
      cancel: () => new Error('cancelled'),
      over: () => new Error('over'),
      restart: () => new Error('restarted'),
      refuse: () => new Error('refused'),
    },
    endDead: async (row) => {
      buried.push(row.id)
      await end(row, 'died')
    },
    onBeatError: () => {},
    onEndError: () => {},
  })
  /** Opens the job of a domain, which works until it is told to end, or until `work` is. */
  async function start(domain: string, work: Promise<unknown> = new Promise(() => {})) {
    const { row, isNew } = await jobs.open(
      async () => {
        const asked = { domain, id: randomUUID(), asked_at: new Date(), leased_until: until() }
        const [made] = await db.insert(rows).values(asked).onConflictDoNothing().returning()
        return made ?? null
      },
      async () => {
        const open = sql`domain = ${domain} and ended_at is null`
        return (await db.select().from(rows).where(open))[0] ?? null
      },
    )
    if (!isNew) return { row, isNew }
    jobs.run(
      row,
      async () => (isKilled ? 'go_on' : extend(db, row, until())),
      async ({ signal }) => {
        const ended = new Promise((resolve) => signal.addEventListener('abort', resolve))
        await Promise.race([work, ended])
        await end(row, signal.aborted ? signal.reason.message : 'done')
      },
    )
    return { row, isNew }
  }
  const kill = () => {
    isKilled = true
  }
  return { jobs, start, kill, buried }
}

const read = async (row: Row) => (await db.select().from(rows).where(isNamed(row)))[0]
const whyOf = async (row: Row) => (await read(row))?.why

test('of one that lives there is one, over all processes; a dead one is ended once, and the next begins', async () => {
  const [first, ...others] = [startProcess(), startProcess(), startProcess()]
  const { row } = await first!.start('one.example')
  // Far longer than its lease, which its heartbeat moves on.
  const until = Date.now() + 2 * LEASE_MS
  await eventually(async () => {
    for (const { start } of others) expect((await start('one.example')).isNew).toBe(false)
    return Date.now() > until
  }).toBe(true)
  expect(await whyOf(row)).toBeNull()

  first!.kill()
  await eventually(async () => {
    await Promise.all(others.map(({ start }) => start('one.example')))
    return whyOf(row)
  }).toBe('died')
  expect((await first!.start('one.example')).row.id).not.toBe(row.id)
  expect(first!.buried).toEqual([])
  const [made] = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from made_jobs where domain = 'one.example'`)
  expect(made?.n).toBe(2)
})

test('any process cancels it, and its end is what was asked for', async () => {
  const [one, other] = [startProcess(), startProcess()]
  const { row } = await one.start('afar.example')
  await askToCancel(db, row, new Date())
  await other.jobs.cancelOwn(row.id)
  await eventually(() => whyOf(row)).toBe('cancelled')
  const own = await one.start('own.example')
  await one.jobs.cancelOwn(own.row.id)
  expect(await whyOf(own.row)).toBe('cancelled')
})

test('its own process never takes it for dead, and what it came to counts', async () => {
  const work = Promise.withResolvers<void>()
  const [one, other] = [startProcess(), startProcess()]
  const { row } = await one.start('silent.example', work.promise)
  one.kill()
  await eventually(async () => {
    expect(one.jobs.isDead((await read(row))!)).toBe(false)
    return other.jobs.isDead((await read(row))!)
  }).toBe(true)
  await other.start('silent.example')
  expect(await whyOf(row)).toBe('died')
  work.resolve()
  await eventually(() => whyOf(row)).toBe('done')
})

test('a stop ends all, refuses more, and waits no longer than it may', async () => {
  const process = startProcess()
  const { row } = await process.start('stopped.example')
  await process.jobs.stop(10_000)
  expect(await whyOf(row)).toBe('restarted')
  await expect(process.start('late.example')).rejects.toThrow('refused')
  // What hangs is not waited for.
  await startProcess().jobs.stop(20, [new Promise(() => {})])
})
