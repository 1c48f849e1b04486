import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BuyerOperation, Wanted } from '../operation.ts'
import { type AcpRoute, officialAcp } from './acp.ts'
import {
  CANCEL,
  HOSTILE,
  jsonAnswer,
  OPEN,
  ORDER,
  READ,
  sessionIn,
  UNANSWERED,
} from './testing/answers.ts'

const dialectWith = (change: Partial<AcpRoute> = {}) =>
  officialAcp({
    base: 'https://shop.example/acp',
    version: '2026-04-17',
    extensions: ['discount@2026-01-27'],
    ...change,
  })
const acp = dialectWith()

const total = (type: string, amount: unknown) => ({ type, display_text: type, amount })

/** After the specification's own example. */
const SESSION = {
  id: 'cs_1',
  protocol: { version: '2026-04-17' },
  status: 'ready_for_payment',
  currency: 'usd',
  capabilities: { payment: { handlers: [{ id: 'card' }, { id: 'wallet' }] } },
  line_items: [
    {
      id: 'li_1',
      item: { id: 'mug', name: 'Mug', unit_amount: 1800 },
      quantity: 2,
      totals: [total('items_base_amount', 3600), total('total', 3600)],
    },
  ],
  fulfillment_options: [
    { type: 'shipping', id: 'std', title: 'Standard', totals: [total('total', 500)] },
    { type: 'local_delivery', id: 'bike', title: 'By bike', totals: [] },
    { type: 'pickup', id: 'shop', title: 'At the shop', totals: [] },
  ],
  selected_fulfillment_options: [{ type: 'shipping', option_id: 'std', item_ids: ['li_1'] }],
  totals: [
    total('items_base_amount', 3600),
    total('items_discount', 100),
    total('subtotal', 3500),
    total('discount', 300),
    total('fulfillment', 500),
    total('store_credit', 200),
    total('total', 3500),
    total('amount_refunded', 50),
  ],
  messages: [],
  links: [],
  continue_url: 'https://shop.example/checkout/cs_1',
  expires_at: '2026-06-01T18:00:00Z',
}
const sessionOf = (change: object) =>
  sessionIn(acp.read(READ, jsonAnswer({ ...SESSION, ...change })))

test('a session is read whole', () => {
  expect(sessionOf({})).toEqual({
    id: 'cs_1',
    phase: 'ready',
    said: 'ready_for_payment',
    currency: 'usd',
    lines: [{ id: 'li_1', item: 'mug', title: 'Mug', quantity: 2, price: 1800 }],
    subtotal: 3500,
    total: 3500,
    parts: [
      { name: 'subtotal', amount: 3500 },
      { name: 'discount', amount: -300 },
      { name: 'fulfillment', amount: 500 },
      { name: 'store_credit', amount: -200 },
    ],
    shipping: [
      { id: 'std', name: 'Standard', kind: 'shipping', cost: 500, costs: [500] },
      { id: 'bike', name: 'By bike', kind: 'local_delivery', cost: null, costs: [] },
    ],
    chosen: 'std',
    expires_at: '2026-06-01T18:00:00Z',
    continue_url: 'https://shop.example/checkout/cs_1',
    messages: [],
    handlers: ['card', 'wallet'],
    order: null,
    faults: [],
  })
})

test.each([
  ['incomplete', 'open'],
  ['not_ready_for_payment', 'open'],
  ['requires_escalation', 'buyer'],
  ['authentication_required', 'challenge'],
  ['ready_for_payment', 'ready'],
  ['pending_approval', 'paying'],
  ['complete_in_progress', 'paying'],
  ['in_progress', 'paying'],
  ['completed', 'completed'],
  ['canceled', 'canceled'],
  ['expired', 'expired'],
  ['toString', null],
  [null, null],
])('the status %s is %s', (status, phase) => {
  expect(sessionOf({ status }).phase).toBe(phase)
})

const error = (code: string, param?: string) => ({
  type: 'error',
  code,
  content: 'No.',
  content_type: 'plain',
  ...(param && { param }),
})

test('where the bank wants the buyer, and the agent cannot help, it is a challenge', () => {
  const change = { status: 'requires_escalation', messages: [error('requires_3ds')] }
  expect(sessionOf(change).phase).toBe('challenge')
})

