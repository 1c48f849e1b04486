import fc from 'fast-check'
import { expect, test } from 'vitest'
import { field } from '../../web/json/json.ts'
import type { BuyerOperation, Wanted } from '../operation.ts'
import { isOver } from '../session.ts'
import { recordsAt } from './answer-fields.ts'
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
import { officialUcp, type UcpRoute } from './ucp.ts'

const CAPABILITIES = ['checkout', 'fulfillment', 'discount', 'order'].map(
  (name) => `dev.ucp.shopping.${name}`,
)
const dialectWith = (change: Partial<UcpRoute> = {}) =>
  officialUcp({
    version: '2026-08-25',
    transport: 'rest',
    endpoint: 'https://shop.example/ucp/',
    agent: 'https://agent.example/ucp.json',
    capabilities: CAPABILITIES,
    ...change,
  })
const rest = dialectWith()
const mcp = dialectWith({ transport: 'mcp' })

const UCP = {
  version: '2026-08-25',
  payment_handlers: {
    'example.shop.tokens': [{ id: 'tok' }, { id: 'tok_2' }],
    'com.google.pay': [{ id: 'gpay' }],
  },
}
/** As in the specification: a quote for a part of an address. */
const CHECKOUT = {
  ucp: UCP,
  id: 'chk_1',
  status: 'incomplete',
  currency: 'USD',
  line_items: [
    {
      id: 'li_1',
      item: { id: 'var_tent', title: 'Tent', price: 12900 },
      quantity: 1,
      totals: [{ type: 'subtotal', amount: 12900 }],
    },
  ],
  fulfillment: {
    methods: [
      {
        id: 'm_1',
        type: 'shipping',
        line_item_ids: ['li_1'],
        selected_destination_id: 'd_1',
        destinations: [{ type: 'shipping_address', id: 'd_1', address_country: 'US' }],
        groups: [
          {
            id: 'g_1',
            line_item_ids: ['li_1'],
            selected_option_id: null,
            options: [
              { id: 'std', title: 'Standard', totals: [{ type: 'total', amount: 500 }] },
              { id: 'free', title: 'Slow', totals: [] },
            ],
          },
        ],
      },
      { id: 'm_2', type: 'pickup', line_item_ids: [], groups: [{ id: 'g_2', options: [] }] },
    ],
  },
  totals: [
    { type: 'subtotal', amount: 12900 },
    { type: 'discount', amount: -900, display_text: 'Spring' },
    { type: 'levy', amount: 100, display_text: 'Levy' },
    { type: 'total', amount: 12100 },
  ],
  messages: [],
  links: [{ type: 'terms_of_service', url: 'https://shop.example/terms' }],
  continue_url: 'https://shop.example/checkout/chk_1',
  expires_at: '2026-06-01T18:00:00Z',
}
const sessionOf = (change: object, operation = READ) =>
  sessionIn(rest.read(operation, jsonAnswer({ ...CHECKOUT, ...change })))

const january = dialectWith({ version: '2026-01-23' })

test('in 2026-01-23 discounts are positive, and an update repeats the id', () => {
  const totals = [
    { type: 'subtotal', amount: 12900 },
    { type: 'items_discount', amount: 400 },
    { type: 'discount', amount: 500 },
    { type: 'total', amount: 12000 },
  ]
  const session = sessionIn(january.read(READ, jsonAnswer({ ...CHECKOUT, totals })))
  expect(session.parts).toEqual([
    { name: 'subtotal', amount: 12900 },
    { name: 'items_discount', amount: -400 },
    { name: 'discount', amount: -500 },
  ])
  expect(session.faults).toEqual([])
  const change = { op: 'change', id: 'chk_1', last: session, wanted: WANTED, key: 'k' } as const
  expect(january.call(change)).toMatchObject({ json: { id: 'chk_1' } })
  expect(rest.call(change)).not.toHaveProperty('json.id')
  expect(january.call({ op: 'open', wanted: WANTED, key: 'k', dryRun: false })).not.toHaveProperty(
    'json.id',
  )
})

test('in 2026-01-23 an error is a list of messages', () => {
  const messages = [{ type: 'error', code: 'missing', content: 'No.', severity: 'recoverable' }]
  const refused = { status: 'requires_escalation', messages }
  const faultIn = (dialect: typeof rest) => {
    const reply = dialect.read(OPEN, jsonAnswer(refused, 400))
    return reply.is === 'refused' ? reply.refusal.fault : reply
  }
  expect(faultIn(january)).toBeNull()
  expect(faultIn(rest)).toMatchObject({ problem: expect.stringMatching(/^is malformed/) })
})

