import { field, isRecord } from '../../../../shared/web/json/json.ts'
import { OFFICIAL_PATHS } from '../../dialects/ucp/paths.ts'
import type { Exchange, Rule } from './exchange.ts'
import type { OfficialSchemas, Shape } from './schemas.ts'

interface Operation {
  /** The capability whose schema it has. */
  root: string
  /** The argument of its tool, which over REST is the body. */
  argument?: string
  sent?: Shape
  /** Where the schema keeps the shapes of requests and answers, unless it is one itself. */
  request?: string
  answer?: string
}

const shopping = (name: string) => `dev.ucp.shopping.${name}`
const resource = (name: string, sent?: Shape): Operation => ({
  root: shopping(name),
  ...(sent && { argument: name, sent }),
})
const catalog = (name: string, operation: string): Operation => ({
  root: shopping(`catalog.${name}`),
  argument: 'catalog',
  sent: 'request',
  request: `${operation}_request`,
  answer: `${operation}_response`,
})

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create_checkout: resource('checkout', 'create'),
  get_checkout: resource('checkout'),
  update_checkout: resource('checkout', 'update'),
  complete_checkout: resource('checkout', 'complete'),
  cancel_checkout: resource('checkout'),
  create_cart: resource('cart', 'create'),
  get_cart: resource('cart'),
  update_cart: resource('cart', 'update'),
  cancel_cart: resource('cart'),
  get_order: resource('order'),
  search_catalog: catalog('search', 'search'),
  lookup_catalog: catalog('lookup', 'lookup'),
  get_product: catalog('lookup', 'get_product'),
}

const ROUTES: readonly [method: string, path: RegExp, operation: string][] = [
  ['POST', /^\/checkout-sessions$/, 'create_checkout'],
  ['GET', /^\/checkout-sessions\/[^/]+$/, 'get_checkout'],
  ['PUT', /^\/checkout-sessions\/[^/]+$/, 'update_checkout'],
  ['POST', /^\/checkout-sessions\/[^/]+\/complete$/, 'complete_checkout'],
  ['POST', /^\/checkout-sessions\/[^/]+\/cancel$/, 'cancel_checkout'],
  ['POST', /^\/carts$/, 'create_cart'],
  ['GET', /^\/carts\/[^/]+$/, 'get_cart'],
  ['PUT', /^\/carts\/[^/]+$/, 'update_cart'],
  ['POST', /^\/carts\/[^/]+\/cancel$/, 'cancel_cart'],
  ['GET', /^\/orders\/[^/]+$/, 'get_order'],
  ['POST', /^\/catalog\/search$/, 'search_catalog'],
  ['POST', /^\/catalog\/lookup$/, 'lookup_catalog'],
  ['POST', /^\/catalog\/product$/, 'get_product'],
]

/** The schemas of a business's profile, in the versions that have them. */
const PROFILES = [
  'schemas/profile.json#/$defs/business_schema',
  'discovery/profile_schema.json#/$defs/business_profile',
]

/**
 * The version of UCP that an exchange is in, and what its schemas have to say: of the profile, or
 * of an operation's request and answer over REST or MCP. Null: it is none of UCP's, or a protocol
 * error, which has no schema.
 */
export function ucpRule(exchange: Exchange): Rule | null {
  const { path, status } = exchange
  if (status >= 300) return null
  if (`${path}/`.startsWith(`${OFFICIAL_PATHS.profile}/`)) {
    return ruleOf(exchange.received, (schemas) => [
      { what: 'profile', places: PROFILES.filter(schemas.has), shape: 'answer' },
    ])
  }
  const call = path === OFFICIAL_PATHS.mcp ? toolCall(exchange) : restCall(exchange)
  const operation = call && Object.hasOwn(OPERATIONS, call.name) ? OPERATIONS[call.name] : undefined
  if (!call || !operation) return null
  const { name, sent, received } = call
  // A request counts where it was taken: tests send what is to be refused as well.
  return ruleOf(received, (schemas) => {
    if (isFailure(received)) {
      const place = schemas.find('/types/error_response.json')
      return [{ what: `${name}, error`, places: place === null ? [] : [place], shape: 'answer' }]
    }
    const extensions = Object.keys(recordAt(field(received, 'ucp'), 'capabilities'))
    const at = (part?: string) => placesOf(schemas, operation.root, extensions, part)
    return [
      { what: `${name}, answer`, places: at(operation.answer), shape: 'answer' },
      ...(operation.sent === undefined || field(field(received, 'ucp'), 'status') === 'error'
        ? []
        : [
            {
              what: `${name}, request`,
              places: at(operation.request),
              shape: operation.sent,
              value: sent,
            },
          ]),
    ]
  })
}

/** The rule of an order's webhook: its body is the whole order, in the version that it says. */
export const ucpOrderRule = (order: unknown): Rule | null =>
  ruleOf(order, (schemas) => [
    { what: 'order webhook', places: placesOf(schemas, shopping('order'), []), shape: 'answer' },
  ])

type Demands = ReturnType<Rule['demands']>
type Demand = Omit<Demands[number], 'value'> & { value?: unknown }

function ruleOf(
  received: unknown,
  demands: (schemas: OfficialSchemas) => readonly Demand[],
): Rule | null {
  const version = field(field(received, 'ucp'), 'version')
  if (typeof version !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(version)) return null
  return {
    folder: `ucp/${version}`,
    demands: (schemas) => demands(schemas).map((demand) => ({ value: received, ...demand })),
  }
}

/** A schema, and what each active extension makes of it. */
function placesOf(
  schemas: OfficialSchemas,
  root: string,
  capabilities: readonly string[],
  part?: string,
): string[] {
  const own = schemas.find(root)
  const inside = part === undefined ? '' : `/$defs/${part}`
  const extended = capabilities.flatMap((name) => {
    const file = schemas.find(name)
    return file === null ? [] : [`${file}#/$defs/${root}${inside}`]
  })
  const base = own === null ? [] : [inside === '' ? own : `${own}#${inside}`]
  return [...base, ...extended.filter(schemas.has)]
}

/** It says that there is no resource: a checkout with complaints is one nevertheless. */
const isFailure = (received: unknown): boolean =>
  field(field(received, 'ucp'), 'status') === 'error' &&
  !['id', 'products', 'product'].some((name) => field(received, name) !== undefined)

interface Call {
  name: string
  sent: unknown
  received: unknown
}

function restCall({ method, path, sent, received }: Exchange): Call | null {
  if (!path.startsWith(`${OFFICIAL_PATHS.rest}/`)) return null
  const below = path.slice(OFFICIAL_PATHS.rest.length)
  const route = ROUTES.find(([verb, pattern]) => verb === method && pattern.test(below))
  return route ? { name: route[2], sent, received } : null
}

function toolCall({ sent, received }: Exchange): Call | null {
  const params = field(sent, 'params')
  const name = field(params, 'name')
  const result = field(received, 'result')
  if (field(sent, 'method') !== 'tools/call' || typeof name !== 'string') return null
  const argument = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name]?.argument : undefined
  const body = argument === undefined ? undefined : field(field(params, 'arguments'), argument)
  return { name, sent: body, received: field(result, 'structuredContent') }
}

const recordAt = (value: unknown, name: string): Record<string, unknown> => {
  const found = field(value, name)
  return isRecord(found) ? found : {}
}
