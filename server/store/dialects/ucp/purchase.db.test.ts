import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { AUTHENTICATION } from '../../../../shared/protocols/ucp/names.ts'
import { eventually } from '../../../../shared/testing/wait.ts'
import { verifyMessage } from '../../../signatures/verify.ts'
import { claimKey, idempotentCall } from '../../checkout/idempotency.ts'
import { applyPaymentEvent } from '../../checkout/payment-events.ts'
import { cancelCheckout } from '../../checkout/steps/cancel.ts'
import { OFFICIAL_UCP } from '../../db/statuses.ts'
import { idempotency_keys, orders } from '../../db/tables.ts'
import { moveOrder } from '../../orders/moves.ts'
import { TEST_ACCEPTANCE } from '../../psp/acceptance.ts'
import type { PspEvent } from '../../psp/psp.ts'
import { platformsWith } from '../../testing/platforms.ts'
import { NOON, stockOf, testStore, visitTo } from '../../testing/store.ts'
import { orderEntity } from './order.ts'
import { tokenOf } from './profile/payment-handlers.ts'
import { capabilitiesOf } from './profile/profile.ts'
import { DESTINATION, payBy, READY, READY_AGAIN, TRANSPORTS, ucpAgent } from './testing/agent.ts'
import { Checkout, UcpCart, UcpErrorResponse } from './testing/schemas.ts'

const { ask, send, deps, bank, reported } = await testStore()
const TENT = { item: { id: 'ao-1101' }, quantity: 1 }
const tents = stockOf(deps, 'ao-1101')
const ordersOf = (id: string) => deps.db.select().from(orders).where(eq(orders.session_id, id))

/** The PSP tells what became of a payment that was pending. */
async function decide(id: string, type: PspEvent['type']) {
  const [order] = await ordersOf(id)
  const event = { id: crypto.randomUUID(), type, name: type, amount: null }
  const paymentId = order?.payment_id ?? ''
  await applyPaymentEvent(deps, 'scripted', { ...event, paymentId, sessionId: id })
  return order
}

