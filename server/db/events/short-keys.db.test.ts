import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createIngest } from '../../attribution/ingest/ingest.ts'
import { realTraffic } from '../../attribution/ingest/testing/traffic.ts'
import { compactCommand } from '../../commands/compact.ts'
import { readTerminal } from '../../commands/testing/read-terminal.ts'
import { createLog } from '../../log.ts'
import { connectAgain, testDatabase } from '../../testing/app.ts'
import type { Db } from '../connect.ts'
import { keepTexts } from '../testing/as-texts.ts'
import { forgetSession } from './forget.ts'
import { countOldBuilds } from './old-builds.ts'
import { dropBefore } from './partitions.ts'
import { rebuildRollup } from './rebuild.ts'
import { compactKeys, findKeyForm, refuseTexts, rememberKeyForm, shortKey } from './short-keys.ts'

const now = () => new Date('2026-10-31T00:00:00Z')
const log = createLog({ write: () => {} })

const SENT = realTraffic(1200)

/** An older database, and a replica that has seen it before it is compacted. */
async function olderDatabase() {
  const database = await testDatabase()
  await keepTexts(database.sql)
  return { ...database, ingest: createIngest({ sql: database.sql, now, log }) }
}
type Ingest = ReturnType<typeof createIngest>

const recordAll = (ingest: Ingest, sent: typeof SENT) =>
  Promise.all(sent.map((event) => ingest.record(event)))

/** All that reports and retries are made of, but for what differs from run to run. */
async function storedIn(sql: Awaited<ReturnType<typeof testDatabase>>['sql']) {
  const [counted] = await sql`
    select (select count(*)::int from events) as events,
      (select count(*)::int from event_keys) as keys,
      (select count(*)::int from ai_sessions) as sessions,
      (select count(*)::int from event_keys where strpos(key, ':') > 0) as text_keys,
      (select count(*)::int from ai_sessions where strpos(session_id, ':') > 0) as text_sessions`
  const daily = await sql`select * from rollup_daily order by 1, 2, 3, 4, 5, 6`
  return { counted, daily }
}

/** The totals are those of the events. */
async function expectExact(db: Db) {
  for (const domain of new Set(SENT.map((event) => event.domain))) {
    expect(await rebuildRollup(db, { domain, since: '2026-10', dryRun: true })).toEqual([])
  }
}

test('Postgres makes the same hash of a text', async () => {
  const { sql } = await olderDatabase()
  const texts = ['ai_checkout_completed:#1001', 'session:ümlaut 店', `key:${'x'.repeat(300)}`]
  for (const text of texts) {
    await sql`insert into event_keys values ('a.example', ${text}, gen_random_uuid(), '', '', 1, now())`
  }
  await compactKeys(sql)
  const rows = await sql<{ key: string }[]>`select key from event_keys`
  expect(rows.map(({ key }) => key).toSorted()).toEqual(texts.map(shortKey).toSorted())
  expect(shortKey('a')).toMatch(/^[\w-]{16}$/)
})

test('what is stored before is known afterwards, before its row is changed and after', async () => {
  const { sql, db, ingest, url } = await olderDatabase()
  const first = await recordAll(ingest, SENT)
  const before = await storedIn(sql)
  expect(before.counted).toMatchObject({ text_keys: before.counted?.keys })
  // Refused from now on; nothing is changed yet.
  for (const [table, column] of [
    ['event_keys', 'key'],
    ['ai_sessions', 'session_id'],
  ] as const) {
    await sql.unsafe(refuseTexts(table, column))
  }
  expect(await findKeyForm(sql)).toBe('both')
  const told = (all: Awaited<typeof first>) =>
    all.map(({ event_id, surface, confidence, notes, conflict }) => [
      ...[event_id || null, surface, confidence, notes, conflict],
    ])
  const asRepeats = (all: Awaited<typeof first>) =>
    told(all).map(([id, ...rest], n) => [SENT[n]?.event === 'ai_session' ? null : id, ...rest])
  // One replica still takes texts for what is to be written, and another has not asked yet.
  const fresh = createIngest({ sql: (await connectAgain(url)).sql, now, log })
  for (const each of [ingest, fresh]) {
    const again = await recordAll(each, SENT)
    expect(again.every(({ replayed }) => replayed)).toBe(true)
    expect(asRepeats(again)).toEqual(asRepeats(first))
  }
  expect(await storedIn(sql)).toMatchObject({ daily: before.daily })
  const compacted = await compactKeys(sql)
  expect(compacted.isDone).toBe(true)
  expect(await findKeyForm(sql)).toBe('hashes')
  const after = await storedIn(sql)
  expect(after.counted).toEqual({ ...before.counted, text_keys: 0, text_sessions: 0 })
  for (const each of [ingest, createIngest({ sql, now, log })]) {
    const again = await recordAll(each, SENT)
    expect(again.every(({ replayed }) => replayed)).toBe(true)
    expect(asRepeats(again)).toEqual(asRepeats(first))
  }
  expect(await storedIn(sql)).toEqual(after)
  await expectExact(db)
})

