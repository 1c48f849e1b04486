import { expect, test } from 'vitest'
import { acpOrder } from '../dialects/acp/order.ts'
import { officialAcpAgent, WHOLE_ADDRESS } from '../dialects/acp/testing/agent.ts'
import { orderEntity } from '../dialects/ucp/order.ts'
import { DESTINATION, ucpAgent } from '../dialects/ucp/testing/agent.ts'
import { orderOfSession } from '../orders/orders.ts'
import { testStore } from '../testing/store.ts'
import { testCardEntry } from './card-entry.ts'
import { fieldsOn } from './testing/session.ts'

const { ask, send, deps } = await testStore({ card: testCardEntry })
const ucp = ucpAgent(send, 'rest')
const acp = officialAcpAgent(send)

/** The buyer changes this on the page, and pays there. */
async function payOnPage(id: string, host: string, change: Record<string, string>) {
  const path = `/checkout/${id}`
  const shown = fieldsOn((await ask(path, host)).body)
  await ask(path, host, {
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ ...shown, ...change, do: 'pay', token: 'tok_visa' }).toString(),
  })
  const order = (await orderOfSession(deps.db, id))!
  const receipt = (await ask(`/receipts/${order.receipt_token}`, host)).body
  const label = /<address>(.*)<\/address>/.exec(receipt)?.[1]
  return { shown, order, label }
}

const APARTMENT = { ...DESTINATION, extended_address: 'Apt 5' }
const { street_address, first_name, last_name, ...PLACE } = DESTINATION

const overUcp = async (destination: object, buyer?: object) => {
  const { said } = await ucp.create({
    line_items: [{ item: { id: 'ao-1101' }, quantity: 1 }],
    ...(buyer && { buyer }),
    fulfillment: {
      methods: [
        {
          type: 'shipping',
          destinations: [destination],
          groups: [{ selected_option_id: 'standard' }],
        },
      ],
    },
  })
  return said.id as string
}

test.each<[string, Record<string, string>, object, string]>([
  ['nothing', {}, APARTMENT, 'Ada Byron<br>1 Analytical Way<br>Apt 5<br>'],
  [
    'the name',
    { name: 'Bob Builder' },
    { ...APARTMENT, first_name: 'Bob', last_name: 'Builder' },
    'Bob Builder<br>1 Analytical Way<br>Apt 5<br>',
  ],
  [
    'the name, to one word',
    { name: 'Bob' },
    { street_address, ...PLACE, first_name: 'Bob', extended_address: 'Apt 5' },
    'Bob<br>1 Analytical Way<br>Apt 5<br>',
  ],
  [
    'the apartment',
    { line_two: ' Apt 6 ' },
    { ...APARTMENT, extended_address: 'Apt 6' },
    'Ada Byron<br>1 Analytical Way<br>Apt 6<br>',
  ],
  [
    'the street, which has no apartment',
    { street: '2 Other St', line_two: '' },
    { ...DESTINATION, street_address: '2 Other St' },
    'Ada Byron<br>2 Other St<br>Albany',
  ],
  ['the apartment, to none', { line_two: '' }, DESTINATION, 'Ada Byron<br>1 Analytical Way<br>Alb'],
])('official UCP: the buyer changes %s', async (_, change, destination, label) => {
  const id = await overUcp(APARTMENT)
  const paid = await payOnPage(id, 'ucp.example', change)
  expect(paid.shown.line_two).toBe('Apt 5')
  expect(paid.label).toContain(label)
  const { fulfillment } = orderEntity(paid.order) as {
    fulfillment: { expectations: { destination: unknown }[] }
  }
  expect(fulfillment.expectations[0]?.destination).toStrictEqual(destination)
  const { said } = await ucp.get(id)
  const { id: __, type: ___, ...shown } = said.fulfillment.methods[0].destinations[0]
  expect(shown).toStrictEqual(destination)
})

test('a destination without a name gets one where the buyer gives another than their own', async () => {
  const nameless = { street_address, ...PLACE }
  const buyer = { first_name, last_name, email: 'ada@buyer.example' }
  const destinationOf = async (change: Record<string, string>) => {
    const id = await overUcp(nameless, buyer)
    await payOnPage(id, 'ucp.example', change)
    const {
      id: _,
      type: __,
      ...shown
    } = (await ucp.get(id)).said.fulfillment.methods[0].destinations[0]
    return shown
  }
  expect(await destinationOf({})).toStrictEqual(nameless)
  const renamed = { ...nameless, first_name: 'Bob', last_name: 'Builder' }
  expect(await destinationOf({ name: 'Bob Builder' })).toStrictEqual(renamed)
})

test.each<[string, Record<string, string>, object, string]>([
  ['nothing', {}, { line_two: 'Loft' }, 'Ada King<br>1 Pier Rd<br>Loft<br>'],
  [
    'the street, which has no second line',
    { street: '2 Other St', line_two: '' },
    { line_one: '2 Other St' },
    'Ada King<br>2 Other St<br>Oakland',
  ],
  [
    'all of it',
    { name: 'Bob Builder', street: '2 Other St', line_two: 'Rear' },
    { name: 'Bob Builder', line_one: '2 Other St', line_two: 'Rear' },
    'Bob Builder<br>2 Other St<br>Rear<br>',
  ],
])('official ACP: the buyer changes %s', async (_, change, destination, label) => {
  const id = await acp.ready({
    fulfillment_details: { address: { ...WHOLE_ADDRESS, line_two: 'Loft' } },
  })
  const paid = await payOnPage(id, 'shop.example', change)
  expect(paid.shown.line_two).toBe('Loft')
  expect(paid.label).toContain(label)
  const whole = { ...WHOLE_ADDRESS, ...destination }
  const { fulfillments } = acpOrder(paid.order, '2026-04-17') as {
    fulfillments: { destination: unknown }[]
  }
  expect(fulfillments[0]?.destination).toEqual(whole)
  expect((await acp.read(id)).said.fulfillment_details.address).toEqual(whole)
})

test('a second line that no label can hold is refused beside its field', async () => {
  const id = await overUcp(APARTMENT)
  const path = `/checkout/${id}`
  const shown = fieldsOn((await ask(path, 'ucp.example')).body)
  const { status, body } = await ask(path, 'ucp.example', {
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ ...shown, line_two: 'x'.repeat(201), do: 'save' }).toString(),
  })
  expect(status).toBe(422)
  expect(body).toContain('id="line_two-fault">Please shorten this line')
})
