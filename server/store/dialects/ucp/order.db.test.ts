import { expect, test } from 'vitest'
import { ORDER } from '../../../../shared/protocols/ucp/names.ts'
import type { UcpVersion } from '../../../../shared/protocols/ucp/versions.ts'
import { type Order, orders } from '../../db/tables.ts'
import { storeDatabase } from '../../db/testing/database.ts'
import { anOrder } from '../../outbox/testing/receiver.ts'
import { NOON, visitTo } from '../../testing/store.ts'
import { getUcpOrder, type OrderContext, orderEntity } from './order.ts'
import { OrderEntity } from './testing/order-schema.ts'

const PLATFORM = 'https://agent.example/ucp.json'
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000).toISOString()
const TRACKING = { number: '1Z999', carrier: 'UPS', url: 'https://ups.example/1Z999' }
const PARCEL = {
  tracking_number: '1Z999',
  carrier: 'UPS',
  tracking_url: 'https://ups.example/1Z999',
}

const bought = (change: Partial<Order> = {}, version = '2026-08-25') =>
  anOrder({
    protocol: 'ucp_official',
    official: { version, platform: PLATFORM, webhook_url: null, shown: {} },
    ...change,
  })

const LINES = [{ id: 'li_1', quantity: 2 }]
const GONE = [{ id: 'li_1', quantity: -2 }]

test('a fresh order, whole', () => {
  const order = bought()
  expect(orderEntity(order)).toEqual({
    ucp: {
      version: '2026-08-25',
      status: 'success',
      capabilities: { [ORDER]: [{ version: '2026-08-25' }] },
    },
    id: order.id,
    label: 'AO-7K3M-Q9XT',
    checkout_id: order.session_id,
    permalink_url: `https://shop.example/receipts/${order.receipt_token}`,
    currency: 'USD',
    line_items: [
      {
        id: 'li_1',
        item: { id: 'tent-green', title: 'Tent, green', price: 4999 },
        quantity: { original: 2, total: 2, fulfilled: 0 },
        totals: [
          { type: 'subtotal', amount: 9998 },
          { type: 'total', amount: 9998 },
        ],
        status: 'processing',
      },
    ],
    fulfillment: {
      expectations: [
        {
          id: 'expectation_1',
          line_items: LINES,
          method_type: 'shipping',
          destination: {
            first_name: 'Ada',
            last_name: 'Byron',
            street_address: '1 Analytical Way',
            address_locality: 'Albany',
            address_region: 'NY',
            postal_code: '12207',
            address_country: 'US',
          },
          description: 'Standard',
          fulfillable_on: 'now',
        },
      ],
      events: [],
    },
    adjustments: [],
    totals: [
      { type: 'subtotal', amount: 9998, display_text: 'Subtotal' },
      { type: 'fulfillment', amount: 600, display_text: 'Standard' },
      { type: 'tax', amount: 800, display_text: 'Tax' },
      { type: 'total', amount: 11_398, display_text: 'Total' },
    ],
  })
})

interface Told {
  quantity: [total: number, fulfilled: number]
  status: string
  /** Expectations are there; a canceled order has none. */
  expected?: number
  events?: object[]
  adjustments?: object[]
}
const event = (type: string, minutes: number, more: object = {}) => ({
  id: `event_${type}`,
  occurred_at: at(minutes),
  type,
  line_items: LINES,
  ...more,
})
const refund = (amount: number, minutes: number) => ({
  refund_id: `refund_${amount}`,
  amount,
  refunded_at: at(minutes),
})
const refunded = (amount: number, minutes: number) => ({
  id: `refund_${amount}`,
  type: 'refund',
  occurred_at: at(minutes),
  status: 'completed',
  totals: [{ type: 'total', amount: -amount }],
})

const STATES: [string, Partial<Order>, Told][] = [
  ['fresh', {}, { quantity: [2, 0], status: 'processing' }],
  [
    'partly refunded',
    { refunds: [refund(100, 1), refund(250, 2)] },
    {
      quantity: [2, 0],
      status: 'processing',
      adjustments: [refunded(100, 1), refunded(250, 2)],
    },
  ],
  [
    'being packed, then shipped with tracking',
    {
      status: 'shipped',
      tracking: TRACKING,
      history: [
        { type: 'processing', at: at(1) },
        { type: 'shipped', at: at(2), tracking: TRACKING },
      ],
    },
    {
      quantity: [2, 2],
      status: 'fulfilled',
      events: [event('processing', 1), event('shipped', 2, PARCEL)],
    },
  ],
  [
    'shipped without a link to follow',
    { status: 'shipped', history: [{ type: 'shipped', at: at(2), tracking: { number: '7' } }] },
    {
      quantity: [2, 2],
      status: 'fulfilled',
      events: [event('shipped', 2, { tracking_number: '7' })],
    },
  ],
  [
    'canceled, and refunded then',
    {
      status: 'canceled',
      history: [{ type: 'canceled', at: at(3) }],
      refunds: [refund(11_398, 4)],
    },
    {
      quantity: [0, 0],
      status: 'removed',
      expected: 0,
      adjustments: [
        {
          id: 'adjustment_1',
          type: 'cancellation',
          occurred_at: at(3),
          status: 'completed',
          line_items: GONE,
        },
        refunded(11_398, 4),
      ],
    },
  ],
  [
    'returned, with a part refunded before',
    {
      status: 'returned',
      history: [
        { type: 'shipped', at: at(1) },
        { type: 'delivered', at: at(2) },
        { type: 'returned', at: at(9) },
      ],
      refunds: [refund(500, 5)],
    },
    {
      quantity: [0, 0],
      status: 'removed',
      events: [event('shipped', 1), event('delivered', 2)],
      adjustments: [
        refunded(500, 5),
        {
          id: 'adjustment_3',
          type: 'return',
          occurred_at: at(9),
          status: 'completed',
          line_items: GONE,
        },
      ],
    },
  ],
  [
    'disputed twice',
    {
      disputed: true,
      history: [
        { type: 'disputed', at: at(1) },
        { type: 'disputed', at: at(2) },
      ],
    },
    {
      quantity: [2, 0],
      status: 'processing',
      adjustments: [1, 2].map((n) => ({
        id: `adjustment_${n}`,
        type: 'dispute',
        occurred_at: at(n),
        status: 'pending',
      })),
    },
  ],
  [
    'flagged for the merchant alone',
    { disputed: true },
    { quantity: [2, 0], status: 'processing' },
  ],
]