test('while it is compacted, events come in, and each counts once', async () => {
  const { sql, db, ingest } = await olderDatabase()
  await recordAll(ingest, SENT.slice(0, 700))
  const compacting = compactKeys(sql)
  const told: boolean[] = []
  for (let at = 0; at < SENT.length; at += 60) {
    // Each of them twice: in a batch of its own, and beside the next.
    const twice = [...SENT.slice(at, at + 60), ...SENT.slice(Math.max(0, at - 60), at + 30)]
    told.push(...(await recordAll(ingest, twice)).map(({ replayed }) => replayed))
  }
  expect(await compacting).toMatchObject({ isDone: true })
  expect(told.filter((replayed) => !replayed)).toHaveLength(SENT.length - 700)
  const control = await testDatabase()
  await recordAll(createIngest({ sql: control.sql, now, log }), SENT)
  // Which keys were never written as texts makes no difference, nor does the order of batches.
  expect(await storedIn(sql)).toEqual(await storedIn(control.sql))
  await expectExact(db)
})

test('a build that writes texts is refused, and nothing of its events is stored', async () => {
  const { sql } = await testDatabase()
  expect(await findKeyForm(sql)).toBe('hashes')
  const writing = sql`insert into event_keys
    values ('a.example', 'ai_checkout_completed:1', gen_random_uuid(), '', '', 1, now())
    on conflict do nothing`
  // Not one of those that its sender would be told of as a mistake of his (classes 22 and 23).
  await expect(writing).rejects.toMatchObject({ code: '42704' })
  const visiting = sql`insert into ai_sessions
    values ('a.example', 'visit:1', '2026-10-01', 'chatgpt', 'referral', 'web', 1)
    on conflict do nothing`
  await expect(visiting).rejects.toMatchObject({ code: '42704' })
})

test('a migration and the command make the same checks', async () => {
  const definitions = (sql: Awaited<ReturnType<typeof testDatabase>>['sql']) =>
    sql`select conname, pg_get_constraintdef(oid) as text from pg_constraint
      where contype = 'c' and conname in ('event_keys_short', 'ai_sessions_short') order by 1`
  const migrated = await testDatabase()
  const commanded = await olderDatabase()
  await compactKeys(commanded.sql)
  const made = await definitions(migrated.sql)
  expect(made).toHaveLength(2)
  expect(await definitions(commanded.sql)).toEqual(made)
})

test('hashes of orders and refunds stay when their month goes, and so no build counts them anew', async () => {
  for (const isOld of [true, false]) {
    const { sql } = isOld ? await olderDatabase() : await testDatabase()
    const ingest = createIngest({ sql, now, log })
    await recordAll(ingest, SENT)
    if (isOld) await compactKeys(sql)
    expect(await dropBefore(sql, '2026-12')).toEqual(['2026-10'])
    const left = await sql<{ key: string; age: string }[]>`
      select key, received_at::text as age from event_keys`
    const orders = SENT.filter(({ event }) => event === 'ai_checkout_completed')
    const refunds = SENT.filter(({ event }) => event === 'ai_order_refunded')
    expect(refunds.length).toBeGreaterThan(0)
    const stay = [...orders, ...refunds].flatMap(({ key, other_keys }) => [key, ...other_keys])
    expect(left.map(({ key }) => key).toSorted()).toEqual(stay.map(shortKey).toSorted())
    expect(new Set(left.map(({ age }) => age))).toEqual(new Set(['infinity']))
    expect(await sql`select from ai_sessions`).toHaveLength(0)
  }
})

test('a session is forgotten whole, in whichever form its rows are', async () => {
  for (const isOld of [true, false]) {
    const { sql, db, ingest } = await olderDatabase()
    await recordAll(ingest, SENT)
    if (!isOld) await compactKeys(sql)
    const order = SENT.find(
      ({ event, properties }) => event === 'ai_checkout_completed' && properties.visit_id,
    )
    const visit = String(order?.properties.visit_id)
    const erased = await forgetSession(db, order?.domain ?? '', visit)
    expect(erased).toMatchObject({ events: 2, sessions: 1, orders: 1, keys: 4 })
    expect(await sql`select from events where session_id = ${visit}`).toHaveLength(0)
    await expectExact(db)
  }
})

test('the command waits for old builds to go, and may be run again', async () => {
  const { db, sql, url } = await olderDatabase()
  const { terminal, read } = readTerminal()
  await sql`insert into event_keys values ('a.example', 'session:1', gen_random_uuid(), '', '', 1, now())`
  const { default: postgres } = await import('postgres')
  const old = postgres(url, { max: 1, connection: { application_name: 'aisle' } })
  await old`select 1`
  await expect(compactCommand(db, terminal)).rejects.toThrow(
    /^Release 0\.1\.0 has 1 connections to this database, .* nothing was changed/,
  )
  expect(await findKeyForm(sql)).toBe('texts')
  await old.end()
  await eventually(() => countOldBuilds(sql)).toBe(0)
  await compactCommand(db, terminal)
  expect(read()).toMatch(/^The database is compact: 1 rows were changed/)
  await compactCommand(db, terminal)
  expect(read()).toBe('The database is compact already.')
})

test('a replica learns within half a minute that an older dump was restored beneath it', async () => {
  const { sql } = await testDatabase()
  let at = 0
  const remembered = rememberKeyForm(sql, () => at)
  expect(await remembered.form()).toBe('hashes')
  await keepTexts(sql)
  at = 29_000
  expect(await remembered.form()).toBe('hashes')
  at = 31_000
  expect(await remembered.form()).toBe('texts')
})