test('a checkout is read whole', () => {
  expect(sessionOf({})).toEqual({
    id: 'chk_1',
    phase: 'open',
    said: 'incomplete',
    currency: 'USD',
    lines: [{ id: 'li_1', item: 'var_tent', title: 'Tent', quantity: 1, price: 12900 }],
    subtotal: 12900,
    total: 12100,
    parts: [
      { name: 'subtotal', amount: 12900 },
      { name: 'discount', amount: -900 },
      { name: 'levy', amount: 100 },
    ],
    shipping: [
      { id: 'std', name: 'Standard', cost: 500, costs: [500] },
      { id: 'free', name: 'Slow', cost: null, costs: [] },
    ],
    chosen: null,
    deliveries: [
      {
        id: 'm_1',
        lines: ['li_1'],
        destination: 'd_1',
        groups: [{ id: 'g_1', lines: ['li_1'], options: ['std', 'free'] }],
      },
    ],
    expires_at: '2026-06-01T18:00:00Z',
    continue_url: 'https://shop.example/checkout/chk_1',
    messages: [],
    handlers: ['tok', 'tok_2', 'gpay'],
    order: null,
    faults: [],
  })
})

const error = (code: string, path?: string) => ({
  type: 'error',
  code,
  content: 'No.',
  severity: 'recoverable',
  ...(path && { path }),
})
const action = (config: object) => ({
  actions: { 'dev.ucp.common.payment.three_ds_challenge': [{ id: 'act_1', config }] },
})

test.each([
  ['incomplete', {}, 'open'],
  ['ready_for_complete', {}, 'ready'],
  ['requires_escalation', {}, 'buyer'],
  ['requires_escalation', { messages: [error('requires_3ds')] }, 'challenge'],
  ['requires_escalation', { messages: [error('payment_required')] }, 'buyer'],
  ['complete_in_progress', {}, 'paying'],
  ['complete_in_progress', { actions: {} }, 'paying'],
  ['complete_in_progress', action({}), 'challenge'],
  ['ready_for_complete', action({}), 'ready'],
  ['completed', {}, 'completed'],
  ['canceled', {}, 'canceled'],
  ['constructor', {}, null],
  [7, {}, null],
])('the status %s with %j is %s', (status, change, phase) => {
  expect(sessionOf({ status, ...change }).phase).toBe(phase)
})

test('a challenge is where the buyer goes on, unless the store names a page', () => {
  const change = {
    status: 'complete_in_progress',
    ...action({ url: 'https://shop.example/3ds/act_1' }),
  }
  expect(sessionOf({ ...change, continue_url: undefined }).continue_url).toMatch(/3ds/)
  expect(sessionOf(change).continue_url).toMatch(/checkout/)
})

test.each([
  ['out_of_stock', '$.line_items[0]', 'sold_out'],
  ['OUT_OF_STOCK', undefined, 'sold_out'],
  ['item_unavailable', '$.line_items', 'sold_out'],
  ['quantity_adjusted', undefined, 'quantity'],
  ['address_undeliverable', '$.fulfillment.methods[0].destinations[0].postal_code', 'address'],
  ['missing', '$.fulfillment.methods[0].destinations[0].street_address', null],
  ['missing', '$.buyer.email', null],
  ['not_found', '$.fulfillment.methods[0].selected_destination_id', 'address'],
  ['invalid', '$.fulfillment.methods[0].groups[0].selected_option_id', 'shipping'],
  ['invalid', '$.buyer.email', 'invalid'],
  ['discount_code_expired', '$.discounts.codes[0]', 'coupon'],
  ['payment_failed', '$.payment.instruments[0]', 'payment'],
  ['payment_required', undefined, null],
  ['requires_3ds', undefined, 'challenge'],
  ['eligibility_invalid', undefined, null],
])('the error %s at %s is about %s', (code, path, reason) => {
  expect(sessionOf({ messages: [error(code, path)] }).messages).toEqual([
    { kind: 'error', code, text: 'No.', reason },
  ])
})

test.each([
  ['warning', 'discount_code_invalid', 'coupon'],
  // What is only near the shipping refuses none.
  ['warning', 'shipping_delay', null],
  ['info', 'out_of_stock', null],
  ['shout', 'out_of_stock', null],
])('a %s with the code %s is about %s', (type, code, reason) => {
  const message = { type, code, content: 'Note.', path: '$.fulfillment' }
  const kind = type === 'warning' ? 'warning' : 'info'
  expect(sessionOf({ messages: [message] }).messages).toEqual([
    { kind, code, text: 'Note.', reason },
  ])
})

const line = CHECKOUT.line_items[0]
const total = (type: string, amount: unknown) => ({ type, amount })
const delivery = (change: object) => ({
  fulfillment: { methods: [{ ...CHECKOUT.fulfillment.methods[0], ...change }] },
})

