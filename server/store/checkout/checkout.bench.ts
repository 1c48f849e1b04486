import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onLoopback } from '../../testing/on-loopback.ts'
import { createStore } from '../app.ts'
import { officialAcpAgent, WHOLE_ADDRESS } from '../dialects/acp/testing/agent.ts'
import { READY, type Transport, ucpAgent } from '../dialects/ucp/testing/agent.ts'
import { type OpenStore, openStore } from '../open.ts'
import { platformsWith } from '../testing/platforms.ts'
import { ADDRESS, AGENT_PROFILE, acpAgent } from '../testing/store.ts'

const CLIENTS = 32
const ENDLESS = { requests: 1_000_000, seconds: 3600 }
const ROUNDS = 5
const PER_CLIENT = 3

/** Spec, Limits: create, update and complete, in milliseconds. */
const LIMITS = { create: 3000, update: 1000, complete: 5000 } as const
type Step = keyof typeof LIMITS
const STEPS: readonly Step[] = ['create', 'update', 'complete']

/** How much slower an official dialect may be than the specification's ACP. */
const MOST_TIMES = 1.5

let opened: OpenStore
let folder: string
let origin: string
let server: Awaited<ReturnType<typeof onLoopback>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const config = { databaseUrl: process.env.DATABASE_URL, dataDir: folder, secretsKey: null }
  opened = await openStore({ ...config, payments: { psp: 'test' } })
  const deps = { ...opened.deps, quota: ENDLESS, platformQuota: ENDLESS }
  await deps.db.execute(sql`update store.stock set quantity = 1000000`)
  const store = createStore({ deps, faults: [], official: true, platforms: platformsWith() })
  const bare = new Hono().post('/bare', async (c) => c.json(await c.req.json()))
  const app = new Hono().route('/', bare).mount('/', store.fetch)
  server = await onLoopback(app)
  origin = server.origin
})

afterAll(async () => {
  await server.close()
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

async function send(
  method: string,
  path: string,
  body: unknown,
  _host?: string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(origin + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'ucp-agent': `profile="${AGENT_PROFILE}"`,
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return { status: response.status, headers: response.headers, body: text, waited: [] }
}

/** A purchase in three steps, each told what the one before it came to. */
interface Purchase {
  create: () => Promise<string>
  update: (id: string) => Promise<unknown>
  /** Whether it is paid. */
  complete: (id: string) => Promise<boolean>
}

/** What the others are compared with. */
const YARDSTICK = 'spec ACP'

const PURCHASES: Record<string, () => Purchase> = {
  [YARDSTICK]: () => {
    const agent = acpAgent(send)
    return {
      // A buyer has a quota of checkouts.
      create: () => agent.open({ shipping_address: { ...ADDRESS, name: `Buyer ${randomUUID()}` } }),
      update: (id) => agent.update(id, { shipping_option_id: 'standard' }),
      complete: async (id) => (await agent.complete(id)).status === 200,
    }
  },
  'official UCP over REST': () => officialUcp('rest'),
  'official UCP over MCP': () => officialUcp('mcp'),
  'official ACP': () => {
    const agent = officialAcpAgent(send)
    const selected = { type: 'shipping', option_id: 'standard', item_ids: ['ao-1101'] }
    return {
      create: async () =>
        (await agent.create({ fulfillment_details: { address: WHOLE_ADDRESS } })).said.id,
      update: (id) => agent.update(id, { selected_fulfillment_options: [selected] }),
      complete: async (id) => (await agent.complete(id)).said.status === 'completed',
    }
  },
}

function officialUcp(transport: Transport): Purchase {
  const agent = ucpAgent(send, transport)
  const body = { line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }], ...READY }
  return {
    create: async () => (await agent.create(body)).said.id,
    update: (id) => agent.update(id, body),
    complete: async (id) => (await agent.pay(id)).said.status === 'completed',
  }
}

type Times = Record<Step, number[]>
const noTimes = (): Times => ({ create: [], update: [], complete: [] })

async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  into.push(performance.now() - started)
  return result
}

async function buy({ create, update, complete }: Purchase, times: Times): Promise<void> {
  const id = await timed(times.create, create)
  await timed(times.update, () => update(id))
  expect(await timed(times.complete, () => complete(id))).toBe(true)
}

const together = (work: () => Promise<unknown>) =>
  Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let turn = 0; turn < PER_CLIENT; turn += 1) await work()
    }),
  )

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

test(`a checkout with ${CLIENTS} clients stays far below the limits, and no dialect is slow`, async () => {
  const names = Object.keys(PURCHASES)
  const all = new Map(names.map((name) => [name, noTimes()]))
  const toBare = noTimes()
  const toYardstick = new Map(names.map((name) => [name, noTimes()]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    const bare: number[] = []
    await together(() => timed(bare, () => send('POST', '/bare', { cart: randomUUID() })))
    const times = new Map(names.map((name) => [name, noTimes()]))
    // Each round begins with another dialect: what else the machine does hits all alike.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length] ?? YARDSTICK
      const purchase = PURCHASES[name]?.()
      const own = times.get(name)
      if (purchase && own) await together(() => buy(purchase, own))
    }
    if (round === 0) continue
    const yardstick = times.get(YARDSTICK) ?? noTimes()
    for (const [name, own] of times) {
      for (const step of STEPS) {
        all.get(name)?.[step].push(...own[step])
        const ratio = quantile(own[step], 0.95) / quantile(yardstick[step], 0.95)
        toYardstick.get(name)?.[step].push(ratio)
      }
    }
    for (const step of STEPS) {
      toBare[step].push(quantile(yardstick[step], 0.5) / quantile(bare, 0.5))
    }
  }
  const slow: string[] = []
  for (const [name, own] of all) {
    for (const step of STEPS) {
      const p95 = quantile(own[step], 0.95)
      const ratio = quantile(toYardstick.get(name)?.[step] ?? [], 0.5)
      const compared =
        name === YARDSTICK
          ? `${quantile(toBare[step], 0.5).toFixed(1)} times a route that only parses`
          : `p95 ${ratio.toFixed(2)} times that of the specification's ACP`
      process.stdout.write(
        `${name}, ${step}: p50 ${quantile(own[step], 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${LIMITS[step]} ms; ${compared}\n`,
      )
      // The specification's limits are the specification's dialects'.
      if (name === YARDSTICK) expect(p95).toBeLessThan(LIMITS[step] / 3)
      if (name !== YARDSTICK && ratio > MOST_TIMES)
        slow.push(`${name}, ${step}: ${ratio.toFixed(2)} times`)
    }
  }
  expect(slow).toEqual([])
})