describe.each(TRANSPORTS)('over %s', (transport) => {
  const agent = ucpAgent(send, transport)
  const shown = ({ status, said }: Awaited<ReturnType<typeof agent.get>>, expected = 200) => {
    expect(status).toBe(transport === 'mcp' ? 200 : expected)
    return Checkout.parse(said)
  }

  test('a whole purchase', async () => {
    const opened = shown(await agent.create({ line_items: [TENT] }), 201)
    expect(opened.status).toBe('incomplete')
    const ready = shown(await agent.update(opened.id, { line_items: [TENT], ...READY_AGAIN }))
    expect(ready).toMatchObject({
      status: 'ready_for_complete',
      payment: { instruments: [] },
      continue_url: `https://ucp.example/checkout/${opened.id}`,
    })
    const paid = shown(await agent.pay(opened.id))
    const [order] = await ordersOf(opened.id)
    expect(paid).toMatchObject({
      status: 'completed',
      order: {
        id: order?.id,
        permalink_url: `https://ucp.example/receipts/${order?.receipt_token}`,
        label: order?.confirmation_number,
      },
      payment: {
        instruments: [
          {
            id: 'pi_1',
            handler_id: 'test_tokens',
            display: { brand: 'visa', last_digits: '4242' },
          },
        ],
      },
    })
    expect(paid).not.toHaveProperty('continue_url')
    expect(JSON.stringify(paid)).not.toContain('tok_visa')
    expect(paid.totals.at(-1)?.amount).toBe(order?.total)
    expect(order).toMatchObject({ status: 'confirmed', protocol: 'ucp_official' })
    expect(shown(await agent.get(opened.id))).toMatchObject({
      status: 'completed',
      order: paid.order,
    })
  })

  test('a buyer in a country without states pays without a region, and is shown none', async () => {
    const { address_region: _, ...rest } = DESTINATION
    const destination = { ...rest, address_country: 'SG', postal_code: '018956' }
    const groups = [{ selected_option_id: 'international' }]
    const methods = [{ type: 'shipping', destinations: [destination], groups }]
    const { said } = await agent.create({ line_items: [TENT], fulfillment: { methods } })
    expect(said.status).toBe('ready_for_complete')
    expect(said.fulfillment.methods[0].destinations).toMatchObject([destination])
    const paid = shown(await agent.pay(said.id))
    expect(paid.status).toBe('completed')
    const [order] = await ordersOf(said.id)
    expect(JSON.stringify(orderEntity(order!))).not.toContain('address_region')
  })

  test('a call that is sent again is answered with the same bytes, another body is refused', async () => {
    const key = agent.newKey()
    const body = { line_items: [TENT], ...READY }
    const first = await agent.create(body, key)
    expect((await agent.create(body, key)).text).toBe(first.text)
    const other = await agent.create({ ...body, line_items: [{ ...TENT, quantity: 2 }] }, key)
    expect([other.status, other.said.code]).toEqual([409, 'idempotency_conflict'])
    const { id } = first.said

    const update = { line_items: [{ ...TENT, quantity: 3 }], ...READY_AGAIN }
    const updated = await agent.update(id, update, key)
    await agent.update(id, { line_items: [TENT], ...READY_AGAIN })
    expect((await agent.update(id, update, key)).text).toBe(updated.text)
    expect((await agent.get(id)).said.line_items[0].quantity).toBe(1)

    const declined = await agent.pay(id, 'tok_declined', key)
    const paid = await agent.pay(id, 'tok_visa')
    expect(paid.said.status).toBe('completed')
    expect((await agent.pay(id, 'tok_declined', key)).text).toBe(declined.text)
    expect((await agent.pay(id, 'tok_visa', key)).status).toBe(409)
  })

  test('what a dead process kept of a call without its bytes is shown as it stands', async () => {
    const key = agent.newKey()
    const body = { line_items: [TENT], ...READY }
    const { said } = await agent.create(body, key)
    await deps.db.update(idempotency_keys).set({ sent: null })
    const again = await agent.create(body, key)
    expect(again.said).toEqual(said)
  })

  test('a declined payment leaves it ready for another instrument', async () => {
    const id = await agent.open()
    const declined = shown(await agent.pay(id, 'tok_declined'))
    expect(declined).toMatchObject({
      ucp: { status: 'success' },
      status: 'ready_for_complete',
      messages: [
        { code: 'payment_failed', severity: 'recoverable', path: '$.payment.instruments[0]' },
      ],
    })
    expect(shown(await agent.pay(id)).status).toBe('completed')
  })

  test.each<[string, object, string]>([
    ['none', { payment: { instruments: [] } }, '$.payment.instruments'],
    [
      'two',
      {
        payment: {
          instruments: [
            ...payBy('tok_visa').payment.instruments,
            ...payBy('tok_visa').payment.instruments,
          ],
        },
      },
      '$.payment.instruments',
    ],
    [
      'of no handler',
      payBy('tok_visa', { handler_id: 'other' }),
      '$.payment.instruments[0].handler_id',
    ],
    [
      'of a type that is not offered',
      payBy('tok_visa', { type: 'wallet' }),
      '$.payment.instruments[0].type',
    ],
    [
      'with a credential of another type',
      payBy('x', { credential: { type: 'card', token: 'tok_visa' } }),
      '$.payment.instruments[0].credential',
    ],
    [
      'without a token',
      payBy('x', { credential: { type: 'token' } }),
      '$.payment.instruments[0].credential',
    ],
  ])('an instrument, %s: nothing is charged', async (_, body, path) => {
    const id = await agent.open()
    const charges = bank.calls.length
    expect(shown(await agent.complete(id, body))).toMatchObject({
      status: 'ready_for_complete',
      messages: [{ code: 'payment_failed', severity: 'recoverable', path }],
    })
    expect(bank.calls).toHaveLength(charges)
  })

  test('a card number is refused, and not repeated', async () => {
    const id = await agent.open()
    const number = '4242 4242 4242 4242'
    const answer = await agent.pay(id, number)
    expect([answer.status, answer.said.code]).toEqual([400, 'invalid_request'])
    expect(answer.text).not.toContain('4242 4242')
    expect((await agent.get(id)).said.status).toBe('ready_for_complete')
  })

  test('complete before all is known charges nothing, and says what is missing', async () => {
    const { said } = await agent.create({ line_items: [TENT] })
    const charges = bank.calls.length
    expect(shown(await agent.pay(said.id))).toMatchObject({
      status: 'incomplete',
      messages: [{ code: 'missing' }, { code: 'missing' }],
    })
    expect(bank.calls).toHaveLength(charges)
  })

  test('what is over stays so, whoever asks', async () => {
    const completed = await agent.open()
    await agent.pay(completed)
    const canceled = await agent.open()
    const key = agent.newKey()
    const { text, said } = await agent.cancel(canceled, key)
    expect(said.status).toBe('canceled')
    for (const [id, code] of [
      [completed, 'completed'],
      [canceled, 'canceled'],
    ] as const) {
      const answers = [
        await agent.update(id, { line_items: [TENT] }),
        await agent.pay(id),
        await agent.cancel(id),
      ]
      for (const { status, said } of answers) expect([status, said.code]).toEqual([409, code])
    }
    expect((await agent.cancel(canceled, key)).text).toBe(text)
    expect(await ordersOf(completed)).toHaveLength(1)
  })

  test('what is sold out meanwhile is said with its line, and nothing is charged', async () => {
    const id = await agent.open([{ item: { id: 'ao-1102' }, quantity: 1 }])
    const stock = stockOf(deps, 'ao-1102')
    const pieces = await stock.pieces()
    await stock.setPieces(0)
    const answer = shown(await agent.pay(id))
    await stock.setPieces(pieces)
    expect(answer).toMatchObject({
      status: 'incomplete',
      messages: [{ code: 'out_of_stock', path: '$.line_items[0]' }],
    })
    expect(await ordersOf(id)).toHaveLength(0)
  })

  test('items that stay keep what was quoted for them; more of them are looked for in stock', async () => {
    const CHEAP = { item: { id: 'ao-1103' }, quantity: 1 }
    const id = await agent.open([CHEAP])
    const stock = stockOf(deps, 'ao-1103')
    const pieces = await stock.pieces()
    await stock.setPieces(0)
    const same = shown(await agent.update(id, { line_items: [CHEAP], ...READY_AGAIN }))
    const more = shown(
      await agent.update(id, { line_items: [{ ...CHEAP, quantity: 2 }], ...READY_AGAIN }),
    )
    await stock.setPieces(pieces)
    expect(same.status).toBe('ready_for_complete')
    expect(more).toMatchObject({
      line_items: [{ quantity: 1 }],
      messages: [{ code: 'out_of_stock' }],
    })
  })

  test('a payment that takes a while is in progress, without an order, until it is decided', async () => {
    const id = await agent.open()
    const waiting = shown(await agent.pay(id, 'tok_pending'))
    expect(waiting.status).toBe('complete_in_progress')
    expect(waiting).not.toHaveProperty('order')
    expect(shown(await agent.pay(id)).status).toBe('complete_in_progress')
    const frozen = shown(await agent.update(id, { line_items: [{ ...TENT, quantity: 5 }] }))
    expect(frozen).toMatchObject({
      status: 'complete_in_progress',
      line_items: [{ quantity: 1 }],
      messages: [{ code: 'in_progress', severity: 'recoverable' }],
    })
    const order = await decide(id, 'payment_intent.succeeded')
    expect(shown(await agent.get(id))).toMatchObject({
      status: 'completed',
      order: { id: order?.id },
    })
  })

  test("the bank's challenge is an Action, until the buyer has passed it", async () => {
    const id = await agent.open()
    const waiting = shown(await agent.pay(id, 'tok_3ds'))
    expect(waiting.status).toBe('complete_in_progress')
    const [action] = waiting.actions?.['dev.ucp.common.payment.three_ds_challenge'] ?? []
    expect(action?.config).toMatchObject({ payment_instrument_id: 'pi_1' })
    const page = await ask(new URL(action?.config.url ?? '').pathname, 'ucp.example')
    expect(page.body).toContain('https://bank.example/challenge')
    await decide(id, 'payment_intent.succeeded')
    const paid = shown(await agent.get(id))
    expect(paid.status).toBe('completed')
    expect(paid).not.toHaveProperty('actions')
  })

  describe('while the bank asks the buyer', () => {
    const challenged = async () => {
      const id = await agent.open()
      await agent.pay(id, 'tok_3ds')
      const [order] = await ordersOf(id)
      return { id, paymentId: order!.payment_id }
    }
    const paidFor = (id: string) => bank.paid().filter(({ sessionId }) => sessionId === id)

    test('a cancellation gives the payment up, with its stock', async () => {
      const stock = await tents.pieces()
      const { id, paymentId } = await challenged()
      expect(shown(await agent.cancel(id)).status).toBe('canceled')
      expect(bank.pass(paymentId).status).toBe('declined')
      expect(paidFor(id)).toEqual([])
      expect(await tents.pieces()).toBe(stock)
      // No bank declined it: a watch of the shop would tell of failing payments.
      expect(
        reported.flatMap((event) =>
          event.event === 'ai_checkout_failed' && event.session_id === id
            ? event.properties.reason
            : [],
        ),
      ).toEqual(['canceled'])
    })

    test('another credential pays, and the first cannot any more', async () => {
      const { id, paymentId } = await challenged()
      expect(shown(await agent.pay(id, 'tok_visa')).status).toBe('completed')
      expect(bank.pass(paymentId).status).toBe('declined')
      await decide(id, 'payment_intent.succeeded')
      expect(paidFor(id)).toMatchObject([{ token: 'tok_visa' }])
      expect(await ordersOf(id)).toMatchObject([{ status: 'confirmed', disputed: false }])
    })

    test('the same credential, and what cannot be paid with, leave the challenge open', async () => {
      const { id, paymentId } = await challenged()
      expect(shown(await agent.pay(id, 'tok_3ds')).actions).toBeDefined()
      const unknown = payBy('tok_visa', { handler_id: 'unknown' })
      expect(shown(await agent.complete(id, unknown)).actions).toBeDefined()
      expect(bank.pass(paymentId).status).toBe('succeeded')
    })

    test('a call that has its answer gives nothing up when it comes again', async () => {
      const id = await agent.open()
      const key = agent.newKey()
      await agent.pay(id, 'tok_declined', key)
      await agent.pay(id, 'tok_3ds')
      await agent.pay(id, 'tok_declined', key)
      const [order] = await ordersOf(id)
      expect(order?.status).toBe('awaiting_payment')
    })

    test('neither does one whose key is taken', async () => {
      const { id } = await challenged()
      const keyed = idempotentCall(`a test:${id}`, 'key', {})
      await deps.db.transaction((tx) => claimKey(tx, keyed, deps.now()))
      const statuses = async () => (await ordersOf(id)).map(({ status }) => status)
      await cancelCheckout(deps, { protocol: OFFICIAL_UCP, id, keyed })
      expect(await statuses()).toEqual(['awaiting_payment'])
      await cancelCheckout(deps, { protocol: OFFICIAL_UCP, id, keyed: null })
      expect(await statuses()).toEqual(['payment_failed'])
    })

    test('who has passed the challenge has bought, whatever else is asked for', async () => {
      const first = await challenged()
      bank.pass(first.paymentId)
      expect((await agent.cancel(first.id)).said.code).toBe('completed')
      expect((await ordersOf(first.id))[0]?.status).toBe('confirmed')

      const other = await challenged()
      bank.pass(other.paymentId)
      expect(shown(await agent.pay(other.id, 'tok_visa')).status).toBe('completed')
      expect(paidFor(other.id)).toMatchObject([{ token: 'tok_3ds' }])
    })

    test('all at once: it is paid once, or canceled and not paid', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id, paymentId } = await challenged()
        await Promise.all([
          agent.cancel(id),
          agent.pay(id, 'tok_visa'),
          Promise.resolve().then(() => bank.pass(paymentId)),
          agent.pay(id, 'tok_mastercard'),
          agent.cancel(id),
        ])
        const { status } = shown(await agent.get(id))
        expect(paidFor(id)).toHaveLength(status === 'completed' ? 1 : 0)
        expect(['completed', 'canceled']).toContain(status)
      }
    })
  })

  test('a payment that fails late opens the checkout again, and says so', async () => {
    const id = await agent.open()
    await agent.pay(id, 'tok_pending')
    await decide(id, 'payment_intent.payment_failed')
    expect(shown(await agent.get(id))).toMatchObject({
      status: 'ready_for_complete',
      messages: [{ code: 'payment_failed', severity: 'recoverable' }],
    })
    expect(shown(await agent.pay(id)).status).toBe('completed')
  })

  test('where it succeeds after all, the checkout shows what was bought with it', async () => {
    const opened = shown(await agent.create({ line_items: [TENT], ...READY }), 201)
    await agent.pay(opened.id, 'tok_pending')
    await decide(opened.id, 'payment_intent.payment_failed')
    const elsewhere = { ...DESTINATION, address_country: 'DE', postal_code: '10115' }
    const groups = [{ selected_option_id: 'international' }]
    const changed = await agent.update(opened.id, {
      line_items: [{ item: { id: 'ao-1102' }, quantity: 2 }],
      fulfillment: { methods: [{ type: 'shipping', destinations: [elsewhere], groups }] },
    })
    expect(shown(changed).line_items).toMatchObject([{ item: { id: 'ao-1102' }, quantity: 2 }])
    const order = await decide(opened.id, 'payment_intent.succeeded')
    const paid = shown(await agent.get(opened.id))
    expect(paid).toMatchObject({
      ...{ status: 'completed', order: { id: order?.id } },
      ...{ line_items: opened.line_items, totals: opened.totals },
    })
    expect(paid.totals.at(-1)?.amount).toBe(order?.total)
    expect(paid.payment?.instruments).toMatchObject([{ id: 'pi_1' }])
    expect(paid.fulfillment?.methods).toMatchObject([
      {
        destinations: [DESTINATION],
        groups: [{ selected_option_id: 'standard', options: [{ id: 'standard' }] }],
      },
    ])
  })

  test('while the payment is under way it is in progress', async () => {
    const id = await agent.open()
    const paying = agent.pay(id, 'tok_held')
    await eventually(() => bank.calls.at(-1)?.sessionId).toBe(id)
    expect(shown(await agent.get(id)).status).toBe('complete_in_progress')
    bank.releaseHeld()
    expect(shown(await paying).status).toBe('completed')
  })

  test('a cart keeps where the buyer is, and its checkout is quoted for that', async () => {
    const context = { address_country: 'DE', postal_code: '10115' }
    const opened = UcpCart.parse((await agent.createCart({ line_items: [TENT], context })).said)
    expect(opened.context).toEqual(context)
    expect(UcpCart.parse((await agent.getCart(opened.id)).said).context).toEqual(context)
    const options = async (cart_id: string, more: object = {}) => {
      const made = shown(await agent.create({ cart_id, line_items: [], ...more }), 201)
      return made.fulfillment.methods[0]?.groups[0]?.options.map(({ id }) => id)
    }
    // The contents of the cart win over those of the call (UCP, cart).
    const elsewhere = { context: { address_country: 'US' } }
    expect(await options(opened.id, elsewhere)).toEqual(['international'])
    const spoken = { line_items: [TENT], context: { language: 'de' } }
    const bare = UcpCart.parse((await agent.createCart(spoken)).said)
    expect(bare).not.toHaveProperty('context')
    expect(await options(bare.id, { context })).toEqual(['international'])
    const replaced = await agent.updateCart(opened.id, { line_items: [TENT] })
    expect(UcpCart.parse(replaced.said)).not.toHaveProperty('context')
  })

  test('a cart: opened, changed, taken to a checkout once, canceled', async () => {
    const opened = UcpCart.parse((await agent.createCart({ line_items: [TENT] })).said)
    const buyer = { email: 'ada@example.com', first_name: 'Ada' }
    const line_items = [{ ...TENT, quantity: 2 }]
    const updated = await agent.updateCart(opened.id, { line_items, buyer })
    expect(UcpCart.parse(updated.said)).toMatchObject({ line_items: [{ quantity: 2 }], buyer })
    const cart = UcpCart.parse((await agent.getCart(opened.id)).said)
    const checkout = shown(
      await agent.create({
        cart_id: cart.id,
        line_items: [{ item: { id: 'ao-1102' }, quantity: 9 }],
        fulfillment: { methods: [{ type: 'shipping', destinations: [DESTINATION] }] },
      }),
      201,
    )
    expect(checkout).toMatchObject({
      line_items: [{ item: { id: 'ao-1101' }, quantity: 2 }],
      buyer,
    })
    expect(shown(await agent.create({ cart_id: cart.id, line_items: [] })).id).toBe(checkout.id)
    const canceled = await agent.cancelCart(cart.id)
    expect(UcpCart.parse(canceled.said).id).toBe(cart.id)
    expect(UcpErrorResponse.parse((await agent.getCart(cart.id)).said).messages[0]).toMatchObject({
      code: 'not_found',
    })
    expect((await agent.create({ cart_id: cart.id, line_items: [] })).said.messages[0].code).toBe(
      'not_found',
    )
  })

  test('a cart without what is sold out is a success all the same, and says so', async () => {
    const line_items = [TENT, { item: { id: 'ao-1120' }, quantity: 1 }]
    const { said } = await agent.createCart({ line_items })
    expect(said).toMatchObject({
      ucp: { status: 'success' },
      line_items: [{ item: { id: 'ao-1101' } }],
      messages: [{ code: 'out_of_stock' }],
    })
  })

  test('a cart that is asked for again is the same', async () => {
    const key = agent.newKey()
    const first = await agent.createCart({ line_items: [TENT] }, key)
    expect((await agent.createCart({ line_items: [TENT] }, key)).text).toBe(first.text)
    const other = await agent.createCart({ line_items: [{ ...TENT, quantity: 2 }] }, key)
    expect([other.status, other.said.code]).toEqual([409, 'idempotency_conflict'])
  })
})