test.each([
  [{ id: undefined }, 'id', 'is missing'],
  [{ ucp: undefined }, 'ucp', 'is missing'],
  [{ ucp: { version: '2026-08-25' } }, 'ucp.payment_handlers', 'is missing'],
  [{ line_items: undefined }, 'line_items', 'is missing'],
  [{ line_items: [{ ...line, id: undefined }] }, 'line_items[0].id', 'is missing'],
  [{ line_items: [{ ...line, quantity: 0 }] }, 'line_items[0].quantity', /at least 1/],
  [
    { line_items: [{ ...line, item: { id: 'x', title: 'X', price: 12.5 } }] },
    'line_items[0].item.price',
    'must be a whole number',
  ],
  [{ status: 'open' }, 'status', /must be one of incomplete/],
  [{ totals: undefined }, 'totals', 'is missing'],
  [{ totals: [total('subtotal', 1)] }, 'totals', /one entry of the type "total", and has 0/],
  [
    { totals: [total('subtotal', 1), total('subtotal', 1), total('total', 2)] },
    'totals',
    /type "subtotal", and has 2/,
  ],
  [{ totals: [total('subtotal', '1'), total('total', 1)] }, 'totals[0].amount', 'must be a number'],
  [
    { totals: [total('subtotal', 5), total('discount', 1), total('total', 4)] },
    'totals[1].amount',
    'must be negative in a discount',
  ],
  [
    { totals: [total('subtotal', 5), total('tax', -1), total('total', 4)] },
    'totals[1].amount',
    'must not be negative',
  ],
  [
    { totals: [total('subtotal', 5), total('levy', 1), total('total', 6)] },
    'totals[1].display_text',
    'is missing',
  ],
  [
    { totals: [total('subtotal', 5), { ...total('total', 5), lines: [{ amount: 4 }] }] },
    'totals[1].lines',
    'must add up to 5, and add up to 4',
  ],
  [{ status: 'requires_escalation' }, 'messages', /what the buyer has to do/],
  [
    { status: 'complete_in_progress', order: { id: 'o', permalink_url: 'https://a.example' } },
    'order',
    /must not be there/,
  ],
  [
    delivery({ selected_destination_id: 'd_2' }),
    'fulfillment.methods[0].destinations',
    /has it 0 times/,
  ],
  [
    delivery({ groups: [{ options: [{ title: 'Post' }, { title: 'Post' }] }] }),
    'fulfillment.methods[0].groups[0]',
    /by their titles/,
  ],
  [{ links: undefined }, 'links', 'is missing'],
  [
    { messages: [{ type: 'error', code: 'x', content: 'X.' }] },
    'messages[0].severity',
    'is missing',
  ],
  [{ continue_url: '/checkout' }, 'continue_url', /https/],
  [{ order: { id: 'ord_1' } }, 'order.permalink_url', 'is missing'],
])('%j is a fault at %s', (change, field, problem) => {
  const expected = problem instanceof RegExp ? expect.stringMatching(problem) : problem
  expect(sessionOf(change).faults).toEqual([{ field, problem: expected }])
})

test.each([
  [{ currency: 'usd' }, 'currency', 'currency'],
  [{ currency: 'US dollars' }, 'currency', 'currency'],
  [{ currency: 840 }, 'currency', undefined],
  [{ expires_at: 'soon' }, 'expires_at', 'expiry'],
  [{ expires_at: 1_780_000_000 }, 'expires_at', 'expiry'],
])('%j has a gap of its own', (change, field, about) => {
  expect(sessionOf(change).faults).toEqual([{ field, problem: expect.any(String), about }])
})

test('what is missing is no matter of its form', () => {
  expect(sessionOf({ currency: undefined }).faults).toEqual([
    { field: 'currency', problem: 'is missing' },
  ])
  // Absent, or written as null, it is as the schema has it.
  const absent = { expires_at: null, continue_url: null, messages: null, order: null }
  expect(sessionOf(absent).faults).toEqual([])
})

test('lines that add up, a message for the buyer, and a place that is not chosen yet are whole', () => {
  const lines = [{ amount: 12900 }, { amount: -800 }]
  const totals = CHECKOUT.totals.map((each) => (each.type === 'total' ? { ...each, lines } : each))
  const message = { type: 'error', code: 'x', content: 'X.', severity: 'requires_buyer_input' }
  const escalated = { status: 'requires_escalation', messages: [message] }
  for (const change of [{ totals }, escalated, delivery({ selected_destination_id: null })]) {
    expect(sessionOf(change).faults).toEqual([])
  }
})

test('no page but one of the web is a place to go on', () => {
  const change = {
    continue_url: 'javascript:alert(1)',
    order: { id: 'ord_1', permalink_url: 'data:text/html,x' },
  }
  expect(sessionOf(change)).toMatchObject({
    continue_url: null,
    order: { id: 'ord_1', url: null },
    faults: [{ field: 'continue_url' }, { field: 'order.permalink_url' }],
  })
})

test.each(['..', '.', ' ', '', '\ud800', 7, null])('%j is not an id that a path can hold', (id) => {
  expect(sessionOf({ id }).id).toBeNull()
})

test('of a list that goes on and on its beginning is read', () => {
  const { lines, faults } = sessionOf({ line_items: Array.from({ length: 5000 }, () => ({})) })
  expect([lines?.length, faults.length]).toEqual([1000, 10])
  const late = [...Array.from({ length: 200 }, () => CHECKOUT.line_items[0]), {}]
  expect(sessionOf({ line_items: late }).faults).toEqual([])
})

