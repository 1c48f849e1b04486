import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '../access/make-key.ts'
import { bundle } from '../build/bundler.ts'
import { SCOPES } from '../db/access/scopes.ts'
import { connect, type Database, MIGRATIONS } from '../db/connect.ts'
import { findHaproxy, startHaproxy } from '../testing/haproxy.ts'
import { load, prepareReplica, type Replica } from '../testing/replicas.ts'

const STOPS = 6
const CLIENTS = 32
const HAPROXY = findHaproxy()

let folder: string
let out: string
let database: Database
let key: string
const replicas: Replica[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const config = { databaseUrl: process.env.DATABASE_URL, dataDir: folder, migrations: MIGRATIONS }
  database = await connect(config)
  const request = { name: 'bench', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  key = (await createKey(database.db, request, new Date())).key
  // Below dist/, so that the bundle finds the packages.
  await mkdir('dist', { recursive: true })
  out = await mkdtemp('dist/bench-')
  await bundle({ server: 'server/testing/test-server.ts' }, out)
})

afterAll(async () => {
  for (const { kill } of replicas) await kill()
  await database.close()
  for (const each of [folder, out]) await rm(each, { recursive: true, force: true })
})

/** Stops and starts both in turn behind the proxy under load; `env` says how they stop. */
async function roll(haproxy: string, name: string, env: Record<string, string>) {
  const own = { DATABASE_URL: database.url, LOG_REQUESTS: 'off', ...env }
  const both = [
    await prepareReplica(`${out}/server.js`, own),
    await prepareReplica(`${out}/server.js`, own),
  ]
  replicas.push(...both)
  for (const { start } of both) await start()
  const proxy = await startHaproxy(
    haproxy,
    both.map(({ port }) => port),
  )
  await sleep(2000)
  let sent = 0
  const { end } = load(
    CLIENTS,
    () => proxy.port,
    () => {
      sent += 1
      if (sent % 3 !== 0) return { path: sent % 3 === 1 ? '/livez' : '/gaps' }
      return {
        method: 'POST',
        path: '/api/report',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          event: 'ai_checkout_completed',
          domain: 'shop.example',
          session_id: `${name} ${sent}`,
          source: 'acp',
          ai_surface: 'chatgpt',
          properties: { value: 4999, currency: 'USD' },
        }),
      }
    },
  )
  for (let n = 0; n < STOPS; n += 1) {
    const replica = both[n % 2]
    expect(await replica?.stop()).toBe(0)
    await replica?.start()
    // The proxy sees it again before the other one leaves.
    await sleep(2000)
  }
  const outcomes = await end()
  await proxy.stop()
  for (const { stop } of both) await stop()
  const all = Object.values(outcomes).reduce((sum, each) => sum + each, 0)
  const failed = all - (outcomes['200'] ?? 0)
  process.stdout.write(
    `${name}: ${failed} of ${all} requests failed over ${STOPS} stops behind haproxy ${JSON.stringify(outcomes)}\n`,
  )
  return failed
}

test.skipIf(HAPROXY === null)('behind haproxy no stop costs a request', async () => {
  await roll(HAPROXY ?? '', 'unannounced', { STOP_DELAY: '0' })
  expect(await roll(HAPROXY ?? '', 'announced', {})).toBe(0)
})