test.each([
  ['missing', '$.fulfillment_details.address', null],
  ['invalid', '$.fulfillment_details.address.country', 'address'],
  ['invalid', '$.selected_fulfillment_options[0].option_id', 'shipping'],
  ['invalid', '$.line_items[0]', 'invalid'],
  ['out_of_stock', '$.line_items[0]', 'sold_out'],
  ['low_stock', undefined, 'quantity'],
  ['quantity_exceeded', undefined, 'quantity'],
  ['payment_declined', '$.payment_data', 'payment'],
  ['requires_3ds', undefined, 'challenge'],
  ['intervention_required', undefined, 'challenge'],
  ['coupon_expired', undefined, 'coupon'],
  ['region_restricted', undefined, 'address'],
  ['not_found', '$.line_items[0].item.id', 'unknown_item'],
  ['requires_sign_in', undefined, null],
])('the error %s at %s is about %s', (code, param, reason) => {
  expect(sessionOf({ messages: [error(code, param)] }).messages).toEqual([
    expect.objectContaining({ kind: 'error', code, text: 'No.', reason }),
  ])
})

test.each([
  ['intervention_required', undefined, true],
  ['requires_sign_in', undefined, true],
  ['age_verification_required', undefined, true],
  ['approval_required', undefined, true],
  ['minimum_not_met', 'recoverable', true],
  ['missing', 'requires_buyer_input', true],
  ['own_code', 'requires_buyer_review', true],
  ['missing', 'recoverable', undefined],
  ['missing', undefined, undefined],
  ['out_of_stock', 7, undefined],
])('whether the error %s with the resolution %s is for the buyer', (code, resolution, expected) => {
  const { messages } = sessionOf({ messages: [{ ...error(code), resolution }] })
  expect(messages[0]?.isForBuyer).toBe(expected)
})

test('a warning refuses a coupon, and nothing else does so beside it', () => {
  const warn = (code: string) => ({ ...error(code, '$.fulfillment_options'), type: 'warning' })
  const { messages } = sessionOf({
    messages: [
      warn('discount_code_invalid'),
      warn('shipping_delay'),
      { ...warn('x'), type: 'info' },
    ],
  })
  expect(messages.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['warning', 'coupon'],
    ['warning', null],
    ['info', null],
  ])
})

test.each([
  ['of the item', { item: { id: 'mug', unit_amount: 1700 } }, 1700],
  ['of the line first', { unit_amount: 1600, item: { id: 'mug', unit_amount: 1700 } }, 1600],
  ['shared out', { item: { id: 'mug' } }, 1800],
  ['that cannot be shared out', { item: { id: 'mug' }, quantity: 7 }, null],
  ['nowhere', { item: { id: 'mug' }, totals: [] }, null],
])('a price %s', (_, change, price) => {
  const line_items = [{ ...SESSION.line_items[0], ...change }]
  expect(sessionOf({ line_items }).lines?.[0]?.price).toBe(price)
})

test('without a subtotal its parts count', () => {
  const totals = SESSION.totals.filter(({ type }) => type !== 'subtotal')
  const { subtotal, parts } = sessionOf({ totals })
  expect(subtotal).toBe(3500)
  expect(parts?.slice(0, 2)).toEqual([
    { name: 'items_base_amount', amount: 3600 },
    { name: 'items_discount', amount: -100 },
  ])
  expect(parts?.reduce((sum, { amount }) => sum + amount, 0)).toBe(3500)
})

test.each([{}, { payment: {} }, { payment: { handlers: [] } }])(
  '%j names no way to pay',
  (capabilities) => {
    expect(sessionOf({ capabilities })).toMatchObject({ handlers: [], faults: [] })
  },
)

const line = SESSION.line_items[0]