test('an id may hold anything', () => {
  for (const dialect of [rest, mcp]) {
    for (const id of ['\ud800', '../x?y#z', '%']) {
      expect(dialect.call({ op: 'cancel', id, key: 'k' })).not.toBeNull()
    }
  }
})

test('a run of slashes in the endpoint costs no time', () => {
  const endpoint = `https://shop.example/${'/'.repeat(400_000)}a`
  expect(dialectWith({ endpoint }).call(READ)).toMatchObject({
    url: `${endpoint}/checkout-sessions/chk_1`,
  })
})

test('what says nothing is nothing', () => {
  expect(sessionOf({ messages: [{ ...error('x'), content: '  ' }] }).messages[0]?.text).toBe('')
})

test('of two lines with one item each is named once', () => {
  const [line] = CHECKOUT.line_items
  const last = sessionOf({ line_items: [line, { ...line, id: 'li_2' }] })
  const [tent] = WANTED.lines
  const wanted = { ...WANTED, lines: tent ? [tent, tent, tent] : [] }
  expect(rest.call({ op: 'change', id: 'x', last, wanted, key: 'k' })).toMatchObject({
    json: { line_items: [{ id: 'li_1' }, { id: 'li_2' }, { item: { id: 'var_tent' } }] },
  })
})

test('several parcels are chosen when there is an option for each', () => {
  const group = (id: string, chosen: string | null, ...options: string[]) => ({
    id,
    selected_option_id: chosen,
    options: options.map((each) => ({ id: each, title: each, totals: [total('total', 1)] })),
  })
  const with2 = (one: string | null, other: string | null) => {
    const groups = [group('g_1', one, 'a', 'b'), group('g_2', other, 'c')]
    const fulfillment = { methods: [{ id: 'm_1', type: 'shipping', line_item_ids: [], groups }] }
    return sessionOf({ fulfillment })
  }
  expect([with2('b', 'c').chosen, with2('b', null).chosen]).toEqual(['b', null])
  const call = rest.call({
    op: 'change',
    id: 'chk_1',
    last: with2(null, 'c'),
    wanted: { ...WANTED, option: 'b' },
    key: 'k',
  })
  expect(call).toMatchObject({
    json: {
      fulfillment: {
        methods: [
          {
            groups: [
              { id: 'g_1', selected_option_id: 'b' },
              { id: 'g_2', selected_option_id: null },
            ],
          },
        ],
      },
    },
  })
})

const envelope = (code: string, change: object = {}) => ({
  ucp: { version: '2026-08-25', status: 'error' },
  messages: [{ ...error(code), severity: 'unrecoverable', ...change }],
})
const flat = (code: string) => ({ code, content: 'No.' })

test.each<[BuyerOperation, number, unknown, string | null, string, unknown]>([
  [READ, 200, envelope('not_found'), 'not_found', 'ended', null],
  [OPEN, 200, envelope('not_found'), 'not_found', 'unknown_item', null],
  [OPEN, 200, envelope('out_of_stock'), 'out_of_stock', 'sold_out', null],
  [OPEN, 200, envelope('missing'), 'missing', 'invalid', null],
  [OPEN, 200, envelope('capabilities_incompatible'), 'capabilities_incompatible', 'caller', null],
  [ORDER, 200, envelope('unauthorized'), 'unauthorized', 'caller', null],
  [OPEN, 200, envelope('x', { severity: 'bad' }), 'x', 'other', /^is malformed: messages\[0\].sev/],
  [OPEN, 400, flat('invalid_request'), 'invalid_request', 'invalid', null],
  [OPEN, 400, flat('invalid_profile_url'), 'invalid_profile_url', 'caller', null],
  [OPEN, 401, flat('signature_missing'), 'signature_missing', 'caller', null],
  [OPEN, 422, flat('version_unsupported'), 'version_unsupported', 'caller', null],
  [OPEN, 424, {}, null, 'caller', /^is malformed: ucp is missing/],
  [OPEN, 409, flat('idempotency_conflict'), 'idempotency_conflict', 'conflict', null],
  [OPEN, 409, flat('conflict'), 'conflict', 'conflict', null],
  [OPEN, 409, flat('idempotency_in_flight'), 'idempotency_in_flight', 'other', null],
  [CANCEL, 409, flat('completed'), 'completed', 'ended', null],
  [CANCEL, 409, flat('checkout_is_done'), 'checkout_is_done', 'ended', null],
  [CANCEL, 404, flat('gone'), 'gone', 'ended', null],
  [OPEN, 404, flat('nothing_here'), 'nothing_here', 'other', null],
  [OPEN, 429, flat('rate_limited'), 'rate_limited', 'too_many', null],
  [OPEN, 429, {}, null, 'too_many', /malformed/],
  [OPEN, 500, flat('out_of_stock'), 'out_of_stock', 'failed', null],
  [OPEN, 503, envelope('internal'), 'internal', 'failed', null],
  [OPEN, 400, { code: 'x' }, 'x', 'invalid', 'is malformed: content is missing'],
  [OPEN, 400, { detail: 'Insufficient stock' }, null, 'invalid', /malformed/],
  [
    OPEN,
    400,
    { error: { code: 'out_of_stock', message: 'No.' } },
    'out_of_stock',
    'sold_out',
    /mal/,
  ],
  [OPEN, 200, { error: 'No.' }, null, 'other', /malformed/],
  [OPEN, 400, flat('missing_signature'), 'missing_signature', 'caller', null],
  [OPEN, 400, flat('timestamp_too_old'), 'timestamp_too_old', 'caller', null],
  [OPEN, 400, flat('invalid_api_key'), 'invalid_api_key', 'caller', null],
  [OPEN, 405, {}, null, 'failed', /malformed/],
  [OPEN, 405, flat('method_not_allowed'), 'method_not_allowed', 'failed', null],
  [CANCEL, 405, flat('done'), 'done', 'ended', null],
  [CANCEL, 405, { detail: 'Method Not Allowed' }, null, 'failed', /malformed/],
  [READ, 501, flat('canceled'), 'canceled', 'failed', null],
  [
    OPEN,
    400,
    { detail: { code: 'out_of_stock', message: 'No.' } },
    'out_of_stock',
    'sold_out',
    /malformed/,
  ],
])('%j refused with %i %j', (operation, status, body, code, reason, fault) => {
  const problem = fault instanceof RegExp ? expect.stringMatching(fault) : fault
  const expected = problem && expect.objectContaining({ problem })
  expect(rest.read(operation, jsonAnswer(body, status))).toMatchObject({
    is: 'refused',
    refusal: { status, code, reason, fault: expected },
  })
})

