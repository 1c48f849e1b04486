import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { maskedTextOf } from './masked-text.ts'
import { MAX_MASKED_BODY, maskedExchange, type RawExchange, withholder } from './masking.ts'

const SECRET = 'tok/good +"é"-0123456789'

const raw = (over: {
  url?: string
  headers?: Record<string, string>
  sent?: string | null
  answer?: Partial<RawExchange['answer']>
}): RawExchange => ({
  request: {
    method: 'POST',
    url: over.url ?? 'https://shop.example/checkout',
    headers: over.headers ?? {},
    body: over.sent ?? null,
  },
  answer: { status: 200, headers: {}, body: '', truncated: false, ...over.answer },
  failure: null,
  ms: 12,
  at: '2026-11-23T10:00:00.000Z',
})

const bodyOf = (body: string, secrets: string[] = []) =>
  maskedExchange(raw({ answer: { body } }), secrets).answer!.body

const json = (value: unknown, secrets: string[] = []) =>
  JSON.parse(bodyOf(JSON.stringify(value), secrets))

describe('headers', () => {
  test.each([
    ['authorization', 'Bearer abc', 'Bearer [masked: authorization]'],
    ['Authorization', 'abc', '[masked: authorization]'],
    ['proxy-authorization', 'Basic dTpw', 'Basic [masked: authorization]'],
    ['cookie', 'a=b', '[masked: cookie]'],
    ['set-cookie', 'sid=1; Path=/', '[masked: cookie]'],
    ['x-api-key', 'k', '[masked: key]'],
    ['api-key', 'k', '[masked: key]'],
    ['x-shopify-access-token', 'k', '[masked: token]'],
    ['signature', 'sig1=:abc:', '[masked: signature]'],
    ['signature-input', 'sig1=("@method")', '[masked: signature]'],
    ['x-hub-signature-256', 'sha256=1', '[masked: signature]'],
    ['x-anything', 'Bearer abcdefgh12', 'Bearer [masked: authorization]'],
    ['location', '/pay?token=abc&step=2', '/pay?token=[masked: token]&step=2'],
    // What helps a developer stays.
    ['idempotency-key', '5b1c', '5b1c'],
    ['content-type', 'application/json', 'application/json'],
    ['www-authenticate', 'Bearer error="invalid_token"', 'Bearer error="invalid_token"'],
    ['www-authenticate', 'Bearer resource_metadata="https://a.example"', null],
    ['ucp-agent', 'profile="https://aisle.example/.well-known/ucp-agent"', null],
    ['x-request-id', 'req_0123456789', null],
  ])('%s: %s', (name, value, expected) => {
    const { request, answer } = maskedExchange(
      raw({ headers: { [name]: value }, answer: { headers: { [name]: value } } }),
      [],
    )
    expect(request.headers).toEqual({ [name]: expected ?? value })
    expect(answer!.headers).toEqual({ [name]: expected ?? value })
  })
})

test.each([
  ['?key=abc&page=2', '?key=[masked: key]&page=2'],
  ['?api_key=abc', '?api_key=[masked: key]'],
  ['?access_token=abc#top', '?access_token=[masked: token]#top'],
  ['?X-Amz-Signature=abc', '?X-Amz-Signature=[masked: signature]'],
  ['?sig=abc;b=1', '?sig=[masked: signature];b=1'],
  ['?%74oken=abc', '?%74oken=[masked: token]'],
  ['?email=ada%40mail.example', '?email=[masked: email]'],
  ['?to=ada%40mail.example', '?to=[masked: email]'],
  ['?first_name=Ada', '?first_name=[masked: name]'],
  ['?q=key&sort=price', '?q=key&sort=price'],
  ['?idempotency_key=abc&tokens=3', '?idempotency_key=abc&tokens=3'],
])('the query %s', (query, expected) => {
  const masked = maskedExchange(raw({ url: `https://shop.example/a${query}` }), []).request.url
  expect(masked).toBe(`https://shop.example/a${expected}`)
})

