import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { onceInRun } from '../shared/testing/once-in-run.ts'
import { eventually } from '../shared/testing/wait.ts'
import { beacon, CHROME, SHOP } from './attribution/beacon/testing/beacon.ts'
import { readRelease, unpackRelease } from './build/release.ts'
import { MIGRATIONS } from './db/connect.ts'
import { rebuildRollup } from './db/events/rebuild.ts'
import { compactKeys, findKeyForm } from './db/events/short-keys.ts'
import { createSchema } from './db/schema/schema.ts'
// That release knew no cluster.
import { testOnOnePostgres as test } from './db/testing/locks.ts'
import { STORE_MIGRATIONS } from './store/db/migrations.ts'
import { ADDRESS, acpAgent } from './store/testing/store.ts'
import { testDatabase } from './testing/app.ts'
import { program } from './testing/program.ts'

/** What each build answers of each kind before the next step. */
const ENOUGH = 5

/**
 * What an audit says of a page that was not judged in time: of this machine, not of a build. It is
 * asked again.
 */
const TOO_BUSY = 'its content was not read, because it took more than'

/** Between two requests of a user: builds come and go among them, and none need be fast. */
const PAUSE_MS = 100

const release = await readRelease()
const folder = await onceInRun('release', (to) => unpackRelease(release, to))
const RELEASED = { service: join(folder, 'main.js'), store: join(folder, 'store/main.js') }
const PRESENT = { service: await program('main'), store: await program('store-main') }

const running = new Set<ChildProcess>()
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map((child) => child.exitCode ?? once(child, 'exit')))
})

/** Starts a program and waits for a line that holds its port, or whatever else is looked for. */
async function start(file: string, env: Record<string, string>, ready: RegExp) {
  const child = spawn(process.execPath, [file], {
    cwd: dirname(file),
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ...env },
  })
  running.add(child)
  const lines: string[] = []
  const exited = once(child, 'exit').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  const port = new Promise<number>((resolve, reject) => {
    const read = (line: string) => {
      lines.push(line)
      const found = ready.exec(line)
      if (found) resolve(Number(found[1]))
    }
    createInterface({ input: child.stdout }).on('line', read)
    createInterface({ input: child.stderr }).on('line', read)
    exited.then((code) => reject(new Error(`It exited with ${code}. ${lines.join('\n')}`)))
  })
  return { child, exited, lines, origin: `http://127.0.0.1:${await port}` }
}

interface Build {
  name: string
  service: string
  store: string
  /** Answers so far, by kind of request. */
  answers: Record<string, number>
  underWay: number
  lines: string[][]
  stop: () => Promise<void>
}