test.each([
  [{ detail: 'Insufficient stock' }, 'Insufficient stock'],
  [{ detail: { message: 'Sold out.' } }, 'Sold out.'],
  [{ detail: { content: 'Sold out.' } }, 'Sold out.'],
  [
    { detail: [{ loc: ['body', 'line_items', 0, 'id'], msg: 'Field required' }, { msg: 'No.' }] },
    'body.line_items.0.id: Field required',
  ],
  [{ error: 'Invalid', details: [{ path: 'totals', message: 'is wrong' }] }, 'totals: is wrong'],
  [{ errors: [{ message: 'is wrong' }] }, 'is wrong'],
  [{ detail: [], error: 'Invalid' }, 'Invalid'],
  [{ detail: [{ loc: [{}] }, 7] }, null],
])('the words of %j', (body, text) => {
  expect(rest.read(OPEN, jsonAnswer(body, 422))).toMatchObject({ refusal: { text } })
})

test.each([
  [jsonAnswer('<h1>Oops</h1>', 500, 'text/html'), 'refused', 'is not JSON'],
  [jsonAnswer(flat('x'), 400, 'text/plain'), 'refused', 'is not sent as application/json'],
])('a refusal that is no JSON is at fault', (seen, is, fault) => {
  expect(rest.read(OPEN, seen)).toMatchObject({
    is,
    refusal: { fault: { field: null, problem: fault } },
  })
})

test.each([
  [jsonAnswer('<h1>Shop</h1>', 200, 'text/html'), 'unreadable'],
  [jsonAnswer([CHECKOUT]), 'unreadable'],
  [jsonAnswer(CHECKOUT, 302), 'unreadable'],
  [UNANSWERED, 'silent'],
])('what no agent can read', (seen, is) => {
  for (const dialect of [rest, mcp]) expect(dialect.read(OPEN, seen).is).toBe(is)
})

test('a checkout beside an error status is still a checkout, that can be cancelled', () => {
  expect(sessionOf({ ucp: { ...UCP, status: 'error' } })).toMatchObject({ id: 'chk_1' })
})

const rpc = (result: unknown) => ({ jsonrpc: '2.0', id: 1, result })
const rpcError = (code: unknown, data?: unknown, message = 'No.') => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message, data },
})
const prose = { isError: true, content: [{ type: 'text', text: 'Sorry.' }] }