describe('JSON', () => {
  test.each<[object, object]>([
    [{ token: 'a' }, { token: '[masked: token]' }],
    [
      { payment: { token: 'a', handler: 'b' } },
      { payment: { token: '[masked: token]', handler: 'b' } },
    ],
    [{ paymentToken: 'a' }, { paymentToken: '[masked: token]' }],
    [
      { client_secret: 'a', password: 'b' },
      { client_secret: '[masked: secret]', password: '[masked: secret]' },
    ],
    [
      { credential: { type: 'PAYMENT_GATEWAY', value: 'a', parts: ['b', 1] } },
      {
        credential: {
          type: 'PAYMENT_GATEWAY',
          value: '[masked: token]',
          parts: ['[masked: token]', '[masked: token]'],
        },
      },
    ],
    [
      { card: { number: '12', cvc: 123 } },
      { card: { number: '[masked: card]', cvc: '[masked: card]' } },
    ],
    [{ note: 4111111111111111 }, { note: '[masked: card]' }],
    [{ note: 'card 4111 1111-1111 1111.' }, { note: 'card [masked: card].' }],
    // Digits of a UUID that pass the check of a card, and a card beside it.
    [
      { note: 'dae0ccee-1189-8be4-1111-11111002abcd and 4111111111111111' },
      { note: 'dae0ccee-1189-8be4-1111-11111002abcd and [masked: card]' },
    ],
    [{ note: 'write to ada.king+1@mail.example now' }, { note: 'write to [masked: email] now' }],
    [
      { email: 'nonsense', phone_number: '1' },
      { email: '[masked: email]', phone_number: '[masked: phone]' },
    ],
    [
      { buyer: { first_name: 'Ada', lastName: 'King', name: 'Ada King' } },
      {
        buyer: { first_name: '[masked: name]', lastName: '[masked: name]', name: '[masked: name]' },
      },
    ],
    [
      {
        shipping_address: {
          name: 'Ada',
          street: '1 Pier Rd',
          city: 'Oakland',
          zip: '94607',
          country: 'US',
        },
      },
      {
        shipping_address: {
          name: '[masked: name]',
          street: '[masked: street]',
          city: 'Oakland',
          zip: '94607',
          country: 'US',
        },
      },
    ],
    [
      {
        fulfillment_details: {
          name: 'Ada',
          address: { line_one: '1', line_two: '2', state: 'CA' },
        },
      },
      {
        fulfillment_details: {
          name: '[masked: name]',
          address: { line_one: '[masked: street]', line_two: '[masked: street]', state: 'CA' },
        },
      },
    ],
    [
      { destinations: [{ street_address: ['1', '2'], address_country: 'US' }] },
      {
        destinations: [
          { street_address: ['[masked: street]', '[masked: street]'], address_country: 'US' },
        ],
      },
    ],
    [{ address: '1 Pier Rd, Oakland' }, { address: '[masked: address]' }],
    // Of a person only what is known to be harmless is shown.
    [
      {
        shipping_address: { apartment: '4B', floor: 3, address_locality: 'Oakland', zip: 94607 },
        buyer: { id: 'b_1', nickname: 'Countess', tags: ['vip'], consent: true, loyalty: { n: 7 } },
      },
      {
        shipping_address: {
          apartment: '[masked: personal]',
          floor: '[masked: personal]',
          address_locality: 'Oakland',
          zip: 94607,
        },
        buyer: {
          id: 'b_1',
          nickname: '[masked: personal]',
          tags: ['[masked: personal]'],
          consent: true,
          loyalty: { n: '[masked: personal]' },
        },
      },
    ],
    [
      { continue_url: 'https://a.example/?token=abc' },
      { continue_url: 'https://a.example/?token=[masked: token]' },
    ],
    // A tool of MCP answers with JSON in a text.
    [
      {
        result: {
          content: [{ type: 'text', text: JSON.stringify({ buyer: { name: 'Ada' }, total: 1 }) }],
        },
      },
      {
        result: {
          content: [
            { type: 'text', text: JSON.stringify({ buyer: { name: '[masked: name]' }, total: 1 }) },
          ],
        },
      },
    ],
  ])('%j', (value, expected) => {
    expect(json(value)).toEqual(expected)
  })

  test.each<object>([
    { title: 'Street shoes', name: 'Trail tent', description: 'For the token collector' },
    {
      shipping_options: [
        { id: 'standard', name: 'Standard', title: 'Standard', cost: { amount: 500 } },
      ],
    },
    {
      fulfillment: {
        methods: [{ groups: [{ options: [{ title: 'Standard', name: 'Standard' }] }] }],
      },
    },
    { line_items: [{ id: 'li_1', name: 'Tent', quantity: 2, line_total: 4 }] },
    { customer_notices: [{ content: 'Sold out' }], billing_address_parameters: { format: 'MIN' } },
    {
      options: [{ key: 'color', value: 'red' }],
      token_type: 'Bearer',
      authorization_url: 'https://a.example',
    },
    { idempotency_key: '5b1c', public_key: 'abc', mobile_url: 'https://a.example' },
    { gtin: '4006381333931', created: 1763892000000, amount: 1999 },
    {
      expires_at: '2026-11-23T10:15:00.000Z',
      version: '2026-08-25',
      url: 'https://ucp.dev/2026-08-25/x',
    },
    { email: null, phone: '', has_email: true, token: false },
    { message: 'A Bearer token is required. Basic authentication does not do.' },
    {
      messages: [
        { type: 'error', code: 'missing', path: '$.buyer.email', content: 'Please give an email.' },
      ],
    },
  ])('%j stays as it is, to the letter', (value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      expect(bodyOf(text)).toBe(text)
    }
  })

  test.each([
    ['{"token": "a', '{"token": "[masked: token]"'],
    ['{"buyer": {"name": "Ada", "x', '{"buyer": {"name": "[masked: name]", "x'],
    ['{"a": 1,, "token": "b"}', '{"a": 1,, "token": "[masked: token]"}'],
    ["{token: 'abc', b: 2}", "{token: '[masked: token]', b: 2}"],
    ['["a"]]]} "b" {"password":"c"}', '["a"]]]} "b" {"password":"[masked: secret]"}'],
    ['{"\\u0074oken":"a"}', '{"\\u0074oken":"[masked: token]"}'],
    ['{"n":"\\u0034111111111111111"}', '{"n":"[masked: card]"}'],
    ['\uFEFF {"token":"a"}', '\uFEFF {"token":"[masked: token]"}'],
    ['{"pin": 1234 , "b": 1}', '{"pin": "[masked: secret]" , "b": 1}'],
    [' 1.3191720848491094e+264\n', ' "1.[masked: card]e+264"\n'],
  ])('%s, broken or written oddly', (body, expected) => {
    expect(bodyOf(body)).toBe(expected)
  })
})

