import canonicalize from 'canonicalize'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createJwk, type PublicJwk, publicJwk } from '../jwk.ts'
import { type MandateQuestion, verifyCheckoutMandate } from './checkout-mandate.ts'
import { authorizeCheckout, checkoutJwtOf, judgeAuthorization } from './merchant-authorization.ts'
import { hashBy } from './sd-jwt.ts'
import { bindingTo, closing, disclose, jwt, sdJwt, testKey } from './testing/mandates.ts'

const NOW = new Date('2026-06-01T12:00:00.000Z')
const SECONDS = NOW.getTime() / 1000
const ORIGIN = 'https://shop.example'
const [store, platform, stranger, holder] = [
  testKey('store-1'),
  testKey('agent-1'),
  testKey('agent-1'),
  testKey(),
]

const CHECKOUT = {
  id: 'checkout_1',
  currency: 'USD',
  line_items: [
    { id: 'li_1', item: { id: 'boot' }, quantity: 2 },
    { id: 'li_2', item: { id: 'sock' }, quantity: 1 },
  ],
  totals: [{ type: 'total', amount: 5400 }],
  ucp: { version: '2026-08-25' },
}
const signed = (checkout: object) => ({
  ...checkout,
  ap2: { merchant_authorization: authorizeCheckout({ ...checkout }, store.key) },
})
const SIGNED = signed(CHECKOUT)
const JWT = checkoutJwtOf(SIGNED) ?? ''

const plain = (key: PublicJwk) => ({ ...key })
const ask = (text: string, change: Partial<MandateQuestion> = {}) =>
  verifyCheckoutMandate(text, {
    now: NOW,
    platformKeys: [plain(platform.published)],
    ownKeys: [plain(store.published)],
    checkoutId: 'checkout_1',
    merchant: { origin: ORIGIN },
    ...change,
  })
const outcome = async (...asked: Parameters<typeof ask>) => {
  const verdict = await ask(...asked)
  return 'refused' in verdict ? verdict.refused : verdict.verified.form
}

const direct = (change: object = {}, outer: object = {}, header: object = {}) =>
  sdJwt(closing(JWT, change), platform, outer, header)

/** With a key of the buyer, and bound by it. */
const bound = (change: object = {}, by = holder, header: object = { typ: 'kb+jwt' }) => {
  const text = direct({ cnf: { jwk: plain(holder.published) } })
  return text + jwt({ ...bindingTo(text, ORIGIN, 'checkout_1', NOW), ...change }, by, header)
}

const LINES = {
  type: 'checkout.line_items',
  items: [
    { id: 'a', acceptable_items: [{ id: 'boot' }, { id: 'sock' }], quantity: 2 },
    { id: 'b', acceptable_items: [{ id: 'boot' }], quantity: 1 },
  ],
}
const OPEN = {
  vct: 'mandate.checkout.open.1',
  constraints: [LINES],
  cnf: { jwk: plain(holder.published) },
  exp: SECONDS + 600,
}
interface Chain {
  open?: object
  content?: object
  hop?: object
  by?: typeof holder
  typ?: string
}
const chain = ({
  open = {},
  content = {},
  hop = {},
  by = holder,
  typ = 'kb+sd-jwt',
}: Chain = {}) => {
  const text = sdJwt({ ...OPEN, ...open }, platform)
  const outer = { ...bindingTo(text, ORIGIN, 'checkout_1', NOW), ...hop }
  return `${text.slice(0, -1)}~~${sdJwt(closing(JWT, content), by, outer, { typ })}`
}

