import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { products } from '../../db/tables.ts'
import { platformsWith } from '../../testing/platforms.ts'
import { NOON, testStore } from '../../testing/store.ts'
import { capabilitiesOf } from './profile/profile.ts'
import { DESTINATION } from './testing/agent.ts'
import { Checkout, UcpErrorResponse } from './testing/schemas.ts'

const SESSIONS = '/ucp/v1/checkout-sessions'
const HOST = 'ucp.example'

const { ask, send } = await testStore()

const item = (id: string, quantity = 1) => ({ item: { id }, quantity })
const TENT = item('ao-1101')
const JACKET = item('ao-1001-s-pine', 2)
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
    messages: [
      { code: 'missing', path: '$.fulfillment.methods[0].destinations' },
      { code: 'missing', path: '$.fulfillment.methods[0].groups[0].selected_option_id' },
    ],
    continue_url: `https://ucp.example/checkout/${checkout.id}`,
    expires_at: '2026-06-01T18:00:00.000Z',
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
  const unchosen = await update(id, {
    line_items,
    ...shipping({ id: 'shipping', line_item_ids: ['li_1'], destinations: [DESTINATION] }),
  })
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
    ["the buyer's name", { destinations: [nameless] }, { buyer: { first_name } }, 'address_1'],
    ['nobody by name', { destinations: [nameless] }, {}, 'address_1'],
  ])('%s', async (_, method, more, destination) => {
    const checkout = await create({ line_items: [TENT], ...more, ...shipping(method) })
    expect(checkout.fulfillment.methods[0]?.selected_destination_id).toBe(destination)
    const options = checkout.fulfillment.methods[0]?.groups?.[0]?.options.map(({ id }) => id)
    expect(options).toEqual(destination === 'b' ? ['international'] : ['standard', 'express'])
  })

  test.each<[object, string, [string, string][]]>([
    [{ postal_code: 'K1A' }, 'US', [['address_undeliverable', 'postal_code']]],
    [{ address_country: 'Atlantis' }, 'US', [['address_undeliverable', 'address_country']]],
    [
      { street_address: ' ', address_region: undefined },
      'US',
      [
        ['missing', 'street_address'],
        ['missing', 'address_region'],
      ],
    ],
    [
      {
        street_address: undefined,
        address_locality: undefined,
        address_country: 'DE',
        postal_code: '1',
      },
      'DE',
      [
        ['missing', 'street_address'],
        ['missing', 'address_locality'],
        ['address_undeliverable', 'postal_code'],
      ],
    ],
  ])('%o is quoted for %s, and says what is wrong', async (change, country, wrong) => {
    const destinations = [{ ...DESTINATION, ...change }]
    const optionId = country === 'US' ? 'express' : 'international'
    const groups = [{ selected_option_id: optionId }]
    const checkout = await create({ line_items: [TENT], ...shipping({ destinations, groups }) })
    expect(checkout.status).toBe('incomplete')
    expect(checkout.fulfillment.methods[0]?.groups[0]?.selected_option_id).toBe(optionId)
    expect(checkout.messages).toEqual(
      wrong.map(([code, field]) => ({
        type: 'error',
        code,
        content: expect.stringContaining(field),
        severity: 'recoverable',
        path: `$.fulfillment.methods[0].destinations[0].${field}`,
      })),
    )
  })

  test.each(['de', 'DEU', 'Germany'])('the country %s is Germany', async (address_country) => {
    const destinations = [{ ...GERMANY, address_country }]
    const groups = [{ selected_option_id: 'international' }]
    const checkout = await create({ line_items: [TENT], ...shipping({ destinations, groups }) })
    expect(checkout.status).toBe('ready_for_complete')
    expect(checkout.fulfillment.methods[0]?.destinations).toMatchObject([{ address_country: 'DE' }])
    expect(amounts(checkout)).toContainEqual(['tax', expect.any(Number)])
  })

  test('text of no country is answered with what to send', async () => {
    const destinations = [{ ...DESTINATION, address_country: 'Atlantis' }]
    const checkout = await create({ line_items: [TENT], ...shipping({ destinations }) })
    expect(checkout.messages?.[0]?.content).toBe(
      'We cannot ship to this address. Please check address_country: send a code such as US.',
    )
  })

  test.each([
    { address_country: 'DE', postal_code: '10115' },
    { address_country: 'DE', postal_code: '1' },
    { address_country: 'de' },
    { address_country: 'DEU' },
    { address_country: 'Germany' },
  ])('the country of the context is enough for a quote: %o', async (context) => {
    const checkout = await create({ line_items: [TENT], context })
    expect(checkout.fulfillment.methods[0]?.groups[0]?.options.map(({ id }) => id)).toEqual([
      'international',
    ])
    expect(checkout.messages?.[0]).toMatchObject({ path: '$.fulfillment.methods[0].destinations' })
  })

  test.each<[string, object[], (string | undefined)[][]]>([
    [
      'one without an id gets one that no other has',
      [{ ...GERMANY, id: 'address_1' }, DESTINATION],
      [
        ['address_1', 'DE'],
        ['address_2', 'US'],
      ],
    ],
    [
      'of two with one id the first counts',
      [
        { ...GERMANY, id: 'home' },
        { ...DESTINATION, id: 'home' },
      ],
      [['home', 'DE']],
    ],
  ])('an id never means two destinations: %s', async (_, destinations, expected) => {
    const checkout = await create({ line_items: [TENT], ...shipping({ destinations }) })
    const shown = checkout.fulfillment.methods[0]?.destinations ?? []
    expect(shown.map(({ id, address_country }) => [id, address_country])).toEqual(expected)
  })

  test('of several the selected one must be there, so that nothing goes to another address', async () => {
    const selected_destination_id = 'nowhere'
    const createFor = (destinations: object[]) =>
      send(
        'POST',
        SESSIONS,
        { line_items: [TENT], ...shipping({ destinations, selected_destination_id }) },
        HOST,
      )
    const refused = await createFor([GERMANY, DESTINATION])
    expect(UcpErrorResponse.parse(JSON.parse(refused.body)).messages).toMatchObject([
      { code: 'not_found' },
    ])
    expect(Checkout.parse(JSON.parse((await createFor([GERMANY])).body)).id).toMatch(/^checkout_/)
  })

  test('a destination that was never sent changes nothing', async () => {
    const { id } = await create({ line_items: [TENT], ...EXPRESS })
    const method = {
      id: 'shipping',
      line_item_ids: ['li_1'],
      destinations: [GERMANY],
      selected_destination_id: 'nowhere',
    }
    const kept = await update(id, { line_items: [JACKET], ...shipping(method) })
    expect(kept.line_items[0]?.item.id).toBe('ao-1101')
    expect(kept.messages).toMatchObject([
      { code: 'not_found', path: '$.fulfillment.methods[0].selected_destination_id' },
    ])
  })

  describe('an update that selects none', () => {
    const HOME = { ...DESTINATION, id: 'home' }
    const { id: _, ...abroad } = GERMANY
    const AGAIN = { id: 'shipping', line_item_ids: ['li_1'] }
    test.each<[string, object, object, string | null]>([
      [
        'keeps the selected one',
        { destinations: [HOME, GERMANY] },
        { destinations: [HOME, GERMANY] },
        'b',
      ],
      [
        'wherever it is listed',
        { destinations: [HOME, GERMANY] },
        { destinations: [GERMANY, HOME] },
        'b',
      ],
      [
        'and whatever has changed of it',
        { destinations: [HOME, GERMANY] },
        { destinations: [HOME, { ...GERMANY, street_address: '2 Way' }] },
        'b',
      ],
      ['and if it lists none', { destinations: [HOME, GERMANY] }, {}, 'b'],
      ['takes the only one', { destinations: [HOME, GERMANY] }, { destinations: [HOME] }, 'home'],
      [
        'guesses none of several',
        { destinations: [HOME, GERMANY] },
        { destinations: [HOME, { ...HOME, id: 'work' }] },
        null,
      ],
      [
        'knows one without an id by its address',
        { destinations: [HOME, GERMANY] },
        { destinations: [DESTINATION, abroad] },
        'address_2',
      ],
    ])('%s', async (_, first, next, selected) => {
      const { id } = await create({
        line_items: [TENT],
        ...shipping({ ...first, selected_destination_id: 'b' }),
      })
      const updated = await update(id, { line_items: [TENT], ...shipping({ ...AGAIN, ...next }) })
      const [method] = updated.fulfillment.methods
      expect(method?.selected_destination_id).toBe(selected)
      expect(method?.groups[0]?.options.map((option) => option.id)).toEqual(
        selected === 'b' || selected === 'address_2' ? ['international'] : ['standard', 'express'],
      )
      expect(updated.messages).toMatchObject([
        ...(selected === null
          ? [{ path: '$.fulfillment.methods[0].selected_destination_id' }]
          : []),
        { path: '$.fulfillment.methods[0].groups[0].selected_option_id' },
      ])
    })

    test('where none was selected before, it has to be chosen', async () => {
      const { id } = await create({ line_items: [TENT] })
      const several = shipping({ ...AGAIN, destinations: [HOME, GERMANY] })
      const open = await update(id, { line_items: [TENT], ...several })
      expect(open.status).toBe('incomplete')
      expect(open.fulfillment.methods[0]).toMatchObject({
        selected_destination_id: null,
        destinations: [{ id: 'home' }, { id: 'b' }],
      })
      const chosen = shipping({ ...AGAIN, selected_destination_id: 'home' })
      const next = await update(id, { line_items: [TENT], ...chosen })
      expect(next.fulfillment.methods[0]?.selected_destination_id).toBe('home')
    })
  })

  test('an option of another country has to be chosen anew, and pickup is not shipping', async () => {
    const method = { destinations: [GERMANY], groups: [{ selected_option_id: 'express' }] }
    expect((await create({ line_items: [TENT], ...shipping(method) })).status).toBe('incomplete')
    const pickup = { fulfillment: { methods: [{ ...method, type: 'pickup' }] } }
    const checkout = await create({ line_items: [TENT], ...pickup })
    expect(checkout.messages?.[0]).toMatchObject({ path: '$.fulfillment.methods[0].destinations' })
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
      ucp: { status: 'success' },
      status: 'incomplete',
      line_items: [{ item: { id: 'ao-1101' } }],
      messages: [{ code, severity: 'recoverable' }],
    })
    const { body } = await ask(`${SESSIONS}/${id}`, HOST)
    expect(JSON.parse(body).status).toBe('ready_for_complete')
    expect(JSON.parse(body)).not.toHaveProperty('messages')
  })

  test('the rest is opened, and what is left out is said', async () => {
    const checkout = await create({ line_items: [item('x'), TENT, item('ao-1120')], ...EXPRESS })
    expect(checkout.line_items.map((line) => line.item.id)).toEqual(['ao-1101'])
    expect(checkout.messages).toMatchObject([
      { code: 'item_unavailable', path: '$.line_items' },
      { code: 'out_of_stock', path: '$.line_items' },
    ])
  })
})