test.each([
  [{ id: undefined }, 'id', 'is missing'],
  [{ status: 'open' }, 'status', /must be one of/],
  [{ line_items: undefined }, 'line_items', 'is missing'],
  [
    { line_items: [{ ...line, quantity: 1.5 }] },
    'line_items[0].quantity',
    'must be a whole number',
  ],
  [{ line_items: [{ ...line, totals: undefined }] }, 'line_items[0].totals', 'is missing'],
  [{ totals: [total('subtotal', 1)] }, 'totals', /one entry of the type "total", and has 0/],
  [{ totals: [total('total', '1')] }, 'totals[0].amount', 'must be a number'],
  [{ totals: [{ type: 'total', amount: 1 }] }, 'totals[0].display_text', 'is missing'],
  [{ fulfillment_options: undefined }, 'fulfillment_options', 'is missing'],
  [{ messages: undefined }, 'messages', 'is missing'],
  [{ links: undefined }, 'links', 'is missing'],
  [{ links: [{ type: 'faq', url: '/faq' }] }, 'links[0].url', 'must be an absolute URL'],
  [{ continue_url: 'mailto:a@shop.example' }, 'continue_url', 'must be an absolute https URL'],
  [
    { order: { id: 'o', permalink_url: 'tel:+15550100' } },
    'order.permalink_url',
    'must be an absolute https URL',
  ],
  [{ capabilities: undefined }, 'capabilities', 'is missing'],
  [
    { selected_fulfillment_options: [{ type: 'shipping', option_id: 'gone', item_ids: [] }] },
    'selected_fulfillment_options',
    'must be of fulfillment_options: gone',
  ],
  [{ status: 'authentication_required' }, 'authentication_metadata', 'is missing'],
  [{ order: { id: 'o' } }, 'order.permalink_url', 'is missing'],
])('%j is a fault at %s', (change, field, problem) => {
  const expected = problem instanceof RegExp ? expect.stringMatching(problem) : problem
  expect(sessionOf(change).faults).toEqual([{ field, problem: expected }])
})

test.each([
  [{ currency: 'US$' }, 'currency', 'currency'],
  [{ currency: 'usx' }, 'currency', 'currency'],
  [{ currency: 840 }, 'currency', undefined],
  [{ expires_at: 'soon' }, 'expires_at', 'expiry'],
])('%j has a gap of its own', (change, field, about) => {
  expect(sessionOf(change).faults).toEqual([{ field, problem: expect.any(String), about }])
})

test.each(['mailto:help@shop.example', 'tel:+1-555-0100', 'https://shop.example/contact'])(
  'a link to %s is whole',
  (url) => {
    expect(sessionOf({ links: [{ type: 'contact_us', url }] }).faults).toEqual([])
  },
)

const subtotalAlone = [total('subtotal', 1)]
test.each(['incomplete', 'not_ready_for_payment', 'requires_escalation', 'canceled', 'expired'])(
  'a session that is %s may be without a total, and has at most one',
  (status) => {
    expect(sessionOf({ status, totals: subtotalAlone })).toMatchObject({ total: null, faults: [] })
    const totals = [total('total', 1), total('total', 2)]
    expect(sessionOf({ status, totals }).faults).toEqual([
      { field: 'totals', problem: expect.stringMatching(/at most one entry .+ and has 2$/) },
    ])
  },
)

test.each(['authentication_required', 'complete_in_progress', 'completed'])(
  'a session that is %s has a total',
  (status) => {
    const change = { status, authentication_metadata: { a: 1 }, totals: subtotalAlone }
    expect(sessionOf(change).faults).toEqual([
      { field: 'totals', problem: expect.stringMatching(/exactly one entry .+ and has 0$/) },
    ])
  },
)

test.each(['USD', 'Usd', 'usd'])('the currency %s is whole', (currency) => {
  expect(sessionOf({ currency })).toMatchObject({ currency, faults: [] })
})

test('a challenge with what the agent needs for it is whole', () => {
  const change = { status: 'authentication_required', authentication_metadata: { a: 1 } }
  expect(sessionOf(change)).toMatchObject({ phase: 'challenge', faults: [] })
})

const flat = (code: string, change: object = {}) => ({
  type: 'invalid_request',
  code,
  message: 'No.',
  ...change,
})