test.each<[unknown, number, object]>([
  [rpc({ structuredContent: envelope('not_found') }), 200, { code: 'not_found', reason: 'ended' }],
  [rpc({ isError: true, structuredContent: envelope('not_found') }), 200, { reason: 'ended' }],
  [rpcError(-32_000, flat('idempotency_conflict')), 409, { reason: 'conflict', fault: null }],
  [rpcError(-32_000, flat('completed')), 409, { reason: 'ended', text: 'No.', fault: null }],
  [rpcError(-32_001, flat('profile_unreachable')), 424, { reason: 'caller' }],
  [rpcError(-32_001), 200, { code: '-32001', reason: 'caller', fault: null }],
  [rpcError(-32_602), 400, { code: '-32602', reason: 'invalid', text: 'No.', fault: null }],
  [rpcError(-32_601), 200, { code: '-32601', reason: 'failed' }],
  [rpcError(-32_000, undefined, 'tools/call is not yet implemented'), 200, { reason: 'failed' }],
  [rpcError(-32_602, undefined, 'Unknown tool: x'), 200, { reason: 'failed' }],
  [rpcError(-32_602, undefined, 'MCP error -32602: Tool x not found'), 400, { reason: 'failed' }],
  [
    rpcError(-32_602, undefined, 'The color of this tool was not found'),
    400,
    { reason: 'invalid' },
  ],
  [rpcError(-32_602, flat('not_found'), 'Unknown tool: x'), 200, { reason: 'ended' }],
  [
    rpc({ isError: true, content: [{ type: 'text', text: 'Unknown tool: x' }] }),
    200,
    { reason: 'failed', fault: { field: null, problem: 'has no code' } },
  ],
  [rpcError(-32_603, flat('internal_error')), 200, { reason: 'failed' }],
  [rpcError(-32_000), 429, { reason: 'too_many' }],
  [
    rpcError('x', undefined, ''),
    400,
    { code: null, fault: { field: null, problem: 'has no code' } },
  ],
  [
    rpcError(-32_000, undefined, ' '),
    401,
    { reason: 'caller', fault: { field: null, problem: 'has no message' } },
  ],
  [
    rpc(prose),
    200,
    { code: null, text: 'Sorry.', reason: 'other', fault: { field: null, problem: 'has no code' } },
  ],
  [
    { message: 'No.' },
    403,
    { reason: 'caller', fault: { field: null, problem: 'is not a JSON-RPC error' } },
  ],
])('over MCP %j with %i is refused', (body, status, refusal) => {
  expect(mcp.read(READ, jsonAnswer(body, status))).toMatchObject({
    is: 'refused',
    refusal: { status, ...refusal },
  })
})

test('over MCP a checkout is the structured content, or the text', () => {
  const whole = sessionOf({})
  const text = [{ type: 'text', text: JSON.stringify(CHECKOUT) }]
  expect(sessionIn(mcp.read(READ, jsonAnswer(rpc({ structuredContent: CHECKOUT }))))).toEqual(whole)
  expect(sessionIn(mcp.read(READ, jsonAnswer(rpc({ content: text }))))).toEqual(whole)
  expect(mcp.read(READ, jsonAnswer(rpc({})))).toMatchObject({ is: 'unreadable' })
})

test('an order has an id and what was paid', () => {
  const order = {
    ...{ ucp: UCP, id: 'ord_1', checkout_id: 'chk_1', currency: 'USD' },
    line_items: [
      {
        id: 'li_1',
        item: { id: 'var_tent', title: 'Tent', price: 400 },
        quantity: { original: 1, total: 0, fulfilled: 0 },
      },
    ],
    totals: [total('subtotal', 400), total('tax', 100), total('total', 500)],
  }
  const shown = {
    id: 'ord_1',
    status: null,
    total: { amount: 500, currency: 'USD' },
    paid: {
      id: 'chk_1',
      lines: [{ id: 'li_1', item: 'var_tent', title: 'Tent', quantity: 1, price: 400 }],
      parts: [
        { name: 'subtotal', amount: 400 },
        { name: 'tax', amount: 100 },
      ],
    },
  }
  expect(rest.read(ORDER, jsonAnswer(order))).toEqual({ is: 'order', order: shown })
  expect(rest.read(ORDER, jsonAnswer({ ...order, currency: 'bucks' }))).toEqual({
    is: 'order',
    order: { ...shown, total: null },
  })
})

// Requests

const ADDRESS = {
  name: 'Ada King Byron',
  street: '1 Market St',
  city: 'San Francisco',
  state: 'CA',
  zip: '94105',
  country: 'US',
}
const WANTED: Wanted = {
  lines: [
    { product_id: 'tent', variant_id: 'var_tent', quantity: 2 },
    { product_id: 'mug', variant_id: null, quantity: 1 },
  ],
  address: ADDRESS,
  option: 'std',
  coupon: null,
  currency: 'USD',
}
/** What the address is called that the store has not named. */
const OUR_ID = 'dest_aisle_55157df5-666c-8709-b44a-25b5693be231'
const DESTINATION = {
  first_name: 'Ada',
  last_name: 'King Byron',
  street_address: '1 Market St',
  address_locality: 'San Francisco',
  address_region: 'CA',
  postal_code: '94105',
  address_country: 'US',
}
const CONTEXT = { currency: 'USD', address_country: 'US', postal_code: '94105' }

