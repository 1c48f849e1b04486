import type { WalkDialectName } from '../dialect.ts'
import { EXPECTATIONS, type ExpectationId, expectationOf } from '../expectations.ts'
import { INTENTS, type IntentId } from '../intents.ts'
import type { WalkShown, WalkState } from '../stored-walk.ts'
import type {
  Exchange,
  Purchase,
  RouteWalk,
  StepName,
  Transcript,
  Unmet,
  WalkEvent,
  WalkStep,
} from '../transcript.ts'

// Walks of a shop that is nowhere, as small as they can be and still look like real ones.

const STARTED = '2026-11-21T12:00:00.000Z'
const STORE = 'https://shop.example/ucp'

const LABELS: Record<WalkDialectName, string> = {
  spec_ucp: 'UCP of the specification, 1.0',
  spec_acp: 'ACP of the specification, 1.0',
  ucp_rest: 'UCP over REST, 2026-08-25',
  ucp_mcp: 'UCP over MCP, 2026-08-25',
  acp: 'ACP, 2026-04-17',
}

const json = (value: unknown) => JSON.stringify(value)

export const exchangeOf = (
  method: string,
  path: string,
  body: unknown,
  status = 200,
  answer: unknown = SESSION,
): Exchange => ({
  request: {
    method,
    url: STORE + path,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'UCP-Agent': 'profile="https://aisle.example/.well-known/ucp-agent"',
      Authorization: '(masked)',
    },
    body: body === null ? null : json(body),
    bytes: body === null ? 0 : json(body).length,
  },
  answer: {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_8d2f' },
    body: json(answer),
    bytes: json(answer).length,
    cut: false,
  },
  failure: null,
  ms: 96 + path.length,
  at: STARTED,
})

const SESSION = {
  id: 'chk_4Jq81',
  status: 'incomplete',
  currency: 'USD',
  line_items: [
    {
      id: 'li_1',
      item: { id: 'ao-1101-9-black', title: 'Trail shoe, 9, black', price: 12900 },
      quantity: 1,
    },
  ],
  totals: [
    { type: 'subtotal', amount: 12900 },
    { type: 'fulfillment', amount: 1300 },
    { type: 'total', amount: 12900 },
  ],
  expires_at: '2026-11-21T12:20:00Z',
}

const BODY = {
  line_items: [{ item: { id: 'ao-1101-9-black' }, quantity: 1 }],
  buyer: { email: '(masked)' },
}

interface Told {
  title: string
  says: { text: string; field: string | null }[]
  held: ExpectationId[]
  ask: [method: string, path: string, body: unknown]
}

