import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { sessions } from '../../db/tables.ts'
import { NOON, stockOf, testStore } from '../../testing/store.ts'
import { ACP_SETTINGS, createBody, officialAcpAgent, WHOLE_ADDRESS } from './testing/agent.ts'

// Literal bodies, written from the specification.

let at = NOON.getTime()
const { ask, send, deps, bank, reported } = await testStore(
  { acp: ACP_SETTINGS },
  { now: () => new Date(at) },
)
const agent = officialAcpAgent(send)
// What the schemas do not allow, and agents send: a store with faults is not held to them.
const lenient = await testStore({ acp: ACP_SETTINGS, faults: [] })
const loose = officialAcpAgent(lenient.send)
const { create, read, update, complete, cancel, ready } = agent

test.each([
  [true, 'production'],
  [false, 'sandbox'],
])('an agent is told which mode of Stripe it pays in: live %s, %s', async (isLive, environment) => {
  const acceptance = { kind: 'stripe', publishableKey: null, isLive, googlePay: null } as const
  const store = await testStore({ acp: ACP_SETTINGS }, { acceptance })
  const { said } = await officialAcpAgent(store.send).create({ line_items: [{ id: 'ao-1101' }] })
  expect(said.capabilities.payment.handlers).toMatchObject([{ config: { environment } }])
})

const STANDARD = [{ type: 'shipping', option_id: 'standard', item_ids: ['ao-1101'] }]
const DELIVERY = { address: WHOLE_ADDRESS }
type Total = { type: string; amount: number }
const amounts = (totals: Total[]) =>
  Object.fromEntries(totals.map(({ type, amount }) => [type, amount]))
const faults = (messages: { code: string; param?: string }[]) =>
  messages.map(({ code, param }) => [code, param])

