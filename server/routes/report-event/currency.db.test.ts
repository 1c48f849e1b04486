import { expect, test } from 'vitest'
import { createProperty } from '../../attribution/properties.ts'
import { updateProperty } from '../../db/attribution/properties.ts'
import { BARE, reportingApp } from '../testing/reporting-app.ts'

const { db, send, rowsOf, sumsOf, newShop } = await reportingApp()

const orderOf = (domain: string, session_id: string, properties: object = { value: 4999 }) => ({
  ...BARE,
  domain,
  session_id,
  event: 'ai_checkout_completed',
  properties,
})
const FROM_PROPERTY =
  "The value has no currency, so it counts in EUR, the property's currency. Send properties.currency as well."
const FROM_ORDERS =
  'The value has no currency, so it counts in GBP, the currency of most orders so far. Send properties.currency as well.'
const GBP = { value: 100, currency: 'GBP' }

test("a value without a currency counts in the property's, and the answer says so", async () => {
  const domain = newShop()
  await createProperty(db, { domain, currency: 'EUR' }, new Date(0))
  // Newer, and silent.
  await createProperty(db, { domain }, new Date())
  await send(orderOf(domain, 'priced', GBP))
  const { said } = await send(orderOf(domain, 'unpriced'))
  expect(said).toMatchObject({ status: 'recorded', notes: [FROM_PROPERTY] })
  expect(await sumsOf(domain)).toMatchObject([
    { currency: 'EUR', completed: 1, revenue: 4999 },
    { currency: 'GBP', completed: 1, revenue: 100 },
  ])
  expect(await rowsOf(domain)).toMatchObject([{}, { currency: 'EUR', properties: { value: 4999 } }])
})

test.each([
  ['www.', ''],
  ['', 'www.'],
])('a property of %sshop is that of %sshop', async (ofProperty, ofEvent) => {
  const shop = newShop()
  await createProperty(db, { domain: ofProperty + shop, currency: 'EUR' }, new Date())
  const { said } = await send(orderOf(ofEvent + shop, 'a'))
  expect(said.notes).toEqual([FROM_PROPERTY])
})

test('without a property it counts in the currency of most orders so far', async () => {
  const domain = newShop()
  for (const [id, currency] of [
    ['a', 'USD'],
    ['b', 'GBP'],
    ['c', 'GBP'],
  ] as const) {
    await send(orderOf(domain, id, { value: id === 'a' ? 9999 : 100, currency }))
  }
  const view = { ...orderOf(domain, 'd'), event: 'ai_product_viewed' }
  const { said } = await send([orderOf(domain, 'd'), view])
  expect(said.results.map(({ ack }: { ack: { notes: string[] } }) => ack.notes)).toEqual([
    [FROM_ORDERS],
    [FROM_ORDERS],
  ])
  expect(await sumsOf(domain)).toMatchObject([
    { currency: 'GBP', completed: 3, revenue: 5199, viewed: 1 },
    { currency: 'USD', completed: 1 },
  ])
})

test('an order earlier in the same array gives its currency', async () => {
  const domain = newShop()
  const { said } = await send([orderOf(domain, 'a', GBP), orderOf(domain, 'b')])
  expect(said.results[1].ack.notes).toEqual([FROM_ORDERS])
})

test('where there is none to take, that event alone is refused', async () => {
  const domain = newShop()
  // A checkout is not an order yet.
  const begun = { ...orderOf(domain, 'a', GBP), event: 'ai_checkout_initiated' }
  const { said } = await send([begun, orderOf(domain, 'a'), orderOf(domain, 'b', {})])
  expect(said.results).toMatchObject([
    { status: 200 },
    {
      status: 422,
      error: { code: 'invalid_request', details: [{ field: 'properties.currency' }] },
    },
    { status: 200 },
  ])
  expect(await rowsOf(domain)).toHaveLength(2)
  const alone = await send(orderOf(domain, 'a'))
  expect([alone.status, alone.said.error.details[0].field]).toEqual([422, 'properties.currency'])
})

test('a retry gets the answer of the first time, whatever the currency is now', async () => {
  const domain = newShop()
  const { id } = await createProperty(db, { domain, currency: 'EUR' }, new Date())
  const first = await send(orderOf(domain, 'a'))
  for (const currency of ['JPY', null]) {
    expect(await updateProperty(db, id, ['*'], { currency })).toMatchObject({ currency })
    const again = await send(orderOf(domain, 'a'))
    expect(again.said).toEqual(first.said)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  }
  await db.execute(`delete from rollup_daily where domain = '${domain}'`)
  expect((await send(orderOf(domain, 'a'))).said).toEqual(first.said)
})
