import { Script } from 'node:vm'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { anyText } from '../../../shared/testing/any-text.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { createStore } from '../app.ts'
import { MOST_KEPT } from '../checkout/idempotency.ts'
import { applyEffect, applyPaymentEvent } from '../checkout/payment-events.ts'
import { cancelCheckout } from '../checkout/steps/cancel.ts'
import { orders, sessions } from '../db/tables.ts'
import { fillKeys } from '../ops/testing/rows.ts'
import { orderOfSession, receiptUrl } from '../orders/orders.ts'
import { ADDRESS, NOON, stockOf, testStore, waitingForLocks } from '../testing/store.ts'
import { noCardEntry, stripeCardEntry, testCardEntry } from './card-entry.ts'
import { fieldsOn, openOfficial } from './testing/session.ts'

const clock = { now: NOON }
const { ask, deps, bank, store } = await testStore(
  { card: testCardEntry },
  { now: () => clock.now },
)
beforeEach(() => {
  clock.now = NOON
})

const OURS = { 'sec-fetch-site': 'same-origin' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const show = (id: string, host?: string) => ask(`/checkout/${id}`, host)
const post = (id: string, fields: Record<string, string>, headers: object = OURS, host?: string) =>
  ask(`/checkout/${id}`, host, {
    method: 'POST',
    headers: { ...FORM, ...headers },
    body: new URLSearchParams(fields).toString(),
  })
/** Fills in the page as it stands, and sends it. */
const send = async (id: string, change: Record<string, string>) =>
  post(id, { ...fieldsOn((await show(id)).body), ...change })
const pay = (id: string, change: Record<string, string> = {}) =>
  send(id, { do: 'pay', token: 'tok_visa', ...change })
const sessionOf = async (id: string) =>
  (await deps.db.select().from(sessions).where(eq(sessions.id, id)))[0]!
/** Ids are random, and hold any four digits at times. */
const withoutIds = (text: string) =>
  text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
const requiredOn = (page: string) =>
  [...page.matchAll(/<(?:input|select) id="(\w+)"[^>]* required/g)].map(([, name]) => name)
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

describe('an open checkout', () => {
  test('shows what is bought, where it goes, what it costs and until when', async () => {
    const { status, headers, body } = await show(await openOfficial(deps))
    expect(status).toBe(200)
    const text = textOf(body)
    for (const words of [
      '2 × ',
      'Standard (3 to 5 days)',
      'Express (next working day)',
      'You can pay until 2026-06-01, 18:00 UTC',
      'This is a test shop',
      'A card that is declined',
    ]) {
      expect(text).toContain(words)
    }
    expect(fieldsOn(body)).toMatchObject({
      ...ADDRESS,
      shipping_option: 'standard',
    })
    expect(body).not.toContain('<script')
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, noarchive',
      'referrer-policy': 'same-origin',
      'content-security-policy':
        "default-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    })
  })

  test('without an address or an option, the first option is proposed', async () => {
    const official = {
      state: (await sessionOf(await openOfficial(deps))).official!,
      shippingOptionId: null,
    }
    const id = await openOfficial(deps, { address: {}, official })
    expect(fieldsOn((await show(id)).body)).toMatchObject({
      name: '',
      country: 'US',
      shipping_option: 'standard',
    })
  })

  test('an official session of ACP has the same page', async () => {
    const id = await openOfficial(deps, { protocol: 'acp_official' })
    expect((await pay(id)).headers.get('location')).toBe(`/checkout/${id}`)
    expect((await orderOfSession(deps.db, id))?.protocol).toBe('acp_official')
  })

  test('another shop’s host, another dialect and an unknown id are not found', async () => {
    const id = await openOfficial(deps)
    const other = await openOfficial(deps, { protocol: 'ucp', official: undefined! })
    expect((await show(id, 'other.example')).status).toBe(404)
    expect((await post(id, {}, OURS, 'other.example')).status).toBe(404)
    expect((await show(other)).status).toBe(404)
    expect((await show('checkout_x')).status).toBe(404)
    expect((await show('%00')).status).toBe(404)
  })
})

describe('saving', () => {
  test('keeps the address and the option, and what the agent said', async () => {
    const id = await openOfficial(deps)
    const before = await sessionOf(id)
    const answer = await send(id, { do: 'save', country: 'CA', zip: 'K1A 0B1', state: 'ON' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/checkout/${id}`])
    const after = await sessionOf(id)
    expect(after.address).toMatchObject({ country: 'CA', zip: 'K1A 0B1', state: 'ON' })
    expect(after.shipping_options.map((option) => option.id)).toEqual(['international'])
    expect(after).toMatchObject({ tax: 0, official: before.official, items: before.items })
    expect(fieldsOn((await show(id)).body).shipping_option).toBe('international')
  })

  test('takes a part of an address', async () => {
    const id = await openOfficial(deps)
    expect((await send(id, { do: 'save', name: '', street: '' })).status).toBe(303)
    expect(Object.keys((await sessionOf(id)).address ?? {})).not.toContain('street')
  })

  test('a form without a button saves', async () => {
    const id = await openOfficial(deps)
    expect((await send(id, { name: 'Ada', token: 'tok_visa' })).status).toBe(303)
    expect(await orderOfSession(deps.db, id)).toBeUndefined()
  })

  test.each([
    ['zip', 'nowhere', 'does not look like a postal code'],
    ['country', 'XX', 'choose a country from the list'],
    ['street', 'x'.repeat(201), 'shorten the street'],
  ])(
    'what is wrong with %s stands beside it, and nothing typed is lost',
    async (name, value, words) => {
      const id = await openOfficial(deps)
      const { status, body } = await send(id, { do: 'save', city: 'Troy & "Co"', [name]: value })
      expect(status).toBe(422)
      expect(new RegExp(`id="${name}-fault">([^<]*)`).exec(body)?.[1]).toContain(words)
      expect(fieldsOn(body).city).toBe('Troy & "Co"')
      if (name !== 'country') expect(fieldsOn(body)[name]).toBe(value)
      expect((await sessionOf(id)).address).toMatchObject({ city: 'Albany' })
    },
  )
})

describe('paying', () => {
  test('leads to the receipt', async () => {
    const id = await openOfficial(deps)
    const answer = await pay(id)
    expect(answer.status).toBe(303)
    const order = await orderOfSession(deps.db, id)
    expect(order).toMatchObject({ status: 'confirmed', protocol: 'ucp_official' })
    expect((await show(id)).headers.get('location')).toBe(`/receipts/${order?.receipt_token}`)
    expect(bank.charges.at(-1)).toMatchObject({
      token: 'tok_visa',
      returnUrl: `https://shop.example/checkout/${id}/return`,
    })
    expect((await pay(id)).headers.get('location')).toBe(`/checkout/${id}`)
  })

  test('on this machine, where nothing speaks TLS, the bank leads back over http', async () => {
    const host = '127.0.0.1:8788'
    const id = await openOfficial(deps, { host })
    const form = { ...fieldsOn((await show(id, host)).body), do: 'pay', token: 'tok_visa' }
    expect((await post(id, form, OURS, host)).status).toBe(303)
    expect(bank.charges.at(-1)?.returnUrl).toBe(`http://${host}/checkout/${id}/return`)
    const order = await orderOfSession(deps.db, id)
    expect(order && receiptUrl(order)).toBe(`http://${host}/receipts/${order?.receipt_token}`)
    expect((await ask('/', host)).body).toContain(`<link rel="canonical" href="http://${host}/">`)
  })

  test('clicked twice, there is one order and one charge', async () => {
    const id = await openOfficial(deps)
    const form = { ...fieldsOn((await show(id)).body), do: 'pay', token: 'tok_held' }
    const calls = bank.calls.length
    const first = post(id, form)
    await eventually(() => bank.calls.length).toBe(calls + 1)
    const second = post(id, form)
    bank.releaseHeld()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect(bank.calls.length).toBe(calls + 1)
    const found = await deps.db.select().from(orders).where(eq(orders.session_id, id))
    expect(found).toHaveLength(1)
  })

  test('declined, the form says why, and pays with another card', async () => {
    const id = await openOfficial(deps)
    const declined = await pay(id, { token: 'tok_declined', city: 'Troy' })
    expect(declined.status).toBe(402)
    expect(textOf(declined.body)).toContain('Your card was declined.')
    expect(fieldsOn(declined.body)).toMatchObject({ city: 'Troy', token: 'tok_declined' })
    const again = await post(id, { ...fieldsOn(declined.body), do: 'pay', token: 'tok_visa' })
    expect(again.status).toBe(303)
    expect((await orderOfSession(deps.db, id))?.address?.city).toBe('Troy')
  })

  test.each([
    [{ token: '' }, 'token', 'Please choose how to pay.'],
    [{ street: ' ' }, 'street', 'Please enter the street and number.'],
    [{ zip: '1' }, 'zip', 'This does not look like a postal code'],
  ])('%j is asked for beside its field', async (change, name, words) => {
    const id = await openOfficial(deps)
    const calls = bank.calls.length
    const { status, body } = await pay(id, change)
    expect(status).toBe(422)
    expect(new RegExp(`id="${name}-fault">([^<]*)`).exec(body)?.[1]).toContain(words)
    expect(bank.calls.length).toBe(calls)
  })

  test.each([
    ['DE', '50667'],
    ['GB', 'SW1A 1AA'],
    ['SG', '018956'],
    ['HK', ''],
  ])('with an address in %s, which has no state, is one click', async (country, zip) => {
    const abroad = { city: 'Kowloon', state: '', zip, country }
    const id = await openOfficial(deps)
    const saved = await send(id, { do: 'save', ...abroad })
    expect(saved.status).toBe(303)
    const { body } = await show(id)
    expect(requiredOn(body)).toEqual([
      ...['name', 'street', 'city'],
      ...(zip === '' ? [] : ['zip']),
      'country',
    ])
    expect((await pay(id)).status).toBe(303)
    const order = await orderOfSession(deps.db, id)
    expect(order).toMatchObject({ status: 'confirmed', address: abroad })
    const receipt = await ask(`/receipts/${order?.receipt_token}`)
    expect(textOf(receipt.body)).toContain(zip === '' ? 'Kowloon Hong Kong' : `Kowloon, ${zip}`)
  })

  test.each([
    ['US', '12207', 'state'],
    ['BR', '01310-100', 'state'],
    ['DE', '', 'zip'],
  ])(
    'with an address in %s and the postal code %j, the %s is asked for',
    async (country, zip, missing) => {
      const id = await openOfficial(deps)
      await send(id, { do: 'save', state: '', zip, country })
      expect(requiredOn((await show(id)).body)).toContain(missing)
      const { status, body } = await pay(id)
      expect(status).toBe(422)
      expect(body).toContain(`id="${missing}-fault">Please enter the`)
    },
  )

  test.each([
    ['another country', { country: 'CA', zip: 'K1A 0B1' }],
    ['another option', { shipping_option: 'express' }],
    ['a total that was never shown', { total: '1' }],
    ['no total', { total: '' }],
  ])('%s: the new total is shown before it is paid', async (_, change) => {
    const id = await openOfficial(deps)
    const calls = bank.calls.length
    const { status, body } = await pay(id, change)
    expect(status).toBe(409)
    expect(bank.calls.length).toBe(calls)
    expect(textOf(body)).toMatch(/The total is now|choose how to ship/)
    expect((await post(id, { ...fieldsOn(body), do: 'pay', token: 'tok_visa' })).status).toBe(303)
    const total = (await orderOfSession(deps.db, id))?.total
    expect(String(total)).toBe(fieldsOn(body).total)
  })

  test.each([
    [{ zip: '1', street: '', token: '' }, 'name="street"'],
    [{ token: '' }, 'value="tok_visa"'],
  ])('%j: the title says so, and the page begins at the first of them', async (change, field) => {
    const id = await openOfficial(deps)
    const { body } = await pay(id, change)
    expect(body).toContain('<title>Please check: Checkout | ')
    const focused = [...body.matchAll(/<[^>]* autofocus[^>]*>/g)].map(([tag]) => tag)
    expect(focused).toEqual([expect.stringContaining(field)])
    expect((await show(id)).body).not.toMatch(/autofocus|Please check/)
  })

  test('after a payment without an answer, the same form gets its result, and a changed one is not paid', async () => {
    const id = await openOfficial(deps)
    const doubtful = await pay(id, { token: 'tok_unreachable' })
    expect(doubtful.status).toBe(503)
    expect(textOf(doubtful.body)).toContain('you will be charged at most once')
    const changed = await pay(id, { city: 'Troy' })
    expect(changed.status).toBe(409)
    expect(fieldsOn(changed.body).city).toBe('Albany')
    expect((await pay(id)).status).toBe(303)
    expect((await orderOfSession(deps.db, id))?.address?.city).toBe('Albany')
  })

  test('what is sold out is said, and nothing is charged', async () => {
    const id = await openOfficial(deps)
    const { pieces, setPieces } = stockOf(deps, 'ao-1101')
    const before = await pieces()
    const page = fieldsOn((await show(id)).body)
    await setPieces(1)
    const { status, body } = await post(id, { ...page, do: 'pay', token: 'tok_visa' })
    await setPieces(before)
    expect(status).toBe(409)
    expect(textOf(body)).toContain('We do not have enough in stock')
  })

  test('however often an agent tried, the buyer can pay', async () => {
    const id = await openOfficial(deps)
    await fillKeys(deps.db, `ucp_official:complete:${id}`, MOST_KEPT, NOON)
    const { status, headers } = await pay(id)
    expect([status, headers.get('location')]).toEqual([303, `/checkout/${id}`])
    expect((await orderOfSession(deps.db, id))?.status).toBe('confirmed')
    expect(bank.paid().filter(({ sessionId }) => sessionId === id)).toHaveLength(1)
  })

  test.each(['name', 'street', 'token', 'key', 'anything'])(
    'a card number in %s is neither kept nor shown',
    async (field) => {
      const id = await openOfficial(deps)
      const calls = bank.calls.length
      const { status, body } = await pay(id, { [field]: '4242 4242 4242 4242' })
      expect(status).toBe(422)
      expect(withoutIds(body)).not.toContain('4242')
      expect(body).toContain('do not enter a card number')
      expect(bank.calls.length).toBe(calls)
      expect(withoutIds(JSON.stringify(await sessionOf(id)))).not.toContain('4242')
    },
  )

  test.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['by another origin', { origin: 'https://evil.example' }],
    ['by no origin', { origin: 'null' }],
    ['from nowhere', {}],
  ])('a form that is sent %s changes nothing', async (_, headers) => {
    const id = await openOfficial(deps)
    const form = { ...fieldsOn((await show(id)).body), do: 'pay', token: 'tok_visa' }
    const answer = await post(id, form, headers)
    expect(answer.status).toBe(403)
    expect(await orderOfSession(deps.db, id)).toBeUndefined()
  })

  test('a browser that says its origin alone may pay; another type of body may not', async () => {
    const id = await openOfficial(deps)
    const form = { ...fieldsOn((await show(id)).body), do: 'pay', token: 'tok_visa' }
    const type = { 'content-type': 'text/plain', ...OURS }
    expect((await post(id, form, type)).status).toBe(415)
    expect((await post(id, form, { origin: 'https://shop.example' })).status).toBe(303)
    expect(await orderOfSession(deps.db, id)).toBeDefined()
  })
})