test('a purchase, whole', async () => {
  const opened = await create({
    line_items: [{ id: 'ao-1101', unit_amount: 1 }, { id: 'ao-1101' }],
    buyer: { email: 'ada@king.example', first_name: 'Ada' },
    metadata: { trip: 7 },
    order_notes: 'Ring twice.',
  })
  expect(opened.status).toBe(201)
  const { id } = opened.said
  expect(opened.said).toEqual({
    id: expect.stringMatching(/^checkout_/),
    protocol: { version: '2026-04-17' },
    status: 'incomplete',
    currency: 'usd',
    capabilities: {
      payment: {
        handlers: [
          {
            id: 'card',
            name: 'dev.acp.tokenized.card',
            version: '2026-01-22',
            spec: 'https://acp.dev/handlers/tokenized.card/v2026-01-22',
            requires_delegate_payment: true,
            requires_pci_compliance: false,
            psp: 'test',
            config_schema: 'https://acp.dev/schemas/handlers/tokenized.card/config.json',
            instrument_schemas: ['https://acp.dev/schemas/handlers/tokenized.card/instrument.json'],
            config: {
              merchant_id: 'merchant_test',
              psp: 'test',
              accepted_brands: ['visa', 'mastercard', 'amex'],
              supports_3ds: true,
              environment: 'sandbox',
            },
            display_name: 'Card',
            display_order: 1,
          },
        ],
      },
      interventions: { supported: ['3ds'], required: [], enforcement: 'conditional' },
    },
    buyer: { email: 'ada@king.example', first_name: 'Ada' },
    line_items: [
      {
        id: 'li_ao-1101',
        item: { id: 'ao-1101', name: 'Arete 1 Tent', unit_amount: 28_900 },
        quantity: 2,
        name: 'Arete 1 Tent',
        unit_amount: 28_900,
        product_id: 'ao-1101',
        sku: expect.any(String),
        images: ['https://shop.example/images/ao-1101.svg'],
        availability_status: 'in_stock',
        max_quantity_per_order: 99,
        totals: [
          { type: 'items_base_amount', display_text: 'Items', amount: 57_800 },
          { type: 'subtotal', display_text: 'Subtotal', amount: 57_800 },
          { type: 'total', display_text: 'Total', amount: 57_800 },
        ],
      },
    ],
    fulfillment_options: [
      {
        type: 'shipping',
        id: 'standard',
        title: 'Standard (3 to 5 days)',
        totals: [{ type: 'total', display_text: 'Standard (3 to 5 days)', amount: 0 }],
      },
      {
        type: 'shipping',
        id: 'express',
        title: 'Express (next working day)',
        totals: [{ type: 'total', display_text: 'Express (next working day)', amount: 1800 }],
      },
    ],
    totals: [
      { type: 'items_base_amount', display_text: 'Items', amount: 57_800 },
      { type: 'subtotal', display_text: 'Subtotal', amount: 57_800 },
      { type: 'tax', display_text: 'Tax', amount: 4624 },
      { type: 'total', display_text: 'Total', amount: 62_424 },
    ],
    messages: [
      {
        type: 'error',
        code: 'missing',
        content: 'Please give the address to ship to.',
        content_type: 'plain',
        param: '$.fulfillment_details.address',
        resolution: 'recoverable',
      },
      {
        type: 'error',
        code: 'missing',
        content: expect.stringMatching(/^Please choose how to ship your order/),
        content_type: 'plain',
        param: '$.selected_fulfillment_options',
        resolution: 'recoverable',
      },
    ],
    links: ['shipping_policy', 'return_policy', 'privacy_policy', 'terms_of_use'].map((type) => ({
      type,
      url: expect.stringMatching(/^https:\/\/shop\.example\/policies#/),
      title: expect.any(String),
    })),
    created_at: '2026-06-01T12:00:00.000Z',
    expires_at: '2026-06-01T18:00:00.000Z',
    continue_url: `https://shop.example/checkout/${id}`,
    metadata: { trip: 7 },
  })
  expect((await read(id)).said).toEqual(opened.said)

  const { said: chosen } = await update(id, {
    fulfillment_details: { name: 'Ada King', address: { ...WHOLE_ADDRESS, line_two: 'Loft' } },
    selected_fulfillment_options: [
      { type: 'shipping', option_id: 'express', item_ids: ['li_ao-1101'] },
    ],
  })
  expect(chosen).toMatchObject({
    status: 'ready_for_payment',
    messages: [],
    fulfillment_details: {
      name: 'Ada King',
      address: { ...WHOLE_ADDRESS, line_two: 'Loft' },
    },
    selected_fulfillment_options: [
      { type: 'shipping', option_id: 'express', item_ids: ['li_ao-1101'] },
    ],
  })
  expect(amounts(chosen.totals)).toEqual({
    items_base_amount: 57_800,
    subtotal: 57_800,
    fulfillment: 1800,
    tax: 4624,
    total: 64_224,
  })

  const paid = await complete(id, { buyer: { email: 'king@ada.example' } })
  expect([paid.status, paid.said.status]).toEqual([200, 'completed'])
  expect(paid.said.continue_url).toBeUndefined()
  expect(paid.said.buyer).toEqual({ email: 'king@ada.example' })
  expect(paid.said.order).toMatchObject({
    type: 'order',
    checkout_session_id: id,
    permalink_url: expect.stringMatching(/^https:\/\/shop\.example\/receipts\/[\w-]{43}$/),
    status: 'confirmed',
    confirmation: { confirmation_email_sent: false, order_notes: 'Ring twice.' },
  })
  expect(bank.charges.filter(({ sessionId }) => sessionId === id)).toMatchObject([
    { amount: { amount: 64_224, currency: 'USD' }, token: 'tok_visa', type: 'card' },
  ])
  expect((await read(id)).said).toEqual(paid.said)
  expect((await ask(new URL(paid.said.order.permalink_url).pathname)).status).toBe(200)
  expect(
    reported.filter(({ session_id }) => session_id === id).map((told) => [told.event, told.source]),
  ).toEqual([
    ['ai_checkout_initiated', 'acp'],
    ['ai_checkout_completed', 'acp'],
  ])
})

describe('items', () => {
  test.each<[string, object[], [string, number][]]>([
    [
      'repeated ids',
      [{ id: 'ao-1101' }, { id: 'ao-1102' }, { id: 'ao-1101' }],
      [
        ['ao-1101', 2],
        ['ao-1102', 1],
      ],
    ],
    [
      'a quantity beside the id',
      [{ id: 'ao-1101', quantity: 3 }, { id: 'ao-1101' }],
      [['ao-1101', 4]],
    ],
    ['a line item', [{ item: { id: 'ao-1001-s-pine' }, quantity: 2 }], [['ao-1001-s-pine', 2]]],
  ])('%s', async (_, line_items, lines) => {
    const { said } = await loose.create({ line_items })
    expect(
      said.line_items.map(({ item, quantity }: { item: { id: string }; quantity: number }) => [
        item.id,
        quantity,
      ]),
    ).toEqual(lines)
  })

  test('an update replaces them; a line keeps its id', async () => {
    const id = await ready()
    const { said } = await update(id, {
      line_items: [{ id: 'ao-1102' }, { id: 'ao-1101' }, { id: 'ao-1101' }],
    })
    expect(said.line_items.map((line: { id: string }) => line.id)).toEqual([
      'li_ao-1102',
      'li_ao-1101',
    ])
    expect(said.selected_fulfillment_options[0].item_ids).toEqual(['li_ao-1102', 'li_ao-1101'])
    expect(said.status).toBe('ready_for_payment')
  })

  test('too few: the session says what remains, cannot be paid, and can once there are enough', async () => {
    const stock = stockOf(deps, 'ao-1105')
    await stock.setPieces(2)
    const id = await ready({ line_items: ['ao-1105', 'ao-1105', 'ao-1105'].map((id) => ({ id })) })
    const { said } = await read(id)
    expect([said.status, said.line_items[0].available_quantity]).toEqual([
      'not_ready_for_payment',
      2,
    ])
    expect(said.messages).toMatchObject([
      {
        code: 'out_of_stock',
        param: '$.line_items[0]',
        content: expect.stringContaining('Only 2 of'),
      },
    ])
    const tried = await complete(id)
    expect([tried.status, tried.said.status, tried.said.order]).toEqual([
      200,
      'not_ready_for_payment',
      undefined,
    ])
    expect(bank.calls.filter(({ sessionId }) => sessionId === id)).toEqual([])
    await stock.setPieces(3)
    expect((await read(id)).said.status).toBe('ready_for_payment')
    expect((await complete(id)).said.status).toBe('completed')
    expect(await stock.pieces()).toBe(0)
    const gone = await create({ line_items: [{ id: 'ao-1105' }] })
    expect([gone.status, gone.said.line_items[0].availability_status]).toEqual([
      201,
      'out_of_stock',
    ])
  })
})

describe('an address', () => {
  test.each<[string, object, string[], number]>([
    [
      'country and postal code',
      { country: 'US', postal_code: '94607' },
      ['standard', 'express'],
      2312,
    ],
    ['another country', { country: 'de', postal_code: '10115' }, ['international'], 0],
  ])('%s: a quote', async (_, address, options, tax) => {
    const { said } = await loose.create({ fulfillment_details: { address } })
    expect(said.fulfillment_options.map(({ id }: { id: string }) => id)).toEqual(options)
    expect(amounts(said.totals).tax).toBe(tax)
    // Not whole: ACP has no such address to show.
    expect(said.fulfillment_details).toBeUndefined()
    expect(faults(said.messages)).toEqual([
      ['missing', '$.fulfillment_details.address.name'],
      ['missing', '$.fulfillment_details.address.line_one'],
      ['missing', '$.fulfillment_details.address.city'],
      ['missing', '$.fulfillment_details.address.state'],
      ['missing', '$.selected_fulfillment_options'],
    ])
  })

  test('a wrong part of it is named and left out', async () => {
    const { said } = await create({
      fulfillment_details: { address: { ...WHOLE_ADDRESS, postal_code: 'K1A 0B1' } },
    })
    expect(faults(said.messages)).toEqual([
      ['invalid', '$.fulfillment_details.address.postal_code'],
      ['missing', '$.fulfillment_details.address.postal_code'],
      ['missing', '$.selected_fulfillment_options'],
    ])
  })

  const SINGAPORE = { ...WHOLE_ADDRESS, city: 'Singapore', country: 'SG', postal_code: '048616' }
  test.each([
    ['no state', { ...SINGAPORE, state: '' }],
    ['a state of white space', { ...SINGAPORE, state: ' ' }],
    ['no postal code', { ...WHOLE_ADDRESS, city: 'Hong Kong', country: 'HK', postal_code: '' }],
    ['neither', { ...WHOLE_ADDRESS, city: 'Dubai', country: 'AE', state: '', postal_code: '' }],
  ])('that has %s where there is none can be paid for', async (_, address) => {
    const opened = await create({ fulfillment_details: { address } })
    const { id } = opened.said
    const shown = { ...address, state: address.state.trim() }
    expect(opened.said.fulfillment_details.address).toEqual(shown)
    const option_id = opened.said.fulfillment_options[0].id
    const selected_fulfillment_options = [{ ...STANDARD[0], option_id }]
    const ready = await update(id, { selected_fulfillment_options })
    expect([ready.said.status, ready.said.messages]).toEqual(['ready_for_payment', []])
    const paid = await complete(id)
    expect(paid.said.status).toBe('completed')
    expect(paid.said.fulfillment_details.address).toEqual(shown)
  })

  test.each([
    ['state', { ...WHOLE_ADDRESS, state: '' }],
    ['state', { ...WHOLE_ADDRESS, country: 'CA', postal_code: 'K1A 0B1', state: ' ' }],
    ['postal_code', { ...WHOLE_ADDRESS, postal_code: '' }],
    ['postal_code', { ...SINGAPORE, postal_code: '' }],
    ['city', { ...SINGAPORE, city: '' }],
  ])('that lacks the %s that it needs is not whole', async (field, address) => {
    const { said } = await create({ fulfillment_details: { address } })
    expect(faults(said.messages)).toEqual([
      ['missing', `$.fulfillment_details.address.${field}`],
      ['missing', '$.selected_fulfillment_options'],
    ])
  })

  test('another country drops the option that is not offered there', async () => {
    const id = await ready()
    const address = { ...WHOLE_ADDRESS, country: 'DE', postal_code: '10115' }
    const { said } = await update(id, { fulfillment_details: { address } })
    expect([said.status, said.selected_fulfillment_options]).toEqual(['incomplete', undefined])
  })

  test('an update keeps what it does not name, and null clears', async () => {
    const id = await loose.ready({ buyer: { email: 'a@b.example' } })
    const { said } = await loose.update(id, { fulfillment_details: { email: 'c@d.example' } })
    expect(said).toMatchObject({
      buyer: { email: 'a@b.example' },
      fulfillment_details: { email: 'c@d.example', address: WHOLE_ADDRESS },
      status: 'ready_for_payment',
    })
    const cleared = await loose.update(id, { fulfillment_details: null, buyer: null })
    expect(cleared.said).not.toHaveProperty('buyer')
    expect(cleared.said).not.toHaveProperty('fulfillment_details')
    expect(cleared.said.status).toBe('incomplete')
  })
})

test.each<[string, object[], string]>([
  ['an option that is not offered', [{ ...STANDARD[0], option_id: 'pigeon' }], '[0].option_id'],
  ['two options', [...STANDARD, { ...STANDARD[0], option_id: 'express' }], '[1].option_id'],
  ['another kind', [{ ...STANDARD[0], type: 'pickup' }], '[0].type'],
  [
    'an item that is not there',
    [{ ...STANDARD[0], item_ids: ['ao-1101', 'li_2'] }],
    '[0].item_ids[1]',
  ],
])('a selection of %s', async (_, selected_fulfillment_options, param) => {
  const { said } = await create({ fulfillment_details: DELIVERY })
  const { status, said: after } = await update(said.id, { selected_fulfillment_options })
  expect([status, after.status]).toEqual([200, 'incomplete'])
  expect(faults(after.messages)).toContainEqual([
    'invalid',
    `$.selected_fulfillment_options${param}`,
  ])
})

test('what the store does not have stops nothing', async () => {
  const { status, said } = await loose.create({
    discounts: { codes: ['SUMMER'] },
    coupons: ['OLD'],
    fulfillment_groups: [{ id: 'g1', item_ids: ['ao-1101'], destination_type: 'address' }],
    affiliate_attribution: { provider: 'p', token: 't', issued_at: 'nonsense' },
    capabilities: { interventions: { supported: ['telepathy', 7] }, extensions: ['discount'] },
    quote_id: 'q',
    unheard: { of: [1] },
    buyer: { email: 'ada@king.example', nickname: 'A' },
    ai_surface: 'chatgpt',
  })
  expect([status, said.buyer]).toEqual([201, { email: 'ada@king.example' }])
  expect(lenient.reported.at(-1)).toMatchObject({ session_id: said.id, ai_surface: 'chatgpt' })
  expect(said.capabilities.interventions.supported).toEqual([])
  expect(faults(said.messages.slice(0, 3))).toEqual([
    ['discount_code_invalid', '$.discounts.codes[0]'],
    ['discount_code_invalid', '$.coupons[0]'],
    [undefined, '$.fulfillment_groups'],
  ])
  expect(JSON.stringify(said)).not.toContain('SUMMER')
})

test('a session that was canceled, or has expired', async () => {
  const id = await ready()
  const canceled = await cancel(id, { intent_trace: { reason_code: 'comparison' } })
  expect([canceled.status, canceled.said.status]).toEqual([200, 'canceled'])
  expect(canceled.said.continue_url).toBeUndefined()
  const other = await ready()
  at += 6 * 3_600_000
  const { said } = await read(other)
  expect([said.status, said.continue_url]).toEqual(['expired', undefined])
  for (const over of [id, other]) {
    for (const late of [await update(over, {}), await complete(over)]) {
      expect([late.status, late.said.code]).toEqual([409, 'conflict'])
    }
    const again = await cancel(over)
    expect([again.status, again.said.code]).toEqual([405, 'not_cancelable'])
  }
  at = NOON.getTime()
})

test('2026-01-30: the session keeps the version that it was opened in', async () => {
  const old = officialAcpAgent(send, { version: '2026-01-30' })
  const { status, said } = await old.call('POST', '', createBody(), {
    'idempotency-key': undefined,
  })
  expect([status, said.protocol]).toEqual([201, { version: '2026-01-30' }])
  expect(said.messages[0]).not.toHaveProperty('resolution')
  expect(said.capabilities.payment.handlers[0]).not.toHaveProperty('display_name')
  // What that version wants to know of a browser no call brings.
  expect(said.capabilities.interventions.supported).toEqual([])
  await update(said.id, {
    fulfillment_details: { address: { ...WHOLE_ADDRESS, company: 'Kings' } },
    selected_fulfillment_options: STANDARD,
    order_notes: 'Ring.',
  })
  const paid = await complete(said.id)
  expect(paid.said.protocol.version).toBe('2026-01-30')
  expect(paid.said.fulfillment_details.address).toEqual(WHOLE_ADDRESS)
  expect(Object.keys(paid.said.order).toSorted()).toEqual([
    'checkout_session_id',
    'confirmation',
    'estimated_delivery',
    'id',
    'order_number',
    'permalink_url',
    'status',
  ])
  expect(paid.said.order.confirmation).not.toHaveProperty('order_notes')
})

test('acp.json: what it lists is there', async () => {
  const { headers, body } = await ask('/.well-known/acp.json')
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
  expect(JSON.parse(body)).toEqual({
    protocol: {
      name: 'acp',
      version: '2026-04-17',
      supported_versions: ['2026-01-30', '2026-04-17'],
    },
    api_base_url: 'https://shop.example/acp',
    transports: ['rest', 'mcp'],
    capabilities: {
      services: ['checkout', 'orders', 'carts'],
      intervention_types: ['3ds'],
      supported_currencies: ['usd'],
      supported_locales: ['en-US'],
    },
  })
})

test("what is sent is kept with the session, under its agent's hash", async () => {
  const { said } = await create({ fulfillment_details: DELIVERY })
  const [row] = await deps.db.select().from(sessions).where(eq(sessions.id, said.id))
  expect(row?.official).toMatchObject({
    version: '2026-04-17',
    platform: expect.stringMatching(/^[\da-f]{64}$/),
  })
  expect(row?.address).toMatchObject({ street: '1 Pier Rd', zip: '94607' })
})

test('a session is not there at another host of the store', async () => {
  const { said } = await create()
  const headers = { authorization: 'Bearer agent', 'api-version': '2026-04-17' }
  const path = `/acp/checkout_sessions/${said.id}`
  const statuses = ['shop.example', 'other.example'].map(
    async (host) => (await ask(path, host, { headers })).status,
  )
  expect(await Promise.all(statuses)).toEqual([200, 404])
})