test('what is new is named by no id', () => {
  expect(rest.call({ op: 'open', wanted: WANTED, key: 'k', dryRun: false })).toEqual({
    over: 'http',
    method: 'POST',
    url: 'https://shop.example/ucp/checkout-sessions',
    headers: {
      'ucp-agent': 'profile="https://agent.example/ucp.json"',
      'idempotency-key': 'k',
      'request-id': expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      ),
    },
    json: {
      line_items: [
        { item: { id: 'var_tent' }, quantity: 2 },
        { item: { id: 'mug' }, quantity: 1 },
      ],
      context: CONTEXT,
      fulfillment: {
        methods: [
          {
            type: 'shipping',
            destinations: [{ id: OUR_ID, ...DESTINATION }],
            selected_destination_id: OUR_ID,
            groups: [{ selected_option_id: 'std' }],
          },
        ],
      },
    },
  })
})

test('an id of ours means one place, in whichever checkout, and the name on it is no part of it', () => {
  const idOf = (address: Wanted['address'], known?: string) => {
    const method = { id: 'm_1', type: 'shipping', line_item_ids: ['li_1'] }
    const selected = known === undefined ? {} : { selected_destination_id: known }
    const last = sessionOf({ fulfillment: { methods: [{ ...method, ...selected }] } })
    const call = rest.call({
      op: 'change',
      id: 'x',
      last,
      wanted: { ...WANTED, address },
      key: 'k',
    })
    const [sent] = recordsAt(fulfillmentOf(call), 'methods')
    expect(recordsAt(sent, 'destinations')[0]?.id).toBe(field(sent, 'selected_destination_id'))
    return field(sent, 'selected_destination_id')
  }
  const ofQuote = String(idOf({ zip: ADDRESS.zip, country: ADDRESS.country }))
  expect(ofQuote).not.toBe(OUR_ID)
  // A store that keeps addresses by id has the quote's by now: the whole one is another.
  expect(idOf(ADDRESS, ofQuote)).toBe(OUR_ID)
  expect(idOf({ ...ADDRESS, name: 'Grace Hopper' })).toBe(OUR_ID)
  expect(idOf(ADDRESS, 'd_1')).toBe('d_1')
})

test('an update names by id what the store has named, and replaces the rest', () => {
  const wanted = {
    ...WANTED,
    coupon: 'SPRING',
    contact: { email: 'ada@agent.example', phone: '+15550100' },
  }
  const last = sessionOf({})
  expect(rest.call({ op: 'change', id: 'chk/1', last, wanted, key: 'k' })).toMatchObject({
    method: 'PUT',
    url: 'https://shop.example/ucp/checkout-sessions/chk%2F1',
    json: {
      line_items: [
        { id: 'li_1', item: { id: 'var_tent' }, quantity: 2 },
        { item: { id: 'mug' }, quantity: 1 },
      ],
      context: CONTEXT,
      buyer: {
        first_name: 'Ada',
        last_name: 'King Byron',
        email: 'ada@agent.example',
        phone_number: '+15550100',
      },
      fulfillment: {
        methods: [
          {
            id: 'm_1',
            type: 'shipping',
            line_item_ids: ['li_1'],
            selected_destination_id: 'd_1',
            destinations: [{ id: 'd_1', ...DESTINATION }],
            groups: [{ id: 'g_1', selected_option_id: 'std' }],
          },
        ],
      },
      discounts: { codes: ['SPRING'] },
    },
  })
  expect(rest.call({ op: 'change', id: 'chk_1', last, wanted: WANTED, key: 'k' })).toMatchObject({
    json: { discounts: { codes: [] } },
  })
})

const fulfillmentOf = (call: ReturnType<typeof rest.call>): unknown =>
  call?.over === 'http' ? field(call.json, 'fulfillment') : undefined

test('nothing is said of shipping while there is no address', () => {
  const wanted = { ...WANTED, address: null, option: null }
  const last = sessionOf({ fulfillment: undefined })
  const open = rest.call({ op: 'open', wanted, key: 'k', dryRun: false })
  const change = rest.call({ op: 'change', id: 'x', last, wanted, key: 'k' })
  expect([fulfillmentOf(open), fulfillmentOf(change)]).toEqual([undefined, undefined])
  // An update replaces all that was known: what there is is named again.
  const again = rest.call({ op: 'change', id: 'x', last: sessionOf({}), wanted, key: 'k' })
  expect(fulfillmentOf(again)).toEqual({
    methods: [{ id: 'm_1', type: 'shipping', line_item_ids: ['li_1'] }],
  })
})

test('an address that comes first with an update is selected, for the lines that it is of', () => {
  const wanted = { ...WANTED, option: null }
  const last = sessionOf({ fulfillment: undefined })
  const first = rest.call({ op: 'change', id: 'x', last, wanted, key: 'k' })
  const selected = {
    destinations: [{ id: OUR_ID, ...DESTINATION }],
    selected_destination_id: OUR_ID,
  }
  expect(fulfillmentOf(first)).toEqual({
    methods: [{ type: 'shipping', line_item_ids: ['li_1'], ...selected }],
  })
  const method = { id: 'm_1', type: 'shipping', line_item_ids: ['li_1'] }
  const bare = sessionOf({ fulfillment: { methods: [method] } })
  expect(fulfillmentOf(rest.call({ op: 'change', id: 'x', last: bare, wanted, key: 'k' }))).toEqual(
    { methods: [{ ...method, ...selected }] },
  )
})

