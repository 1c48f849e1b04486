import { describe, expect, test } from 'vitest'
import { NOON, testStore } from '../../testing/store.ts'
import { Checkout, UcpErrorResponse } from './testing/schemas.ts'

const SESSIONS = '/ucp/v1/checkout-sessions'
const HOST = 'ucp.example'

const { ask, send } = await testStore()

const item = (id: string, quantity = 1) => ({ item: { id }, quantity })
const TENT = item('ao-1101')
const JACKET = item('ao-1001-s-pine', 2)
const DESTINATION = {
  first_name: 'Ada',
  last_name: 'Byron',
  street_address: '1 Analytical Way',
  address_locality: 'Albany',
  address_region: 'NY',
  postal_code: '12207',
  address_country: 'US',
}
const shipping = (method: object) => ({
  fulfillment: { methods: [{ type: 'shipping', ...method }] },
})
const EXPRESS = shipping({
  destinations: [DESTINATION],
  groups: [{ selected_option_id: 'express' }],
})

async function create(body: object, store = { send }) {
  const answer = await store.send('POST', SESSIONS, body, HOST)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.status).toBe(201)
  return Checkout.parse(JSON.parse(answer.body))
}
async function update(id: string, body: object) {
  const answer = await send('PUT', `${SESSIONS}/${id}`, body, HOST)
  expect(answer.status).toBe(200)
  return Checkout.parse(JSON.parse(answer.body))
}
const amounts = ({ totals }: Checkout) => totals.map(({ type, amount }) => [type, amount])

test('a checkout is priced from the catalog, says what is missing and can be read again', async () => {
  const checkout = await create({ line_items: [JACKET, TENT] })
  expect(checkout).toMatchObject({
    status: 'incomplete',
    line_items: [
      {
        item: { id: 'ao-1001-s-pine', title: 'Skarn Rain Jacket, S, Pine', price: 17_900 },
        quantity: 2,
        totals: [{ amount: 35_800 }, { amount: 35_800 }],
      },
      { item: { id: 'ao-1101', price: 28_900 } },
    ],
    messages: [{ code: 'missing', path: '$.fulfillment.methods[0].destinations' }],
    expires_at: '2026-06-01T12:20:00.000Z',
  })
  expect(amounts(checkout)).toEqual([
    ['subtotal', 64_700],
    ['total', 64_700],
  ])
  const { body } = await ask(`${SESSIONS}/${checkout.id}`, HOST)
  expect(JSON.parse(body)).toEqual(checkout)
  for (const { url } of checkout.links) {
    const page = await ask(new URL(url).pathname, HOST)
    expect(page.body).toContain(`id="${new URL(url).hash.slice(1)}"`)
  }
})

test('a choice at a time it becomes ready', async () => {
  const { id } = await create({ line_items: [TENT] })
  const line_items = [TENT]
  const unchosen = await update(id, { line_items, ...shipping({ destinations: [DESTINATION] }) })
  expect(unchosen).toMatchObject({
    status: 'incomplete',
    messages: [{ path: '$.fulfillment.methods[0].groups[0].selected_option_id' }],
  })
  const [method] = unchosen.fulfillment.methods
  const [group] = method?.groups ?? []
  expect(group?.options.map((option) => [option.id, option.totals[0]?.amount])).toEqual([
    ['standard', 0],
    ['express', 1800],
  ])
  const ready = await update(id, {
    line_items,
    buyer: { email: 'ada@example.com' },
    ...shipping({
      id: method?.id,
      line_item_ids: method?.line_item_ids,
      selected_destination_id: method?.selected_destination_id,
      groups: [{ id: group?.id, selected_option_id: 'express' }],
    }),
  })
  expect(ready).toMatchObject({ status: 'ready_for_complete', buyer: { email: 'ada@example.com' } })
  expect(ready).not.toHaveProperty('messages')
  expect(amounts(ready)).toEqual([
    ['subtotal', 28_900],
    ['fulfillment', 1800],
    ['tax', 2312],
    ['total', 33_012],
  ])
})

test('an update replaces all that was chosen', async () => {
  const { id } = await create({ line_items: [TENT], buyer: { first_name: 'Ada' }, ...EXPRESS })
  const bare = await update(id, { line_items: [JACKET] })
  expect(bare.line_items.map((line) => line.item.id)).toEqual(['ao-1001-s-pine'])
  expect(bare).toMatchObject({
    status: 'incomplete',
    fulfillment: { methods: [{ selected_destination_id: null }] },
  })
  expect(bare).not.toHaveProperty('buyer')
})