test(`release ${release.version} and this build share a database, forwards and back, and refuse nothing`, async () => {
  const { url, sql, db } = await testDatabase()
  await sql`drop schema drizzle cascade`
  await sql`drop schema public cascade`
  await sql`create schema public`

  async function startBuild(name: string, files: typeof PRESENT): Promise<Build> {
    const common = { DATABASE_URL: url, TRUST_PROXY: 'loopback', NODE_ENV: 'test' }
    const store = await start(
      files.store,
      { ...common, STORE_PORT: '0' },
      /store is on http:\/\/127\.0\.0\.1:(\d+)/,
    )
    const service = await start(
      files.service,
      { ...common, PORT: '0', TEST_HOSTS: `*.example=${store.origin}` },
      /"port":(\d+).*"listening"/,
    )
    const build: Build = {
      name,
      service: service.origin,
      store: store.origin,
      answers: {},
      underWay: 0,
      lines: [service.lines, store.lines],
      async stop() {
        builds.splice(builds.indexOf(build), 1)
        await eventually(() => build.underWay).toBe(0)
        for (const { child } of [service, store]) child.kill('SIGTERM')
        expect(await Promise.all([service.exited, store.exited])).toEqual([0, 0])
      },
    }
    return build
  }

  const builds: Build[] = []
  const refused: string[] = []
  const turns = new Map<string, number>()

  /** A request to the builds in turn, for each kind. What is no 2xx is noted down. */
  async function send(
    kind: string,
    method: string,
    part: 'service' | 'store',
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<{ status: number; headers: Headers; body: string }> {
    const turn = (turns.get(kind) ?? 0) + 1
    turns.set(kind, turn)
    const build = builds[turn % builds.length]!
    build.underWay += 1
    try {
      const answer = await fetch(build[part] + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && {
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      })
      const text = await answer.text()
      if (text.includes(TOO_BUSY)) return await send(kind, method, part, path, { headers, body })
      if (answer.ok) build.answers[kind] = (build.answers[kind] ?? 0) + 1
      else refused.push(`${build.name}: ${method} ${path} ${answer.status} ${text}`)
      return { status: answer.status, headers: answer.headers, body: text }
    } catch (error) {
      refused.push(`${build.name}: ${method} ${path} ${String(error)}`)
      throw error
    } finally {
      build.underWay -= 1
    }
  }

  const old = await startBuild('old', RELEASED)
  builds.push(old)
  await sql`update store.stock set quantity = 1000000`
  await eventually(() => old.lines.flat().join()).toMatch(/aisle_live_\w+/)
  const [key] = /aisle_live_\w+/.exec(old.lines.flat().join())!
  const headers = { Authorization: `Bearer ${key}` }
  // As the release writes it: the columns of this build are not there yet.
  const property = 'prop_01234567890123456789'
  await sql`insert into properties (id, domain, origins, created_at)
    values (${property}, 'shop.example', ${['https://*.shop.example']}, now())`

  const today = new Date().toISOString().slice(0, 10)
  let n = 0
  const stored = { events: 0, orders: 0 }
  const { newKey, create, complete } = acpAgent((method, path, body) =>
    send(path.endsWith('/complete') ? 'order' : 'cart', method, 'store', path, { body }),
  )
  const users: (() => Promise<unknown>)[] = [
    async () => {
      const { status } = await send('event', 'POST', 'service', '/api/report', {
        headers,
        body: {
          event: 'ai_checkout_completed',
          domain: 'shop.example',
          session_id: `order_${n++}`,
          source: 'acp',
          ai_surface: 'chatgpt',
          properties: { value: 100, currency: 'USD' },
        },
      })
      if (status === 200) stored.events += 1
    },
    async () => {
      const { status, body } = await create({ shipping_address: { ...ADDRESS, name: newKey() } })
      if (status !== 200) return
      const paid = await complete(JSON.parse(body).checkout_id)
      if (paid.status === 200) stored.orders += 1
    },
    () =>
      send(
        'report',
        'GET',
        'service',
        `/api/report?domain=shop.example&start=${today}&end=${today}`,
        { headers },
      ),
    () => {
      const from = `203.${(n >> 8) & 255}.${n++ & 255}.1`
      return send('visit', 'POST', 'service', `/sessions?id=${property}`, {
        headers: {
          Origin: SHOP,
          'User-Agent': CHROME,
          'X-Forwarded-For': from,
          'Content-Type': 'text/plain',
        },
        body: beacon({ id: `visit-${newKey()}` }),
      })
    },
    () => send('page', 'GET', 'service', '/gaps'),
    () => send('shop', 'GET', 'store', '/products/ao-1101'),
  ]
  let isOver = false
  const load = users.map(async (use) => {
    while (!isOver) {
      await use().catch(() => {})
      await sleep(PAUSE_MS)
    }
  })
  const KINDS = ['event', 'cart', 'order', 'report', 'visit', 'page', 'shop']
  /** Both have answered enough of each kind, or one has refused something. */
  async function bothWork() {
    const wanted = builds.flatMap((build) =>
      KINDS.map((kind) => ({ build, kind, until: (build.answers[kind] ?? 0) + ENOUGH })),
    )
    const isDone = () =>
      refused.length > 0 ||
      wanted.every(({ build, kind, until }) => (build.answers[kind] ?? 0) >= until)
    await eventually(isDone).toBe(true)
    expect(refused).toEqual([])
    const audits = builds.map(() =>
      send('audit', 'POST', 'service', '/api/audit', {
        headers,
        body: { domain: 'shop.example', checks: ['catalog'] },
      }),
    )
    await Promise.all(audits)
    expect(refused).toEqual([])
  }

  try {
    await bothWork()
    const fresh = await startBuild('new', PRESENT)
    builds.push(fresh)
    for (const set of [MIGRATIONS, STORE_MIGRATIONS]) {
      const { read } = createSchema(sql, url, set)
      await eventually(async () => (await read()).pending).toEqual([])
    }
    await bothWork()
    await old.stop()
    await bothWork()
    const again = await startBuild('old again', RELEASED)
    builds.push(again)
    await bothWork()
    await fresh.stop()
    await bothWork()
  } finally {
    isOver = true
    await Promise.all(load)
  }

  expect(refused).toEqual([])
  const [counted] = await sql`
      select (select count(*)::int from events where event = 'ai_checkout_completed') as events,
        (select count(*)::int from store.orders) as orders`
  expect(counted).toEqual(stored)
  const since = new Date().toISOString().slice(0, 7)
  const differences = await rebuildRollup(db, { domain: 'shop.example', since, dryRun: true })
  expect(differences).toEqual([])
  await builds[0]?.stop()
}, 180_000)

test(`while a database of release ${release.version} is made compact, that build counts nothing twice`, async () => {
  const { url, sql, db } = await testDatabase()
  await sql`drop schema drizzle cascade`
  await sql`drop schema public cascade`
  await sql`create schema public`
  const env = { DATABASE_URL: url, TRUST_PROXY: 'loopback', NODE_ENV: 'test', PORT: '0' }
  const listening = /"port":(\d+).*"listening"/
  const old = await start(RELEASED.service, env, listening)
  await eventually(() => old.lines.join()).toMatch(/aisle_live_\w+/)
  const [key] = /aisle_live_\w+/.exec(old.lines.join())!
  const property = 'prop_01234567890123456789'
  await sql`insert into properties (id, domain, origins, created_at)
    values (${property}, 'shop.example', ${['https://*.shop.example']}, now())`

  const post = async (origin: string, path: string, init: RequestInit) => {
    const answer = await fetch(origin + path, { method: 'POST', ...init })
    return { status: answer.status, body: await answer.json() }
  }
  const report = (n: number, event: 'ai_checkout_completed' | 'ai_order_refunded') => ({
    path: '/api/report',
    init: {
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: JSON.stringify({
        event,
        domain: 'shop.example',
        session_id: `order_${n}`,
        source: 'acp',
        ai_surface: 'chatgpt',
        properties: {
          value: 100,
          currency: 'USD',
          ...(event === 'ai_order_refunded' && { refund_id: `refund_${n}` }),
        },
      }),
    },
  })
  const visit = (n: number) => ({
    path: `/sessions?id=${property}`,
    init: {
      headers: {
        Origin: SHOP,
        'User-Agent': CHROME,
        'X-Forwarded-For': `203.${n >> 8}.${n & 255}.1`,
        'Content-Type': 'text/plain',
      },
      body: beacon({ id: `visit-of-${n}-a-browser` }),
    },
  })
  type Request = ReturnType<typeof report> | ReturnType<typeof visit>
  /** What both builds know. */
  const requestsOf = (n: number): Request[] => [report(n, 'ai_checkout_completed'), visit(n)]
  /** Of each fifth order; the old build knows none. */
  const refundOf = (n: number): Request[] => (n % 5 === 0 ? [report(n, 'ai_order_refunded')] : [])
  const ids = new Map<string, string>()
  /** What is answered to one request, however often it is sent, is about one event. */
  const send = async (origin: string, { path, init }: Request) => {
    const { status, body } = await post(origin, path, init)
    const name = path + init.body
    if (body.event_id) {
      expect(ids.get(name) ?? body.event_id).toBe(body.event_id)
      ids.set(name, body.event_id)
    }
    return status
  }
  const ORDERS = 150
  const expectCounted = async (orders: number) => {
    const refunds = Math.ceil(orders / 5)
    const [counted] = await sql`
      select (select count(*)::int from events where event = 'ai_checkout_completed') as orders,
        (select count(*)::int from events where event = 'ai_order_refunded') as refunds,
        (select count(*)::int from ai_sessions) as known,
        (select sum(sessions)::int from rollup_daily) as sessions,
        (select sum(revenue)::int from rollup_daily) as revenue`
    expect(counted).toEqual({
      ...{ orders, refunds, known: 2 * orders, sessions: 2 * orders, revenue: 100 * orders },
    })
    const since = new Date().toISOString().slice(0, 7)
    expect(await rebuildRollup(db, { domain: 'shop.example', since, dryRun: true })).toEqual([])
  }
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => from + n)

  const sendAll = async (origin: string, requests: readonly Request[], status: number) => {
    for (const request of requests) expect(await send(origin, request)).toBe(status)
  }

  for (const n of numbers(0, ORDERS)) await sendAll(old.origin, requestsOf(n), 200)
  const fresh = await start(PRESENT.service, env, listening)
  const { read } = createSchema(sql, url, MIGRATIONS)
  await eventually(async () => (await read()).pending).toEqual([])
  expect(await findKeyForm(sql)).toBe('texts')
  for (const n of numbers(0, ORDERS)) await sendAll(fresh.origin, refundOf(n), 200)

  // Before: each knows what the other has stored.
  for (const n of numbers(ORDERS, ORDERS + 20)) {
    const [first, second] = n % 2 ? [old, fresh] : [fresh, old]
    await sendAll(first.origin, requestsOf(n), 200)
    await sendAll(second.origin, requestsOf(n), 200)
    await sendAll(fresh.origin, refundOf(n), 200)
  }
  await expectCounted(ORDERS + 20)

  // While and after: what the old build does not store, its sender sends to the new one.
  const statuses = new Map<number, number>()
  let isCompact = false
  const sendEach = async (some: readonly number[]) => {
    for (const n of some) {
      for (const request of requestsOf(n)) {
        const status = await send(old.origin, request)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        await sendAll(fresh.origin, [request], 200)
      }
      await sendAll(fresh.origin, refundOf(n), 200)
    }
  }
  const senders = [0, 1, 2, 3].map(async (sender) => {
    const own = numbers(0, 2 * ORDERS).filter((each) => each % 4 === sender)
    const half = own.length >> 1
    // However long it takes, there are requests meanwhile, and new ones after it.
    do await sendEach(own.slice(0, half))
    while (!isCompact)
    await sendEach(own.slice(half))
  })
  await eventually(() => statuses.get(200) ?? 0).toBeGreaterThan(10)
  expect(await compactKeys(sql)).toMatchObject({ isDone: true })
  isCompact = true
  await Promise.all(senders)
  expect([...statuses.keys()].filter((status) => ![200, 500, 503].includes(status))).toEqual([])
  expect(statuses.get(500)).toBeGreaterThan(10)
  await expectCounted(2 * ORDERS)

  // After: it stores nothing, new or known.
  for (const n of [1, 2 * ORDERS]) await sendAll(old.origin, requestsOf(n), 500)
  await expectCounted(2 * ORDERS)
  const [texts] = await sql`select
    (select count(*)::int from event_keys where strpos(key, ':') > 0) as keys,
    (select count(*)::int from ai_sessions where strpos(session_id, ':') > 0) as sessions`
  expect(texts).toEqual({ keys: 0, sessions: 0 })
  for (const n of numbers(0, 2 * ORDERS + 1)) {
    await sendAll(fresh.origin, [...requestsOf(n), ...refundOf(n)], 200)
  }
  await expectCounted(2 * ORDERS + 1)
}, 180_000)