describe('a payment under way', () => {
  const settleAs = async (
    id: string,
    type: 'payment_intent.succeeded' | 'payment_intent.payment_failed',
  ) => {
    const order = await orderOfSession(deps.db, id)
    await applyPaymentEvent(deps, 'scripted', {
      id: `evt_${id}`,
      type,
      name: type,
      paymentId: order!.payment_id,
      sessionId: id,
      amount: { amount: order!.total, currency: order!.currency },
    })
  }

  test('is waited for, then leads to the receipt', async () => {
    const id = await openOfficial(deps)
    expect((await pay(id, { token: 'tok_pending' })).headers.get('location')).toBe(
      `/checkout/${id}`,
    )
    const waiting = await show(id)
    expect([waiting.status, waiting.headers.get('refresh')]).toEqual([200, '2'])
    expect(textOf(waiting.body)).toContain('Your payment is under way')
    clock.now = new Date(NOON.getTime() + 3_600_000)
    expect((await show(id)).headers.get('refresh')).toBe('60')
    await settleAs(id, 'payment_intent.succeeded')
    const order = await orderOfSession(deps.db, id)
    const back = await ask(`/checkout/${id}/return`)
    expect(back.headers.get('location')).toBe(`/receipts/${order?.receipt_token}`)
  })

  test('that waits for the bank leads there, and back', async () => {
    const id = await openOfficial(deps)
    await pay(id, { token: 'tok_pending' })
    const challenge_url = 'https://bank.example/challenge'
    await deps.db.update(orders).set({ challenge_url }).where(eq(orders.session_id, id))
    expect((await pay(id)).headers.get('location')).toBe(challenge_url)
    expect((await show(id)).body).toContain(`<a href="${challenge_url}" class="button"`)
    const secret = await ask(`/checkout/${id}/return?payment_intent_client_secret=s`)
    expect([secret.status, secret.headers.get('location')]).toEqual([303, `/checkout/${id}/return`])
    const back = await ask(`/checkout/${id}/return`)
    expect(textOf(back.body)).toContain('Your payment is under way')
    await settleAs(id, 'payment_intent.payment_failed')
    expect((await ask(`/checkout/${id}/return`)).headers.get('location')).toBe(`/checkout/${id}`)
    const open = await show(id)
    expect(textOf(open.body)).toContain('The payment did not go through, and nothing was charged.')
    expect((await pay(id)).status).toBe(303)
    expect((await orderOfSession(deps.db, id))?.status).toBe('confirmed')
  })

  test('that fails while its page is made is told as failed', async () => {
    const id = await openOfficial(deps)
    await pay(id, { token: 'tok_pending' })
    const order = await orderOfSession(deps.db, id)
    const failure = {
      type: 'payment_intent.payment_failed' as const,
      paymentId: order!.payment_id,
      sessionId: id,
      amount: null,
    }
    const { asked } = await deps.db.transaction(async (tx) => {
      await tx.execute(sql`lock table ${orders} in access exclusive mode`)
      const asked = show(id)
      await eventually(() => waitingForLocks(deps.db)).toBe(1)
      await applyEffect(tx, deps, 'scripted', failure, NOON)
      return { asked }
    })
    expect(textOf((await asked).body)).toContain('The payment did not go through')
  })
})

