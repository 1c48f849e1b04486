import { expect, test } from 'vitest'
import type * as z from 'zod'
import {
  payBy,
  READY,
  TRANSPORTS,
  type Transport,
  ucpAgent,
} from '../dialects/ucp/testing/agent.ts'
import { Checkout, Products, UcpCart } from '../dialects/ucp/testing/schemas.ts'
import { testStore } from '../testing/store.ts'

const { send, bank } = await testStore()

const LINES = [{ item: { id: 'ao-1101' }, quantity: 2 }]

/** Where an answer is not what UCP demands, as if it came from the faultless host. */
function wrongIn(schema: z.ZodType, said: unknown, host: string): string[] {
  const read = schema.safeParse(JSON.parse(JSON.stringify(said).replaceAll(host, 'ucp.example')))
  const paths = read.success ? [] : read.error.issues.map(({ path }) => path.join('.'))
  return [...new Set(paths)].sort()
}

/** A purchase to its end: what was said at each step, and what was charged meanwhile. */
async function buy(fault: string, transport: Transport) {
  const host = `${fault}.example`
  const agent = ucpAgent(send, transport, host)
  const before = bank.paid().length
  const { said: search } = await agent.search({ query: 'tent' })
  const { said: cart } = await agent.createCart({ line_items: LINES })
  const created = (await agent.create({ line_items: LINES, ...READY })).said
  const id = String(created.id)
  const updated = (await agent.update(id, { line_items: LINES, ...READY })).said
  const completed = await agent.complete(id, payBy('tok_visa'))
  const read = (await agent.get(id)).said
  const charged = bank.paid().slice(before)
  const steps = [created, updated, completed.said, read]
  return { host, agent, search, cart, steps, completed, charged: charged.map(amountOf) }
}
const amountOf = ({ amount }: { amount: { amount: number } }) => amount.amount

const right = await buy('ucp', 'rest')
const [DUE] = right.charged

/** All steps of a checkout say the same, and are wrong in these places of UCP's schema alone. */
const WRONG_IN: [fault: string, checkout: string[], cart: string[], catalog: string[]][] = [
  ['ucp', [], [], []],
  ['ucp-price-mismatch', [], [], []],
  ['ucp-currency-mismatch', ['currency'], ['currency'], []],
  ['ucp-totals-wrong', ['totals'], ['totals'], []],
  ['ucp-idempotency-ignored', [], [], []],
  ['ucp-variant-unavailable', [], [], []],
  ['ucp-foreign-currency-fails', [], [], []],
  ['ucp-continue-url-missing', [], [], []],
  ['ucp-catalog-search-ineffective', [], [], []],
]

test.each(WRONG_IN.flatMap((each) => TRANSPORTS.map((transport) => [...each, transport] as const)))(
  '%s: a purchase is wrong in %j, and charged rightly',
  async (fault, inCheckout, inCart, inCatalog, transport) => {
    const { host, search, cart, steps, charged } = await buy(fault, transport)
    for (const said of steps) expect(wrongIn(Checkout, said, host)).toEqual(inCheckout)
    expect(wrongIn(UcpCart, cart, host)).toEqual(inCart)
    expect(wrongIn(Products, search, host)).toEqual(inCatalog)
    expect(steps.map(({ status }) => status)).toEqual([
      'ready_for_complete',
      'ready_for_complete',
      'completed',
      'completed',
    ])
    expect(charged).toEqual([DUE])
  },
)

test.each(TRANSPORTS)(
  'a price that differs from the catalog’s is the same throughout: %s',
  async (transport) => {
    const { search, cart, steps } = await buy('ucp-price-mismatch', transport)
    const listed = search.products.find(({ id }: { id: string }) => id === 'ao-1101')
    const { amount } = listed.variants[0].price
    for (const { line_items, totals } of [cart, ...steps]) {
      expect(line_items[0].item.price).toBe(amount + 137)
      expect(totals[0]).toMatchObject({ type: 'subtotal', amount: 2 * (amount + 137) })
    }
  },
)

test.each(TRANSPORTS)(
  'what always fails takes no money, and leaves the checkout open: %s',
  async (transport) => {
    const { steps, completed, charged } = await buy('ucp-complete-fails', transport)
    expect([completed.status, completed.said.code]).toEqual([500, 'internal_error'])
    expect(steps.at(-1)?.status).toBe('ready_for_complete')
    expect(charged).toEqual([])
  },
)

test.each(TRANSPORTS)(
  'without shipping options a checkout is never ready: %s',
  async (transport) => {
    const { host, steps, charged } = await buy('ucp-shipping-options-missing', transport)
    for (const said of steps) {
      expect(wrongIn(Checkout, said, host)).toEqual([])
      expect(said.status).toBe('incomplete')
      expect(said.fulfillment.methods[0].groups[0].options).toEqual([])
    }
    expect(charged).toEqual([])
  },
)

test.each(TRANSPORTS)(
  'without a payment handler the buyer pays on the store’s page: %s',
  async (transport) => {
    const { host, steps, charged } = await buy('ucp-payment-handlers-missing', transport)
    for (const said of steps) {
      expect(wrongIn(Checkout, said, host)).toEqual([])
      expect(said.ucp.payment_handlers).toEqual({})
    }
    expect(steps[0]?.status).toBe('requires_escalation')
    expect(charged).toEqual([])
  },
)

