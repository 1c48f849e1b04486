import { UCP, type UcpVersion } from '../../../protocols/ucp/versions.ts'

/** A document, or a part of one. */
export type Json = ReturnType<typeof JSON.parse>

/** RFC 7517, A.1: a point of the curve. */
export const ecKey = {
  kid: 'k1',
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  alg: 'ES256',
  use: 'sig',
}
const ucpDev = (name: string) => `https://ucp.dev/schemas/shopping/${name}.json`
const binding = (name: string) => `https://ucp.dev/services/shopping/${name}.json`

const FIRST: Json = {
  ucp: {
    version: '2026-01-11',
    services: {
      'dev.ucp.shopping': {
        version: '2026-01-11',
        spec: 'https://ucp.dev/spec',
        rest: { schema: binding('rest.openapi'), endpoint: 'https://shop.example/ucp' },
        mcp: { schema: binding('mcp.openrpc'), endpoint: 'https://shop.example/mcp' },
        a2a: { endpoint: 'https://shop.example/agent-card.json' },
        embedded: { schema: binding('embedded.openrpc') },
      },
    },
    capabilities: ['checkout', 'order', 'fulfillment'].map((name) => ({
      name: `dev.ucp.shopping.${name}`,
      version: '2026-01-11',
      spec: 'https://ucp.dev/spec',
      schema: ucpDev(name),
      config: {},
      ...(name === 'fulfillment' && { extends: 'dev.ucp.shopping.checkout' }),
    })),
  },
  payment: {
    handlers: [
      {
        id: 'card',
        name: 'com.psp.card',
        version: '2026-01-11',
        spec: 'https://psp.com/spec',
        config_schema: 'https://psp.com/config.json',
        instrument_schemas: [ucpDev('card')],
        config: {},
      },
    ],
  },
  signing_keys: [ecKey],
}

function later(version: UcpVersion): Json {
  const capability = (name: string, more = {}) => [{ version, schema: ucpDev(name), ...more }]
  return {
    ucp: {
      version,
      services: {
        'dev.ucp.shopping': [
          { version, transport: 'rest', endpoint: 'https://shop.example/ucp' },
          {
            version,
            transport: 'mcp',
            endpoint: 'https://shop.example/mcp',
            schema: binding('mcp.openrpc'),
          },
          { version, transport: 'embedded', config: { delegate: ['payment'] } },
        ],
      },
      capabilities: {
        'dev.ucp.shopping.checkout': capability('checkout'),
        'dev.ucp.shopping.order': capability('order'),
        ...(UCP.of(version).hasCatalog && {
          'dev.ucp.shopping.catalog.search': capability('catalog_search'),
        }),
        'dev.ucp.shopping.fulfillment': capability('fulfillment', {
          extends: 'dev.ucp.shopping.checkout',
        }),
      },
      payment_handlers: { 'com.psp.card': [{ version, id: 'card' }] },
    },
    [UCP.of(version).keys]: [ecKey],
  }
}

/** A whole profile of each version. */
export const PROFILES: Record<string, Json> = Object.fromEntries(
  UCP.all.map((version) => [
    version,
    UCP.of(version).registries === 'lists' ? FIRST : later(version),
  ]),
)

/** A copy with one value replaced; `undefined` removes it. Keys with dots stand in brackets. */
export function mutated(document: Json, path: string, value: unknown): Json {
  const copy = JSON.parse(JSON.stringify(document))
  const keys = [...path.matchAll(/\[(.+?)\]|[^.[\]]+/g)].map((match) => match[1] ?? match[0])
  const last = keys.pop() ?? ''
  const target = keys.reduce((found, key) => found[key], copy)
  if (value === undefined) delete target[last]
  else target[last] = value
  return copy
}