describe('a mandate that is valid', () => {
  test.each([
    ['of the platform', direct()],
    ['without the last tilde, as UCP’s pattern has it', direct().slice(0, -1)],
    ['with claims in the open', `${jwt(closing(JWT), platform)}~`],
    ['as a bare JWT', jwt(closing(JWT), platform)],
    [
      'with the whole checkout',
      sdJwt(
        closing(null, { checkout: SIGNED, checkout_jwt: undefined, checkout_hash: undefined }),
        platform,
      ),
    ],
    [
      'with the whole checkout and the hash of its JWT',
      sdJwt(closing(JWT, { checkout: SIGNED, checkout_jwt: JWT }), platform),
    ],
    ['that names a time', direct({ iat: SECONDS, exp: SECONDS + 1, nbf: SECONDS })],
    ['whose signer’s clock is four minutes ahead', direct({ iat: SECONDS + 240 })],
    ['without the name of the only key', direct({}, {}, { kid: undefined })],
    ['with the key binding of the buyer', bound()],
    ['bound to the profile of the store', bound({ aud: `${ORIGIN}/.well-known/ucp` })],
  ])('%s', async (_, text) => {
    const verdict = await ask(text)
    expect(verdict).toMatchObject({ verified: { form: 'direct' } })
    expect('verified' in verdict && verdict.verified.checkout).toEqual(CHECKOUT)
  })

  test.each([
    ['of an agent, within the limits', chain()],
    [
      'for this store',
      chain({
        open: {
          constraints: [
            LINES,
            {
              type: 'checkout.allowed_merchants',
              allowed: [{ id: 'other' }, { id: 'x', website: ORIGIN }],
            },
          ],
        },
      }),
    ],
    [
      'for this store by its host',
      chain({
        open: {
          constraints: [
            { type: 'checkout.allowed_merchants', allowed: [{ id: 'shop.example' }] },
            LINES,
          ],
        },
      }),
    ],
    [
      'bound to the open JWT alone',
      ((text) =>
        `${text}~~${sdJwt(closing(JWT), holder, { ...bindingTo('', ORIGIN, 'checkout_1', NOW), sd_hash: undefined, issuer_jwt_hash: hashBy(undefined, text.split('~')[0] ?? '') }, { typ: 'kb+sd-jwt' })}`)(
        sdJwt(OPEN, platform).slice(0, -1),
      ),
    ],
  ])('delegated %s', async (_, text) => {
    expect(await outcome(text)).toBe('delegated')
  })
})

const altered = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

