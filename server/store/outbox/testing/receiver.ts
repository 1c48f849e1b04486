import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import {
  createFetcher,
  type Fetcher,
  type FetcherOptions,
} from '../../../audit/probe/fetch/fetch.ts'
import type { Order } from '../../db/tables.ts'
import { officialMeasure, parsedJson } from '../../testing/official/measure.ts'
import { NOON } from '../../testing/store.ts'
import { deliverTo, type OutboxDeps, WEBHOOK_LIMITS } from '../deliver.ts'
import { dueEndpoints } from '../deliveries.ts'

const closing: (() => Promise<unknown>)[] = []
const measure = officialMeasure(process.env.OFFICIAL_SCHEMAS)
const faults: unknown[] = []
afterAll(async () => {
  await Promise.all(closing.map((close) => close()))
  expect(faults).toEqual([])
})

/** Delivers all that is due now. `runOutbox` does so again and again. */
export async function deliverDue(deps: OutboxDeps): Promise<void> {
  const endpoints = await dueEndpoints(deps.db, deps.now())
  await Promise.all(endpoints.map((endpoint) => deliverTo(deps, endpoint)))
}

export interface Received {
  url: string
  headers: Record<string, string>
  body: string
}

/** A receiver on loopback that notes what it gets, and answers as it is told to. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = { received, answer: ((_, response) => response.end()) as RequestListener }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    await measure?.webhook(parsedJson(body)).catch((fault) => faults.push(String(fault)))
    received.push({ url: request.url ?? '', headers, body })
    receiver.answer(request, response)
  })
  const listen = async (port = 0) => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }
  const close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  closing.push(close)
  const port = await listen()
  return Object.assign(receiver, {
    port,
    origin: `http://127.0.0.1:${port}`,
    /** Stops listening; `open` starts again on the same port. */
    close,
    open: () => listen(port),
  })
}

/** Answers every request with a status. */
export const answers =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end()

/** A fetcher for which every `*.example` is the receiver. */
export function testFetcher(origin: string, options: Partial<FetcherOptions> = {}): Fetcher {
  const fetcher = createFetcher({
    userAgent: 'Test/1',
    testHosts: [{ pattern: '*.example', origin }],
    ...options,
    limits: { ...WEBHOOK_LIMITS, ...options.limits },
  })
  closing.push(() => fetcher.close())
  return fetcher
}

export const anOrder = (change: Partial<Order> = {}): Order => ({
  id: `order_${crypto.randomUUID()}`,
  session_id: `checkout_${crypto.randomUUID()}`,
  psp: 'test',
  payment_id: `pi_${crypto.randomUUID()}`,
  status: 'confirmed',
  disputed: false,
  confirmation_number: 'AO-7K3M-Q9XT',
  challenge_url: null,
  protocol: 'acp',
  official: null,
  receipt_token: crypto.randomUUID(),
  host: 'shop.example',
  buyer: 'a-buyer',
  items: [
    {
      product_id: 'tent',
      variant_id: 'tent-green',
      name: 'Tent, green',
      quantity: 2,
      unit_price: { amount: 4999, currency: 'USD' },
      available_on: null,
    },
  ],
  address: {
    name: 'Ada Byron',
    street: '1 Analytical Way',
    city: 'Albany',
    state: 'NY',
    zip: '12207',
    country: 'US',
  },
  shipping: { id: 'standard', name: 'Standard', cost: { amount: 600, currency: 'USD' } },
  currency: 'USD',
  subtotal: 9998,
  tax: 800,
  total: 11_398,
  estimated_delivery: '2026-06-06',
  tracking: null,
  history: [],
  refunds: [],
  created_at: NOON,
  updated_at: NOON,
  ...change,
})