test.each(
  STATES.flatMap(([name, change, told]) =>
    (['2026-04-08', '2026-08-25'] as const).map((version) => ({ name, version, change, told })),
  ),
)('$name, in $version', ({ version, change, told }) => {
  const shown = OrderEntity.parse(orderEntity(bought(change, version)))
  const { quantity, status, expected = 1, events = [], adjustments = [] } = told
  expect(shown.ucp.version).toBe(version)
  expect(shown.line_items).toMatchObject([
    { quantity: { original: 2, total: quantity[0], fulfilled: quantity[1] }, status },
  ])
  expect(shown.fulfillment.expectations).toHaveLength(expected)
  expect(shown.fulfillment.events).toEqual(events)
  expect(shown.adjustments).toEqual(adjustments)
  expect(shown.totals.at(-1)?.amount).toBe(11_398)
})

test('a preorder says when it can leave; a name of one word is a first name', () => {
  const [item] = bought().items
  const items = [item!, { ...item!, available_on: '2026-07-01' }]
  const address = { ...bought().address, name: 'Ada' }
  const { fulfillment } = OrderEntity.parse(
    orderEntity(bought({ items, address, subtotal: 19_996, total: 21_396 })),
  )
  const [expectation] = fulfillment.expectations
  expect(expectation?.fulfillable_on).toBe('2026-07-01T00:00:00Z')
  expect(expectation?.line_items.map(({ id }) => id)).toEqual(['li_1', 'li_2'])
  expect(expectation?.destination).toMatchObject({ first_name: 'Ada' })
  expect(expectation?.destination).not.toHaveProperty('last_name')
})

const { db } = await storeDatabase()
const context = (change: Partial<OrderContext>, version: UcpVersion): OrderContext => ({
  request: visitTo(),
  negotiated: {
    version,
    capabilities: new Set([ORDER]),
    profileUrl: PLATFORM,
    profile: { ucp: { version } },
    webhookUrl: null,
  },
  deps: { db, now: () => new Date('2026-11-21T12:00:00Z') },
  signedBy: null,
  nonce: null,
  trustsProfiles: false,
  ...change,
})
const OTHER = 'https://other.example/ucp.json'

test.each<[string, Partial<OrderContext>, Partial<Order>, string]>([
  ['its platform, signed', { signedBy: PLATFORM }, {}, 'shown'],
  ['its platform, unsigned', {}, {}, 'unauthorized'],
  ['its platform, unsigned, in development', { trustsProfiles: true }, {}, 'shown'],
  ['another one, signed', { signedBy: OTHER }, {}, 'not_found'],
  [
    'another one that names its profile, in development',
    { signedBy: OTHER, trustsProfiles: true },
    {},
    'not_found',
  ],
  ['an order of official ACP', { signedBy: PLATFORM }, { protocol: 'acp_official' }, 'not_found'],
  ['an order of the specification', { signedBy: PLATFORM }, { official: null }, 'not_found'],
  ['not paid yet', { signedBy: PLATFORM }, { status: 'awaiting_payment' }, 'not_found'],
  ['never paid', { signedBy: PLATFORM }, { status: 'payment_failed' }, 'not_found'],
])('who may read it: %s', async (_, change, of, outcome) => {
  const order = bought(of, '2026-04-08')
  await db.insert(orders).values(order)
  for (const version of ['2026-04-08', '2026-08-25'] as const) {
    const { status, body } = await getUcpOrder(context(change, version), order.id)
    expect(status).toBe(200)
    expect(body.ucp).toMatchObject({ version })
    if (outcome === 'shown') expect(OrderEntity.parse(body).id).toBe(order.id)
    else expect(body).toMatchObject({ ucp: { status: 'error' }, messages: [{ code: outcome }] })
  }
  if (outcome === 'shown') {
    const { body } = await getUcpOrder(
      context({ ...change, nonce: order.id }, '2026-08-25'),
      order.id,
    )
    expect(OrderEntity.parse(body).id).toBe(order.id)
    const again = await getUcpOrder(context({ ...change, nonce: order.id }, '2026-08-25'), order.id)
    expect(again.body).toMatchObject({ messages: [{ code: 'unauthorized' }] })
    return
  }
  const { body } = await getUcpOrder(context(change, '2026-08-25'), order.id)
  const absent = await getUcpOrder(context(change, '2026-08-25'), 'order_none')
  expect(body).toEqual(absent.body)
})
