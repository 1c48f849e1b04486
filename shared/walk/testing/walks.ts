import type { ExpectationId, Party } from '../expectations.ts'
import { maskedExchange } from '../masking/masking.ts'
import type {
  Exchange,
  Purchase,
  StepName,
  Transcript,
  Unmet,
  WalkEvent,
  WalkStep,
} from '../transcript.ts'
import { purchaseOf } from './transcripts.ts'

/** What one run of a walk has of its own; another run has other ids and times. */
export interface Run {
  session: string
  key: string
  /** Milliseconds since 1970 of its begin. */
  start: number
  ms: number
}

export const MORNING: Run = {
  session: 'chk_01J9ZK3V7Q',
  key: '0b8f4f0e-5a55-4a40-9b8c-2f6f2c1f4b11',
  start: Date.UTC(2026, 10, 23, 10),
  ms: 142,
}

export const EVENING: Run = {
  session: 'chk_77XQPL0012AB',
  key: '9d2a11c4-0c0d-4f0f-8d6e-7f3e5b2a9c00',
  start: Date.UTC(2026, 10, 25, 19, 30, 1, 7),
  ms: 97.5,
}

const ORIGIN = 'https://shop.example'
export const TOKEN = 'tok_visa_4242'

/** An exchange of a run, `after` milliseconds from its begin. */
export function exchangeOf(
  run: Run,
  after: number,
  [method, path, sent, answered]: [string, string, unknown, unknown],
  status = 200,
): Exchange {
  const at = new Date(run.start + after)
  return maskedExchange(
    {
      request: {
        method,
        url: `${ORIGIN}${path}`,
        headers: {
          'content-type': 'application/json',
          authorization: 'Bearer agent-key-123',
          'idempotency-key': run.key,
        },
        body: sent === null ? null : JSON.stringify(sent),
      },
      answer: {
        status,
        headers: {
          'content-type': 'application/json',
          date: at.toUTCString(),
          'x-request-id': `req_${run.session}${after}`,
        },
        body: JSON.stringify(answered),
        truncated: false,
      },
      failure: null,
      ms: run.ms + after / 100,
      at: at.toISOString(),
    },
    [TOKEN],
  )
}

export const sessionOf = (run: Run, over: object = {}) => ({
  id: run.session,
  status: 'incomplete',
  currency: 'USD',
  line_items: [
    { id: 'li_1', item: { id: 'var_tent_64021', title: 'Tent', price: 12900 }, quantity: 1 },
  ],
  totals: [
    { type: 'subtotal', amount: 12900 },
    { type: 'total', amount: 12900 },
  ],
  expires_at: new Date(run.start + 20 * 60_000).toISOString(),
  updated: Math.floor(run.start / 1000),
  delivery: { earliest: new Date(run.start + 3 * 86_400_000).toISOString().slice(0, 10) },
  links: [{ type: 'schema', url: 'https://ucp.dev/2026-08-25/schemas' }],
  continue_url: `${ORIGIN}/checkout/${run.session}`,
  ...over,
})

export const stepOf = (
  n: number,
  step: StepName,
  title: string,
  exchanges: Exchange[],
  over: Partial<WalkStep> = {},
): WalkStep => ({
  n,
  step,
  title,
  exchanges,
  concluded: [],
  held: ['answers'],
  failed: null,
  ...over,
})

export const unmetOf = (
  expectation: ExpectationId,
  found: string,
  party: Party = 'store',
): Unmet => ({
  expectation,
  party,
  expected: 'A complete address gets a shipping option.',
  found,
  field: 'totals[type=total].amount',
  authority: 'UCP 2026-08-25, Checkout',
})

const findStep = (run: Run): WalkStep =>
  stepOf(1, 'find', 'Searches the catalog', [
    exchangeOf(run, 0, [
      'POST',
      '/ucp/catalog/search',
      { query: '' },
      { products: [{ id: 'prod_tent_64020', variants: [{ id: 'var_tent_64021' }] }] },
    ]),
  ])

/** A purchase that goes well. */
export const boughtOf = (run: Run, over: object = {}): Purchase =>
  purchaseOf('cheapest_variant', [
    stepOf(
      1,
      'open',
      'Opens a checkout of one Tent',
      [
        exchangeOf(
          run,
          100,
          [
            'POST',
            '/ucp/checkout-sessions',
            {
              line_items: [{ item: { id: 'var_tent_64021' }, quantity: 1 }],
              buyer: { email: 'ada@mail.example' },
              payment: { token: TOKEN },
            },
            sessionOf(run, over),
          ],
          201,
        ),
      ],
      {
        concluded: [
          { text: `checkout ${run.session}, open`, field: 'id' },
          { text: `answered in ${run.ms} ms`, field: null },
        ],
      },
    ),
    stepOf(2, 'cancel', 'Cancels the checkout', [
      exchangeOf(run, 200, [
        'POST',
        `/ucp/checkout-sessions/${run.session}/cancel`,
        {},
        sessionOf(run, { status: 'canceled' }),
      ]),
    ]),
  ])

/** A purchase that stops at shipping. */
export const stoppedOf = (run: Run, found = 'No option was offered.'): Purchase =>
  purchaseOf(
    'two_and_one',
    [
      boughtOf(run).steps[0] ?? stepOf(1, 'open', '', []),
      stepOf(
        2,
        'quote',
        "Asks what shipping to Albany costs, and what it's",
        [
          exchangeOf(run, 300, [
            'PUT',
            `/ucp/checkout-sessions/${run.session}`,
            {},
            sessionOf(run),
          ]),
        ],
        { failed: unmetOf('shipping_is_offered', found), held: [] },
      ),
    ],
    { why: found },
  )

export const walkOf = (
  run: Run,
  purchases: Purchase[],
  over: Partial<Transcript> = {},
): Transcript => ({
  version: 1,
  id: run.key,
  domain: 'shop.example',
  mode: 'look',
  started_at: new Date(run.start).toISOString(),
  ended_at: new Date(run.start + 5_000).toISOString(),
  stopped: null,
  nothing: null,
  elsewhere: [],
  missing: [],
  routes: [
    {
      dialect: 'ucp_rest',
      label: 'UCP over REST, 2026-08-25',
      endpoint: `${ORIGIN}/ucp`,
      browsing: [findStep(run)],
      purchases,
    },
  ],
  ...over,
})

/** The events by which a walk is seen. */
export const eventsOf = (transcript: Transcript): WalkEvent[] => [
  ...transcript.routes.flatMap(({ browsing, purchases, ...route }): WalkEvent[] => [
    { event: 'route', route },
    ...browsing.map((step): WalkEvent => ({ event: 'browsed', dialect: route.dialect, step })),
    ...purchases.flatMap((purchase): WalkEvent[] => [
      { event: 'purchase', dialect: route.dialect, intent: purchase.intent },
      ...purchase.steps.map(
        (step): WalkEvent => ({
          event: 'step',
          dialect: route.dialect,
          intent: purchase.intent,
          step,
        }),
      ),
      { event: 'purchased', purchase },
    ]),
  ]),
  { event: 'ended', transcript },
]