describe('where to', () => {
  const GERMANY = { ...DESTINATION, id: 'b', address_country: 'DE', postal_code: '10115' }
  const { first_name, last_name, ...nameless } = DESTINATION
  test.each<[string, object, object, string]>([
    ['the first without a selection', { destinations: [GERMANY, DESTINATION] }, {}, 'b'],
    [
      'the selected one',
      { destinations: [DESTINATION, GERMANY], selected_destination_id: 'b' },
      {},
      'b',
    ],
    ["the buyer's name", { destinations: [nameless] }, { buyer: { first_name } }, 'address'],
  ])('%s', async (_, method, more, destination) => {
    const checkout = await create({ line_items: [TENT], ...more, ...shipping(method) })
    expect(checkout.fulfillment.methods[0]?.selected_destination_id).toBe(destination)
    const options = checkout.fulfillment.methods[0]?.groups?.[0]?.options.map(({ id }) => id)
    expect(options).toEqual(destination === 'b' ? ['international'] : ['standard', 'express'])
  })

  test.each([
    [{ postal_code: 'K1A' }, 'postal_code'],
    [{ address_country: 'United States' }, 'address_country'],
    [{ street_address: '', address_region: undefined }, 'street_address, address_region'],
    [{ first_name: '', last_name: undefined }, 'first_name'],
  ])('%o cannot be shipped to', async (change, fields) => {
    const destinations = [{ ...DESTINATION, ...change }]
    const checkout = await create({ line_items: [TENT], ...shipping({ destinations }) })
    expect(checkout.messages).toEqual([
      {
        type: 'error',
        code: 'address_undeliverable',
        content: `We cannot ship to this address. Please check: ${fields}.`,
        severity: 'recoverable',
        path: '$.fulfillment.methods[0].destinations[0]',
      },
    ])
    expect(checkout.totals.map(({ type }) => type)).toEqual(['subtotal', 'total'])
  })

  test('an option of another country has to be chosen anew, and pickup is not shipping', async () => {
    const method = { destinations: [GERMANY], groups: [{ selected_option_id: 'express' }] }
    expect((await create({ line_items: [TENT], ...shipping(method) })).status).toBe('incomplete')
    const pickup = { fulfillment: { methods: [{ ...method, type: 'pickup' }] } }
    const checkout = await create({ line_items: [TENT], ...pickup })
    expect(checkout.messages).toMatchObject([{ path: '$.fulfillment.methods[0].destinations' }])
  })
})

describe('what cannot be had', () => {
  const TABLE: [string, object[], string][] = [
    ['unknown', [item('x')], 'item_unavailable'],
    ['__proto__', [item('__proto__')], 'item_unavailable'],
    ['a product that comes in variants', [item('ao-1001')], 'item_unavailable'],
    ['sold out', [item('ao-1120')], 'out_of_stock'],
    ['too many', [item('ao-1101', 100)], 'too_many_items'],
  ]
  test.each(TABLE)('%s makes no checkout', async (_, line_items, code) => {
    const { status, body } = await send('POST', SESSIONS, { line_items }, HOST)
    expect(status).toBe(200)
    expect(UcpErrorResponse.parse(JSON.parse(body)).messages).toMatchObject([
      { code, severity: 'unrecoverable' },
    ])
  })

  test.each(TABLE)('%s changes no checkout', async (_, line_items, code) => {
    const { id } = await create({ line_items: [TENT], ...EXPRESS })
    const kept = await update(id, { line_items })
    expect(kept).toMatchObject({
      ucp: { status: 'error' },
      status: 'ready_for_complete',
      line_items: [{ item: { id: 'ao-1101' } }],
      messages: [{ code, severity: 'recoverable' }],
    })
    const { body } = await ask(`${SESSIONS}/${id}`, HOST)
    expect(JSON.parse(body)).not.toHaveProperty('messages')
  })
})

test('complete says that there is no payment yet, and changes nothing', async () => {
  const { id } = await create({ line_items: [TENT], ...EXPRESS })
  const { status, body } = await send('POST', `${SESSIONS}/${id}/complete`, { payment: {} }, HOST)
  expect(status).toBe(200)
  expect(UcpErrorResponse.parse(JSON.parse(body)).messages).toEqual([
    {
      type: 'error',
      code: 'payment_failed',
      content:
        'This store does not accept payments yet: no order was placed and nothing was charged.',
      severity: 'unrecoverable',
    },
  ])
  const again = await ask(`${SESSIONS}/${id}`, HOST)
  expect(JSON.parse(again.body).status).toBe('ready_for_complete')
})

test('a canceled checkout stays so, and says it to whoever would change it', async () => {
  const { id } = await create({ line_items: [TENT] })
  const cancel = () => ask(`${SESSIONS}/${id}/cancel`, HOST, { method: 'POST' })
  const canceled = Checkout.parse(JSON.parse((await cancel()).body))
  expect(canceled.status).toBe('canceled')
  expect(canceled).not.toHaveProperty('messages')
  for (const answer of [
    await cancel(),
    await send('PUT', `${SESSIONS}/${id}`, { line_items: [JACKET] }, HOST),
    await send('POST', `${SESSIONS}/${id}/complete`, {}, HOST),
  ]) {
    expect(answer.status).toBe(200)
    expect(Checkout.parse(JSON.parse(answer.body))).toMatchObject({
      ucp: { status: 'error' },
      status: 'canceled',
      line_items: [{ item: { id: 'ao-1101' } }],
      messages: [{ code: 'canceled', severity: 'unrecoverable' }],
    })
  }
})

test('a checkout expires twenty minutes after it was last changed', async () => {
  let at = NOON.getTime()
  const store = await testStore({}, { now: () => new Date(at) })
  const { id } = await create({ line_items: [TENT] }, store)
  const find = async () => (await store.ask(`${SESSIONS}/${id}`, HOST)).status
  at += 19 * 60_000
  await store.send('PUT', `${SESSIONS}/${id}`, { line_items: [JACKET] }, HOST)
  at += 19 * 60_000
  expect(await find()).toBe(200)
  at += 60_000
  expect(await find()).toBe(404)
})
