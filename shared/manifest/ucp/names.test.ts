import { describe, expect, test } from 'vitest'
import { schemaOf } from '../../protocols/ucp/names.ts'
import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import { nameFindings } from './names.ts'
import { readProfileOffer } from './offer.ts'

const findings = (name: string, schema?: string, version: UcpVersion = '2026-08-25') =>
  nameFindings(
    readProfileOffer({ ucp: { capabilities: { [name]: [{ version, schema }] } } }, version),
    version,
  )

test.each([
  ['dev.ucp.shopping.catalogue', 'dev.ucp.shopping.catalog.search'],
  ['dev.ucp.shopping.catalog', 'dev.ucp.shopping.catalog.search'],
  ['dev.ucp.shopping.catalog.serach', 'dev.ucp.shopping.catalog.search'],
  ['dev.ucp.shopping.orders', 'dev.ucp.shopping.order'],
  ['dev.ucp.shopping.fulfilment', 'dev.ucp.shopping.fulfillment'],
  ['dev.ucp.checkout', 'dev.ucp.shopping.checkout'],
  ['dev.ucp.identity_linking', 'dev.ucp.common.identity_linking'],
  ['dev.ucp.shopping.buyer-consent', 'dev.ucp.shopping.buyer_consent'],
])('%s is a slip of %s', (name, meant) => {
  expect(findings(name)).toEqual([
    { certain: true, text: expect.stringContaining(`Did you mean "${meant}"?`) },
  ])
})

test.each([
  'dev.ucp.shopping.fee',
  'dev.ucp.shopping.gift',
  'dev.ucp.shopping.return',
  'dev.ucp.shopping.ask',
  'dev.ucp.hotels',
  `dev.ucp.${'a'.repeat(900)}`,
])('%s may come one day, and is not held against the store', (name) => {
  expect(findings(name)).toEqual([{ certain: false, text: expect.not.stringContaining('mean') }])
})

test.each(['dev.shopify.catalog', 'com.example.shopping.orders', 'dev.ucpx.shopping.order'])(
  '%s belongs to somebody else',
  (name) => {
    expect(findings(name, 'https://ucp.dev/no/such.json')).toEqual([])
  },
)

describe.each(UCP.of(UCP.newest).capabilities)('%s', (name) => {
  test.each(UCP.all)('in %s', (version) => {
    for (const schema of [schemaOf(name)]) {
      for (const folder of [`/${version}`, '', '/draft', '/2031-01-01']) {
        const found = findings(name, `https://ucp.dev${folder}/${schema}`, version)
        expect(found.filter(({ certain }) => certain)).toEqual([])
        // A name of later versions is skipped, which harms nobody. 2026-01-11 has no map to read.
        const { registries, capabilities } = UCP.of(version)
        const isEarly = !capabilities.includes(name) && registries === 'maps'
        expect(found).toHaveLength(isEarly ? 1 : 0)
      }
    }
  })
})

test.each([
  'https://ucp.dev/2026-08-25/schemas/shopping/checkouts.json',
  'https://ucp.dev/2026-08-25/schemas/shopping/order.json',
  'https://ucp.dev/2026-07-01/schemas/shopping/checkout.json',
  'https://ucp.dev/2026-08-25/specification/shopping/checkout',
  'https://ucp.dev/',
])('the checkout has no schema at %s', (schema) => {
  expect(findings('dev.ucp.shopping.checkout', schema)).toEqual([
    {
      certain: true,
      text: `ucp.capabilities.dev.ucp.shopping.checkout.0.schema: "dev.ucp.shopping.checkout" has no schema at "${schema}", expected "https://ucp.dev/2026-08-25/schemas/shopping/checkout.json".`,
    },
  ])
})

test('the schemas of requests and answers are part of the first versions', () => {
  const folder = 'https://ucp.dev/schemas/shopping'
  for (const file of ['checkout_resp', 'checkout.create_req', 'checkout.complete_req']) {
    expect(findings('dev.ucp.shopping.checkout', `${folder}/${file}.json`, '2026-01-23')).toEqual(
      [],
    )
  }
})

test('a service is told the schema of its transport', () => {
  const offer = (schema: string) =>
    readProfileOffer(
      {
        ucp: {
          services: { 'dev.ucp.shopping': [{ transport: 'mcp', version: '2026-08-25', schema }] },
        },
      },
      '2026-08-25',
    )
  for (const schema of UCP.of(UCP.newest).services['dev.ucp.shopping'] ?? []) {
    expect(nameFindings(offer(`https://ucp.dev/2026-08-25/${schema}`), '2026-08-25')).toEqual([])
  }
  const [found] = nameFindings(offer('https://ucp.dev/mcp.json'), '2026-08-25')
  expect(found?.text).toContain('services/shopping/mcp.openrpc.json')
})

test('thousands of long names are answered', () => {
  const capabilities = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`dev.ucp.shopping.ordr${index}`, [{}]]),
  )
  const found = nameFindings(
    readProfileOffer({ ucp: { capabilities } }, '2026-08-25'),
    '2026-08-25',
  )
  expect(found).toHaveLength(200)
})