test.each<[BuyerOperation, number, unknown, string | null, string, unknown]>([
  [OPEN, 400, flat('invalid_item_id'), 'invalid_item_id', 'unknown_item', null],
  [OPEN, 400, flat('quantity_exceeded'), 'quantity_exceeded', 'quantity', null],
  [OPEN, 400, flat('unsupported_currency'), 'unsupported_currency', 'currency', null],
  [OPEN, 400, flat('unsupported', { param: '$.currency' }), 'unsupported', 'currency', null],
  [OPEN, 400, flat('missing_field'), 'missing_field', 'invalid', null],
  [OPEN, 400, flat('missing_api_version'), 'missing_api_version', 'caller', null],
  [OPEN, 401, flat('unauthorized'), 'unauthorized', 'caller', null],
  [OPEN, 403, flat('nope'), 'nope', 'caller', null],
  [OPEN, 409, flat('idempotency_in_flight'), 'idempotency_in_flight', 'other', null],
  [OPEN, 422, flat('idempotency_conflict'), 'idempotency_conflict', 'conflict', null],
  [CANCEL, 404, flat('not_found'), 'not_found', 'ended', null],
  [CANCEL, 405, flat('not_cancelable'), 'not_cancelable', 'ended', null],
  [CANCEL, 409, flat('conflict'), 'conflict', 'ended', null],
  [READ, 400, flat('requires_3ds'), 'requires_3ds', 'challenge', null],
  [READ, 400, flat('unsupported_payment_handler'), 'unsupported_payment_handler', 'payment', null],
  [
    OPEN,
    429,
    flat('rate_limited', { type: 'service_unavailable' }),
    'rate_limited',
    'too_many',
    null,
  ],
  [
    OPEN,
    500,
    flat('internal_error', { type: 'processing_error' }),
    'internal_error',
    'failed',
    null,
  ],
  [OPEN, 400, flat('x', { type: undefined }), 'x', 'invalid', 'is malformed: type is missing'],
  [OPEN, 400, { error: flat('out_of_stock') }, 'out_of_stock', 'sold_out', /^is malformed: type/],
  [OPEN, 400, { detail: flat('out_of_stock') }, 'out_of_stock', 'sold_out', /^is malformed: type/],
  [OPEN, 401, { detail: flat('missing_api_key') }, 'missing_api_key', 'caller', /malformed/],
  [CANCEL, 405, { detail: 'Method Not Allowed' }, null, 'failed', /malformed/],
  [OPEN, 400, [], null, 'invalid', 'is not a JSON object'],
  [OPEN, 200, flat('out_of_stock'), 'out_of_stock', 'sold_out', 'has the status 200'],
])('%j refused with %i %j', (operation, status, body, code, reason, fault) => {
  const problem = fault instanceof RegExp ? expect.stringMatching(fault) : fault
  const expected = problem && expect.objectContaining({ problem })
  expect(acp.read(operation, jsonAnswer(body, status))).toMatchObject({
    is: 'refused',
    refusal: { status, code, reason, fault: expected },
  })
})

test('what no agent can read', () => {
  expect(acp.read(OPEN, jsonAnswer('<h1>Shop</h1>', 200, 'text/html')).is).toBe('unreadable')
  expect(acp.read(OPEN, jsonAnswer([SESSION])).is).toBe('unreadable')
  expect(acp.read(OPEN, UNANSWERED).is).toBe('silent')
  expect(acp.read(OPEN, jsonAnswer('<h1>Oops</h1>', 502, 'text/html'))).toMatchObject({
    refusal: { reason: 'failed', code: null, fault: { field: null, problem: 'is not JSON' } },
  })
})

// Before payment handlers

const FIRST = dialectWith({ version: '2025-09-29', extensions: [] })
const DETAILS = dialectWith({ version: '2026-01-16', extensions: [] })
const FLAT = {
  ...SESSION,
  capabilities: undefined,
  payment_provider: { provider: 'stripe', supported_payment_methods: ['card'] },
  line_items: [
    {
      id: 'li_1',
      item: { id: 'mug', quantity: 2 },
      name: 'Mug',
      ...{ base_amount: 3600, discount: 0, subtotal: 3600, tax: 0, total: 3600 },
    },
  ],
  fulfillment_options: [
    { type: 'shipping', id: 'std', title: 'Standard', subtotal: '450', tax: '50', total: '500' },
  ],
}

