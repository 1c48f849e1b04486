import { field } from '../../../../shared/web/json/json.ts'
import type { Exchange, Rule } from './exchange.ts'
import type { Shape } from './schemas.ts'

interface Route {
  method: string
  /** What the path ends in: where the API begins is the shop's own. */
  path: RegExp
  what: string
  /** Schemas by file and definition, such as `cart Cart`. */
  request?: string
  answer: (received: unknown) => string
}

/** An order is closed in the session's schema, and stands in one of its own. */
const session = (received: unknown) =>
  field(received, 'order') === undefined
    ? 'agentic_checkout CheckoutSession'
    : 'agentic_checkout CheckoutSessionWithOrder'
const cart = () => 'cart Cart'

const SESSION = '/checkout_sessions/[^/]+'
const route = (
  method: string,
  path: string,
  what: string,
  answer: Route['answer'],
  request?: string,
): Route => ({ method, path: new RegExp(`${path}$`), what, answer, ...(request && { request }) })

const ROUTES: readonly Route[] = [
  route(
    'POST',
    '/checkout_sessions',
    'create',
    session,
    'agentic_checkout CheckoutSessionCreateRequest',
  ),
  route('GET', SESSION, 'get', session),
  route(
    'POST',
    `${SESSION}/complete`,
    'complete',
    session,
    'agentic_checkout CheckoutSessionCompleteRequest',
  ),
  route('POST', `${SESSION}/cancel`, 'cancel', session, 'agentic_checkout CancelSessionRequest'),
  route('POST', SESSION, 'update', session, 'agentic_checkout CheckoutSessionUpdateRequest'),
  route('POST', '/carts', 'create cart', cart, 'cart CartCreateRequest'),
  route('GET', '/carts/[^/]+', 'get cart', cart),
  route('PUT', '/carts/[^/]+', 'update cart', cart, 'cart CartUpdateRequest'),
  route('POST', '/carts/[^/]+/cancel', 'cancel cart', cart),
  route(
    'POST',
    '/agentic_commerce/delegate_payment',
    'delegate payment',
    () => 'delegate_payment DelegatePaymentResponse',
    'delegate_payment DelegatePaymentRequest',
  ),
]

/** The tools, whose payloads are the bodies of REST. */
const TOOLS: Readonly<Record<string, string>> = {
  create_checkout_session: 'create',
  get_checkout_session: 'get',
  update_checkout_session: 'update',
  complete_checkout_session: 'complete',
  cancel_checkout_session: 'cancel',
}

/** Of all versions of official ACP only this one has JSON Schemas of calls that can be used. */
const VERSION = '2026-04-17'

/**
 * What the schemas of official ACP have to say of an exchange: of `/.well-known/acp.json`, or of an
 * operation's request and answer over REST or MCP, errors included. Null: it is in no version of
 * ACP that has schemas.
 */
export function acpRule(exchange: Exchange): Rule | null {
  const { path, status, sent, received } = exchange
  if (path === '/.well-known/acp.json') {
    const isOfficial = field(field(received, 'protocol'), 'name') === 'acp'
    return isOfficial ? ruleOf([answered('discovery', DISCOVERY, received)]) : null
  }
  const call = toolCall(exchange)
  if (call !== null) {
    const { found, payload, result } = call
    return ruleOf(
      field(result, 'type') === undefined
        ? demandsOf(found, payload, result)
        : [answered(`${found.what}, error`, ERROR, result)],
    )
  }
  const found = ROUTES.find((each) => each.method === exchange.method && each.path.test(path))
  if (found === undefined || exchange.headers.get('api-version') !== VERSION) return null
  return ruleOf(
    status < 300
      ? demandsOf(found, sent, received)
      : [answered(`${found.what}, error`, ERROR, received)],
  )
}

/**
 * The rule of an order's webhook. Of its versions 2026-01-30 has `refunds`, in an OpenAPI document.
 */
export function acpOrderRule(event: unknown): Rule | null {
  if (!['order_create', 'order_update'].includes(String(field(event, 'type')))) return null
  const order = field(event, 'data')
  const what = 'order webhook'
  if (field(order, 'refunds') === undefined) {
    return ruleOf([answered(what, 'agentic_checkout Order', order)])
  }
  return {
    folder: 'acp/2026-01-30',
    demands: (schemas) => {
      const place = schemas.find('openapi.agentic_checkout_webhook.yaml')
      const places = place === null ? [] : [`${place}#/components/schemas/WebhookEvent`]
      return [{ what, places, shape: 'answer', value: event }]
    },
  }
}

const DISCOVERY = 'agentic_checkout DiscoveryResponse'
const ERROR = 'agentic_checkout Error'

interface Demand {
  what: string
  schema: string
  shape: Shape
  value: unknown
}

const answered = (what: string, schema: string, value: unknown): Demand => ({
  what,
  schema,
  shape: 'answer',
  value,
})

const demandsOf = (
  { what, request, answer }: Route,
  sent: unknown,
  received: unknown,
): Demand[] => [
  answered(`${what}, answer`, answer(received), received),
  // The body of a cancellation may be absent.
  ...(request === undefined || (what === 'cancel' && sent === undefined)
    ? []
    : [{ what: `${what}, request`, schema: request, shape: 'request' as const, value: sent }]),
]

const ruleOf = (demands: readonly Demand[]): Rule => ({
  folder: `acp/${VERSION}`,
  demands: (schemas) =>
    demands.map(({ schema, ...demand }) => {
      const [file = '', name = ''] = schema.split(' ')
      const place = schemas.find(`schema.${file}.json`)
      return { ...demand, places: place === null ? [] : [`${place}#/$defs/${name}`] }
    }),
})

function toolCall({ sent, received }: Exchange) {
  const params = field(sent, 'params')
  const what = TOOLS[String(field(params, 'name'))]
  const found = ROUTES.find((each) => each.what === what)
  const given = field(params, 'arguments')
  const result = field(field(received, 'result'), 'structuredContent')
  const version = field(field(given, 'meta'), 'api_version')
  if (found === undefined || result === undefined || version !== VERSION) return null
  return { found, payload: field(given, 'payload'), result }
}