const TOLD: Record<StepName, Told> = {
  find: {
    title: 'Looks for something to buy',
    says: [{ text: 'trail shoe, size 9, black: 129.00 USD, in stock', field: 'products[3]' }],
    held: ['answers', 'something_to_buy'],
    ask: ['POST', '/catalog/search', { query: '' }],
  },
  open: {
    title: 'Puts one trail shoe into a checkout',
    says: [
      { text: 'checkout chk_4Jq81, open', field: 'id' },
      { text: 'subtotal 129.00 USD', field: 'totals[type=subtotal].amount' },
    ],
    held: ['session_opens', 'session_is_whole', 'currency_as_listed', 'price_as_listed'],
    ask: ['POST', '/checkout-sessions', BODY],
  },
  quote: {
    title: 'Asks what shipping to Albany costs',
    says: [{ text: 'Ground 13.00 USD, Express 29.00 USD', field: 'fulfillment.options' }],
    held: ['changes_count', 'shipping_is_offered'],
    ask: ['PUT', '/checkout-sessions/chk_4Jq81', { ...BODY, country: 'US', zip: '12207' }],
  },
  address: {
    title: 'Gives the whole address',
    says: [{ text: 'ships to Albany, NY', field: 'fulfillment.destination' }],
    held: ['changes_count', 'shipping_is_offered'],
    ask: ['PUT', '/checkout-sessions/chk_4Jq81', { ...BODY, address: '(masked)' }],
  },
  shipping: {
    title: 'Chooses the cheapest shipping: Ground, 13.00 USD',
    says: [{ text: 'total 142.00 USD', field: 'totals[type=total].amount' }],
    held: ['shipping_can_be_chosen', 'totals_add_up', 'becomes_ready'],
    ask: ['PUT', '/checkout-sessions/chk_4Jq81', { ...BODY, option: 'ground' }],
  },
  change: {
    title: 'Takes two of it',
    says: [{ text: 'total 271.00 USD', field: 'totals[type=total].amount' }],
    held: ['changes_count', 'goods_as_asked', 'totals_add_up'],
    ask: ['PUT', '/checkout-sessions/chk_4Jq81', BODY],
  },
  repeat: {
    title: 'Sends the same call again',
    says: [{ text: 'the same checkout, chk_4Jq81', field: 'id' }],
    held: ['repeats_are_one'],
    ask: ['POST', '/checkout-sessions', BODY],
  },
  pay: {
    title: 'Pays with the test token',
    says: [{ text: 'completed, order 1001', field: 'order.id' }],
    held: ['takes_payment', 'one_order'],
    ask: ['POST', '/checkout-sessions/chk_4Jq81/complete', { token: '(masked)' }],
  },
  order: {
    title: 'Looks up the order',
    says: [{ text: 'order 1001, 142.00 USD', field: 'id' }],
    held: ['order_can_be_read'],
    ask: ['GET', '/orders/1001', null],
  },
  cancel: {
    title: 'Cancels the checkout',
    says: [{ text: 'cancelled', field: 'status' }],
    held: ['can_be_cancelled'],
    ask: ['POST', '/checkout-sessions/chk_4Jq81/cancel', {}],
  },
  return: {
    title: 'Comes back to the cancelled checkout',
    says: [{ text: 'refused: it has ended', field: 'messages[0].code' }],
    held: ['stays_ended'],
    ask: ['PUT', '/checkout-sessions/chk_4Jq81', BODY],
  },
  cart: {
    title: 'Puts one trail shoe into a cart',
    says: [{ text: 'cart crt_1, 129.00 USD', field: 'totals[type=total].amount' }],
    held: ['cart_works'],
    ask: ['POST', '/carts', BODY],
  },
  page: {
    title: 'Follows the link on which the buyer goes on',
    says: [{ text: 'the page names the trail shoe', field: 'continue_url' }],
    held: ['link_leads_on'],
    ask: ['GET', '/checkout/chk_4Jq81', null],
  },
}

const PLACE: readonly string[] = EXPECTATIONS.map(({ id }) => id)
const isBefore = (a: string, b: string) => PLACE.indexOf(a) < PLACE.indexOf(b)

export const stepOf = (n: number, step: StepName, failed: Unmet | null = null): WalkStep => {
  const { title, says, held, ask } = TOLD[step]
  return {
    n,
    step,
    title,
    exchanges: [exchangeOf(...ask)],
    concluded: failed === null ? says : [],
    held: failed === null ? held : held.filter((id) => isBefore(id, failed.expectation)),
    failed,
  }
}

export const unmetOf = (
  expectation: ExpectationId,
  found: string,
  field: string | null = null,
): Unmet => ({
  expectation,
  party: expectationOf(expectation).party,
  expected: expectationOf(expectation).expected,
  found,
  field,
  authority: 'UCP 2026-08-25, Checkout',
})

const SHIPPING_IGNORED = unmetOf(
  'shipping_can_be_chosen',
  'Ground for 13.00 USD was chosen, and the total is still 129.00 USD.',
  'totals[type=total].amount',
)

/** Steps of these names; the last one fails if a fault is handed in. */
export const stepsOf = (names: readonly StepName[], failed: Unmet | null = null): WalkStep[] =>
  names.map((name, at) => stepOf(at + 1, name, at === names.length - 1 ? failed : null))

export const purchaseOf = (
  intent: IntentId,
  steps: WalkStep[],
  more: Partial<Purchase> = {},
): Purchase => ({
  intent,
  dialect: 'ucp_rest',
  outcome: steps.some(({ failed }) => failed !== null) ? 'failed' : 'passed',
  why: null,
  charge: steps.some(({ step }) => step === 'shipping') ? { amount: 14200, currency: 'USD' } : null,
  steps,
  orders: [],
  left_open: [],
  ...more,
})