test.each([
  [FIRST, { fulfillment_option_id: 'std' }],
  [
    DETAILS,
    { selected_fulfillment_options: [{ type: 'shipping', shipping: { option_id: 'std' } }] },
  ],
])('a session with flat amounts and one provider is read whole', (dialect, chosen) => {
  const { selected_fulfillment_options, ...session } = FLAT
  expect(sessionIn(dialect.read(READ, jsonAnswer({ ...session, ...chosen })))).toMatchObject({
    lines: [{ id: 'li_1', item: 'mug', title: 'Mug', quantity: 2, price: 1800 }],
    shipping: [{ id: 'std', cost: 500, costs: [450, 500] }],
    chosen: 'std',
    handlers: ['stripe'],
    faults: [],
  })
})

test('a line without its flat amounts is not whole', () => {
  const line_items = [{ id: 'li_1', item: { id: 'mug', quantity: 2 } }]
  expect(sessionIn(FIRST.read(READ, jsonAnswer({ ...FLAT, line_items }))).faults[0]).toEqual({
    field: 'line_items[0].base_amount',
    problem: 'is missing',
  })
})

// Requests

const WANTED: Wanted = {
  lines: [
    { product_id: 'mug', variant_id: null, quantity: 2 },
    { product_id: 'tent', variant_id: 'var_tent', quantity: 1 },
  ],
  address: {
    name: 'Ada King',
    street: '1 Pier Rd',
    city: 'Oakland',
    state: 'CA',
    zip: '94607',
    country: 'US',
  },
  option: null,
  coupon: null,
  currency: 'USD',
}
const ADDRESS = {
  name: 'Ada King',
  line_one: '1 Pier Rd',
  city: 'Oakland',
  state: 'CA',
  country: 'US',
  postal_code: '94607',
}
const LINES = [{ id: 'mug', quantity: 2 }, { id: 'var_tent' }]

test('a session is opened with all that is known', () => {
  const wanted = { ...WANTED, contact: { email: 'ada@agent.example', phone: '+15550100' } }
  expect(acp.call({ op: 'open', wanted, key: 'k', dryRun: false })).toEqual({
    over: 'http',
    method: 'POST',
    url: 'https://shop.example/acp/checkout_sessions',
    headers: {
      authorization: 'Bearer aisle',
      'api-version': '2026-04-17',
      'idempotency-key': 'k',
      'request-id': expect.any(String),
    },
    json: {
      line_items: LINES,
      currency: 'usd',
      capabilities: { interventions: { supported: [] }, extensions: ['discount'] },
      buyer: {
        first_name: 'Ada',
        last_name: 'King',
        email: 'ada@agent.example',
        phone_number: '+15550100',
      },
      fulfillment_details: {
        name: 'Ada King',
        phone_number: '+15550100',
        email: 'ada@agent.example',
        address: ADDRESS,
      },
    },
  })
})

test.each([
  [
    'stated',
    [
      { id: 'mug', quantity: 2 },
      { id: 'var_tent', quantity: 1 },
    ],
  ],
  ['repeated', [{ id: 'mug' }, { id: 'mug' }, { id: 'var_tent' }]],
] as const)('quantities can be %s', (quantities, line_items) => {
  const wanted = { ...WANTED, quantities }
  expect(acp.call({ op: 'open', wanted, key: 'k', dryRun: false })).toMatchObject({
    json: { line_items },
  })
})

test('no item is repeated a thousand million times', () => {
  const lines = [{ product_id: 'mug', variant_id: null, quantity: 1_000_000_000 }]
  const wanted = { ...WANTED, lines, quantities: 'repeated' } as const
  expect(acp.call({ op: 'open', wanted, key: 'k', dryRun: false })).toMatchObject({
    json: { line_items: [{ id: 'mug', quantity: 1_000_000_000 }] },
  })
})

