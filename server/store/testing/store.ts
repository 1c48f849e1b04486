import { eq, sql } from 'drizzle-orm'
import type { CheckoutItem } from '../../../shared/protocols/spec/ucp.ts'
import { PATIENCE_MS } from '../../../shared/testing/wait.ts'
import { createStore, type StoreOptions } from '../app.ts'
import type { StoreDeps, StoreEvent } from '../checkout/deps.ts'
import { stock } from '../db/tables.ts'
import { storeDatabase } from '../db/testing/database.ts'
import { enqueue } from '../dialects/order-webhooks.ts'
import { faultsOfHost } from '../faults/hosts.ts'
import type { StoreRequest } from '../http/store-request.ts'
import { TEST_ACCEPTANCE } from '../psp/acceptance.ts'
import { scriptedPsp } from '../psp/testing/scripted-psp.ts'
import { ARTICLES } from '../shop/assortment.ts'
import { type InventoryRequest, inventoryOf, OPENING_STOCK } from '../shop/inventory.ts'
import { TEST_KEYS } from '../signatures/testing/test-keys.ts'
import { officialMeasure, parsedJson } from './official/measure.ts'
import { platformsWith } from './platforms.ts'

export const NOON = new Date('2026-06-01T12:00:00.000Z')

export const ADDRESS = {
  name: 'Ada Byron',
  street: '1 Analytical Way',
  city: 'Albany',
  state: 'NY',
  zip: '12207',
  country: 'US',
}

/**
 * What a customer hears of an error: a sentence without names of fields, ids or engineers' words.
 */
export const FOR_CUSTOMERS =
  /^(?!.*(?:\w_\w|\.\d|ao-\d|\b(?:JSON|body|token|header|idempotency|catalog|variant)\b))[A-Z].*\.$/

/** A request to a whole shop, with the inventory that the store opens with. */
export const visitTo = (change: Partial<StoreRequest> = {}): InventoryRequest => ({
  inventory: inventoryOf(ARTICLES, OPENING_STOCK),
  host: 'shop.example',
  origin: 'https://shop.example',
  path: '/',
  secure: true,
  userAgent: '',
  signatureAgent: '',
  accept: '',
  official: false,
  number: 1,
  at: NOON,
  snippetUrl: 'https://aisle.example/attribution.js?id=test',
  paymentMethods: ['card'],
  faults: [],
  noteView: () => {},
  ...change,
})

/** What a store needs: its own database, a PSP in memory, noon. What it reports is kept. */
export async function testDeps(change: Partial<StoreDeps> = {}) {
  const { db, url } = await storeDatabase()
  const bank = scriptedPsp(change.now ?? (() => NOON))
  const reported: StoreEvent[] = []
  const deps: StoreDeps = {
    db,
    psp: bank.psp,
    now: () => NOON,
    enqueue,
    signingKeys: TEST_KEYS,
    report: (event) => reported.push(event),
    answerMs: PATIENCE_MS,
    quota: { requests: 1000, seconds: 60 },
    platformQuota: { requests: 1000, seconds: 60 },
    acceptance: TEST_ACCEPTANCE,
    ...change,
  }
  return { deps, bank, reported, url }
}

/** An agent's profile, as its calls name it; it has all that the store has. */
export const AGENT_PROFILE = 'https://agent.example/ucp.json'
export const AGENT_META = { 'ucp-agent': { profile: AGENT_PROFILE } }

/**
 * A store at noon, and short ways to ask it. A wait passes at once and is told. Where
 * OFFICIAL_SCHEMAS names a folder, what is asked and answered in an official dialect is held to the
 * schemas in it.
 */
export async function testStore(
  options: Partial<StoreOptions> = {},
  change: Partial<StoreDeps> = {},
) {
  const waits: number[] = []
  const { deps, bank, reported, url } = await testDeps(change)
  const store = createStore({
    deps,
    faults: [],
    platforms: platformsWith(),
    pause: async (ms) => waits.push(ms),
    ...options,
  })
  const measure = officialMeasure(process.env.OFFICIAL_SCHEMAS)
  const ask = async (path: string, host = 'shop.example', init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    // Official UCP answers no one who does not say who asks; an empty header is sent as it stands.
    if (path.startsWith('/ucp/v1/') && !headers.has('ucp-agent')) {
      headers.set('ucp-agent', `profile="${AGENT_PROFILE}"`)
    }
    const response = await store.request(`http://${host}${path}`, { ...init, headers })
    const body = await response.text()
    if (measure && options.faults === undefined && faultsOfHost(host).length === 0) {
      await measure.exchange({
        method: init.method ?? 'GET',
        path: new URL(path, 'http://host').pathname,
        headers,
        sent: parsedJson(init.body),
        status: response.status,
        received: parsedJson(body),
      })
    }
    return { status: response.status, headers: response.headers, body, waited: waits.splice(0) }
  }
  const send = (
    method: string,
    path: string,
    body: unknown,
    host?: string,
    headers: Record<string, string> = {},
  ) =>
    ask(path, host, {
      method,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const order = (items: Partial<CheckoutItem>[], change: object = {}, host?: string) =>
    send(
      'POST',
      '/ucp/checkout',
      { items, shipping_address: ADDRESS, dry_run: true, ...change },
      host,
    )
  return { ask, send, order, store, deps, bank, reported, url }
}

type Send = (
  method: string,
  path: string,
  body: unknown,
) => Promise<{ status: number; headers: Headers; body: string }>

/** An agent that buys over ACP, each time under keys of its own unless told otherwise. */
export function acpAgent(send: Send) {
  const newKey = (): string => crypto.randomUUID()
  const create = (change: object = {}) =>
    send('POST', '/acp/checkout/create', {
      items: [{ product_id: 'ao-1101', quantity: 1 }],
      shipping_address: ADDRESS,
      idempotency_key: newKey(),
      ...change,
    })
  const open = async (change: object = {}): Promise<string> =>
    JSON.parse((await create(change)).body).checkout_id
  const update = (id: string, body: object) => send('PATCH', `/acp/checkout/${id}/update`, body)
  const complete = async (id: string, change: object = {}) => {
    const answer = await send('POST', `/acp/checkout/${id}/complete`, {
      payment_method: { type: 'card', token: 'tok_visa' },
      shipping_option_id: 'standard',
      idempotency_key: newKey(),
      ...change,
    })
    return { ...answer, said: JSON.parse(answer.body) }
  }
  /** With this token, under this key. */
  const pay = (id: string, token: string, key = newKey()) =>
    complete(id, { payment_method: { type: 'card', token }, idempotency_key: key })
  return { newKey, create, open, update, complete, pay }
}

/** How many statements wait for another transaction at this moment. */
export async function waitingForLocks(db: StoreDeps['db']): Promise<number> {
  const [row] = await db.execute<{ waiting: number }>(sql`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.waiting ?? 0
}

/** Reads and sets the stock of an offer. */
export const stockOf = ({ db }: StoreDeps, id: string) => ({
  pieces: async () =>
    (await db.select().from(stock).where(eq(stock.offer_id, id)))[0]?.quantity ?? -1,
  setPieces: (quantity: number) => db.update(stock).set({ quantity }).where(eq(stock.offer_id, id)),
})
