import { expect, test } from 'vitest'
import type { Answer, JsonSeen } from '../../../web/http/fetched.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import type { CheckoutSeen } from '../../evidence.ts'
import { runRules } from '../../rule.ts'
import { checkoutRules } from './rules.ts'

const url = 'https://shop.example/ucp/checkout'

const answered = (status: number, value: unknown, change: Partial<Answer> = {}): JsonSeen => ({
  fetched: answerFrom(url, {
    method: 'POST',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
    ms: 20,
    ...change,
  }),
  json: { ok: true, value },
})

const money = (amount: number) => ({ amount, currency: 'EUR' })
const CART = answered(200, {
  checkout_id: 'cart_1',
  subtotal: money(1900),
  shipping_options: [{ id: 'post', name: 'Post', cost: money(500) }],
  tax: money(0),
  expires_at: '2026-11-20T10:20:00Z',
})

const error = (code: string, more: object = { message: 'Not this.', retryable: true }) => ({
  error: { code, ...more },
})

/** The ids of gaps and passes, and what was skipped, for a store that answers so. */
function judge(change: Partial<CheckoutSeen>, manifest?: JsonSeen) {
  const checkout: CheckoutSeen = {
    endpoint: { url, declared: true },
    item: { product_id: 'p1', name: 'Lamp', price: money(1900) },
    asked_at: '2026-11-20T10:00:00Z',
    create: CART,
    invalid_address: answered(422, error('invalid_address')),
    unknown_variant: answered(422, error('unknown_variant')),
    ...change,
  }
  const beside = manifest && { manifest: { ...manifest, www: manifest } }
  const outcomes = runRules(checkoutRules, { checkout, ...beside })
  const of = (kind: string) =>
    outcomes.filter(({ verdict }) => verdict.kind === kind).map(({ rule }) => rule.gap)
  return { gaps: of('gap'), passed: of('pass'), skipped: of('skip') }
}

test.each([
  [{ ms: 3000 }, 'passed'],
  [{ ms: 3200 }, 'gaps'],
  [{ ms: 2900, lag_ms: 100 }, 'passed'],
  // The store may have taken 2.5 s or 3.2 s.
  [{ ms: 2500, lag_ms: 700 }, 'skipped'],
] as const)('an opening that took %o is among the %s', (took, among) => {
  const create = { ...CART, fetched: { ...CART.fetched, ...took } as Answer }
  expect(judge({ create })[among]).toContain('checkout_slow')
})

const NOT_ABOUT_US = [200, 201, 202, 400, 404, 409, 422, 500, 503]
const STATUSES = [...NOT_ABOUT_US, 401, 402, 403, 405, 410]
const ALL = checkoutRules.map(({ gap }) => gap)

test.each(STATUSES)('a wrong cart may be refused under %i', (status) => {
  expect(
    judge({
      invalid_address: answered(status, error('invalid_address')),
      unknown_variant: answered(status, error('unknown_variant')),
    }),
  ).toEqual({ gaps: [], passed: ALL, skipped: [] })
})

test('a code of the specification is a refusal under 429 too, and one of the store is not', () => {
  expect(judge({ invalid_address: answered(429, error('invalid_address')) }).gaps).toEqual([])
  const limited = judge({
    invalid_address: answered(429, error('rate_limited')),
    unknown_variant: answered(429, error('rate_limited')),
  })
  expect(limited.gaps).toEqual([])
  expect(limited.skipped).toEqual([
    'checkout_accepts_invalid_address',
    'checkout_accepts_unknown_variant',
    'checkout_error_body_invalid',
  ])
})

test.each(NOT_ABOUT_US)('an incomplete error body is the same gap under %i', (status) => {
  const without = answered(status, error('invalid_address', { message: 'Not this.' }))
  expect(judge({ invalid_address: without, unknown_variant: without }).gaps).toEqual([
    'checkout_error_body_invalid',
  ])
})

test('a cart is no refusal, whatever else is in the answer', () => {
  const cart = answered(200, { checkout_id: 'cart_2', error: null })
  expect(judge({ invalid_address: cart, unknown_variant: cart }).gaps).toEqual([
    'checkout_accepts_invalid_address',
    'checkout_accepts_unknown_variant',
  ])
})

const WITHOUT_A_CART = ALL.filter(
  (gap) => !/^checkout_(not_https|unreachable|redirected|dry_run_failed)$/.test(gap ?? ''),
)

test.each([...STATUSES, 429])('our sample may be refused for its own sake under %i', (status) => {
  for (const code of ['invalid_address', 'out_of_stock']) {
    expect(judge({ create: answered(status, error(code)) })).toEqual({
      gaps: [],
      passed: ['checkout_not_https', 'checkout_unreachable', 'checkout_redirected'],
      skipped: ['checkout_dry_run_failed', ...WITHOUT_A_CART],
    })
  }
})

test.each([200, 201, 400, 402, 409, 422, 500])(
  'any other refusal of a valid cart is that gap alone under %i',
  (status) => {
    const { gaps, skipped } = judge({ create: answered(status, error('internal_error')) })
    expect(gaps).toEqual(['checkout_dry_run_failed'])
    expect(skipped).toEqual(WITHOUT_A_CART)
  },
)

test.each([401, 403, 404, 405, 410, 429, 503])(
  'a code of the store under %i says nothing about the cart',
  (status) => {
    const { gaps } = judge({ create: answered(status, error('not_here')) })
    expect(gaps).not.toContain('checkout_dry_run_failed')
    const spec = judge({ create: answered(status, error('session_expired')) })
    expect(spec.gaps).toEqual(['checkout_dry_run_failed'])
  },
)

test.each([
  [200, ''],
  [204, ''],
  [200, '{"checkout_id":"c1","subtotal":'],
  [200, '{"checkout_id":"c1",}'],
])('an answer %i with %j is no cart', (status, body) => {
  const json = { ok: false, problem: 'it ends early' } as const
  const create = { ...answered(status, null, { body }), json }
  const { gaps, skipped } = judge({ create })
  expect(gaps).toEqual(['checkout_dry_run_failed'])
  expect(skipped).toContain('checkout_price_mismatch')
  const cut = { ...answered(status, null, { body, truncated: true }), json }
  expect(judge({ create: cut }).skipped).toContain('checkout_dry_run_failed')
})

test('a safe request that was answered is no cart that was accepted', () => {
  const { passed, skipped } = judge({ create: answered(204, null, { method: 'OPTIONS' }) })
  expect(passed).toContain('checkout_unreachable')
  expect(skipped).toContain('checkout_dry_run_failed')
})

test.each(['unreachable', 'certificate'] as const)('a checkout behind %s is dead', (why) => {
  const message = 'nothing came back'
  const fetched = { kind: 'no_answer', method: 'POST', url, why, message, ms: 9 } as const
  const dead = { fetched, json: null }
  const { gaps } = judge({ create: dead, invalid_address: dead, unknown_variant: dead })
  expect(gaps).toEqual(['checkout_unreachable'])
})

test.each([
  [true, ['checkout_unreachable']],
  [false, []],
])('a manifest that says that buyers need an account: %s', (requires_authentication, gaps) => {
  const manifest = answered(200, { capabilities: { checkout: { requires_authentication } } })
  expect(judge({}, manifest).gaps).toEqual(gaps)
})