test('a part of an address is not sent, and a key that was agreed is', () => {
  const wanted = { ...WANTED, address: { zip: '94607', country: 'US' } }
  const agreed = dialectWith({ agentKey: 'sk_agent', extensions: [] })
  const call = agreed.call({ op: 'open', wanted, key: 'k', dryRun: false })
  expect(call).toMatchObject({ headers: { authorization: 'Bearer sk_agent' } })
  expect(call?.over === 'http' && call.json).toEqual({
    line_items: LINES,
    currency: 'usd',
    capabilities: { interventions: { supported: [] } },
  })
})

test('an update sends all that is wanted, and chooses by the ids of the lines', () => {
  const wanted = { ...WANTED, option: 'bike', coupon: 'SPRING' }
  const call = acp.call({ op: 'change', id: 'cs$&1', last: sessionOf({}), wanted, key: 'k' })
  expect(call).toMatchObject({
    method: 'POST',
    url: 'https://shop.example/acp/checkout_sessions/cs%24%261',
  })
  expect(call?.over === 'http' && call.json).toEqual({
    line_items: LINES,
    fulfillment_details: { name: 'Ada King', address: ADDRESS },
    // What is new has no line yet.
    selected_fulfillment_options: [
      { type: 'local_delivery', option_id: 'bike', item_ids: ['li_1', 'var_tent'] },
    ],
    discounts: { codes: ['SPRING'] },
  })
  const none = acp.call({ op: 'change', id: 'c', last: sessionOf({}), wanted: WANTED, key: 'k' })
  expect(none).toMatchObject({ json: { discounts: { codes: [] } } })
  expect(none?.over === 'http' && none.json).not.toHaveProperty('selected_fulfillment_options')
})

test('an update sends what is not as it was accepted before', () => {
  const bodyOf = (wanted: Wanted, accepted: Wanted) => {
    const call = acp.call({
      op: 'change',
      id: 'c',
      last: sessionOf({}),
      wanted,
      accepted,
      key: 'k',
    })
    return call?.over === 'http' && call.json
  }
  const selected_fulfillment_options = [
    { type: 'shipping', option_id: 'std', item_ids: ['li_1', 'var_tent'] },
  ]
  const chosen = { ...WANTED, option: 'std' }
  expect(bodyOf(chosen, structuredClone(WANTED))).toEqual({ selected_fulfillment_options })
  // What is chosen is chosen again by the ids of the lines that the answer to this has.
  const lines = [{ product_id: 'mug', variant_id: null, quantity: 1 }]
  expect(bodyOf({ ...chosen, lines }, chosen)).toEqual({
    line_items: [{ id: 'mug' }],
  })
  const address = { ...WANTED.address, country: 'US', city: 'Reno' }
  expect(bodyOf({ ...WANTED, address }, WANTED)).toEqual({
    fulfillment_details: { name: 'Ada King', address: { ...ADDRESS, city: 'Reno' } },
  })
  expect(bodyOf({ ...WANTED, coupon: 'SPRING' }, WANTED)).toEqual({
    discounts: { codes: ['SPRING'] },
  })
  expect(bodyOf(WANTED, { ...WANTED, coupon: 'SPRING' })).toEqual({ discounts: { codes: [] } })
})

test('one thing in two lines is chosen for with both of them', () => {
  const [line] = SESSION.line_items
  const last = sessionOf({ line_items: [line, { ...line, id: 'li_2' }] })
  const wanted = { ...WANTED, option: 'std' }
  expect(acp.call({ op: 'change', id: 'c', last, wanted, key: 'k' })).toMatchObject({
    json: { selected_fulfillment_options: [{ item_ids: ['li_1', 'li_2', 'var_tent'] }] },
  })
})

test('an option that is no longer offered is chosen as what is shipped', () => {
  const wanted = { ...WANTED, option: 'gone' }
  expect(acp.call({ op: 'change', id: 'c', last: sessionOf({}), wanted, key: 'k' })).toMatchObject({
    json: { selected_fulfillment_options: [{ type: 'shipping', option_id: 'gone' }] },
  })
})

test('an id may hold anything', () => {
  const call = acp.call({ op: 'cancel', id: '\ud800/$&', key: 'k' })
  expect(call).toMatchObject({
    url: 'https://shop.example/acp/checkout_sessions/%EF%BF%BD%2F%24%26/cancel',
  })
})