test.each([
  ['token=abc&item=1', 'token=[masked: token]&item=1'],
  [
    '<a href="/?key=abc">write to ada@mail.example</a>',
    '<a href="/?key=[masked: key]">write to [masked: email]</a>',
  ],
  [
    '<script>var a = {"apiKey": "abc"}</script>',
    '<script>var a = {"apiKey": "[masked: key]"}</script>',
  ],
  ['https://user:pass@localhost/', 'https://user:[masked: secret]@localhost/'],
  ['sk_live_0123456789abcdef', '[masked: secret]'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', '[masked: token]'],
  ['a_sid-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0', 'a_sid-[masked: token]'],
  ['The token is not valid: expired.', 'The token is not valid: expired.'],
  ['Time: 10:15, total: 12345678 USD', 'Time: 10:15, total: 12345678 USD'],
])('as text: %s', (body, expected) => {
  expect(bodyOf(body)).toBe(expected)
})

/** All places in which a secret may come back, and all ways of writing it. */
const WRITTEN: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  url: encodeURIComponent,
  'lower-case url': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (it) => it.toLowerCase()),
  form: (secret) => encodeURIComponent(secret).replaceAll('%20', '+'),
  json: (secret) => JSON.stringify(secret),
  'json in json': (secret) => JSON.stringify(JSON.stringify({ a: secret })),
  'json with escapes': (secret) =>
    `"${[...secret].map((it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
  'json with escaped slashes': (secret) => JSON.stringify(secret).replaceAll('/', '\\/'),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'base64 after one byte': (secret) => Buffer.from(`a${secret}`).toString('base64'),
  'base64 of Basic': (secret) => Buffer.from(`me:${secret}`).toString('base64'),
  html: (secret) => secret.replaceAll('"', '&quot;'),
}

describe.each(Object.entries(WRITTEN))('a secret, %s', (name, write) => {
  const written = write(SECRET)
  const core = written.replace(/^\W+|\W+$/g, '').slice(4, 16)
  const isJsonOnly = name === 'json with escapes'
  test.each<[string, RawExchange]>([
    ['a text', raw({ answer: { body: `before ${written} after` } })],
    [
      'JSON',
      raw({
        sent: `{"a": ["x", ${written.startsWith('"') ? written : `"${written.replaceAll('"', '\\"')}"`}]}`,
      }),
    ],
    [
      'a key',
      raw({
        answer: { body: `{${written.startsWith('"') ? written : JSON.stringify(written)}: 1}` },
      }),
    ],
    ['what only looks like JSON', raw({ answer: { body: `{nearly ${written}` } })],
    ['a header', raw({ answer: { headers: { 'x-echo': written } } })],
    ['the name of a header', raw({ headers: { [`x-${written}`]: '1' } })],
    ['an address', raw({ url: `https://shop.example/${written}/a` })],
    ['a failure', { ...raw({}), answer: null, failure: `no ${written}` }],
    [
      'the end of a body that is cut',
      raw({ answer: { body: `${'a'.repeat(MAX_MASKED_BODY - 9)}${written}` } }),
    ],
    [
      'the end of JSON that is cut',
      raw({
        answer: { body: `{"a":"${'a'.repeat(MAX_MASKED_BODY - 12)}${written.replace(/^"/, '')}` },
      }),
    ],
  ])('in %s is masked', (place, exchange) => {
    // Escapes are read in JSON alone: elsewhere they are not the secret, but these letters.
    if (isJsonOnly && !['JSON', 'a key', 'what only looks like JSON'].includes(place)) return
    const masked = JSON.stringify(maskedExchange(exchange, [SECRET]))
    // Not `toContain`: it would print megabytes.
    expect(masked.includes(core)).toBe(false)
    expect(masked.includes(JSON.stringify(core).slice(1, -1))).toBe(false)
    if (!place.includes('is cut')) expect(masked).toContain('[masked: secret]')
  })
})

