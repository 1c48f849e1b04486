import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStore } from '../app.ts'
import { type OpenStore, openStore } from '../open.ts'

const CLIENTS = 32
const ENDLESS = { requests: 1_000_000, seconds: 3600 }
const ROUNDS = 5
const PER_CLIENT = 6

/** Spec, Limits: create, update and complete, in milliseconds. */
const LIMITS = { create: 3000, update: 1000, complete: 5000 } as const
type Step = keyof typeof LIMITS
const STEPS: readonly Step[] = ['create', 'update', 'complete']

let opened: OpenStore
let folder: string
let origin: string
let server: ReturnType<typeof serve>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-bench-'))
  const config = { databaseUrl: process.env.DATABASE_URL, dataDir: folder }
  opened = await openStore({ ...config, payments: { psp: 'test' } })
  const deps = { ...opened.deps, quota: ENDLESS, platformQuota: ENDLESS }
  await deps.db.execute(sql`update store.stock set quantity = 1000000`)
  const bare = new Hono().post('/bare', async (c) => c.json(await c.req.json()))
  const app = new Hono().route('/', bare).mount('/', createStore({ deps, faults: [] }).fetch)
  server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () =>
      resolve(started),
    )
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

async function send(method: string, path: string, body: object): Promise<[number, unknown]> {
  const started = performance.now()
  const response = await fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return [performance.now() - started, answer]
}

const cart = () => ({
  items: [{ product_id: 'ao-1101', quantity: 1 }],
  shipping_address: {
    name: `Buyer ${randomUUID()}`,
    street: '1 Analytical Way',
    city: 'Albany',
    state: 'NY',
    zip: '12207',
    country: 'US',
  },
  idempotency_key: randomUUID(),
})

async function buy(times: Record<Step, number[]>): Promise<void> {
  const [create, session] = await send('POST', '/acp/checkout/create', cart())
  const { checkout_id, shipping_options } = session as {
    checkout_id: string
    shipping_options: { id: string }[]
  }
  const [update] = await send('PATCH', `/acp/checkout/${checkout_id}/update`, {
    shipping_option_id: shipping_options[0]?.id,
  })
  const [complete] = await send('POST', `/acp/checkout/${checkout_id}/complete`, {
    payment_method: { type: 'card', token: 'tok_visa' },
    idempotency_key: randomUUID(),
  })
  times.create.push(create)
  times.update.push(update)
  times.complete.push(complete)
}

const together = (work: () => Promise<void>) =>
  Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let turn = 0; turn < PER_CLIENT; turn += 1) await work()
    }),
  )

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

test(`a checkout with ${CLIENTS} clients stays far below the specification's limits`, async () => {
  const ratios: Record<Step, number[]> = { create: [], update: [], complete: [] }
  const all: Record<Step, number[]> = { create: [], update: [], complete: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const bare: number[] = []
    const times: Record<Step, number[]> = { create: [], update: [], complete: [] }
    await together(async () => {
      const [ms] = await send('POST', '/bare', cart())
      bare.push(ms)
    })
    await together(() => buy(times))
    if (round === 0) continue
    for (const step of STEPS) {
      ratios[step].push(quantile(times[step], 0.5) / quantile(bare, 0.5))
      all[step].push(...times[step])
    }
  }
  for (const step of STEPS) {
    const p95 = quantile(all[step], 0.95)
    process.stdout.write(
      `${step}: p50 ${quantile(all[step], 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${LIMITS[step]} ms; ${quantile(ratios[step], 0.5).toFixed(1)} times a route that only parses\n`,
    )
    expect(p95).toBeLessThan(LIMITS[step] / 3)
  }
})
