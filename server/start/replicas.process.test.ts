import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { createKey } from '../access/make-key.ts'
import { revokeKey } from '../db/access/keys.ts'
import { SCOPES } from '../db/access/scopes.ts'
import { audit_runs } from '../db/audit/tables.ts'
import { emptyDatabase } from '../testing/app.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { findPgbouncer, startPgbouncer } from '../testing/pgbouncer.ts'
import { program } from '../testing/program.ts'
import { prepareReplica, type Replica } from '../testing/replicas.ts'
import { DAY_AHEAD } from '../testing/wrong-clock.ts'

// Four processes of the service on one database, which only what is in the database holds together.
// What one does is asked of another.

const SERVER = await program('main')
const REPLICAS = 4
const CONNECTIONS = 4
/** Of PgBouncer: fewer than one replica alone would open to Postgres. */
const POOL = 6

const PGBOUNCER = findPgbouncer()
const WAYS = [
  { way: 'Postgres itself', pgbouncer: null, most: REPLICAS * CONNECTIONS },
  { way: 'PgBouncer in transaction mode', pgbouncer: PGBOUNCER, most: POOL },
]

describe.each(WAYS)('four replicas by way of $way', ({ way, pgbouncer, most }) => {
  const isMissing = way.startsWith('PgBouncer') && pgbouncer === null
  const it = test.skipIf(isMissing)
  let world: Awaited<ReturnType<typeof openWorld>>

  beforeAll(async () => {
    if (!isMissing) world = await openWorld(pgbouncer)
  }, 120_000)
  afterAll(() => world?.close())

  it('all start on an empty database: it is migrated once, and given one key', async () => {
    const { sql, replicas, origins } = world
    const watched = watchConnections(sql)
    await Promise.all(replicas.map(({ start }) => start()))
    expect(await watched.end()).toBeLessThanOrEqual(most)
    for (const origin of origins) expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    const [made] = await sql`
      select count(*)::int as applied, count(distinct hash)::int as migrations,
        (select count(*)::int from api_keys) as keys
      from drizzle.aisle_migrations`
    expect(made).toMatchObject({ applied: made?.migrations, keys: 1 })
  })

  it('a limit is one over all of them, also where a clock is wrong', async () => {
    const { origins, withKey, addReplica } = world
    const { ask } = await withKey()
    const dry = (origin: string) =>
      ask(origin, '/api/audit', { domain: 'dry.example', dry_run: true })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => dry(origins[n % REPLICAS]!)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)

    const ahead = await addReplica({ NODE_OPTIONS: DAY_AHEAD })
    const waits = []
    for (const origin of [ahead, ...origins]) {
      const answer = await dry(origin)
      expect(answer.status).toBe(429)
      waits.push(Number(answer.headers.get('Retry-After')))
    }
    // Where the wrong clock is asked first, the window is an hour as well.
    const { ask: askFresh } = await withKey()
    for (const origin of [ahead, ...origins]) {
      const answer = await askFresh(origin, '/api/audit', { domain: 'dry.example', dry_run: true })
      expect(answer.status).toBe(404)
      waits.push(Number(answer.headers.get('X-RateLimit-Reset')))
    }
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(3000)
      expect(wait).toBeLessThanOrEqual(3600)
    }
  })

  it('who signs in on one is signed in on all, and signed out of all', async () => {
    const { db, origins, withKey } = world
    const { key, id, signIn } = await withKey()
    const isIn = async (cookie: string) => {
      const pages = origins.map((origin) =>
        fetch(`${origin}/report`, { headers: { Cookie: cookie }, redirect: 'manual' }),
      )
      return (await Promise.all(pages)).map(({ status }) => status)
    }
    const cookie = await signIn(origins[0]!)
    expect(await isIn(cookie)).toEqual([200, 200, 200, 200])
    const out = { method: 'POST', headers: { Cookie: cookie }, redirect: 'manual' } as const
    await fetch(`${origins[2]}/sign-out`, out)
    expect(await isIn(cookie)).toEqual([303, 303, 303, 303])

    const other = await signIn(origins[1]!)
    const report = (origin: string) => sendEvent(origin, key).then(({ status }) => status)
    expect(await Promise.all(origins.map(report))).toEqual([200, 200, 200, 200])
    await revokeKey(db, id, new Date())
    expect(await isIn(other)).toEqual([303, 303, 303, 303])
    const read = '/api/report?domain=shop.example&start=2026-01-01&end=2026-01-02'
    for (const origin of origins) {
      const headers = { Authorization: `Bearer ${key}` }
      expect((await fetch(origin + read, { headers })).status).toBe(401)
    }
    // Those that have just seen it take events for five seconds more.
    await eventually(() => Promise.all(origins.map(report))).toEqual([401, 401, 401, 401])
  })

  it('under load they keep to their connections, and every event counts once', async () => {
    const { sql, origins, withKey } = world
    const { key } = await withKey()
    const headers = { Authorization: `Bearer ${key}` }
    const path = `/api/report?domain=loaded.example&start=${dayFromNow(-1)}&end=${dayFromNow(1)}`
    const watched = watchConnections(sql)
    const statuses = await Promise.all(
      Array.from({ length: 64 }, async (_, client) => {
        const seen: number[] = []
        for (let n = 0; n < 12; n += 1) {
          const origin = origins[(client + n) % REPLICAS]!
          // Each order is sent twice, the second time to another replica.
          const order = `o${client}-${Math.floor(n / 2)}`
          seen.push((await sendEvent(origin, key, { domain: 'loaded.example', order })).status)
          if (n % 3 === 0) seen.push((await fetch(origin + path, { headers })).status)
        }
        return seen
      }),
    )
    expect(new Set(statuses.flat())).toEqual(new Set([200]))
    const used = await watched.end()
    expect(used).toBeGreaterThanOrEqual(Math.min(REPLICAS, most))
    expect(used).toBeLessThanOrEqual(most)
    const orders = origins.map(async (origin) => {
      const answer = await fetch(origin + path, { headers })
      return (await answer.json()).summary.ai_orders
    })
    expect(await Promise.all(orders)).toEqual(Array(REPLICAS).fill(64 * 6))
  })

  it('old rows are swept by one, and by another when that one is killed', async () => {
    const { sql, replicas, origins } = world
    const [sweeper, ...others] = replicas
    await Promise.all(replicas.map(({ stop }) => stop()))
    await sql`insert into rate_limits
      select 'gone ' || n, 1, now() - interval '1 hour' from generate_series(1, 3) n`
    const lock = await sql.reserve()
    onTestFinished(() => lock.release())
    await lock`begin`
    await lock`select from rate_limits where key = 'gone 2' for update`
    await sweeper!.start()
    const waiting = async () => {
      const [row] = await sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()
          and query like '%rate_limits%'`
      return row?.waiting
    }
    await eventually(waiting).toBe(1)
    // They find the table taken, and do not wait for it.
    await Promise.all(others.map(({ start }) => start()))
    for (const origin of origins) expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    expect(await waiting()).toBe(1)
    await sweeper!.kill()
    await lock`rollback`
    const left = () =>
      sql`select from rate_limits where key like 'gone %'`.then(({ length }) => length)
    await eventually(left).toBe(0)
    await sweeper!.start()
  })

  it('a walk of a replica that is killed is taken over by another, and its run has failed', async () => {
    const { db, sql, replicas, origins, withKey, hold } = world
    const { ask, signIn, key } = await withKey()
    const cookie = await signIn(origins[1]!)
    const held = hold('killed.example')
    const walk = (n: number) =>
      ask(origins[n]!, '/api/walk', { domain: 'killed.example', intents: ['po_box'] })
    const first = await (await walk(0)).json()
    expect((await walk(3)).status).toBe(409)
    const page = await fetch(`${origins[0]}/runs`, {
      method: 'POST',
      headers: { Cookie: cookie },
      body: new URLSearchParams({ domain: 'killed.example' }),
      redirect: 'manual',
    })
    expect(page.status).toBe(303)
    const run = page.headers.get('location')
    await eventually(() => db.$count(audit_runs)).toBe(1)

    await replicas[0]!.kill()
    // As if half a minute had passed.
    await sql`update walks set leased_until = leased_until - interval '31 seconds'`
    await sql`update audit_runs set leased_until = leased_until - interval '16 seconds'`
    const state = await fetch(`${origins[2]}${run}/state`, { headers: { Cookie: cookie } })
    expect(await state.json()).toMatchObject({
      state: 'failed',
      why: 'The server that made this audit stopped. Start it again.',
    })
    const second = await walk(3)
    expect(second.status).toBe(202)
    const readWalk = async (n: number, id: string) => {
      const headers = { Authorization: `Bearer ${key}` }
      return (await fetch(`${origins[n]}/api/walk/${id}`, { headers })).json()
    }
    expect(await readWalk(2, first.id)).toMatchObject({
      state: 'ended',
      stopped: expect.stringMatching(/^The server that made this walk stopped/),
    })
    held.release()
    const { id } = await second.json()
    await eventually(async () => (await readWalk(1, id)).state).toBe('ended')
    await replicas[0]!.start()
  })
})

/**
 * An empty database, four replicas that do not run yet, and stores whose answers can be held back.
 */
async function openWorld(pgbouncer: string | null) {
  const url = await emptyDatabase()
  const sql = postgres(url, {
    max: 3,
    onnotice: () => {},
    connection: { application_name: OWN_NAME },
  })
  const db = drizzle({ client: sql })
  const before = pgbouncer && (await startPgbouncer(pgbouncer, url, POOL))
  const stores = await openStores()
  const dataDir = await mkdtemp(join(tmpdir(), 'aisle-replicas-'))
  const env = {
    // Vite sets it.
    BASE_URL: '',
    DATABASE_URL: before ? before.url : url,
    DATABASE_CONNECTIONS: String(CONNECTIONS),
    DATA_DIR: dataDir,
    TEST_HOSTS: `*.example=${stores.origin}`,
    LOG_REQUESTS: 'errors',
    STOP_DELAY: '0',
  }
  const prepare = (more = {}) => prepareReplica(SERVER, { ...env, ...more })
  const replicas: Replica[] = []
  for (let n = 0; n < REPLICAS; n += 1) replicas.push(await prepare())
  const originOf = ({ port }: Replica) => `http://127.0.0.1:${port}`

  return {
    sql,
    db,
    replicas,
    origins: replicas.map(originOf),
    hold: stores.hold,
    /** One more, which ends with the test. */
    async addReplica(more: Record<string, string>) {
      const replica = await prepare(more)
      onTestFinished(() => replica.kill())
      await replica.start()
      return originOf(replica)
    },
    async withKey() {
      const request = { name: 'test', scopes: [...SCOPES], domains: ['*'], expires_at: null }
      const { key, id } = await createKey(db, request, new Date())
      const ask = (origin: string, path: string, body: unknown) =>
        fetch(origin + path, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      const signIn = async (origin: string) => {
        const body = new URLSearchParams({ key })
        const answer = await fetch(`${origin}/sign-in`, {
          method: 'POST',
          body,
          redirect: 'manual',
        })
        return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
      }
      return { key, id, ask, signIn }
    },
    async close() {
      await Promise.all(replicas.map(({ kill }) => kill()))
      await stores.close()
      if (before) await before.stop()
      await sql.end()
      await rm(dataDir, { recursive: true })
    },
  }
}

const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Tells the test's own connections from those of the service. */
const OWN_NAME = 'replicas.test'

/**
 * Counts the connections to the database, again and again; `end` resolves to the most at a time.
 */
function watchConnections(sql: postgres.Sql) {
  let most = 0
  let ended = false
  const watching = (async () => {
    while (!ended) {
      const [row] = await sql<{ open: number }[]>`
        select count(*)::int as open from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'
          and application_name <> ${OWN_NAME}`
      most = Math.max(most, row?.open ?? 0)
    }
  })()
  const end = async () => {
    ended = true
    await watching
    return most
  }
  onTestFinished(async () => {
    await end()
  })
  return { end }
}

const sendEvent = (
  origin: string,
  key: string,
  { domain = 'shop.example', order = 'first' } = {},
): Promise<Response> =>
  fetch(`${origin}/api/report`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': order,
    },
    body: JSON.stringify({
      event: 'ai_checkout_completed',
      domain,
      session_id: `s-${order}`,
      source: 'acp',
      ai_surface: 'chatgpt',
      properties: { value: 100, currency: 'EUR' },
    }),
  })

/**
 * All stores: one page that says little. Those of a name that is held answer when they are
 * released.
 */
async function openStores() {
  const held = new Map<string, (() => void)[]>()
  const answer = (response: ServerResponse, { url }: IncomingMessage) => {
    response.statusCode = url === '/' ? 200 : 404
    response.setHeader('Content-Type', 'text/html').end('<title>A shop</title>')
  }
  const { origin, close } = await onLoopback((request, response) => {
    const waiting = held.get(String(request.headers.host))
    if (waiting === undefined) answer(response, request)
    else waiting.push(() => answer(response, request))
  })
  return {
    origin,
    close,
    hold(host: string) {
      held.set(host, [])
      return {
        release() {
          const waiting = held.get(host) ?? []
          held.delete(host)
          for (const each of waiting) each()
        },
      }
    },
  }
}