test('a platform without Actions sends the buyer to our page for the challenge', async () => {
  const { [AUTHENTICATION]: _, ...capabilities } = capabilitiesOf('2026-08-25')
  const store = await testStore({ platforms: platformsWith('2026-08-25', capabilities) })
  const agent = ucpAgent(store.send, 'rest')
  const id = await agent.open()
  const { said } = await agent.pay(id, 'tok_3ds')
  expect(said).toMatchObject({
    status: 'requires_escalation',
    messages: [{ code: 'requires_3ds', severity: 'requires_buyer_input' }],
    continue_url: `https://ucp.example/checkout/${id}`,
  })
  expect(said).not.toHaveProperty('actions')
  const page = await store.ask(`/checkout/${id}`, 'ucp.example')
  expect(page.body).toContain('https://bank.example/challenge')
})

test('where the PSP takes no token of an agent, the buyer pays on our page', async () => {
  const acceptance = { kind: 'none', publishableKey: null, isLive: false, googlePay: null } as const
  const store = await testStore({}, { acceptance })
  const agent = ucpAgent(store.send, 'rest')
  const { said } = await agent.create({ line_items: [TENT], ...READY })
  expect(said).toMatchObject({
    ucp: { payment_handlers: {} },
    status: 'requires_escalation',
    messages: [{ code: 'payment_required', severity: 'requires_buyer_input' }],
  })
})