test('the slashes at the end of the base are left out, and a run of them costs no time', () => {
  expect(dialectWith({ base: 'https://shop.example/acp//' }).call(CANCEL)).toMatchObject({
    url: 'https://shop.example/acp/checkout_sessions/chk_1/cancel',
  })
  const base = `https://shop.example/${'/'.repeat(400_000)}a`
  expect(dialectWith({ base }).call(CANCEL)).toMatchObject({
    url: `${base}/checkout_sessions/chk_1/cancel`,
  })
})

test('where no discounts are taken, none is sent', () => {
  const plain = dialectWith({ extensions: ['loyalty'] })
  const wanted = { ...WANTED, coupon: 'SPRING' }
  const call = plain.call({ op: 'change', id: 'c', last: sessionOf({}), wanted, key: 'k' })
  expect(plain.can.coupon).toBe(false)
  expect(call?.over === 'http' && call.json).not.toHaveProperty('discounts')
})

test('before payment handlers items and one address are sent, and one provider is paid', () => {
  const bodyOf = (dialect: typeof acp, operation: BuyerOperation) => {
    const call = dialect.call(operation)
    return call?.over === 'http' && call.json
  }
  const wanted = { ...WANTED, option: 'std' }
  const items = [
    { id: 'mug', quantity: 2 },
    { id: 'var_tent', quantity: 1 },
  ]
  const change: BuyerOperation = { op: 'change', id: 'c', last: sessionOf({}), wanted, key: 'k' }
  expect(bodyOf(FIRST, { op: 'open', wanted, key: 'k', dryRun: false })).toEqual({
    items,
    fulfillment_address: ADDRESS,
  })
  expect(bodyOf(FIRST, change)).toMatchObject({ fulfillment_option_id: 'std' })
  expect(bodyOf(DETAILS, change)).toEqual({
    items,
    fulfillment_details: { name: 'Ada King', address: ADDRESS },
    selected_fulfillment_options: [
      { type: 'shipping', shipping: { option_id: 'std', item_ids: ['mug', 'var_tent'] } },
    ],
  })
  const payment = { token: 'spt_1', handler: 'stripe' }
  const complete = { op: 'complete', id: 'c', last: sessionOf({}), wanted, payment } as const
  expect(bodyOf(FIRST, { ...complete, key: 'k' })).toEqual({
    payment_data: { token: 'spt_1', provider: 'stripe' },
  })
})

test('a payment goes to a handler of the session', () => {
  const payment = { token: 'spt_1', handler: 'card' }
  const operation = { op: 'complete', id: 'cs_1', last: sessionOf({}), wanted: WANTED } as const
  expect(acp.call({ ...operation, payment, key: 'k' })).toMatchObject({
    url: 'https://shop.example/acp/checkout_sessions/cs_1/complete',
    json: {
      payment_data: {
        handler_id: 'card',
        instrument: { type: 'card', credential: { type: 'spt', token: 'spt_1' } },
      },
    },
  })
})

test('what has no body is sent without one, and an order cannot be read', () => {
  const [read, cancel] = [acp.call(READ), acp.call(CANCEL)]
  expect(read).toMatchObject({
    method: 'GET',
    url: 'https://shop.example/acp/checkout_sessions/chk_1',
  })
  expect(cancel).toMatchObject({
    method: 'POST',
    url: 'https://shop.example/acp/checkout_sessions/chk_1/cancel',
  })
  for (const call of [read, cancel]) expect(call).not.toHaveProperty('json')
  expect(read).not.toHaveProperty('headers.idempotency-key')
  expect(acp.call(ORDER)).toBeNull()
})

test('whatever a store writes is read, and can be answered', () => {
  for (const name of Object.keys(SESSION)) {
    for (const value of HOSTILE) {
      for (const operation of [OPEN, READ, CANCEL]) {
        acp.read(operation, jsonAnswer({ ...SESSION, [name]: value }))
      }
    }
  }
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(200, 302, 400, 409, 500), (body, status) => {
      const reply = acp.read(OPEN, jsonAnswer(body, status))
      if (reply.is !== 'session') return
      acp.call({ op: 'change', id: 'x', last: reply.session, wanted: WANTED, key: 'k' })
    }),
  )
})