const withhold = withholder(['tok_a/b+c', 'Bearer agent:key'])

describe('what was concluded', () => {
  test.each([
    ['as it is', 'paid with tok_a/b+c today', 'paid with [masked: secret] today'],
    ['twice', 'tok_a/b+ctok_a/b+c', '[masked: secret][masked: secret]'],
    ['in a URL', 'https://x.example/?t=tok_a%2Fb%2Bc', 'https://x.example/?t=[masked: secret]'],
    ['as JSON of others escapes it', '{"t":"tok_a\\/b+c"}', '{"t":"[masked: secret]"}'],
    ['with its scheme', 'Bearer agent:key', '[masked: secret]'],
    ['without its scheme', 'key agent:key is unknown', 'key [masked: secret] is unknown'],
    ['a scheme alone is none', 'WWW-Authenticate: Bearer', 'WWW-Authenticate: Bearer'],
    ['another is none', 'tok_a', 'tok_a'],
  ])('a secret %s', (_, text, expected) => {
    expect(withhold(text)).toBe(expected)
  })

  test('wherever it stands, names included; everything else is as it was', () => {
    const value = {
      a: ['tok_a/b+c', 1, null, true],
      'tok_a/b+c': { deep: 'agent:key' },
      b: undefined,
    }
    expect(withhold(value)).toEqual({
      a: ['[masked: secret]', 1, null, true],
      '[masked: secret]': { deep: '[masked: secret]' },
      b: undefined,
    })
  })

  test('a secret that is a part of another leaves nothing of that', () => {
    expect(withholder(['tok_1', 'tok_123'])('tok_123')).toBe('[masked: secret]')
  })

  test('without secrets texts become what Postgres can store', () => {
    expect(withholder([])({ a: 'x\u0000y\ud800z' })).toEqual({ a: 'x\ufffdy\ufffdz' })
    expect(withholder([])('😀')).toBe('😀')
  })
})

