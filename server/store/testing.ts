import type { CheckoutItem } from '../../shared/ucp.ts'
import { createStore, type StoreOptions } from './app.ts'
import { storeDatabase } from './db/testing.ts'
import { enqueue } from './outbox/enqueue.ts'
import { scriptedPsp } from './psp/testing.ts'
import { openingShelf, type Shopping } from './shelf.ts'
import type { CheckoutEvent, StoreDeps } from './store-deps.ts'
import type { Visit } from './visit.ts'

export const NOON = new Date('2026-06-01T12:00:00.000Z')

export const ADDRESS = {
  name: 'Ada Byron',
  street: '1 Analytical Way',
  city: 'Albany',
  state: 'NY',
  zip: '12207',
  country: 'US',
}

/** A request to a whole shop. */
export const visitTo = (change: Partial<Visit> = {}): Shopping => ({
  shelf: openingShelf(),
  host: 'shop.example',
  origin: 'https://shop.example',
  path: '/',
  secure: true,
  official: false,
  number: 1,
  at: NOON,
  snippetUrl: 'https://aisle.example/attribution.js?id=test',
  paymentMethods: ['card'],
  faults: [],
  ...change,
})

/** What a store needs: its own database, a PSP in memory, noon. What it reports is kept. */
export async function testDeps(change: Partial<StoreDeps> = {}) {
  const { db, url } = await storeDatabase()
  const bank = scriptedPsp()
  const reported: CheckoutEvent[] = []
  const deps: StoreDeps = {
    db,
    psp: bank.psp,
    now: () => NOON,
    enqueue,
    report: (event) => reported.push(event),
    pspTimeoutMs: 4000,
    quota: { requests: 1000, seconds: 60 },
    ...change,
  }
  return { deps, bank, reported, url }
}

/** A store at noon, and short ways to ask it. A wait passes at once and is told. */
export async function testStore(
  options: Partial<StoreOptions> = {},
  change: Partial<StoreDeps> = {},
) {
  const waits: number[] = []
  const { deps, bank, reported, url } = await testDeps(change)
  const store = createStore({
    deps,
    faults: [],
    pause: async (ms) => waits.push(ms),
    ...options,
  })
  const ask = async (path: string, host = 'shop.example', init: RequestInit = {}) => {
    const response = await store.request(`http://${host}${path}`, init)
    const body = await response.text()
    const { status, headers } = response
    return { status, headers, body, waited: waits.splice(0) }
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
