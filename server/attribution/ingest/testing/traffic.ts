import { hash } from 'node:crypto'
import { MODEL } from '../../../../shared/attribution/classify/classify.ts'
import type { AttributionEvent } from '../../../../shared/attribution/events.ts'
import { visitEvent } from '../../beacon/visit-event.ts'
import { eventOf } from '../../report/testing/rows.ts'
import type { IncomingEvent } from '../event.ts'

// Traffic of the shape that shops send: what a row of it takes depends on how long ids and names
// are, and on how many events a session has. Of ten visits or sessions seven are in a browser, of
// which one orders, and three over a protocol, of which two do. Shops are of some size: where a day
// has few events, its sums are most of what is stored.

const SHOPS = 4
const DAY_MS = 86_400_000

/** The first instant, and over how many days events are spread evenly. */
interface Period {
  start: string
  days: number
  /** Among how many shops; some have many more than others. */
  shops?: number
}

const TWO_DAYS: Period = { start: '2026-10-01', days: 2 }

/** Numbers that look random and are the same in each run. */
function numbers(seed: string) {
  let n = 0
  return () => {
    n += 1
    return hash('sha256', `${seed} ${n}`, 'buffer').readUInt32BE() / 2 ** 32
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** So many events at least, a session's own in a row. */
export const realTraffic = (events: number): IncomingEvent[] =>
  [...realSessions(events, TWO_DAYS)].flat()

/** The same, session by session, for more events than fit into memory. */
export function* realSessions(
  events: number,
  { start, days, shops: count = SHOPS }: Period,
): Generator<IncomingEvent[], void> {
  const random = numbers('traffic')
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() ** 2 * of.length)] as T
  const text = (length: number) =>
    Array.from({ length }, () => BASE62[Math.floor(random() * 62)]).join('')
  const shops = Array.from({ length: count }, (_, n) => ({
    domain: `${['boots', 'outdoor-shop', 'kaffee', 'maison-verte'][n % 4]}${n}.example`,
    property_id: `prop_${text(20)}`,
    paths: Array.from({ length: 60 }, (_, each) => `/products/${text(6)}-${each}`.toLowerCase()),
    products: Array.from({ length: 100 }, (_, each) => `sku-${1000 + each}`),
  }))

  function oneSession(session: number, ts: Date): IncomingEvent[] {
    const sent: IncomingEvent[] = []
    const shop = pick(shops)
    const surface = pick(['chatgpt', 'perplexity', 'gemini', 'claude'])
    const sale = { value: 1000 + Math.floor(random() * 20_000), currency: 'USD' }
    const add = (event: Omit<AttributionEvent, 'domain' | 'timestamp'>, minutes: number) => {
      const at = new Date(ts.getTime() + minutes * 60_000)
      const body = { domain: shop.domain, timestamp: at.toISOString(), ...event }
      sent.push(eventOf(body as AttributionEvent, at))
    }
    const order = `${100_000 + session}`
    if (session % 10 < 7) {
      const id = `${text(6)}-${text(12)}`.toLowerCase()
      const host =
        { chatgpt: 'chatgpt.com', perplexity: 'www.perplexity.ai' }[surface] ?? 'claude.ai'
      const landing = `https://www.${shop.domain}/?utm_source=${host}#${pick(shop.paths)}`
      sent.push(
        visitEvent(
          { id, referrer: `https://${host}/`, landing, surface, model: MODEL },
          {
            domain: shop.domain,
            property_id: shop.property_id,
            ts,
            caller: { userAgent: null, signatureAgent: null },
          },
        ),
      )
      if (session % 10 === 0) {
        add(
          {
            event: 'ai_checkout_completed',
            session_id: order,
            source: 'web',
            properties: { visit_id: id, ...sale, order_id: `#${order}` },
          },
          12,
        )
      }
      return sent
    }
    const session_id = `cs_${text(20)}`
    const common = {
      session_id,
      source: session % 2 ? ('acp' as const) : ('ucp' as const),
      ai_surface: surface,
    }
    const product = { product_id: pick(shop.products), variant_id: `v${session % 9}` }
    add({ event: 'ai_product_viewed', ...common, properties: product }, 0)
    add({ event: 'ai_checkout_initiated', ...common, properties: { ...product, ...sale } }, 2)
    if (session % 10 === 9) {
      add(
        {
          event: 'ai_checkout_failed',
          ...common,
          properties: { ...product, failure_reason: 'payment_declined' },
        },
        3,
      )
      return sent
    }
    add(
      {
        event: 'ai_checkout_completed',
        ...common,
        properties: { ...product, ...sale, order_id: order },
      },
      4,
    )
    if (session % 100 === 8) {
      add(
        {
          event: 'ai_order_refunded',
          ...common,
          properties: { refund_id: `re_${order}`, ...sale, order_id: order },
        },
        60,
      )
    }
    return sent
  }

  let made = 0
  for (let session = 0; made < events; session += 1) {
    const passed = Math.floor((made / events) * days * DAY_MS)
    const sent = oneSession(session, new Date(Date.parse(start) + passed))
    made += sent.length
    yield sent
  }
}