describe('a mandate that is refused', () => {
  const rsa = jwt(closing(JWT), platform, { alg: 'RS256' })
  const [head = '', payload = '', signature = ''] = direct().split('~')[0]?.split('.') ?? []
  const none = Buffer.from('{"alg":"none","kid":"agent-1"}').toString('base64url')
  const mac = Buffer.from('{"alg":"HS256","kid":"agent-1"}').toString('base64url')
  const other = disclose('checkout_jwt', 'x')
  const unsealed = ({ checkout_jwt, ...rest }: ReturnType<typeof closing>, ...more: string[]) =>
    `${jwt({ ...rest, _sd: [other.digest], ...(more.length > 0 && { checkout_jwt }) }, platform)}~${other.text}~`

  test.each([
    ['another key of the same name', sdJwt(closing(JWT), stranger)],
    ['no signature', `${none}.${payload}.~${direct().split('~')[1]}~`],
    ['algorithm none with a signature', `${none}.${payload}.${signature}~`],
    ['a MAC by the public key', `${mac}.${payload}.${signature}~`],
    ['truncated', direct().slice(0, 200)],
    ['without its disclosure', `${direct().split('~')[0]}~`],
    ['a byte of the payload altered', altered(direct(), head.length + 20)],
    ['a byte of the signature altered', altered(direct(), head.length + payload.length + 10)],
    [
      'a byte of the disclosure altered',
      altered(direct(), head.length + payload.length + signature.length + 20),
    ],
    ['a disclosure that is not signed', `${direct()}${disclose('admin', true).text}~`],
    ['a disclosure twice', direct() + (direct().split('~')[1] ?? '')],
    ['a disclosure that overwrites a claim', unsealed(closing(JWT), 'open')],
    ['with a list of no mandates', `${jwt({ delegate_payload: [] }, platform)}~`],
    ['empty', ''],
    ['with a space in its signature', direct().replace('~', ' ~')],
    ['with a NUL in its signature', direct().replace('~', '\0~')],
    ['by a key of RSA', rsa],
    ['not an SD-JWT', 'header.payload.signature~kb_signature'],
    ['as SPCK sends it', 'not.a.chain~'],
    [
      'nested too deeply',
      `${jwt({ ...closing(JWT), deep: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) }, platform)}~`,
    ],
    ['a time that is text', direct({ exp: '2030' })],
    ['a time to come', direct({ iat: SECONDS + 301 })],
    ['not before a time to come', direct({}, { nbf: SECONDS + 301 })],
    ['a key and no binding', direct({ cnf: { jwk: plain(holder.published) } })],
    [
      'a binding and no key',
      direct() + jwt(bindingTo(direct(), ORIGIN, 'checkout_1', NOW), holder, { typ: 'kb+jwt' }),
    ],
    ['a binding of another key', bound({}, stranger)],
    ['a binding of another type', bound({}, holder, { typ: 'jwt' })],
    ['a binding of another mandate', bound({ sd_hash: hashBy(undefined, direct()) })],
    ['a binding without a hash', bound({ sd_hash: undefined })],
    ['a binding without a time', bound({ iat: undefined })],
    [
      'a secret as the key',
      sdJwt(closing(JWT, { cnf: { jwk: { kty: 'oct', k: 'AA' } } }), platform),
    ],
    ['a chain that another key closed', chain({ by: stranger })],
    ['a chain of another type', chain({ typ: 'kb+jwt' })],
    ['a chain with another open mandate', chain({ hop: { sd_hash: hashBy(undefined, 'x') } })],
    ['a chain with two hashes', chain({ hop: { issuer_jwt_hash: hashBy(undefined, 'x') } })],
    [
      'a chain whose end names a key',
      chain({ content: { cnf: { jwk: plain(holder.published) } } }),
    ],
    ['a chain of three', `${chain()}~~${direct()}`],
    ['an open mandate without a key', chain({ open: { cnf: undefined } })],
  ])('mandate_invalid_signature: %s', async (_, text) => {
    expect(await outcome(text)).toBe('mandate_invalid_signature')
  })

  test.each([
    ['in the mandate', direct({ exp: SECONDS })],
    ['next to it', direct({}, { exp: SECONDS - 1 })],
    ['at zero', direct({ exp: 0 })],
    ['in the binding', bound({ exp: SECONDS - 1 })],
    ['in the open mandate', chain({ open: { exp: SECONDS } })],
    ['never, in an open mandate', chain({ open: { exp: undefined } })],
  ])('mandate_expired: %s', async (_, text) => {
    expect(await outcome(text)).toBe('mandate_expired')
  })

  const merchants = (...allowed: object[]) => ({
    constraints: [LINES, { type: 'checkout.allowed_merchants', allowed }],
  })
  const items = (...quantities: [string[], unknown][]) => ({
    constraints: [
      {
        ...LINES,
        items: quantities.map(([ids, quantity]) => ({
          id: 'a',
          acceptable_items: ids.map((id) => ({ id })),
          quantity,
        })),
      },
    ],
  })
  test.each([
    ['a mandate for a payment', direct({ vct: 'mandate.payment.1' })],
    ['a mandate of another version', direct({ vct: 'mandate.checkout.2' })],
    ['the hash of another checkout', direct({ checkout_hash: hashBy(undefined, 'x') })],
    ['no hash', direct({ checkout_hash: undefined })],
    ['a binding to another checkout', bound({ nonce: 'checkout_2' })],
    ['a binding to another store', bound({ aud: 'https://other.example' })],
    ['a binding to a list of stores', bound({ aud: [ORIGIN] })],
    ['a chain for another checkout', chain({ hop: { nonce: 'checkout_2' } })],
    ['an open mandate at the root of none', chain({ open: { vct: 'mandate.checkout.1' } })],
    [
      'a closed mandate that changes the open one',
      chain({ open: { limit: 1 }, content: { limit: 2 } }),
    ],
    ['an unknown limit', chain({ open: { constraints: [LINES, { type: 'checkout.price_cap' }] } })],
    ['no limit at all', chain({ open: { constraints: [] } })],
    [
      'other merchants',
      chain({ open: merchants({ id: 'other', website: 'https://shop.example.evil.example' }) }),
    ],
    ['no merchants', chain({ open: merchants() })],
    ['other items', chain({ open: items([['tent'], 3]) })],
    ['fewer items', chain({ open: items([['boot', 'sock'], 2]) })],
    ['more items', chain({ open: items([['boot', 'sock'], 4]) })],
    ['items that cannot be dealt out', chain({ open: items([['sock'], 2], [['boot'], 1]) })],
    ['a negative quantity', chain({ open: items([['boot', 'sock'], 4], [['boot'], -1]) })],
    ['a quantity as text', chain({ open: items([['boot', 'sock'], '3']) })],
  ])('mandate_scope_mismatch: %s', async (_, text) => {
    expect(await outcome(text)).toBe('mandate_scope_mismatch')
  })

  const dearer = checkoutJwtOf({ ...SIGNED, totals: [{ type: 'total', amount: 1 }] })
  const byStranger = jwt(CHECKOUT, testKey('store-1'))
  const unsecured = `${none}.${JWT.split('.')[1]}.AA`
  test.each([
    ['another amount', dearer],
    ['another store’s key', byStranger],
    ['a key that we do not have', jwt(CHECKOUT, testKey('store-2'))],
    ['algorithm none', unsecured],
    ['a byte altered', altered(JWT, JWT.length - 30)],
    ['truncated', JWT.slice(0, -10)],
    ['not JSON', jwt([], store)],
  ])('merchant_authorization_invalid: %s', async (_, checkoutJwt) => {
    expect(await outcome(sdJwt(closing(checkoutJwt), platform))).toBe(
      'merchant_authorization_invalid',
    )
  })

  test.each([
    ['no checkout', {}],
    ['a checkout without it', { checkout: CHECKOUT }],
    [
      'a checkout whose JWS has its payload',
      { checkout: { ...CHECKOUT, ap2: { merchant_authorization: JWT } } },
    ],
    [
      'a checkout that has no canonical form',
      { checkout: { ...SIGNED, note: 1, ap2: { merchant_authorization: 4 } } },
    ],
  ])('merchant_authorization_missing: %s', async (_, content) => {
    const text = sdJwt(
      closing(null, { checkout_jwt: undefined, checkout_hash: undefined, ...content }),
      platform,
    )
    expect(await outcome(text)).toBe('merchant_authorization_missing')
  })

  test('agent_missing_key: no key of the platform that signs mandates', async () => {
    const web = publicJwk('agent-1', createJwk('EdDSA'))
    for (const platformKeys of [
      [],
      [plain(web)],
      [{ ...platform.published, use: 'enc' }],
      [{ ...platform.published, alg: 'ES384' }],
      [{ ...platform.published, kid: 'agent-2' }],
    ]) {
      expect(await outcome(direct(), { platformKeys })).toBe('agent_missing_key')
    }
    const two = [plain(platform.published), { ...stranger.published, kid: 'agent-2' }]
    expect(await outcome(direct({}, {}, { kid: undefined }), { platformKeys: two })).toBe(
      'agent_missing_key',
    )
    expect(await outcome(direct(), { platformKeys: two })).toBe('direct')
  })

  test.each(['ES384', 'ES512'])('%s is taken with a key of its curve alone', async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const text = await new SignJWT(closing(JWT))
      .setProtectedHeader({ alg, kid: 'k' })
      .sign(privateKey)
    const published = { ...(await exportJWK(publicKey)), kid: 'k' }
    expect(await outcome(text, { platformKeys: [published] })).toBe('direct')
    const other = { ...platform.published, kid: 'k' }
    expect(await outcome(text, { platformKeys: [other] })).toBe('mandate_invalid_signature')
  })

  test('mandate_invalid_signature: a key that is not on its curve', async () => {
    const platformKeys = [{ ...platform.published, x: platform.published.y ?? '' }]
    expect(await outcome(direct(), { platformKeys })).toBe('mandate_invalid_signature')
  })
})

