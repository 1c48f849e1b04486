import { describe, expect, test } from 'vitest'
import { UCP } from '../../protocols/ucp/versions.ts'
import { inspectAny, inspectProfile } from './profile.ts'
import { ecKey, type Json, mutated, PROFILES } from './testing/profiles.ts'

const listed = ({ errors }: ReturnType<typeof inspectAny>) =>
  errors.map(({ field, code, ours }) => `${field} ${code}${ours ? ' ours' : ''}`)

describe.each(UCP.all)('%s', (version) => {
  test('has nothing to say about a whole profile', () => {
    const { capabilities, ...found } = inspectAny(PROFILES[version], { domain: 'shop.example' })
    const over = version === '2026-01-11' ? 'rest, mcp, a2a' : 'rest, mcp'
    const reason = `Agents reach the checkout over ${over}.`
    expect(found).toEqual({
      dialect: version,
      errors: [],
      // What an agent of today does with an old version, and nothing else.
      warnings:
        version < '2026-01-23'
          ? [expect.stringContaining(`ucp.version is "${version}". Agents that speak 2026-01-23`)]
          : [],
      dropped: [],
      drop_warnings: [],
      shoppable: true,
      shoppable_reason: reason,
      read: { overlooked: [], errors: [], shoppable: true, shoppable_reason: reason },
      services: expect.arrayContaining([
        {
          service: 'dev.ucp.shopping',
          transport: 'rest',
          endpoint: 'https://shop.example/ucp',
        },
        { service: 'dev.ucp.shopping', transport: 'embedded', endpoint: null },
      ]),
    })
    expect(capabilities).toContain('dev.ucp.shopping.checkout')
  })

  test('has no error for extra fields, foreign endpoints or a lack of keys', () => {
    const { keys, signing_keys, ...profile } = structuredClone(PROFILES[version])
    profile.merchant = { name: 'A shop' }
    profile.ucp.more = [1]
    expect(listed(inspectAny(profile, { domain: 'www.brand.example' }))).toEqual([])
  })
})

const SERVICE = 'ucp.services.[dev.ucp.shopping]'
const CHECKOUT = 'ucp.capabilities.[dev.ucp.shopping.checkout]'
const FULFILLMENT = 'ucp.capabilities.[dev.ucp.shopping.fulfillment]'
const HANDLER = 'ucp.payment_handlers.[com.psp.card]'
const MAPS = ['2026-01-23', '2026-04-08', '2026-08-25']
const LATE = ['2026-04-08', '2026-08-25']
const LATEST = ['2026-08-25']
const LEGACY_KEYS = ['2026-01-11', '2026-01-23', '2026-04-08']
const FIRST_ONLY = ['2026-01-11']

const instruments = (constraints: unknown) => [{ type: 'card', constraints }]