describe('a checkout that is over says so', () => {
  test.each(['GET', 'POST'])('expired, %s', async (method) => {
    const id = await openOfficial(deps)
    const form = fieldsOn((await show(id)).body)
    clock.now = new Date(NOON.getTime() + 6 * 3_600_000)
    if (method === 'POST') {
      const answer = await post(id, { ...form, do: 'pay', token: 'tok_visa' })
      expect(answer.headers.get('location')).toBe(`/checkout/${id}`)
    }
    const { status, body } = await show(id)
    expect(status).toBe(410)
    expect(textOf(body)).toContain('This checkout has expired Nothing was charged.')
  })

  test('canceled', async () => {
    const id = await openOfficial(deps)
    const form = fieldsOn((await show(id)).body)
    await cancelCheckout(deps, { protocol: 'ucp_official', id, keyed: null })
    expect((await post(id, { ...form, do: 'pay', token: 'tok_visa' })).status).toBe(303)
    const { status, body } = await show(id)
    expect(status).toBe(410)
    expect(textOf(body)).toContain('This checkout was canceled')
  })
})

test('whatever is sent gets a page, and no 5xx', async () => {
  const id = await openOfficial(deps)
  const fields = fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'do',
        'name',
        'street',
        'zip',
        'country',
        'key',
        'total',
        'token',
        'shipping_option',
      ),
      anyText(),
    ),
    fc.oneof(fc.constantFrom('save', 'pay', '\u0000', 'US', '<script>', '__proto__'), anyText()),
  )
  await fc.assert(
    fc.asyncProperty(fields, async (sent) => {
      const { status, body } = await post(id, sent)
      expect(status).toBeLessThan(500)
      expect(body).not.toContain('<script>')
    }),
  )
})