test('Google Pay is offered as Google documents it, and pays with the token of its gateway', async () => {
  const googlePay = {
    environment: 'TEST',
    merchantId: 'BCR2',
    merchantName: 'Aisle Outfitters',
    gateway: 'stripe',
    gatewayMerchantId: 'acct_1',
  } as const
  const acceptance = {
    kind: 'stripe',
    publishableKey: 'pk_test_1',
    isLive: false,
    googlePay,
  } as const
  const store = await testStore({}, { acceptance })
  const agent = ucpAgent(store.send, 'rest')
  const { said } = await agent.create({ line_items: [TENT], ...READY })
  expect(said.ucp.payment_handlers).toMatchObject({
    'example.ucp.stripe_tokens': [
      { config: { environment: 'test', publishable_key: 'pk_test_1' } },
    ],
    'com.google.pay': [
      {
        id: 'google_pay',
        config: {
          environment: 'TEST',
          merchant_info: { merchant_id: 'BCR2', merchant_origin: 'ucp.example' },
          allowed_payment_methods: [
            {
              tokenization_specification: {
                type: 'PAYMENT_GATEWAY',
                parameters: { gateway: 'stripe', gatewayMerchantId: 'acct_1' },
              },
            },
          ],
        },
      },
    ],
  })
  const pay = (token: string) =>
    agent.complete(
      said.id,
      payBy('', {
        handler_id: 'google_pay',
        credential: { type: 'PAYMENT_GATEWAY', token },
      }),
    )
  expect((await pay('no JSON')).said.messages).toMatchObject([{ code: 'payment_failed' }])
  expect((await pay(JSON.stringify({ id: 'tok_visa' }))).said.status).toBe('completed')
  expect(store.bank.calls.at(-1)?.token).toBe('tok_visa')
})

