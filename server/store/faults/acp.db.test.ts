import { expect, test } from 'vitest'
import { paymentData } from '../dialects/acp/testing/agent.ts'
import { TRANSPORTS, type Transport } from '../dialects/ucp/testing/agent.ts'
import { testStore } from '../testing/store.ts'
import { ACP_CHOICE, ACP_OPENING, acpCaller } from './testing/acp-caller.ts'

const { ask, send, bank } = await testStore()

/** A purchase to its end: what was said at each step, and what was charged meanwhile. */
async function buy(fault: string, transport: Transport) {
  const call = acpCaller(send, `${fault}.example`, transport)
  const before = bank.paid().length
  const created = (await call('create', '', ACP_OPENING)).said
  const updated = (await call('update', created.id, ACP_CHOICE)).said
  const completed = await call('complete', created.id, { payment_data: paymentData() })
  const read = (await call('get', created.id)).said
  return {
    steps: [created, updated, completed.said, read],
    opened: [created, updated, read],
    completed,
    charged: bank
      .paid()
      .slice(before)
      .map(({ amount }) => amount.amount),
  }
}

const right = await buy('acp', 'rest')
const [DUE = 0] = right.charged
const PRICE = right.steps[0].line_items[0].unit_amount

interface Entry {
  type: string
  amount: number
}
const amountOf = (totals: Entry[], type: string): number =>
  totals.find((entry) => entry.type === type)?.amount ?? 0
const sumOf = (totals: Entry[]): number =>
  ['subtotal', 'fulfillment', 'tax'].reduce((sum, type) => sum + amountOf(totals, type), 0)

test.each(
  ['acp', 'acp-price-mismatch', 'acp-currency-mismatch', 'acp-totals-wrong'].flatMap((fault) =>
    TRANSPORTS.map((transport) => [fault, transport] as const),
  ),
)('%s over %s: each step says the same, and what is charged is right', async (fault, transport) => {
  const { steps, charged } = await buy(fault, transport)
  const price = PRICE + (fault === 'acp-price-mismatch' ? 137 : 0)
  for (const { currency, line_items, totals } of steps) {
    const [line] = line_items
    expect([line.unit_amount, line.item.unit_amount]).toEqual([price, price])
    expect(amountOf(line.totals, 'total')).toBe(2 * price)
    expect(amountOf(totals, 'items_base_amount')).toBe(2 * price)
    expect(amountOf(totals, 'total') - sumOf(totals)).toBe(fault === 'acp-totals-wrong' ? 137 : 0)
    expect(currency).toBe(fault === 'acp-currency-mismatch' ? 'cad' : 'usd')
  }
  expect(charged).toEqual([DUE])
  expect(amountOf(steps.at(-1).order.totals, 'total')).toBe(DUE)
})

test.each(TRANSPORTS)('what always fails takes no money: %s', async (transport) => {
  const { completed, charged, opened } = await buy('acp-complete-fails', transport)
  expect(completed.said).toMatchObject({ type: 'processing_error', code: 'internal_error' })
  expect(opened.at(-1).status).toBe('ready_for_payment')
  expect(charged).toEqual([])
})

test.each(TRANSPORTS)('an address that is not served charges nothing: %s', async (transport) => {
  const { charged } = await buy('acp-complete-unreachable', 'rest')
  expect(charged).toEqual([])
  expect((await buy('acp', transport)).charged).toEqual([DUE])
})

test.each(TRANSPORTS)(
  'without shipping options a session is never ready: %s',
  async (transport) => {
    const { steps, charged } = await buy('acp-shipping-options-missing', transport)
    for (const said of steps) {
      expect([said.status, said.fulfillment_options]).toEqual(['incomplete', []])
    }
    expect(charged).toEqual([])
  },
)

test.each(TRANSPORTS)('without a payment handler no token is taken: %s', async (transport) => {
  const { opened, completed, charged } = await buy('acp-payment-handlers-missing', transport)
  for (const said of opened) expect(said.capabilities.payment.handlers).toEqual([])
  expect(completed.said.code).toBe('unsupported_payment_handler')
  expect(charged).toEqual([])
})

test.each(TRANSPORTS)(
  'a key that is ignored opens a second session, and pays none twice: %s',
  async (transport) => {
    const call = acpCaller(send, 'acp-idempotency-ignored.example', transport)
    const before = bank.paid().length
    const one = (await call('create', '', ACP_OPENING, 'key')).said
    const other = (await call('create', '', ACP_OPENING, 'key')).said
    expect(one.id).not.toBe(other.id)
    await call('update', one.id, ACP_CHOICE)
    const payment = { payment_data: paymentData() }
    expect((await call('complete', one.id, payment, 'pay')).said.status).toBe('completed')
    await call('complete', one.id, payment, 'pay')
    expect(bank.paid().length - before).toBe(1)
  },
)

test.each(TRANSPORTS)('one variant is refused, its siblings are not: %s', async (transport) => {
  const call = acpCaller(send, 'acp-variant-unavailable.example', transport)
  const open = async (id: string) =>
    (await call('create', '', { ...ACP_OPENING, line_items: [{ id }] })).said
  expect((await open('ao-1001-s-pine')).code).toBe('invalid_item_id')
  expect((await open('ao-1001-m-pine')).status).toBe('incomplete')
})

test.each(TRANSPORTS)(
  'another currency than the shop’s fails, and its own does not: %s',
  async (transport) => {
    const call = acpCaller(send, 'acp-foreign-currency-fails.example', transport)
    const open = async (currency: string) =>
      (await call('create', '', { ...ACP_OPENING, currency })).said
    expect([(await open('eur')).code, (await open('USD')).status]).toEqual([
      'internal_error',
      'incomplete',
    ])
  },
)

test.each(TRANSPORTS)('version and currency are wrong in every session: %s', async (transport) => {
  for (const { protocol } of (await buy('acp-version-mismatch', transport)).steps) {
    expect(protocol).toEqual({ version: '2026-01-30' })
  }
  for (const { currency } of (await buy('acp-currency-invalid', transport)).steps) {
    expect(currency).toBe('US$')
  }
})

test('a document that promises what is not there', async () => {
  const at = async (host: string) => {
    const { api_base_url } = JSON.parse((await ask('/.well-known/acp.json', host)).body)
    const { pathname } = new URL(api_base_url)
    return (await send('POST', `${pathname}/checkout_sessions`, ACP_OPENING, host)).status
  }
  // Without a version: the one asks for it, and the other is not there.
  expect([await at('shop.example'), await at('acp-services-missing.example')]).toEqual([400, 404])
})