const MUTATIONS: [versions: string[], path: string, value: unknown, ...found: string[]][] = [
  [[...UCP.all], 'ucp.services', undefined, 'ucp.services required'],
  [[...UCP.all], 'ucp.services', [], 'ucp.services invalid_type'],

  [FIRST_ONLY, 'ucp.capabilities', undefined, 'ucp.capabilities required'],
  [FIRST_ONLY, 'ucp.capabilities', {}, 'ucp.capabilities invalid_type'],
  [FIRST_ONLY, 'ucp.capabilities.0.name', 'Checkout', '= invalid_value'],
  [FIRST_ONLY, 'ucp.capabilities.0.spec', undefined, '= required'],
  [FIRST_ONLY, 'ucp.capabilities.0.schema', 'checkout.json', '= invalid_url'],
  [FIRST_ONLY, 'ucp.capabilities.0.version', '1.0', '= invalid_version'],
  [FIRST_ONLY, 'ucp.capabilities.2.extends', ['dev.ucp.shopping.checkout'], '= invalid_type'],
  [FIRST_ONLY, `${SERVICE}.version`, undefined, '= required'],
  [FIRST_ONLY, `${SERVICE}.spec`, undefined, '= required'],
  [FIRST_ONLY, `${SERVICE}.rest.endpoint`, undefined, '= required'],
  [FIRST_ONLY, `${SERVICE}.rest.endpoint`, '/ucp', '= invalid_url'],
  [FIRST_ONLY, `${SERVICE}.rest.endpoint`, 'http://shop.example'],
  [FIRST_ONLY, `${SERVICE}.mcp.schema`, undefined, '= required'],
  [FIRST_ONLY, `${SERVICE}.a2a`, 'https://shop.example', '= invalid_type'],
  [FIRST_ONLY, 'payment', [], 'payment invalid_type'],
  [FIRST_ONLY, 'payment.handlers', {}, 'payment.handlers invalid_type'],
  [FIRST_ONLY, 'payment.handlers.0.config', undefined, '= required'],
  [FIRST_ONLY, 'payment.handlers.0.instrument_schemas.0', 7, '= invalid_type'],

  [MAPS, 'ucp.payment_handlers', undefined, 'ucp.payment_handlers required'],
  [MAPS, 'ucp.capabilities', [], 'ucp.capabilities invalid_type'],
  [MAPS, 'ucp.capabilities.[Check.out]', [], 'ucp.capabilities.Check.out invalid_value'],
  [MAPS, SERVICE, {}, '= invalid_type'],
  [MAPS, `${SERVICE}.0`, null, '= invalid_type'],
  [MAPS, `${SERVICE}.0.transport`, undefined, '= required'],
  [MAPS, `${SERVICE}.0.transport`, 'soap', '= invalid_value'],
  [MAPS, `${SERVICE}.0.endpoint`, undefined, '= required'],
  [MAPS, `${SERVICE}.0.endpoint`, 'http://shop.example'],
  [MAPS, `${SERVICE}.0.endpoint`, 'https://a:b@shop.example'],
  [MAPS, `${SERVICE}.2.config`, { delegate: 'all' }, '=.delegate invalid_type'],
  [LATE, `${SERVICE}.2.config`, { color_scheme: ['sepia'] }, '=.color_scheme.0 invalid_value'],
  [MAPS, `${CHECKOUT}.0.version`, 20260408, '= invalid_type'],
  [MAPS, `${CHECKOUT}.0.config`, 'none', '= invalid_type'],
  [LATEST, `${CHECKOUT}.0.schema`, undefined, '= required'],
  [['2026-01-23', '2026-04-08'], `${CHECKOUT}.0.schema`, undefined],
  [['2026-01-23'], `${FULFILLMENT}.0.extends`, ['dev.ucp.shopping.checkout'], '= invalid_type'],
  [LATE, `${FULFILLMENT}.0.extends`, ['dev.ucp.shopping.cart', 'dev.ucp.shopping.checkout']],
  [LATE, `${FULFILLMENT}.0.extends`, [], '= invalid_value'],
  [['2026-01-23', '2026-04-08'], 'ucp.capabilities.[com.a-b.c]', [], '= invalid_value'],
  [LATEST, 'ucp.capabilities.[com.a-b.c]', []],
  [MAPS, `${HANDLER}.0.id`, undefined, '= required'],
  [LATE, `${HANDLER}.0.available_instruments`, [], '= invalid_value'],
  [LATE, `${HANDLER}.0.available_instruments`, [{}], '=.0.type required'],
  [['2026-04-08'], `${HANDLER}.0.available_instruments`, instruments({ brands: ['visa'] })],
  [
    ['2026-04-08'],
    `${HANDLER}.0.available_instruments`,
    instruments({}),
    '=.0.constraints invalid_value',
  ],
  [
    LATEST,
    `${HANDLER}.0.available_instruments`,
    instruments({
      properties: { brand: { enum: ['visa', 'amex'] } },
      anyOf: [{ required: ['a'] }],
    }),
  ],
  [
    LATEST,
    `${HANDLER}.0.available_instruments`,
    instruments({ brands: ['visa'] }),
    '=.0.constraints.brands invalid_value',
  ],
  [
    LATEST,
    `${HANDLER}.0.available_instruments`,
    instruments({
      properties: {
        brand: {
          enum: [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
        },
      },
    }),
    '=.0.constraints.properties.brand.enum invalid_value',
  ],
  [LATE, 'ucp.status', 'fine', '= invalid_value'],
  [LATE, 'ucp.supported_versions', { '2026-01-23': 'https://shop.example/old' }],
  [LATE, 'ucp.supported_versions', { old: 'https://shop.example' }, '=.old invalid_version'],
  [LATE, 'ucp.supported_versions', { '2026-01-23': 1 }, '=.2026-01-23 invalid_type'],
  [LATEST, 'ucp.map_order', { services: 'a' }, '=.services invalid_type'],

  [LEGACY_KEYS, 'signing_keys', {}, 'signing_keys invalid_type'],
  [LEGACY_KEYS, 'signing_keys.0.kid', undefined, '= required'],
  [LEGACY_KEYS, 'signing_keys.0.use', 'wrap', '= invalid_value'],
  [LEGACY_KEYS, 'signing_keys.0.d', 'secret', '= private_key ours'],
  [LEGACY_KEYS, 'keys', [{ oth: [] }], 'keys.0.oth private_key ours'],
  [LATEST, 'keys.0.kty', undefined, '= required'],
  [LATEST, 'keys.0.y', undefined, '= required'],
  [LATEST, 'keys.0.alg', 'ES384', '= invalid_value'],
  [LATEST, 'keys.0.use', 'wrap'],
  [LATEST, 'keys.0.d', 'secret', '= private_key'],
  [LATEST, 'keys.1', { kid: 'k2', kty: 'OKP', crv: 'Ed25519' }, '=.x required'],
  [LATEST, 'keys.1', { kid: 'k2', kty: 'oct', k: 'AA' }, '=.k private_key'],
  [LATEST, 'keys.1', { kid: 'k2', kty: 'PQ', crv: 'toString' }],
  [LATEST, 'signing_keys', [{ d: 'secret' }], 'signing_keys.0.d private_key ours'],
]

describe.each(MUTATIONS)('%j with %s = %j', (versions, path, value, ...found) => {
  const field = path.replace(/[[\]]/g, '')
  const expected = found.map((each) => each.replace(/^=/, field))
  test.each(versions)('in %s', (version) => {
    expect(listed(inspectAny(mutated(PROFILES[version], path, value)))).toEqual(expected)
  })
})

const OFFERS: [string, Json, boolean, reason: string, warning: string][] = [
  ['an empty registry', { services: {}, capabilities: {} }, false, 'is empty', ''],
  ['no capabilities', { capabilities: undefined }, false, 'checkout is not offered', ''],
  ['no services', { services: {} }, false, 'no rest, mcp or a2a endpoint', ''],
  [
    'an endpoint that is not https',
    { 'services.[dev.ucp.shopping].0.endpoint': 'http://a.example' },
    true,
    'over mcp',
    'Must be an https URL, is "http://a.example". Agents drop "dev.ucp.shopping" over rest.',
  ],
  [
    'a checkout whose schema is elsewhere',
    { 'capabilities.[dev.ucp.shopping.checkout].0.schema': 'https://cdn.example/a.json' },
    false,
    'agents drop it',
    'is on cdn.example, which does not own the name',
  ],
  [
    'a service whose schema is elsewhere',
    { 'services.[dev.ucp.shopping].1.schema': 'https://cdn.example/a.json' },
    true,
    'over rest.',
    'services.dev.ucp.shopping.1.schema',
  ],
  [
    'an extension without its parent',
    { 'capabilities.[dev.ucp.shopping.fulfillment].0.extends': 'dev.ucp.shopping.cart' },
    true,
    'over rest, mcp',
    'extends "dev.ucp.shopping.cart", which is not offered',
  ],
  [
    'an extension of an extension without its parent',
    {
      'capabilities.[dev.ucp.shopping.fulfillment].0.extends': 'dev.ucp.shopping.cart',
      'capabilities.[com.a.b]': [
        { version: '2026-04-08', extends: ['dev.ucp.shopping.fulfillment'] },
      ],
    },
    true,
    'over rest, mcp',
    'capabilities.com.a.b.0 extends "dev.ucp.shopping.fulfillment"',
  ],
  [
    'a slash at the end',
    { 'services.[dev.ucp.shopping].0.endpoint': 'https://shop.example/ucp/' },
    true,
    'over',
    'ends in "/"',
  ],
  [
    'an endpoint on a platform',
    { 'services.[dev.ucp.shopping].0.endpoint': 'https://p.example' },
    true,
    'over',
    'Orders go to p.example, not to shop.example',
  ],
  ['no payment handler', { payment_handlers: {} }, true, 'over', 'buyers pay on your own pages'],
  [
    'a broken entry',
    { 'services.[dev.ucp.shopping].0.version': '1' },
    false,
    'violates version 2026-04-08',
    '',
  ],
  [
    'an old version over http',
    { supported_versions: { '2026-01-23': 'http://a.example' } },
    true,
    'over',
    'ucp.supported_versions.2026-01-23',
  ],
]

test.each(OFFERS)('%s', (_name, changes, shoppable, reason, warning) => {
  const profile = Object.entries(changes).reduce(
    (found, [path, value]) => mutated(found, `ucp.${path}`, value),
    PROFILES['2026-04-08'],
  )
  const found = inspectProfile(profile, { domain: 'shop.example' })
  expect(found.shoppable).toBe(shoppable)
  expect(found.shoppable_reason).toContain(reason)
  expect(found.warnings.join('\n')).toContain(warning)
})

test('the keys of another version are ignored, and a leaf profile must not nest', () => {
  const old = { ...PROFILES['2026-08-25'], signing_keys: [ecKey] }
  expect(inspectAny(old).warnings).toEqual([expect.stringContaining('signing_keys is ignored')])
  const leaf = mutated(PROFILES['2026-04-08'], 'ucp.supported_versions', {})
  expect(inspectAny(leaf).warnings).toEqual([])
  expect(inspectAny(leaf, { leaf: true }).warnings).toHaveLength(1)
})

const manifest = {
  version: '1.0',
  domain: 'shop.example',
  capabilities: {
    product_catalog: { endpoint: 'https://shop.example/p', format: 'json', version: '1.0' },
    checkout: {
      endpoint: 'https://shop.example/c',
      supported_methods: ['POST'],
      requires_authentication: false,
      version: '1.0',
    },
  },
}

test('the manifest of the spec is judged by its own rules', () => {
  const found = inspectAny(manifest, { domain: 'shop.example' })
  expect(found).toMatchObject({
    dialect: '1.0',
    errors: [],
    shoppable: true,
    capabilities: ['product_catalog', 'checkout'],
    services: [
      { service: 'product_catalog', transport: 'rest', endpoint: 'https://shop.example/p' },
      { service: 'checkout', transport: 'rest', endpoint: 'https://shop.example/c' },
    ],
  })
  const closed = mutated(manifest, 'capabilities.checkout.requires_authentication', true)
  expect(inspectAny(closed).shoppable).toBe(false)
  expect(listed(inspectAny(manifest, { domain: 'other.example' }))).toEqual([
    'domain domain_mismatch',
  ])
})

test.each(['https://shop.example/a p i', `https://shop.example/${'/'.repeat(10_000)}a`])(
  'no agent is sent to what is no URI: %.60s',
  (endpoint) => {
    const path = 'ucp.services.[dev.ucp.shopping].0.endpoint'
    const { services } = inspectAny(mutated(PROFILES['2026-04-08'], path, endpoint))
    expect(services).toContainEqual({
      service: 'dev.ucp.shopping',
      transport: 'rest',
      endpoint: null,
    })
  },
)

test.each([
  [{ ...manifest, version: '2.0' }, ['version invalid_version']],
  [{ ucp: { version: '1.0', services: {} } }, ['ucp.version invalid_version']],
  [{ ucp: { services: {} } }, ['ucp.version required']],
  [{ ucp: '2026-04-08' }, ['ucp invalid_type']],
  [{ version: '2026-04-08', services: {} }, ['ucp required']],
  [[], ['$ invalid_type']],
  [null, ['$ invalid_type']],
])('an unknown document names the known versions: %j', (document, expected) => {
  const found = inspectAny(document)
  expect(found).toMatchObject({ dialect: 'unknown', shoppable: false })
  expect(listed(found)).toEqual(expected)
  for (const version of ['1.0', ...UCP.all]) {
    expect(found.errors[0]!.message).toContain(`"${version}"`)
  }
})

test('a profile of a later version is not called wrong, but for what harms in any', () => {
  const later = mutated(PROFILES['2026-04-08'], 'ucp.version', '2031-01-01')
  const { errors, warnings, shoppable, shoppable_reason } = inspectAny(later)
  const words =
    'The profile is of UCP 2031-01-01, which is newer than this version of Aisle knows (2026-08-25)'
  expect({ errors, warnings }).toEqual({
    errors: [],
    warnings: [`${words}: its fields were not judged.`],
  })
  expect({ shoppable, shoppable_reason }).toEqual({
    shoppable: false,
    shoppable_reason: `${words}; agents of 2026-08-25 or before find no version in common and leave.`,
  })
  const key = { kid: 'a', kty: 'EC', d: 'AA' }
  const exposed = inspectAny(mutated(later, 'keys', [key]))
  expect(exposed.errors.map(({ code }) => code)).toEqual(['private_key'])
})
