import { expect, test } from 'vitest'
import { readStoreConfig, takesRealMoney } from './config.ts'

const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' }

test('Stripe’s publishable key may be left out', () => {
  const keyOf = (key: string) => {
    const { payments } = readStoreConfig({ ...STRIPE, STRIPE_PUBLISHABLE_KEY: key })
    return payments.psp === 'stripe' ? payments.publishableKey : null
  }
  expect(keyOf('')).toBeUndefined()
  expect(keyOf('pk_test_1')).toBe('pk_test_1')
})

test('a secret key in its place is refused, and not repeated', () => {
  const env = { ...STRIPE, STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }
  expect(() => readStoreConfig(env)).toThrow(/^STRIPE_PUBLISHABLE_KEY must begin with "pk_test_"/)
  expect(() => readStoreConfig(env)).not.toThrow(/sk_test_1/)
})

test.each([
  ['sk_live_1', 'pk_test_1', 'STRIPE_PUBLISHABLE_KEY must begin with "pk_live_"'],
  ['rk_live_1', 'pk_test_1', 'STRIPE_PUBLISHABLE_KEY must begin with "pk_live_"'],
  ['sk_test_1', 'pk_live_1', 'STRIPE_PUBLISHABLE_KEY must begin with "pk_test_"'],
])('beside %s, %s is of the other mode and refused', (secret, publishable, says) => {
  const env = { ...STRIPE, STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable }
  expect(() => readStoreConfig(env)).toThrow(says)
})

test.each([
  [{ ...STRIPE, STRIPE_SECRET_KEY: 'sk_live_1' }, true],
  [{ ...STRIPE, STRIPE_SECRET_KEY: 'rk_live_1' }, true],
  [{ ...STRIPE, STRIPE_SECRET_KEY: 'rk_test_1' }, false],
  [STRIPE, false],
  [{ RAZORPAY_KEY_ID: 'rzp_live_1' }, true],
  [{ RAZORPAY_KEY_ID: 'rzp_test_1' }, false],
  [{}, false],
])('the key that charges says whether money is taken: %o', (env, live) => {
  expect(takesRealMoney(readStoreConfig(env).payments)).toBe(live)
})

test.each([
  [{ ...STRIPE, STRIPE_SECRET_KEY: 'hush' }, 'STRIPE_SECRET_KEY must begin with "sk_live_"'],
  [{ ...STRIPE, STRIPE_SECRET_KEY: 'pk_live_hush' }, 'STRIPE_SECRET_KEY must begin with'],
  [{ ...STRIPE, STRIPE_SECRET_KEY: 'sk_hush' }, 'STRIPE_SECRET_KEY must begin with'],
  [{ ...STRIPE, STRIPE_WEBHOOK_SECRETS: 'hush' }, 'must each begin with "whsec_"'],
  [{ ...STRIPE, STRIPE_WEBHOOK_SECRETS: 'whsec_1,hush' }, 'must each begin with "whsec_"'],
  [{ RAZORPAY_KEY_ID: 'hush' }, 'RAZORPAY_KEY_ID must begin with "rzp_live_"'],
])('what is no key of a PSP is refused, and not repeated: %o', (env, says) => {
  expect(() => readStoreConfig(env)).toThrow(says)
  expect(() => readStoreConfig(env)).not.toThrow('hush')
})

test.each([
  [{ AISLE_KEY: 'aisle_live_hush' }, 'AISLE_KEY is set and AISLE_URL is not.'],
  [{ AISLE_URL: 'https://aisle.example' }, 'AISLE_URL is set and AISLE_KEY is not.'],
])('where to report to is set whole, or not at all: %o', (env, says) => {
  expect(() => readStoreConfig(env)).toThrow(says)
  expect(() => readStoreConfig(env)).not.toThrow('hush')
})

test('its connections to the database are bounded as those of the service', () => {
  expect(readStoreConfig({}).databaseConnections).toBe(10)
  expect(() => readStoreConfig({ DATABASE_CONNECTIONS: '0' })).toThrow('DATABASE_CONNECTIONS')
})

test.each(['foo', 'javascript:alert(1)', '/attribution.js', 'https:'])(
  'STORE_SNIPPET_URL=%s is refused',
  (text) => {
    expect(() => readStoreConfig({ STORE_SNIPPET_URL: text })).toThrow(
      `STORE_SNIPPET_URL is "${text}". Give the address of a script`,
    )
  },
)

