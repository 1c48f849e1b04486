import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { UCP } from '../../protocols/ucp/versions.ts'
import { MAX_FINDINGS } from './findings.ts'
import { inspectAny } from './profile.ts'

const many = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: 100_000 }, (_, i) => make(i))
const named = (value: (index: number) => unknown) =>
  Object.fromEntries(many((index) => [`com.a${index}.b`, value(index)]))

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'core'
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}
const deep = nested(10_000, (inner) => [inner])
const deepObject = nested(10_000, (properties) => ({ properties: { a: properties } }))

const HOSTILE: [string, unknown][] = [
  ['depth as the envelope', { version: deep, services: deep }],
  ['depth everywhere', { services: deep, capabilities: deep, payment_handlers: deep }],
  ['depth as a service', { services: { 'com.a.b': [deep, deepObject] }, capabilities: [deep] }],
  [
    'depth as a constraint',
    {
      payment_handlers: {
        'com.a.b': [
          {
            available_instruments: [
              { type: 'card', constraints: deepObject },
              { type: 'card', constraints: { properties: { a: { enum: [deep, deep] } } } },
            ],
          },
        ],
      },
    },
  ],
  ['depth in a free field', { capabilities: { 'com.a.b': [{ config: { deep } }] }, more: deep }],
  [
    'a long list of nothing',
    { services: { 'com.a.b': many(() => null) }, capabilities: many(() => 1) },
  ],
  ['a long list of bad entries', { services: named(() => [{}]), capabilities: named(() => [{}]) }],
  [
    'a long list of bad values in one entry',
    {
      capabilities: { 'com.a.b': [{ extends: many(() => 1) }] },
      services: {
        'com.a.b': [
          { version: '2026-01-23', transport: 'embedded', config: { delegate: many(() => 1) } },
        ],
      },
    },
  ],
  [
    'a chain of extensions, its root last',
    {
      capabilities: {
        ...named((index) => [{ version: '2026-04-08', extends: `com.a${index + 1}.b` }]),
        'com.a100000.b': [{ version: '2026-04-08' }],
      },
      services: {},
      payment_handlers: {},
    },
  ],
  [
    'a circle of extensions',
    {
      capabilities: {
        'com.a.b': [{ extends: 'com.c.d' }],
        'com.c.d': [{ extends: 'com.a.b' }],
      },
    },
  ],
  [
    'long names',
    { services: { [`a${'.a'.repeat(1_000_000)}!`]: [], ['a'.repeat(1_000_000)]: [] } },
  ],
  [
    'a long URL',
    {
      services: {
        'com.a.b': [{ endpoint: `https://${'a@'.repeat(1_000_000)}`, transport: 'rest' }],
      },
    },
  ],
  [
    'names of the language',
    JSON.parse(
      '{"services":{"__proto__":[{"transport":"rest"}],"constructor":[]},"__proto__":{"version":"2026-04-08"},"capabilities":{"toString":1}}',
    ),
  ],
]

// Each in one version: their schemas are made of the same parts.
test.each(HOSTILE.map(([name, ucp], n) => [name, UCP.all[n % UCP.all.length], ucp] as const))(
  '%s, in %s',
  (_name, version, ucp) => {
    const document = { ...Object(ucp), version }
    const { errors, warnings } = inspectAny({ ucp: document, keys: many(() => ({ d: '' })) })
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.length).toBeLessThanOrEqual(MAX_FINDINGS)
    expect(warnings.length).toBeLessThanOrEqual(MAX_FINDINGS + 2)
    expect(JSON.stringify([errors, warnings]).length).toBeLessThan(200_000)
  },
)

test('says that errors were left out', () => {
  const { errors, warnings } = inspectAny({
    ucp: { version: '2026-04-08', services: named(() => 1), payment_handlers: {} },
  })
  expect(errors).toHaveLength(100)
  expect(warnings[0]).toBe('Only the first 100 errors are listed.')
})

test('a hostile key is judged, not obeyed', () => {
  const { errors, capabilities } = inspectAny({
    ucp: {
      version: '2026-04-08',
      services: {},
      payment_handlers: {},
      capabilities: JSON.parse('{"__proto__":[{"version":"2026-04-08"}]}'),
    },
  })
  expect(errors.map(({ field, code }) => [field, code])).toEqual([
    ['ucp.capabilities.__proto__', 'invalid_value'],
  ])
  expect(capabilities).toEqual(['__proto__'])
  expect(Object.hasOwn(Object.prototype, 'version')).toBe(false)
})

test('control characters of a key do not reach a terminal', () => {
  const { errors } = inspectAny({
    ucp: { version: '2026-04-08', services: { '\u001b[2J': [] }, payment_handlers: {} },
  })
  expect(errors[0]!.field).toBe('ucp.services.\uFFFD[2J')
})

const FIELDS = [
  ...['ucp', 'version', 'services', 'capabilities', 'payment_handlers', 'supported_versions'],
  ...[
    'transport',
    'endpoint',
    'schema',
    'extends',
    'keys',
    'payment',
    'handlers',
    'name',
    'config',
  ],
  ...['__proto__', 'com.a.b', 'dev.ucp.shopping', 'dev.ucp.shopping.checkout'],
  ...['available_instruments', 'constraints', 'properties', 'enum', 'domain', 'product_catalog'],
]
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 7, withCrossShrink: true },
    fc.constantFrom(...UCP.all, '1.0', 'rest', 'https://a.example', 'com.a.b', '', 0, null, true),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('json'), { maxKeys: 6, noNullPrototype: false }),
  ),
}))

test('any JSON gets an answer, and only a document without errors of the schema is shoppable', () =>
  fc.assert(
    fc.property(json, fc.constantFrom(...UCP.all), fc.boolean(), (value, version, dated) => {
      const ucp = dated && typeof value === 'object' ? { ...value, version } : value
      const found = inspectAny({ ucp, keys: value, payment: value })
      expect(found.errors.length).toBeLessThanOrEqual(MAX_FINDINGS)
      if (found.errors.some(({ ours }) => !ours)) expect(found.shoppable).toBe(false)
      inspectAny(value, { domain: 'shop.example' })
    }),
  ))
