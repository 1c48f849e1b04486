import { describe, expect, test } from 'vitest'
import { handlerFaults, isTestOnly } from './handlers.ts'
import { readProfileOffer } from './offer.ts'
import type { Json } from './testing/profiles.ts'

const handlersOf = (payment_handlers: Json) =>
  readProfileOffer({ ucp: { payment_handlers } }, '2026-08-25').handlers

const METHOD = {
  type: 'CARD',
  parameters: { allowed_auth_methods: ['PAN_ONLY'], allowed_card_networks: ['VISA'] },
  tokenization_specification: {
    type: 'PAYMENT_GATEWAY',
    parameters: { gateway: 'example', gatewayMerchantId: 'm' },
  },
}
const google = (config: Json, version = '2026-01-23') => ({
  'com.google.pay': [{ id: 'gpay', version, config }],
})
const shopPay = (config: Json, version = '2026-08-25') => ({
  'dev.shopify.shop_pay': [{ id: 'shop_pay', version, config }],
})
const GOOGLE = { api_version: 2, api_version_minor: 0, environment: 'TEST' }

describe('handlers that nothing is wrong with', () => {
  test.each<[string, Json]>([
    ['none', {}],
    ['one that agents do not know', { 'com.example.pay': [{ id: 'a', version: '2025-01-01' }] }],
    ['Google Pay', google({ ...GOOGLE, allowed_payment_methods: [METHOD] })],
    ['Google Pay, whose rest comes with the checkout', google({ api_version: 2 })],
    ['Google Pay without config', google(undefined)],
    ['Google Pay of the version before', google({ environment: 'LIVE' }, '2026-01-11')],
    ['Google Pay of a later version', google({ environment: 'LIVE' }, '2027-01-01')],
    [
      'Google Pay that decrypts by itself',
      google({
        allowed_payment_methods: [
          { ...METHOD, tokenization_specification: { type: 'DIRECT', parameters: {} } },
        ],
      }),
    ],
    ['Shop Pay', shopPay({ shop_id: 'shopify-1' })],
    ['Shop Pay of the first version', shopPay({}, '2026-01-11')],
    [
      'two versions of one handler',
      {
        'com.example.pay': [
          { id: 'a', version: '2025-01-01' },
          { id: 'a', version: '2026-01-01' },
        ],
      },
    ],
  ])('%s', (_, handlers) => {
    expect(handlerFaults(handlersOf(handlers))).toEqual([])
  })
})

test.each<[string, Json, RegExp]>([
  ['an empty id', { 'com.example.pay': [{ id: ' ', version: '2025-01-01' }] }, /id is empty/],
  [
    'one id for two handlers',
    { 'com.example.a': [{ id: 'pay' }], 'com.example.b': [{ id: 'pay' }] },
    /com.example.b.0.id is "pay", as that of "com.example.a"/,
  ],
  ['another API', google({ api_version: 1 }), /api_version is 1/],
  ['another environment', google({ environment: 'LIVE' }), /environment is "LIVE"/],
  [
    'production without an account',
    google({ environment: 'PRODUCTION', merchant_info: { merchant_name: 'A shop' } }),
    /merchant_id is missing/,
  ],
  ['no way to pay', google({ allowed_payment_methods: [] }), /names no way to pay/],
  [
    'no gateway',
    google({
      allowed_payment_methods: [
        { ...METHOD, tokenization_specification: { type: 'PAYMENT_GATEWAY', parameters: {} } },
      ],
    }),
    /gateway is missing/,
  ],
  [
    'no network',
    google({
      allowed_payment_methods: [{ ...METHOD, parameters: { allowed_card_networks: [] } }],
    }),
    /allowed_card_networks is empty/,
  ],
  ['Shop Pay without a shop', shopPay({}), /shop_id is missing/],
])('%s is found', (_, handlers, fault) => {
  expect(handlerFaults(handlersOf(handlers))).toEqual([expect.stringMatching(fault)])
})

test.each<[Json, boolean]>([
  [{}, false],
  [google(GOOGLE), true],
  [{ ...google(GOOGLE), ...shopPay({ shop_id: '1' }) }, false],
  [{ 'com.example.pay': [{ id: 'a', config: { environment: 'sandbox' } }] }, true],
  [{ 'com.example.pay': [{ id: 'a', config: { environment: ['test'] } }] }, false],
])('test mode: %j is %s', (handlers, expected) => {
  expect(isTestOnly(handlersOf(handlers))).toBe(expected)
})
