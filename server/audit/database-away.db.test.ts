import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { NO_ACCESS } from '../access/testing/no-access.ts'
import { saveAudit } from '../db/audit/audits.ts'
import { audits } from '../db/audit/tables.ts'
import { findWalk, readTranscript } from '../db/audit/walks.ts'
import { proxyTo } from '../db/testing/proxy.ts'
import { createLog } from '../process/log.ts'
import { auditWith, cleanResult, connectAgain, testDatabase } from '../testing/app.ts'
import { createAuditRuns } from './runs/runs.ts'
import { createWalks } from './walk/jobs.ts'
import { createGate, pretendStore } from './walk/testing/pretend-store.ts'

const { db, sql, url } = await testDatabase()
const direct = new URL(url)
const proxy = await proxyTo({ host: direct.hostname, port: Number(direct.port) })
afterAll(proxy.close)
afterEach(() => void vi.useRealTimers())
const through = new URL(url)
through.host = `127.0.0.1:${proxy.port}`
/** What the walks and the audits of this process have of the database. */
const { db: far } = await connectAgain(through.href)

const lines: string[] = []
const log = createLog({ write: (line) => lines.push(line) })
const now = () => new Date()

/** As after a long silence of its process. */
const age = (table: string) =>
  sql.unsafe(`update ${table} set leased_until = now() - interval '1 s'`)

/** An audit that is made once the gate lets it go. */
const heldAudit = (domain: string, gate: ReturnType<typeof createGate>) => ({
  domain,
  by: 'stranger' as const,
  admit: async () => {},
  async audit() {
    await gate.hold(undefined)
    return auditWith(cleanResult(domain, ['schema'], now()))
  },
})

test('a walk that ends while the database is away is kept whole', async () => {
  const gate = createGate()
  const store = pretendStore()
  const walked = Promise.withResolvers<void>()
  const walks = createWalks({
    ...{ db: far, now, log, baseUrl: 'https://aisle.example', siteAccess: NO_ACCESS, ...store },
    async walk(order, hooks) {
      const transcript = await store.walk(order, hooks)
      walked.resolve()
      await gate.hold(hooks.signal)
      return transcript
    },
  })
  const order = { domain: 'walked.example', mode: 'look' as const, intents: ['po_box' as const] }
  const { id } = await walks.start(order, 'key')
  await walked.promise
  await proxy.die()
  gate.letGo()
  await eventually(() => lines.join()).toContain('the heartbeat of a walk failed')
  expect((await findWalk(db, id, ['*']))?.state).toBe('under_way')
  await age('walks')
  await proxy.recover()
  await eventually(() => walks.sweep().catch(() => 'not yet')).toBeUndefined()
  await eventually(async () => (await findWalk(db, id, ['*']))?.state).toBe('ended')
  const transcript = await readTranscript(db, { domain: 'walked.example', id })
  expect(transcript?.stopped).toBeNull()
  await eventually(() => walks.load().outcomes).toMatchObject({ ended: 1, failed: 0 })
})

test('so is an audit', async () => {
  const gate = createGate()
  const runs = createAuditRuns({ db: far, now, log })
  const id = randomUUID()
  const tries: string[] = []
  const run = await runs.start({
    ...heldAudit('audited.example', gate),
    async keep({ result }) {
      tries.push(result.domain)
      await saveAudit(far, result, [], id)
      return null
    },
  })
  await proxy.die()
  gate.letGo()
  await eventually(() => tries.length).toBeGreaterThan(1)
  await age('audit_runs')
  const other = createAuditRuns({ db, now, log })
  expect(await other.read(run)).toMatchObject({ state: 'failed' })
  await proxy.recover()
  await eventually(() => other.read(run)).toMatchObject({ state: 'done', why: null })
  expect(await db.$count(audits, eq(audits.domain, 'audited.example'))).toBe(1)
})

test('nor is a walk, and what it has open in the store is not taken for left open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const gate = createGate()
  const store = pretendStore({ hold: gate.hold })
  const walks = createWalks({
    ...{ db, now, log, baseUrl: 'https://aisle.example', siteAccess: NO_ACCESS },
    ...store,
  })
  const order = { domain: 'open.example', mode: 'look' as const, intents: ['po_box' as const] }
  const { id } = await walks.start(order, 'key')
  await eventually(() => store.open.size).toBe(1)
  await age('walks')
  await walks.sweep()
  expect(store.cancelled).toEqual([])
  expect((await findWalk(db, id, ['*']))?.state).toBe('under_way')
  vi.useRealTimers()
  gate.letGo()
  await eventually(async () => (await findWalk(db, id, ['*']))?.state).toBe('ended')
})