describe('sizes', () => {
  test('bytes are those of UTF-8, before masking', () => {
    const sent = 'aé€😀\ud800'
    const { request, answer } = maskedExchange(raw({ sent, answer: { body: sent } }), [])
    expect(request.bytes).toBe(Buffer.byteLength(sent))
    expect(answer!.bytes).toBe(Buffer.byteLength(sent))
  })

  test.each([
    ['a'.repeat(MAX_MASKED_BODY), false],
    ['a'.repeat(MAX_MASKED_BODY + 1), true],
    [`{"a":"${'b'.repeat(MAX_MASKED_BODY)}"}`, true],
    [`${'a'.repeat(MAX_MASKED_BODY - 1)}😀`, true],
  ])('a long body is cut: %#', (body, cut) => {
    const { answer } = maskedExchange(raw({ answer: { body } }), [])
    expect(answer!.cut).toBe(cut)
    expect(answer!.body.length).toBeLessThanOrEqual(MAX_MASKED_BODY)
    expect(answer!.body.isWellFormed()).toBe(true)
    expect(body.startsWith(answer!.body)).toBe(true)
    expect(answer!.bytes).toBe(Buffer.byteLength(body))
  })

  test('a body that was not read to its end is cut', () => {
    expect(maskedExchange(raw({ answer: { body: '{}', truncated: true } }), []).answer!.cut).toBe(
      true,
    )
  })
})

/** Five megabytes each: all are read once, in a time that does not depend on what they are. */
test.each<[string, string]>([
  ['nesting', '['.repeat(100_000)],
  ['nesting of objects', '{"token":'.repeat(100_000)],
  ['closing', ']'.repeat(5_000_000)],
  ['quotes', '{"'.repeat(2_500_000)],
  ['backslashes', `{"a":"${'\\'.repeat(5_000_000)}`],
  ['words', 'a'.repeat(5_000_000)],
  ['words in JSON', `["${'a.b-'.repeat(1_250_000)}"]`],
  ['at signs', '@a'.repeat(2_500_000)],
  ['equals', 'a='.repeat(2_500_000)],
  ['names of tokens', '{"token":"a",'.repeat(400_000)],
  ['digits', '4'.repeat(5_000_000)],
  ['digits with spaces', '4 '.repeat(2_500_000)],
  ['spaces', `{"token":${' '.repeat(5_000_000)}1`],
  ['numbers and spaces', `{"token": ${'1   '.repeat(1_250_000)}`],
  ['inner JSON', JSON.stringify(JSON.stringify(JSON.stringify({ a: '"'.repeat(300_000) })))],
  ['bearers', 'bearer '.repeat(700_000)],
  ['emails', 'ada@mail.example '.repeat(300_000)],
  ['secrets', 'secret-01'.repeat(500_000)],
  ['beginnings of tokens', 'eyJ-'.repeat(1_250_000)],
])('hostile: %s', (_, body) => {
  const { answer } = maskedExchange(raw({ answer: { body }, sent: body }), ['secret-01'])
  expect(answer!.body.length).toBeLessThanOrEqual(MAX_MASKED_BODY)
})

// Each would take minutes, were it read on from every beginning in it.
test.each([
  ['in one word', 'eyJ-'.repeat(2_000_000)],
  ['in words as long as a token', `${'eyJ-'.repeat(1_000)} `.repeat(2_000)],
])('many beginnings of tokens, %s, come to an end', (_, text) => {
  expect(maskedTextOf(text, [], text.length) === text).toBe(true)
})

test.each(['1.3191720848491094e+264', ' 4242424242424242 ', '-4242424242424242'])(
  'the number %s is masked, and stays JSON',
  (number) => {
    expect(JSON.parse(bodyOf(number))).toContain('[masked: card]')
  },
)

test('any text is masked without a fault, and what is JSON stays JSON', () => {
  fc.assert(
    fc.property(fc.json(), anyText({ maxLength: 40 }), (body, secret) => {
      JSON.parse(bodyOf(body))
      bodyOf(secret + body, [secret])
    }),
    { examples: [['1.3191720848491094e+264', '']] },
  )
})

test('no secret survives in any JSON', () => {
  fc.assert(
    fc.property(
      fc
        .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 30 })
        .filter((it) => !'[masked: secret]'.includes(it)),
      fc.object({ maxDepth: 2 }),
      fc.string(),
      (secret, value, key) => {
        const body = JSON.stringify({ ...value, [key]: [`a ${secret} b`] }, null, 1)
        expect(JSON.stringify(JSON.parse(bodyOf(body, [secret])))).not.toContain(
          JSON.stringify(secret).slice(1, -1),
        )
      },
    ),
  )
})