export const routeOf = (
  purchases: Purchase[],
  dialect: WalkDialectName = 'ucp_rest',
): RouteWalk => ({
  dialect,
  label: LABELS[dialect],
  endpoint: STORE,
  browsing: [stepOf(1, 'find')],
  purchases: purchases.map((purchase) => ({ ...purchase, dialect })),
})

export const transcriptOf = (routes: RouteWalk[], more: Partial<Transcript> = {}): Transcript => ({
  version: 1,
  id: 'walk_7f3a',
  domain: 'shop.example',
  mode: 'look',
  started_at: STARTED,
  ended_at: '2026-11-21T12:00:41.500Z',
  stopped: null,
  nothing: null,
  elsewhere: [],
  missing: [],
  routes,
  ...more,
})

const WHOLE = ['open', 'quote', 'address', 'shipping', 'cancel'] as const

const LOOKED = INTENTS.filter(({ mode }) => mode === 'look')

/** One purchase of each intent of look mode, as it should be. */
const allOf = (): Purchase[] =>
  LOOKED.map(({ id, moves }) => {
    const isWhole = moves.some((move) => move.do === 'choose')
    return purchaseOf(id, stepsOf(isWhole ? WHOLE : ['open', 'cancel']))
  })

/** The purchase of an intent, as it stops at the fourth step and tidies up. */
const stopped = (intent: IntentId): Purchase => {
  const steps = stepsOf(['open', 'quote', 'address', 'shipping'], SHIPPING_IGNORED)
  return purchaseOf(intent, [...steps, stepOf(5, 'cancel')], {
    why: 'The purchase ended when shipping was chosen.',
  })
}

const swapped = (purchases: Purchase[], other: Purchase): Purchase[] =>
  purchases.map((each) => (each.intent === other.intent ? other : each))

export const PASSED = transcriptOf([routeOf(allOf())])

/** One purchase of all stops at its fourth step. */
export const FAILED_AT_FOURTH = transcriptOf([
  routeOf(swapped(allOf(), stopped('cheapest_variant'))),
])

const BEGUN = purchaseOf('two_and_one', stepsOf(['open', 'quote', 'address']), {
  outcome: 'under_way',
})

export const UNDER_WAY = transcriptOf([routeOf([...allOf().slice(0, 1), BEGUN])], {
  ended_at: null,
})

/** The events by which a walk is seen, until its `UNDER_WAY` and after. */
export const EVENTS: WalkEvent[] = [
  { event: 'route', route: { dialect: 'ucp_rest', label: LABELS.ucp_rest, endpoint: STORE } },
  { event: 'browsed', dialect: 'ucp_rest', step: stepOf(1, 'find') },
  { event: 'purchase', dialect: 'ucp_rest', intent: 'cheapest_variant' },
  ...stepsOf(WHOLE).map((step) => ({
    event: 'step' as const,
    dialect: 'ucp_rest' as const,
    intent: 'cheapest_variant' as const,
    step,
  })),
  { event: 'purchased', purchase: purchaseOf('cheapest_variant', stepsOf(WHOLE)) },
  { event: 'purchase', dialect: 'ucp_rest', intent: 'two_and_one' },
  ...stepsOf(['open', 'quote', 'address']).map((step) => ({
    event: 'step' as const,
    dialect: 'ucp_rest' as const,
    intent: 'two_and_one' as const,
    step,
  })),
]

/** The buyer changes the quantity over and over; the last change is not taken over. */
export const SIXTY_STEPS = transcriptOf([
  routeOf([
    purchaseOf('two_and_one', [
      ...stepsOf([
        'open',
        'quote',
        'address',
        'shipping',
        ...Array.from({ length: 54 }, () => 'change' as const),
      ]),
      stepOf(
        59,
        'change',
        unmetOf(
          'changes_count',
          'The quantity was set to 2, and the checkout still holds 1.',
          'line_items[0].quantity',
        ),
      ),
      stepOf(60, 'cancel'),
    ]),
  ]),
])

/**
 * A purchase in each of five dialects: one that went well, one that the buyer finishes, one that
 * stopped at each party, one that could not be tried, and what is left in the store.
 */
