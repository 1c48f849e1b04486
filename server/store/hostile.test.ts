import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../shared/testing/any-text.ts'
import { ADDRESS, testStore } from './testing/store.ts'

const { send, ask } = await testStore()

const whole = {
  items: [{ product_id: 'ao-1101', quantity: 1 }],
  shipping_address: ADDRESS,
  shipping_option_id: 'standard',
  payment_method: { type: 'card', token: 'tok_visa' },
  idempotency_key: 'key',
  order_id: 'order',
}

/** Texts that databases, logs and pages choke on. */
const ODD = ['\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\u202e', "'; drop table x --", '']
const odd = fc.oneof(fc.constantFrom<unknown>(...ODD), fc.jsonValue(), anyText())

/** The whole body, with something odd at one place of it. */
const body = fc.oneof(
  odd,
  fc.tuple(fc.constantFrom(...Object.keys(whole)), odd).map(([key, value]) => ({
    ...whole,
    [key]: value,
  })),
  fc.tuple(fc.constantFrom(...Object.keys(ADDRESS)), odd).map(([key, value]) => ({
    ...whole,
    shipping_address: { ...ADDRESS, [key]: value },
  })),
  odd.map((value) => ({ ...whole, items: [{ product_id: value, quantity: 1 }] })),
  odd.map((token) => ({ ...whole, payment_method: { type: 'card', token } })),
)

const { checkout_id } = JSON.parse((await send('POST', '/acp/checkout/create', whole)).body)

describe('whatever is sent gets an answer in JSON, and no 5xx', () => {
  test.each([
    ['POST', '/ucp/checkout'],
    ['POST', '/ucp/checkout/x/confirm'],
    ['POST', '/ucp/shipping'],
    ['POST', '/ucp/orders'],
    ['POST', '/acp/checkout/create'],
    ['PATCH', `/acp/checkout/${checkout_id}/update`],
    ['POST', `/acp/checkout/${checkout_id}/complete`],
    ['POST', '/webhooks/psp'],
  ])('%s %s', async (method, path) => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await send(method, path, JSON.stringify(sent) ?? '')
        expect(answer.status).toBeLessThan(500)
        expect(() => JSON.parse(answer.body)).not.toThrow()
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    '/acp/orders/%00',
    '/ucp/orders/%00',
    '/ucp/orders?order_id=%00',
    '/ucp/orders/%ff%fe',
    '/checkout/%00',
    '/checkout/%ed%a0%80/return',
    '/3ds/%00',
    '/permalink/%00:1',
    '/receipts/%00',
    '/receipts/%ed%a0%80',
  ])('%s', async (path) => {
    expect((await ask(path)).status).toBeGreaterThanOrEqual(404)
    expect((await ask(path)).status).toBeLessThan(500)
  })

  test('a body nested beyond any stack', async () => {
    const deep = `{"items":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    for (const path of ['/ucp/checkout', '/acp/checkout/create']) {
      expect((await send('POST', path, deep)).status).toBe(422)
    }
  })
})
