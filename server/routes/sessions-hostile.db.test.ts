import { beforeEach, expect, test } from 'vitest'
import { BEACON, beacon, beaconApp, SHOP } from '../attribution/beacon/testing/beacon.ts'

const { lines, ask, recorded, refused, reset } = await beaconApp()
beforeEach(reset)

const HOSTILE: [name: string, body: string | Uint8Array, status: number, details?: string[]][] = [
  ['nothing', '', 400],
  ['no JSON', '{"id":', 400],
  ['a form', 'id=session-0001', 400],
  ['a NUL', '\u0000', 400],
  ['invalid UTF-8', new Uint8Array([0xff, 0xfe, 0x7b]), 400],
  ['deep arrays', '['.repeat(2000) + ']'.repeat(2000), 422, ['body invalid_type']],
  ['deep objects', `{"id":${'{"a":'.repeat(600)}1${'}'.repeat(600)}}`, 422],
  ['an array', `[${JSON.stringify(BEACON)}]`, 422, ['body invalid_type']],
  ['null', 'null', 422, ['body invalid_type']],
  ['a number', '1e999', 422, ['body invalid_type']],
  ['no fields', '{}', 422],
  ['__proto__', `{"__proto__":{"id":"x"},${JSON.stringify(BEACON).slice(1)}`, 422],
  ['constructor', beacon({ constructor: 1 }), 422, ['constructor unknown_field']],
  ['an unknown field', beacon({ email: 'me' }), 422, ['email unknown_field']],
  ['a short id', beacon({ id: 'short' }), 422, ['id invalid_format']],
  ['an id with a NUL', beacon({ id: 'session-\u0000001' }), 422, ['id invalid_format']],
  ['an id that is an object', beacon({ id: { toString: 1 } }), 422, ['id invalid_type']],
  ['a long referrer', beacon({ referrer: 'x'.repeat(301) }), 422, ['referrer too_big']],
  ['a referrer that is an array', beacon({ referrer: [] }), 422, ['referrer invalid_type']],
  ['a long landing', beacon({ landing: 'x'.repeat(3501) }), 422, ['landing too_big']],
  ['a confidence of 2', beacon({ confidence: 2 }), 422, ['confidence too_big']],
  ['a confidence as text', beacon({ confidence: '1' }), 422, ['confidence invalid_type']],
  ['a surface in words', beacon({ surface: 'a b\u0000' }), 422, ['surface invalid_format']],
  ['a model with a lone surrogate', beacon({ model: '\ud800' }), 422, ['model invalid_format']],
  ['text_fragment as text', beacon({ text_fragment: 'yes' }), 422, ['text_fragment invalid_type']],
]

test.each(HOSTILE)('%s is refused', async (_, body, status, details) => {
  const before = lines.length
  const answer = await ask({ body })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
  const { error } = await answer.json()
  expect(error.code).toBe(status === 400 ? 'malformed_json' : 'invalid_request')
  expect(error.message).toMatch(/[.]$/)
  if (details) {
    const said = error.details.map((each: Record<string, string>) => `${each.field} ${each.code}`)
    expect(said).toEqual(details)
  }
  expect(recorded).toEqual([])
  expect(refused).toEqual(['rejected'])
  // No line for each: see log-sums.db.test.ts.
  expect(lines.length - before).toBe(0)
  expect(Object.getPrototypeOf({})).not.toHaveProperty('id')
})

test.each([
  ['a landing that is no URL', { landing: 'x' }, ''],
  ['a lone surrogate', { landing: `${SHOP}/?utm_source=\ud800` }, `${SHOP}/?utm_source=%EF%BF%BD`],
  ['a NUL', { landing: `${SHOP}/?utm_source=\u0000x` }, `${SHOP}/?utm_source=%00x`],
  ['a landing with a password', { landing: 'https://a:b@www.shop.example/x' }, `${SHOP}/`],
  [
    'a foreign landing',
    { landing: 'https://evil.example/?utm_medium=ai' },
    'https://evil.example/?utm_medium=ai',
  ],
])('%s is kept as text that any table holds', async (_, change, landing) => {
  const answer = await ask({ body: beacon(change) })
  expect(await answer.json()).toMatchObject({ status: 'recorded' })
  expect(recorded[0]?.properties.landing).toBe(landing)
})

const refusal = async (answer: Response, code: string, message: string) => {
  const request_id = answer.headers.get('X-Request-Id')
  expect(await answer.json()).toEqual({ error: { code, message, request_id } })
  expect(recorded).toEqual([])
}

test.each(['application/x-www-form-urlencoded', 'text/plainx', 'text/html', ''])(
  'a body of %j is refused',
  async (type) => {
    const answer = await ask({ headers: { 'Content-Type': type } })
    expect(answer.status).toBe(415)
    const message = 'Send the body as JSON, with the header "Content-Type: text/plain".'
    await refusal(answer, 'unsupported_media_type', message)
  },
)

test('a body of more than 4 KiB is refused, one of 4 KiB is read', async () => {
  const padded = (length: number) => {
    const text = beacon({ landing: `${SHOP}/` })
    return text.slice(0, -1) + ' '.repeat(length - text.length) + text.slice(-1)
  }
  expect((await ask({ body: padded(4096) })).status).toBe(200)
  recorded.length = 0
  const answer = await ask({ body: padded(4097) })
  expect(answer.status).toBe(413)
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(SHOP)
  await refusal(answer, 'body_too_large', 'The body is over 4 KiB. Send a smaller one.')
})

test('what is wrong is said in full', async () => {
  await refusal(
    await ask({ body: '{' }),
    'malformed_json',
    'The body is not valid JSON. Check its syntax.',
  )
  const answer = await ask({ body: beacon({ id: 7, email: 'me' }) })
  expect((await answer.json()).error).toEqual({
    code: 'invalid_request',
    message: 'Correct id, email: see details.',
    details: [
      { field: 'id', code: 'invalid_type', message: 'Send a string.' },
      {
        field: 'email',
        code: 'unknown_field',
        message: 'This field does not exist. Leave it out, or check its spelling.',
      },
    ],
    request_id: answer.headers.get('X-Request-Id'),
  })
})
