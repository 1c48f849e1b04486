import type { AttributionEvent } from '../../../../shared/attribution/events.ts'

/** Three stores in three zones, and what they sell in: cents, thousandths, and whole yen. */
export const SHOPS = {
  'shop.example': { zone: 'Europe/Berlin', currencies: ['EUR', 'USD'] },
  'tokyo.example': { zone: 'Asia/Tokyo', currencies: ['JPY', 'USD'] },
  'xn--caf-dma.example': { zone: null, currencies: ['KWD', 'EUR', 'USD'] },
} as const
export type Shop = keyof typeof SHOPS
export const DOMAINS = Object.keys(SHOPS) as Shop[]

/** Texts that a wrong quoting, cut or encoding would change. */
const TEXTS = [
  'plain',
  'a "quoted", comma; semicolon',
  "it's \\ back\\slash \\u0041",
  'line\nbreak\ttab\r\u2028\u2029',
  '👩🏽‍🚀 🏳️‍🌈 \u{10ffff}',
  'ﷺ עברית \u202eabc',
  'e\u0301 é \ufeff\u00a0',
  '',
  'null',
  'NaN',
  '{"json": [1, 2]}',
  'x'.repeat(200),
]
const NUMBERS = [0, -0.1, 1e300, 5e-324, 2 ** 53 - 1, -(2 ** 53), 0.1 + 0.2, 1234567890123.456]

/** Around the hours in which clocks change, months end, and days end elsewhere. */
const MOMENTS = [
  '2026-08-31T21:59:59.999Z',
  '2026-08-31T22:00:00.000Z',
  '2026-09-30T14:59:59.999Z',
  '2026-09-30T23:59:59.999Z',
  '2026-10-01T00:00:00.000Z',
  '2026-10-24T22:00:00.000Z',
  '2026-10-25T00:30:00.001Z',
  '2026-10-25T01:00:00.000Z',
  '2026-10-25T01:30:00.999Z',
  '2026-10-31T23:00:00.000Z',
  '2026-11-01T05:30:00.000Z',
  '2026-11-01T06:30:00.000Z',
].map((text) => Date.parse(text))
const FIRST = Date.parse('2026-08-20T00:00:00Z')
const LAST = Date.parse('2026-11-19T00:00:00Z')

const SURFACES = ['chatgpt', 'perplexity', 'claude', 'gemini', 'my_own_bot', undefined]
const VALUES = [1, 99, 4999, 123_456_789, 10 ** 12, 1005]

/** Purchases of two to four events each: the same ones each time. */
export function manyEvents(purchases: number): AttributionEvent[] {
  // A linear congruential generator (Numerical Recipes).
  let state = 22
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const one = <Of>(list: readonly Of[]): Of => list[random(list.length)] as Of
  return Array.from({ length: purchases }, (_, n) => {
    const domain = one(DOMAINS)
    const currency = one(SHOPS[domain].currencies)
    const at = n % 3 === 0 ? one(MOMENTS) : FIRST + random(LAST - FIRST)
    const value = one(VALUES) + random(100)
    const ai_surface = one(SURFACES)
    const shared = {
      domain,
      session_id: `${n} ${one(TEXTS)}`.slice(0, 200),
      source: one(['ucp', 'acp'] as const),
      ...(ai_surface !== undefined && { ai_surface }),
    }
    const event = (
      name: AttributionEvent['event'],
      later: number,
      properties: AttributionEvent['properties'],
    ): AttributionEvent => ({
      event: name,
      ...shared,
      timestamp: new Date(at + later).toISOString(),
      properties: {
        product_id: `p${random(40)} ${one(TEXTS)}`.slice(0, 200),
        [`own ${one(TEXTS)}`]: one(TEXTS),
        number: one(NUMBERS),
        nested: { list: [one(TEXTS), one(NUMBERS), null, true], empty: {} },
        ...properties,
      },
    })
    const price = { value: Math.min(value, 10 ** 12), currency }
    const isPaid = random(3) > 0
    return [
      event('ai_product_viewed', 0, {}),
      event('ai_checkout_initiated', 1, random(2) > 0 ? price : {}),
      isPaid
        ? event('ai_checkout_completed', 2, {
            ...price,
            order_id: `o${n}`,
            new_customer: n % 2 > 0,
          })
        : event('ai_checkout_failed', 2, {}),
      ...(isPaid && random(4) === 0
        ? [
            event('ai_order_refunded', 3, {
              value: 1 + random(price.value),
              currency,
              order_id: `o${n}`,
              refund_id: `r${n}`,
            }),
          ]
        : []),
    ]
  }).flat()
}