test('the answer to a payment is signed by a key of the profile', async () => {
  const agent = ucpAgent(send, 'rest')
  const id = await agent.open()
  const { status, headers, text } = await agent.pay(id)
  const { keys } = JSON.parse((await ask('/.well-known/ucp', 'ucp.example')).body)
  const verify = (body: string) =>
    verifyMessage(
      { status, headers, body: Buffer.from(body) },
      { now: NOON, maxAgeMs: 60_000, keys: async () => keys },
    )
  expect((await verify(text)).outcome).toBe('signed')
  expect((await verify(text.replace('completed', 'canceled'))).outcome).toBe('refused')
  expect((await agent.get(id)).headers.has('signature')).toBe(false)
})

test('a platform may open so many checkouts an hour', async () => {
  const store = await testStore({}, { platformQuota: { requests: 1, seconds: 60 } })
  const agent = ucpAgent(store.send, 'rest')
  expect((await agent.create({ line_items: [TENT] })).status).toBe(201)
  const refused = await agent.create({ line_items: [TENT] })
  expect([refused.status, refused.said.code]).toEqual([429, 'rate_limited'])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('an order that is shipped stays completed in its checkout', async () => {
  const agent = ucpAgent(send, 'rest')
  const id = await agent.open()
  await agent.pay(id)
  const [order] = await ordersOf(id)
  await moveOrder(deps, order?.id ?? '', 'shipped')
  expect((await agent.get(id)).said.status).toBe('completed')
})

test('an instrument that does not name its type is a card', () => {
  const { type: _, ...instrument } = payBy('tok_visa').payment.instruments[0]!
  expect(tokenOf(instrument, visitTo(), TEST_ACCEPTANCE)).toEqual({ token: 'tok_visa' })
})
