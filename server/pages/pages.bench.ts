import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../shared/testing/median.ts'
import { createKey } from '../access/make-key.ts'
import { bundle } from '../build/bundler.ts'
import { SCOPES } from '../db/access/scopes.ts'
import { connect, type Database, MIGRATIONS } from '../db/connect.ts'
import { type Asked, load, prepareReplica, type Replica } from '../testing/replicas.ts'

const ROUNDS = 5
const SLICE_MS = 1500
const CROWD = 200
const OTHERS = 4

/**
 * With a crowd on a page, other requests must get at least this share of what they get with a crowd
 * on /livez, whose answers are a hundredth of the size. Rendered per request, it was 0.15.
 */
const LEAST = 0.35

let folder: string
let out: string
let database: Database
let server: Replica
let others: Record<string, Asked>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const config = { databaseUrl: process.env.DATABASE_URL, dataDir: folder, migrations: MIGRATIONS }
  database = await connect(config)
  const request = { name: 'bench', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  const { key } = await createKey(database.db, request, new Date())
  others = {
    '/livez': { path: '/livez' },
    '/api': { path: '/api/properties', headers: { Authorization: `Bearer ${key}` } },
  }
  // Below dist/, so that the bundle finds the packages.
  await mkdir('dist', { recursive: true })
  out = await mkdtemp('dist/bench-')
  await bundle({ server: 'server/testing/test-server.ts' }, out)
  server = await prepareReplica(`${out}/server.js`, { DATABASE_URL: database.url })
  await server.start()
})

afterAll(async () => {
  await server.kill()
  await database.close()
  for (const each of [folder, out]) await rm(each, { recursive: true, force: true })
})

/** Answers per second: of a crowd on one path, and of the few other requests. */
async function slice(path: string): Promise<Record<string, number>> {
  const headers = { Accept: 'text/html', 'Accept-Encoding': 'gzip, deflate, br' }
  const loads = [
    [
      'crowd',
      load(
        CROWD,
        () => server.port,
        () => ({ path, headers }),
      ),
    ] as const,
    ...Object.entries(others).map(
      ([name, asked]) =>
        [
          name,
          load(
            OTHERS,
            () => server.port,
            () => asked,
          ),
        ] as const,
    ),
  ]
  await sleep(SLICE_MS)
  const rates: Record<string, number> = {}
  for (const [name, { end }] of loads) {
    const outcomes = await end()
    expect(Object.keys(outcomes)).toEqual(['200'])
    rates[name] = ((outcomes['200'] ?? 0) * 1000) / SLICE_MS
  }
  return rates
}

test('200 connections on /gaps leave the others most of what 200 on /livez leave them', async () => {
  for (const path of ['/gaps', '/livez']) await slice(path)
  const rounds: Record<'page' | 'probe', Record<string, number>>[] = []
  for (let n = 0; n < ROUNDS; n += 1) {
    rounds.push({ page: await slice('/gaps'), probe: await slice('/livez') })
  }
  const ratios: Record<string, number> = {}
  for (const name of ['crowd', '/livez', '/api']) {
    const rate = (which: 'page' | 'probe') => median(rounds.map((each) => each[which][name] ?? 0))
    ratios[name] = median(rounds.map(({ page, probe }) => (page[name] ?? 0) / (probe[name] ?? 1)))
    process.stdout.write(
      `${name}: ${rate('page').toFixed(0)}/s with the crowd on /gaps, ${rate('probe').toFixed(0)}/s with it on /livez, ratio ${ratios[name]?.toFixed(2)}\n`,
    )
  }
  for (const [name, ratio] of Object.entries(ratios)) expect(ratio, name).toBeGreaterThan(LEAST)
})