test('a line that is gone is in no parcel any more', () => {
  const [, mug] = WANTED.lines
  const wanted = { ...WANTED, lines: mug ? [mug] : [], namesDelivery: true }
  const call = rest.call({ op: 'change', id: 'x', last: sessionOf({}), wanted, key: 'k' })
  expect(call).toMatchObject({
    json: {
      line_items: [{ item: { id: 'mug' }, quantity: 1 }],
      fulfillment: {
        methods: [{ id: 'm_1', line_item_ids: [], groups: [{ line_item_ids: [] }] }],
      },
    },
  })
  expect(JSON.stringify(call)).not.toContain('li_1')
})

test('what the store cannot do is not asked of it', () => {
  const plain = dialectWith({ capabilities: ['dev.ucp.shopping.checkout'] })
  expect(plain.can).toMatchObject({
    quote: false,
    changeAddress: false,
    choose: false,
    coupon: false,
    order: false,
  })
  const wanted = { ...WANTED, coupon: 'SPRING' }
  const call = plain.call({ op: 'open', wanted, key: 'k', dryRun: false })
  expect(call).toMatchObject({ json: { context: CONTEXT } })
  expect(call?.over === 'http' && Object.keys(Object(call.json))).toEqual(['line_items', 'context'])
  expect(plain.call(ORDER)).toBeNull()
})

test.each<[BuyerOperation, object]>([
  [READ, { method: 'GET', url: 'https://shop.example/ucp/checkout-sessions/chk_1' }],
  [ORDER, { method: 'GET', url: 'https://shop.example/ucp/orders/ord_1' }],
  [CANCEL, { method: 'POST', url: 'https://shop.example/ucp/checkout-sessions/chk_1/cancel' }],
])('%j is a request without a body', (operation, call) => {
  const made = rest.call(operation)
  expect(made).toMatchObject(call)
  expect(made).not.toHaveProperty('json')
})

test('a payment is one instrument', () => {
  const last = sessionOf({})
  const payment = { token: 'tok_visa', handler: 'tok' }
  const operation = {
    op: 'complete',
    id: 'chk_1',
    last,
    wanted: WANTED,
    payment,
    key: 'k',
  } as const
  const body = {
    payment: {
      instruments: [
        {
          id: 'pi_1',
          handler_id: 'tok',
          type: 'card',
          selected: true,
          display: { brand: 'visa', last_digits: '4242' },
          credential: { type: 'token', token: 'tok_visa' },
        },
      ],
    },
  }
  expect(rest.call(operation)).toMatchObject({
    url: 'https://shop.example/ucp/checkout-sessions/chk_1/complete',
    json: body,
  })
  expect(mcp.call(operation)).toEqual({
    over: 'mcp',
    tool: 'complete_checkout',
    args: { id: 'chk_1', checkout: body },
    key: 'k',
  })
})

test('the tools take the bodies of REST', () => {
  const open = { op: 'open', wanted: WANTED, key: 'k', dryRun: false } as const
  const overRest = rest.call(open)
  expect(mcp.call(open)).toEqual({
    over: 'mcp',
    tool: 'create_checkout',
    args: { checkout: overRest?.over === 'http' && overRest.json },
    key: 'k',
  })
  expect(mcp.call(CANCEL)).toEqual({
    over: 'mcp',
    tool: 'cancel_checkout',
    args: { id: 'chk_1' },
    key: 'key',
  })
  expect([mcp.call(READ), mcp.call(ORDER)]).toEqual([
    { over: 'mcp', tool: 'get_checkout', args: { id: 'chk_1' } },
    { over: 'mcp', tool: 'get_order', args: { id: 'ord_1' } },
  ])
  const change = {
    op: 'change',
    id: 'chk_1',
    last: sessionOf({}),
    wanted: WANTED,
    key: 'k',
  } as const
  expect(mcp.call(change)).toMatchObject({ tool: 'update_checkout', args: { id: 'chk_1' } })
})

test('whatever a store writes is read, and can be answered', () => {
  for (const name of Object.keys(CHECKOUT)) {
    for (const value of HOSTILE) {
      const body = { ...CHECKOUT, [name]: value }
      for (const operation of [OPEN, READ, CANCEL, ORDER]) {
        rest.read(operation, jsonAnswer(body))
        mcp.read(operation, jsonAnswer(rpc({ structuredContent: body })))
      }
    }
  }
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(200, 302, 400, 409, 500), (body, status) => {
      const seen = jsonAnswer(body, status)
      for (const dialect of [rest, mcp]) {
        const reply = dialect.read(OPEN, seen)
        if (reply.is !== 'session') continue
        expect(isOver(reply.session.phase)).toBeTypeOf('boolean')
        dialect.call({ op: 'change', id: 'x', last: reply.session, wanted: WANTED, key: 'k' })
      }
    }),
  )
})
