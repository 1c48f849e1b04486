import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createKey } from '../../access/make-key.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import { countWaiting, testOnOnePostgres } from '../../db/testing/locks.ts'
import { testDatabase } from '../../testing/app.ts'
import { program } from '../../testing/program.ts'
import { buildServer } from '../ingest/testing/server.ts'

const CLI = await program('cli')
const { start, killAll } = await buildServer()
const folder = mkdtempSync(join(tmpdir(), 'aisle-killed-'))
afterAll(() => {
  killAll()
  rmSync(folder, { recursive: true })
})

/** Agents whose operators are told by no name of an address: nobody is asked for names. */
const AGENTS = ['ChatGPT-User/1.0', 'GPTBot/1.2', 'ClaudeBot/1.0', 'PerplexityBot/1.0']
const YESTERDAY = new Date(Date.now() - 86_400_000).setUTCHours(6, 0, 0, 0)
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The lines of a log, of which some are alike in all they say. */
const LINES = Array.from({ length: 60_000 }, (_, n) => {
  const at = new Date(YESTERDAY + Math.floor(n / 8) * 1000)
  const day = `${String(at.getUTCDate()).padStart(2, '0')}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()}`
  const time = at.toISOString().slice(11, 19)
  return `8.8.8.8 - - [${day}:${time} +0000] "GET /products/${(n >> 2) % 50} HTTP/1.1" ${n % 9 === 0 ? 404 : 200} 5 "-" "Mozilla/5.0 (compatible; ${AGENTS[(n >> 1) % 4]})"`
})

const countIn = async (sql: Sql, domain: string): Promise<number> => {
  const [row] = await sql`
    select coalesce(sum(fetches), 0)::int as fetches from fetch_days where domain = ${domain}`
  return row?.fetches
}
const figuresOf = (sql: Sql, domain: string) =>
  sql`select day::text, agent, verified, path, status, fetches::int, last_at from fetch_days
    where domain = ${domain} order by 1, 2, 3, 4, 5`

test('aisle logs, killed four times in the middle and run again, counts each line once', async () => {
  const { url, sql } = await testDatabase()
  const file = join(folder, 'access.log')
  writeFileSync(file, `${LINES.join('\n')}\n`)
  const run = (domain: string) =>
    spawn(process.execPath, [CLI, 'logs', file, '--domain', domain, '--json'], {
      env: { ...process.env, DATABASE_URL: url, NODE_ENV: '', BASE_URL: '', PORT: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const toTheEnd = async (domain: string) => {
    const child = run(domain)
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    await once(child, 'close')
    return JSON.parse(printed)
  }
  const whole = await toTheEnd('whole.example')
  expect(whole.stored).toMatchObject({ lines: LINES.length, stored: LINES.length, repeated: 0 })
  let before = 0
  for (let round = 0; round < 4; round += 1) {
    const child = run('killed.example')
    await eventually(() => countIn(sql, 'killed.example')).toBeGreaterThan(before)
    child.kill('SIGKILL')
    await once(child, 'exit')
    before = await countIn(sql, 'killed.example')
    expect(before).toBeLessThan(LINES.length)
  }
  const last = await toTheEnd('killed.example')
  expect(last.stored).toMatchObject({ stored: LINES.length - before, repeated: before })
  expect(await figuresOf(sql, 'killed.example')).toEqual(await figuresOf(sql, 'whole.example'))
}, 300_000)

// --- The service -----------------------------------------------------------------------------

const BATCH = 100
/** A batch of a drain: requests with ids. */
const batchOf = (n: number) =>
  Array.from({ length: BATCH }, (_, at) => ({
    ...{ at: YESTERDAY + n * 1000 + at, method: 'GET', path: `/products/${at % 20}`, status: 200 },
    ...{ userAgent: AGENTS[at % 4], id: `${n}-${at}` },
  }))

async function withKey() {
  const database = await testDatabase()
  const request = { name: 'test', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  const { key } = await createKey(database.db, request, new Date())
  const send = (origin: string, domain: string, batch: number) =>
    fetch(`${origin}/api/fetches?domain=${domain}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
      body: batchOf(batch)
        .map((line) => JSON.stringify(line))
        .join('\n'),
    })
  return { ...database, send }
}

test('killed 8 times under load, the service has each batch that it answered, and counts none twice', async () => {
  const { url, sql, send } = await withKey()
  const answered = new Set<number>()
  let sent = 0
  for (let round = 0; round < 8; round += 1) {
    const server = await start(url)
    const before = answered.size
    const clients = Array.from({ length: 4 }, async () => {
      for (;;) {
        const batch = sent++
        const answer = await send(server.origin, 'sent.example', batch).catch(() => null)
        if (answer === null) return
        expect(answer.status).toBe(202)
        answered.add(batch)
      }
    })
    await eventually(() => answered.size).toBeGreaterThan(before + 4)
    await sleep(round * 7)
    await server.kill('SIGKILL')
    await Promise.all(clients)
  }
  const stored = await countIn(sql, 'sent.example')
  // Some batches were stored, and the answer did not arrive.
  expect(stored % BATCH).toBe(0)
  expect(stored).toBeGreaterThanOrEqual(answered.size * BATCH)
  expect(stored).toBeLessThanOrEqual(sent * BATCH)
  // A drain sends again what was not answered; here, all.
  const server = await start(url)
  for (let batch = 0; batch < sent; batch += 1) {
    const answer = await send(server.origin, 'sent.example', batch)
    if (answered.has(batch)) expect(await answer.json()).toMatchObject({ stored: 0 })
    expect((await send(server.origin, 'once.example', batch)).status).toBe(202)
  }
  await server.kill('SIGTERM')
  expect(await countIn(sql, 'sent.example')).toBe(sent * BATCH)
  expect(await figuresOf(sql, 'sent.example')).toEqual(await figuresOf(sql, 'once.example'))
}, 300_000)

testOnOnePostgres(
  'killed between the notes of a batch and its sums, nothing of it stays',
  async () => {
    const { url, sql, send } = await withKey()
    const server = await start(url)
    const other = await sql.reserve()
    await other`begin`
    await other`lock table fetch_days in access exclusive mode`
    const sent = send(server.origin, 'half.example', 1).catch(() => null)
    // The hour's notes are written, and its transaction waits for the sums.
    await eventually(() => countWaiting(sql)).toBe(1)
    await server.kill('SIGKILL')
    expect(await sent).toBeNull()
    await other`commit`
    other.release()
    const again = await start(url)
    const answer = await send(again.origin, 'half.example', 1)
    expect(await answer.json()).toMatchObject({ stored: BATCH, repeated: 0 })
    expect(await countIn(sql, 'half.example')).toBe(BATCH)
    await again.kill('SIGTERM')
  },
  120_000,
)