export const SEVERAL_DIALECTS = transcriptOf(
  [
    routeOf(
      [
        purchaseOf('cheapest_variant', stepsOf([...WHOLE.slice(0, 4), 'pay', 'order']), {
          orders: [{ id: '1001', url: 'https://shop.example/orders/1001', cancelled: false }],
        }),
        purchaseOf('preorder', [], {
          outcome: 'not_walked',
          why: 'The catalog lists nothing that can be ordered before it is released.',
        }),
        purchaseOf('sold_out_variant', stepsOf(['open'])),
      ],
      'ucp_rest',
    ),
    routeOf([purchaseOf('cheapest_variant', stepsOf([...WHOLE.slice(0, 4), 'pay']))], 'ucp_mcp'),
    routeOf(
      [
        purchaseOf('cheapest_variant', stepsOf(['open', 'quote', 'address']), {
          outcome: 'handed_over',
          why: 'The store sends the buyer to its own page to choose a pickup point.',
          left_open: [
            {
              id: 'acp_cs_77',
              until: '2026-11-21T12:30:00Z',
              why: 'the store answered 405 to the cancellation',
            },
          ],
        }),
      ],
      'acp',
    ),
    routeOf(
      [
        purchaseOf(
          'cheapest_variant',
          stepsOf(['open'], unmetOf('admits_agents', 'The store answered 403 to our profile.')),
        ),
      ],
      'spec_ucp',
    ),
    routeOf(
      [
        purchaseOf('cheapest_variant', [
          {
            ...stepOf(1, 'open', unmetOf('answers', 'No answer came within 10 seconds.')),
            exchanges: [
              { ...exchangeOf('POST', '/acp/x', BODY), answer: null, failure: 'timed out' },
            ],
          },
        ]),
      ],
      'spec_acp',
    ),
  ],
  { mode: 'sandbox' },
)

export const NOTHING = transcriptOf([], {
  nothing: 'The store publishes neither a UCP profile nor an ACP endpoint.',
})

export const STOPPED = transcriptOf([routeOf([...allOf().slice(0, 1), BEGUN])], {
  stopped: 'It was cancelled by its owner.',
})

/** A walk as the API answers it. */
export const shownWalk = (state: WalkState, transcript: Transcript): WalkShown => ({
  id: transcript.id,
  domain: transcript.domain,
  mode: transcript.mode,
  intents: ['cheapest_variant'],
  dialects: null,
  state,
  stopped: transcript.stopped,
  asked_at: transcript.started_at,
  started_at: transcript.started_at,
  ended_at: transcript.ended_at,
  summary: null,
  url: `https://aisle.example/api/walk/${transcript.id}`,
  events_url: `https://aisle.example/api/walk/${transcript.id}/events`,
  transcript,
})

export const MARKUP = `</pre></p><script>alert("1")</script><img src=x onerror='alert(2)'>`

/** All that a store can say is markup, turns the direction of writing, or has no end. */
export const HOSTILE: Transcript = (() => {
  const wild = `${MARKUP} \u202etxet \u0007 ${'x'.repeat(400)}`
  const exchange = exchangeOf('POST', `/${MARKUP}`, { note: wild }, 200, { note: wild, deep: [[]] })
  const step: WalkStep = {
    n: 1,
    step: 'open',
    title: wild,
    exchanges: [
      {
        ...exchange,
        request: { ...exchange.request, headers: { [MARKUP]: wild } },
        answer: exchange.answer && { ...exchange.answer, headers: { 'x-a': wild }, cut: true },
      },
      { ...exchange, at: 'later', answer: null, failure: wild },
    ],
    concluded: [{ text: wild, field: wild }],
    held: [],
    failed: { ...unmetOf('price_as_listed', wild, wild), expected: wild, authority: wild },
  }
  const purchase = purchaseOf('cheapest_variant', [step], {
    why: wild,
    orders: [
      { id: MARKUP, url: 'javascript:alert(1)', cancelled: false },
      { id: 'b', url: '/walks/other', cancelled: true },
      { id: 'c', url: `https://shop.example/"onclick="alert(1)`, cancelled: false },
    ],
    left_open: [{ id: MARKUP, until: MARKUP, why: wild }],
  })
  const route = { ...routeOf([purchase]), label: wild, endpoint: wild }
  return transcriptOf([route], { domain: MARKUP, stopped: wild, nothing: wild })
})()