describe('more than a PSP charges at once, which is 99,999,999 cents', async () => {
  const store = await testStore()
  const { db } = store.deps
  const priced = async (amount: number) => {
    const [row] = await db.select().from(products).where(eq(products.id, 'ao-1101'))
    const article = { ...row!.article, price: { amount, currency: 'USD' } }
    await db.update(products).set({ article }).where(eq(products.id, 'ao-1101'))
  }
  const said = async (method: string, path: string, body: object) =>
    JSON.parse((await store.send(method, path, { line_items: [TENT], ...body }, HOST)).body)
  const GERMANY = { ...DESTINATION, address_country: 'DE', postal_code: '10115' }
  const abroad = (more: object = {}) =>
    shipping({
      destinations: [GERMANY],
      groups: [{ id: 'parcel', selected_option_id: 'international' }],
      ...more,
    })
  const TOO_DEAR = [{ code: 'too_many_items', content: expect.stringContaining('999999.99 USD') }]

  test('is not opened; all that is charged counts', async () => {
    await priced(99_999_999 - 2900)
    const most = await said('POST', SESSIONS, abroad())
    expect([most.status, most.totals.at(-1).amount]).toEqual(['ready_for_complete', 99_999_999])
    await priced(99_999_999 - 2900 + 1)
    expect((await said('POST', SESSIONS, abroad())).messages).toMatchObject(TOO_DEAR)
    // With tax, and by the dearest way to ship.
    await priced(92_590_926)
    expect((await said('POST', SESSIONS, EXPRESS)).messages).toMatchObject(TOO_DEAR)
    await priced(92_590_925)
    expect((await said('POST', SESSIONS, EXPRESS)).status).toBe('ready_for_complete')
  })

  test('comes of no change: another country, where there is tax, or more pieces', async () => {
    await priced(95_000_000)
    const { id } = await said('POST', SESSIONS, abroad())
    const method = { id: 'shipping', line_item_ids: ['li_1'] }
    const moved = await said(
      'PUT',
      `${SESSIONS}/${id}`,
      shipping({ ...method, destinations: [DESTINATION] }),
    )
    expect(moved.messages).toMatchObject(TOO_DEAR)
    const more = { line_items: [item('ao-1101', 2)], ...abroad(method) }
    expect((await said('PUT', `${SESSIONS}/${id}`, more)).messages).toMatchObject(TOO_DEAR)
    const kept = JSON.parse((await store.ask(`${SESSIONS}/${id}`, HOST)).body)
    expect([kept.status, kept.totals.at(-1).amount]).toEqual(['ready_for_complete', 95_002_900])
  })

  test('is in no cart, and one that has become so dear says it', async () => {
    await priced(60_000_000)
    const cart = await said('POST', '/ucp/v1/carts', {})
    const more = { line_items: [item('ao-1101', 2)] }
    const refused = await said('PUT', `/ucp/v1/carts/${cart.id}`, more)
    expect(refused).toMatchObject({ line_items: [{ quantity: 1 }], messages: TOO_DEAR })
    expect((await said('POST', '/ucp/v1/carts', more)).messages).toMatchObject(TOO_DEAR)
    await priced(120_000_000)
    const { body } = await store.ask(`/ucp/v1/carts/${cart.id}`, HOST)
    expect(JSON.parse(body)).toMatchObject({ line_items: [], messages: TOO_DEAR })
  })
})