test('every byte of a mandate counts, but for the unused bits at the end of a part', async () => {
  const text = bound()
  const survivors: string[] = []
  for (let at = 0; at < text.length; at += 7) {
    const form = await outcome(altered(text, at))
    if (form === 'direct') survivors.push(text.slice(at - 1, at + 2))
  }
  // In base64url the last character of 64 bytes has four bits that say nothing.
  for (const near of survivors) expect(near).toMatch(/.[.~]|^..$/)
})

test('a mandate has one name however its signature is written', async () => {
  const named = async (text: string) => {
    const verdict = await ask(text)
    return (
      'verified' in verdict && verdict.verified.singles.map(({ what, name }) => `${what} ${name}`)
    )
  }
  const text = direct()
  expect(await named(text)).toEqual(await named(text.slice(0, -1)))
  const parts = (await named(chain())) || []
  expect(parts.map((part) => part.split(' ')[0])).toEqual(['mandate', 'open_mandate'])
})

test('a store’s signature of a checkout is over all of it but ap2', async () => {
  const keys = [plain(store.published)]
  expect(await judgeAuthorization(SIGNED, keys)).toBe('valid')
  const reordered = JSON.parse(
    JSON.stringify(
      SIGNED,
      Object.keys(SIGNED)
        .toReversed()
        .concat('id', 'item', 'quantity', 'type', 'amount', 'version', 'merchant_authorization'),
    ),
  )
  expect(canonicalize(reordered)).toBe(canonicalize(SIGNED))
  expect(await judgeAuthorization(reordered, keys)).toBe('valid')
  expect(
    await judgeAuthorization({ ...SIGNED, ap2: { ...SIGNED.ap2, checkout_mandate: 'x' } }, keys),
  ).toBe('valid')
  expect(await judgeAuthorization(CHECKOUT, keys)).toBe('merchant_authorization_missing')
  for (const broken of [
    { ...SIGNED, currency: 'EUR' },
    { ...SIGNED, more: 1 },
    { ...SIGNED, ap2: { merchant_authorization: 'x' } },
    { ...SIGNED, ap2: { merchant_authorization: JWT } },
  ]) {
    expect(await judgeAuthorization(broken, keys)).toBe('merchant_authorization_invalid')
  }
  expect(await judgeAuthorization(SIGNED, [plain(stranger.published)])).toBe(
    'merchant_authorization_invalid',
  )
})
