import { expect, test } from 'vitest'
import type { AuditResult } from '../../../shared/audit/result.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { saveAudit } from '../../db/audit/audits.ts'
import { audit_runs, audits } from '../../db/audit/tables.ts'
import { createLog } from '../../log.ts'
import { cleanResult, connectAgain, testDatabase } from '../../testing/app.ts'
import { createShareAudit } from './share-audit.ts'

const log = createLog({ write: () => {} })
const now = () => new Date()

/** Two replicas on a database of their own. Each audit is made when it is told to be. */
async function twoReplicas() {
  const first = await testDatabase()
  const second = await connectAgain(first.url)
  const made: ((end: AuditResult | Error) => void)[] = []
  const ask = (
    { db }: typeof first,
    { sameFor = 'key', signal = new AbortController().signal, isKeptWithRun = false } = {},
  ) =>
    createShareAudit({ db, now, log })({
      domain: 'shop.example',
      sameFor,
      signal,
      isKeptWithRun,
      make: async (id) => {
        const result = await new Promise<AuditResult>((resolve, reject) => {
          made.push((end) => (end instanceof Error ? reject(end) : resolve(end)))
          signal.addEventListener('abort', () => reject(signal.reason))
        })
        if (!isKeptWithRun) await saveAudit(db, result, [], id)
        return result
      },
    })
  const result = cleanResult('shop.example', ['feed'], new Date('2026-11-20T12:00:00Z'))
  return { first, second, made, ask, result, db: first.db, sql: first.sql }
}

test('the same audit is made once over two replicas, another one beside it', async () => {
  const { first, second, made, ask, result, db } = await twoReplicas()
  const here = ask(first)
  await eventually(() => made.length).toBe(1)
  const there = ask(second)
  const another = ask(second, { sameFor: 'another key' })
  await eventually(() => made.length).toBe(2)
  for (const finish of made) finish(result)
  expect(await Promise.all([here, there, another])).toEqual([result, result, result])
  expect([made.length, await db.$count(audits), await db.$count(audit_runs)]).toEqual([2, 2, 0])
})

test('one that is kept with its run is read there by the replica that waits', async () => {
  const { first, second, made, ask, result, db } = await twoReplicas()
  const here = ask(first, { isKeptWithRun: true })
  await eventually(() => made.length).toBe(1)
  const there = ask(second, { isKeptWithRun: true })
  const another = ask(second, { sameFor: 'another key', isKeptWithRun: true })
  await eventually(() => made.length).toBe(2)
  for (const finish of made) finish(result)
  expect(await Promise.all([here, there, another])).toEqual([result, result, result])
  expect([made.length, await db.$count(audits), await db.$count(audit_runs)]).toEqual([2, 0, 2])
})

test('one that fails is made again where somebody waits for it', async () => {
  const { first, second, made, ask, result, db } = await twoReplicas()
  const here = ask(first)
  await eventually(() => made.length).toBe(1)
  const there = ask(second)
  made[0]!(new Error('no way out'))
  await expect(here).rejects.toThrow('no way out')
  await eventually(() => made.length).toBe(2)
  made[1]!(result)
  expect(await there).toEqual(result)
  expect(await db.$count(audit_runs)).toBe(0)
})

test('one whose replica is gone is made by a replica that waits', async () => {
  const { first, second, made, ask, result, sql } = await twoReplicas()
  const dead = ask(first)
  dead.catch(() => {})
  await eventually(() => made.length).toBe(1)
  const [{ id } = { id: '' }] = await sql<{ id: string }[]>`select id from audit_runs`
  const there = ask(second)
  // Again and again: this one does say every two seconds that it lives.
  await eventually(async () => {
    await sql`update audit_runs set alive_at = now() - interval '16 seconds' where id = ${id}`
    return made.length
  }).toBe(2)
  made[1]!(result)
  expect(await there).toEqual(result)
  made[0]!(new Error('it was killed'))
})

test('who left waits no more, and when all have left here the other replica makes it', async () => {
  const { first, second, made, ask, result } = await twoReplicas()
  const leaver = new AbortController()
  const here = ask(first, { signal: leaver.signal })
  await eventually(() => made.length).toBe(1)
  const left = new AbortController()
  const gone = ask(second, { signal: left.signal })
  left.abort(new Error('gone'))
  await expect(gone).rejects.toThrow()
  const there = ask(second)
  leaver.abort(new Error('left'))
  await expect(here).rejects.toThrow('left')
  await eventually(() => made.length).toBe(2)
  made[1]!(result)
  expect(await there).toEqual(result)
})