test('a checkout expires after six hours, and is canceled then', async () => {
  let at = NOON.getTime()
  const store = await testStore({}, { now: () => new Date(at) })
  const { id } = await create({ line_items: [TENT] }, store)
  const find = async () => JSON.parse((await store.ask(`${SESSIONS}/${id}`, HOST)).body).status
  at += 6 * 60 * 60_000 - 1
  expect(await find()).toBe('incomplete')
  at += 1
  expect(await find()).toBe('canceled')
  const late = await store.send('PUT', `${SESSIONS}/${id}`, { line_items: [JACKET] }, HOST)
  expect(late.status).toBe(409)
})

test('without the extension for delivery the buyer finishes on our page', async () => {
  const capabilities = { 'dev.ucp.shopping.checkout': [{ version: '2026-08-25' }] }
  const store = await testStore({ platforms: platformsWith('2026-08-25', capabilities) })
  const answer = await store.send('POST', SESSIONS, { line_items: [TENT] }, HOST)
  const said = JSON.parse(answer.body)
  expect(said).toMatchObject({
    status: 'requires_escalation',
    messages: [{ code: 'missing', severity: 'requires_buyer_input' }],
    continue_url: `https://ucp.example/checkout/${said.id}`,
  })
  expect(said).not.toHaveProperty('fulfillment')
})