test('what an agent sent is text', async () => {
  const evil = '"><script>alert(1)</script>'
  const id = await openOfficial(deps, {
    address: { name: evil, street: evil, city: evil, state: evil, zip: '12207', country: 'US' },
  })
  const { body } = await show(id)
  expect(body).not.toContain('<script')
  expect(fieldsOn(body).name).toBe(evil)
})

describe('with another PSP', () => {
  const stripe = createStore({ deps, faults: [], card: stripeCardEntry('pk_test_1') })
  const none = createStore({ deps, faults: [], card: noCardEntry })
  const at = (id: string) => `http://shop.example/checkout/${id}`

  test('Stripe’s field stands in the form, and the policy lets Stripe in', async () => {
    const answer = await stripe.request(at(await openOfficial(deps)))
    const body = await answer.text()
    expect(body).toContain('data-key="pk_test_1"')
    expect(answer.headers.get('content-security-policy')).toContain(
      "script-src 'self' https://js.stripe.com",
    )
    const script = await stripe.request('http://shop.example/scripts/card.js')
    const text = await script.text()
    expect(script.headers.get('content-type')).toContain('text/javascript')
    expect(() => new Script(text)).not.toThrow()
    const home = await stripe.request('http://shop.example/')
    expect(home.headers.get('content-security-policy')).not.toContain('stripe')
  })

  test('without a card field the page says how to go on, and takes no payment', async () => {
    const id = await openOfficial(deps)
    const body = await (await none.request(at(id))).text()
    expect(textOf(body)).toContain('let it pay for you')
    expect(body).not.toContain('value="pay"')
    const answer = await none.request(at(id), {
      method: 'POST',
      headers: { ...FORM, ...OURS },
      body: new URLSearchParams({ ...fieldsOn(body), do: 'pay', token: 'tok_visa' }),
    })
    expect(answer.status).toBe(303)
    expect(await orderOfSession(deps.db, id)).toBeUndefined()
  })
})

test('every other method is refused', async () => {
  const id = await openOfficial(deps)
  const answer = await store.request(`http://shop.example/checkout/${id}`, { method: 'DELETE' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
})
