import type { CheckoutItem } from '../../shared/ucp.ts'
import { createStore, type StoreOptions } from './app.ts'
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
export const visitTo = (change: Partial<Visit> = {}): Visit => ({
  host: 'shop.example',
  origin: 'https://shop.example',
  path: '/',
  secure: true,
  official: false,
  number: 1,
  at: NOON,
  snippetUrl: 'https://aisle.example/attribution.js?id=test',
  faults: [],
  ...change,
})

/** A store at noon, and short ways to ask it. A wait passes at once and is told. */
export function testStore(options: Partial<StoreOptions> = {}) {
  const waits: number[] = []
  const store = createStore({
    faults: [],
    now: () => NOON,
    pause: async (ms) => waits.push(ms),
    ...options,
  })
  const ask = async (path: string, host = 'shop.example', init: RequestInit = {}) => {
    const response = await store.request(`http://${host}${path}`, init)
    const body = await response.text()
    const { status, headers } = response
    return { status, headers, body, waited: waits.splice(0) }
  }
  const send = (method: string, path: string, body: unknown, host?: string) =>
    ask(path, host, { method, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const order = (items: Partial<CheckoutItem>[], change: object = {}, host?: string) =>
    send(
      'POST',
      '/ucp/checkout',
      { items, shipping_address: ADDRESS, dry_run: true, ...change },
      host,
    )
  return { ask, send, order }
}