test.each(TRANSPORTS)(
  'a key that is ignored opens a second checkout, and pays none twice: %s',
  async (transport) => {
    const agent = ucpAgent(send, transport, 'ucp-idempotency-ignored.example')
    const before = bank.paid().length
    const key = agent.newKey()
    const [one, other] = [
      await agent.create({ line_items: LINES, ...READY }, key),
      await agent.create({ line_items: LINES, ...READY }, key),
    ]
    expect(one.said.id).not.toBe(other.said.id)
    expect((await agent.complete(one.said.id, payBy('tok_visa'), key)).status).toBe(200)
    const again = await agent.complete(one.said.id, payBy('tok_visa'), key)
    expect([again.status, again.said.code]).toEqual([409, 'completed'])
    expect(bank.paid().slice(before).map(amountOf)).toEqual([DUE])
  },
)

test.each(TRANSPORTS)('one variant is refused, its siblings are not: %s', async (transport) => {
  const agent = ucpAgent(send, transport, 'ucp-variant-unavailable.example')
  const { product } = (await agent.product({ id: 'ao-1001' })).said
  const [first, second] = product.variants
  expect([first.id, first.availability.available]).toEqual(['ao-1001-s-pine', true])
  const open = async (...ids: string[]) =>
    (await agent.create({ line_items: ids.map((id) => ({ item: { id }, quantity: 1 })) })).said
  expect((await open(first.id)).messages).toMatchObject([{ code: 'item_unavailable' }])
  expect((await open(second.id)).line_items).toHaveLength(1)
  const both = await open(first.id, second.id)
  expect(both.line_items.map((line: { item: { id: string } }) => line.item.id)).toEqual([second.id])
  expect(both.messages).toMatchObject([{ code: 'item_unavailable' }, {}, {}])
})

test.each(TRANSPORTS)(
  'another currency than the shop’s fails, and its own does not: %s',
  async (transport) => {
    const agent = ucpAgent(send, transport, 'ucp-foreign-currency-fails.example')
    const open = (currency: string) => agent.create({ line_items: LINES, context: { currency } })
    expect([(await open('EUR')).status, (await open('usd')).status]).toEqual([
      500,
      transport === 'rest' ? 201 : 200,
    ])
  },
)

test.each(TRANSPORTS)(
  'a search that lists everything does so page by page: %s',
  async (transport) => {
    const agent = ucpAgent(send, transport, 'ucp-catalog-search-ineffective.example')
    const find = async (body: object) => (await agent.search(body)).said
    const all = await find({ query: 'no such thing' })
    expect(all.pagination.total_count).toBeGreaterThan(40)
    expect((await find({})).products).toEqual(all.products)
    const next = await find({ query: 'merino', pagination: { cursor: '10' } })
    expect(next.products[0].id).not.toBe(all.products[0].id)
  },
)

test.each(TRANSPORTS)('wrong shapes are wrong in that shape alone: %s', async (transport) => {
  const described = await buy('ucp-description-invalid', transport)
  const { product } = (await described.agent.product({ id: 'ao-1001' })).said
  expect([product.description, product.variants[0].description]).toEqual([
    expect.any(String),
    expect.any(String),
  ])
  expect(wrongIn(Products, described.search, described.host)).toEqual(
    described.search.products.flatMap((_: unknown, at: number) => [
      `products.${at}.description`,
      `products.${at}.variants.0.description`,
    ]),
  )
  const priced = await buy('ucp-catalog-currency-invalid', transport)
  const currencies = new Set(JSON.stringify(priced).match(/"currency":"[^"]*"/g))
  expect(currencies).toEqual(new Set(['"currency":"usd"']))
  for (const said of priced.steps)
    expect(wrongIn(Checkout, said, priced.host)).toEqual(['currency'])
})

test.each(TRANSPORTS)(
  'the other version is named, in what is the right one’s form: %s',
  async (transport) => {
    const { host, search, cart, steps, charged } = await buy('ucp-version-mismatch', transport)
    for (const { ucp } of [search, cart, ...steps]) {
      const versions = [ucp, ...Object.values(ucp.capabilities).flat()]
      expect(versions.map((each) => (each as { version: string }).version)).toEqual(
        versions.map(() => '2026-04-08'),
      )
    }
    const wrong = wrongIn(Checkout, steps[0], host)
    expect(wrong.every((path) => path.endsWith('version'))).toBe(true)
    expect(charged).toEqual([DUE])
  },
)

test('a client that takes JSON alone is refused, before anything is done', async () => {
  const host = 'ucp-accept-refused.example'
  const { status, text } = await ucpAgent(send, 'mcp', host).search({ query: 'tent' })
  expect([status, JSON.parse(text).rpc]).toEqual([406, -32000])
  expect((await buy('ucp-accept-refused', 'rest')).charged).toEqual([DUE])
  expect((await buy('ucp-accept-refused', 'mcp')).charged).toEqual([])
})