test('the script of the store’s pages has an address', () => {
  const url = 'https://aisle.example/attribution.js?id=prop_1'
  expect(readStoreConfig({ STORE_SNIPPET_URL: url }).snippetUrl).toBe(url)
})

test('its metrics have a port of their own', () => {
  const env = { STORE_PORT: '8795', STORE_METRICS_PORT: '8795' }
  expect(() => readStoreConfig(env)).toThrow('STORE_METRICS_PORT and STORE_PORT are both 8795.')
})

test('the proxies in front of the store are those of the service', () => {
  expect(readStoreConfig({ TRUST_PROXY: 'loopback' }).trustedProxies).toHaveLength(2)
  expect(() => readStoreConfig({ TRUST_PROXY: '0.0.0.0/0' })).toThrow('TRUST_PROXY')
})

test.each(['x', 'hush-hush-hush', 'hush hush hush hush'])(
  'the admin key "%s" is refused, and not repeated',
  (key) => {
    const env = { STORE_ADMIN_KEY: key }
    expect(() => readStoreConfig(env)).toThrow(/^STORE_ADMIN_KEY is too short, or has characters/)
    expect(() => readStoreConfig(env)).not.toThrow('hush')
  },
)

test('an admin key that nobody guesses is taken', () => {
  expect(readStoreConfig({ STORE_ADMIN_KEY: 'hush-hush-hush-1' }).adminKey).toBe('hush-hush-hush-1')
})

test.each(['STORE_ACP_KEYS', 'STORE_ACP_SIGNING_KEYS'])('%s of commas alone is refused', (name) => {
  for (const text of [',', ' , , ']) {
    expect(() => readStoreConfig({ [name]: text })).toThrow(`${name} has commas, but no key.`)
  }
})

test('unset or empty, the keys of agents leave official ACP open', () => {
  const unset = readStoreConfig({}).acp
  expect(unset).toMatchObject({ keys: null, signingKeys: [] })
  const empty = readStoreConfig({ STORE_ACP_KEYS: '', STORE_ACP_SIGNING_KEYS: ' ' }).acp
  expect(empty).toEqual(unset)
  const set = readStoreConfig({ STORE_ACP_KEYS: 'a, b,', STORE_ACP_SIGNING_KEYS: 'c' }).acp
  expect(set).toMatchObject({ keys: ['a', 'b'], signingKeys: ['c'] })
})

test.each([
  [
    { STRIPE_WEBHOOK_SECRETS: 'hush' },
    'STRIPE_WEBHOOK_SECRETS is set, but STRIPE_SECRET_KEY is not',
  ],
  [{ STRIPE_WEBHOOK_SECRETS_FILE: '/hush' }, 'STRIPE_WEBHOOK_SECRETS is set'],
  [{ STRIPE_PUBLISHABLE_KEY: 'sk_hush' }, 'STRIPE_PUBLISHABLE_KEY is set'],
  [
    { GOOGLE_PAY_MERCHANT_ID: '1', GOOGLE_PAY_ENVIRONMENT: 'TEST' },
    'GOOGLE_PAY_MERCHANT_ID, GOOGLE_PAY_ENVIRONMENT are set, but STRIPE_SECRET_KEY is not. Set that as well, or unset them.',
  ],
  [
    { RAZORPAY_KEY_ID: 'rzp_1', RAZORPAY_KEY_SECRET: 'hush', GOOGLE_PAY_MERCHANT_NAME: 'A' },
    'GOOGLE_PAY_MERCHANT_NAME is set, but STRIPE_SECRET_KEY is not',
  ],
  [{ RAZORPAY_KEY_SECRET: 'hush' }, 'RAZORPAY_KEY_SECRET is set, but RAZORPAY_KEY_ID is not'],
  [{ ...STRIPE, RAZORPAY_WEBHOOK_SECRETS: 'hush' }, 'RAZORPAY_WEBHOOK_SECRETS is set'],
])('settings of a PSP without its key are refused: %o', (env, says) => {
  expect(() => readStoreConfig(env)).toThrow(says)
  expect(() => readStoreConfig(env)).not.toThrow('hush')
})

test('empty ones count as unset', () => {
  const env = { STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRETS: '', RAZORPAY_KEY_SECRET: '' }
  expect(readStoreConfig(env).payments).toEqual({ psp: 'test' })
})

test.each(['prod', 'Production', 'staging'])('NODE_ENV=%s is refused', (word) => {
  expect(() => readStoreConfig({ NODE_ENV: word })).toThrow(`NODE_ENV is "${word}". Set it to`)
})