test('in the version before, an update without context keeps the address of the first quote', async () => {
  const store = await testStore({
    platforms: platformsWith('2026-04-08', capabilitiesOf('2026-04-08')),
  })
  const sent = async (method: string, path: string, body: object) =>
    JSON.parse((await store.send(method, path, { line_items: [TENT], ...body }, HOST)).body)
  const germany = { address_country: 'DE', postal_code: '10115' }
  const { id } = await sent('POST', SESSIONS, { context: germany })
  const method = { id: 'shipping', line_item_ids: ['li_1'] }
  const choose = (selected_option_id: string, more: object = {}) => {
    const groups = [{ id: 'parcel', selected_option_id }]
    return sent('PUT', `${SESSIONS}/${id}`, { ...shipping({ ...method, groups }), ...more })
  }
  const optionOf = (checkout: Checkout) => checkout.fulfillment.methods[0]?.groups[0]
  expect(optionOf(await choose('international'))).toMatchObject({
    selected_option_id: 'international',
    options: [{ id: 'international' }],
  })
  const home = { context: { address_country: 'US', postal_code: '12207' } }
  expect(optionOf(await choose('express', home))).toMatchObject({ selected_option_id: 'express' })
  // What was known of a destination does not outlive it.
  await choose('express', shipping({ ...method, destinations: [DESTINATION] }))
  const none = await sent('PUT', `${SESSIONS}/${id}`, shipping({ ...method, destinations: [] }))
  expect(none.messages[0]).toMatchObject({ path: '$.fulfillment.methods[0].destinations' })
})

test('in the version before, what an update leaves out stays, and destinations have no type', async () => {
  const store = await testStore({
    platforms: platformsWith('2026-04-08', capabilitiesOf('2026-04-08')),
  })
  const sent = (method: string, path: string, body: object) => store.send(method, path, body, HOST)
  const opened = JSON.parse((await sent('POST', SESSIONS, { line_items: [TENT], ...EXPRESS })).body)
  expect(opened.ucp.version).toBe('2026-04-08')
  expect(opened.fulfillment.methods[0].destinations[0]).not.toHaveProperty('type')
  const { body } = await sent('PUT', `${SESSIONS}/${opened.id}`, { line_items: [JACKET] })
  expect(JSON.parse(body)).toMatchObject({
    status: 'ready_for_complete',
    line_items: [{ item: { id: 'ao-1001-s-pine' } }],
    fulfillment: { methods: [{ selected_destination_id: 'address_1' }] },
  })
})
