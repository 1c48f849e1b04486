import { MIN_LIFE_MS } from '../../protocols/spec/ucp.ts'
import type { ServedUcp } from '../../protocols/ucp/versions.ts'
import { withoutEndSlashes } from '../../web/address/uri.ts'
import type { WalkDialect } from '../dialect.ts'
import type { BuyerOperation, DialectCall } from '../operation.ts'
import { pathPart } from './http.ts'
import { OFFICIAL_LIMITS } from './official.ts'
import { readRest } from './official-answer.ts'
import { requestIdOf } from './request-id.ts'
import { readUcpMcp, ucpForm } from './ucp-answer.ts'
import { checkoutBody, paymentBody, type UcpExtensions } from './ucp-request.ts'

/** Where and how a store speaks official UCP. Plain JSON. */
export interface UcpRoute {
  version: ServedUcp
  transport: 'rest' | 'mcp'
  /** The endpoint of that transport's service in the store's profile. */
  endpoint: string
  /** The https URL of our profile as a platform: the store answers in its version. */
  agent: string
  /** Names of the capabilities that the store's profile and ours share. */
  capabilities: readonly string[]
  /** Ids of the payment methods in the store's profile. */
  handlers?: readonly string[]
}

/** Official UCP (Checkout and its REST and MCP bindings, Fulfillment, Discount, Order). */
export function officialUcp(route: UcpRoute): WalkDialect {
  const { version, transport, capabilities, handlers } = route
  const has = (name: string) => capabilities.includes(`dev.ucp.shopping.${name}`)
  const extensions = { hasFulfillment: has('fulfillment'), hasDiscount: has('discount') }
  const { hasFulfillment, hasDiscount } = extensions
  const isRest = transport === 'rest'
  const part = (name: string) => `UCP ${version}, ${name}`
  const form = ucpForm(version)
  return {
    name: isRest ? 'ucp_rest' : 'ucp_mcp',
    label: `UCP over ${isRest ? 'REST' : 'MCP'}, ${version}`,
    can: {
      dryRun: false,
      quote: hasFulfillment,
      ...(!hasFulfillment && { ships: false }),
      changeLines: true,
      changeAddress: hasFulfillment,
      choose: hasFulfillment,
      coupon: hasDiscount,
      currency: true,
      read: true,
      cancel: 'yes',
      order: has('order'),
      // Over MCP only complete and cancel demand a key (UCP, MCP binding, Request metadata).
      keys: isRest || 'advised',
    },
    ...(handlers && { handlers }),
    fields: { ...form.fields, ...(!isRest && { error: 'error.data' }) },
    authority: {
      checkout: part('Checkout'),
      errors: part('Checkout, Error Handling'),
      idempotency: part(`Checkout, ${isRest ? 'REST' : 'MCP'} binding`),
      payment: part('Payment'),
      limits: 'UCP sets no limit; agents wait about 3 seconds',
    },
    limits: { ...OFFICIAL_LIMITS, life: MIN_LIFE_MS },
    call: (operation) => {
      if (operation.op === 'order' && !has('order')) return null
      return isRest ? restCall(route, extensions, operation) : mcpCall(extensions, operation)
    },
    read: (operation, seen) =>
      isRest ? readRest(form, operation, seen) : readUcpMcp(form, operation, seen),
  }
}

/** UCP, REST binding. */
function restCall(
  { endpoint, agent }: UcpRoute,
  extensions: UcpExtensions,
  operation: BuyerOperation,
): DialectCall {
  const key = 'key' in operation ? operation.key : undefined
  const at = (path: string) => withoutEndSlashes(endpoint) + path
  const headers = {
    'ucp-agent': `profile="${agent}"`,
    'request-id': requestIdOf(`${operation.op} ${key ?? ('id' in operation ? operation.id : '')}`),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const sessions = '/checkout-sessions'
  switch (operation.op) {
    case 'open': {
      const json = checkoutBody(operation.wanted, null, extensions)
      return { over: 'http', method: 'POST', url: at(sessions), headers, json }
    }
    case 'change': {
      const json = checkoutBody(operation.wanted, operation.last, extensions)
      const url = at(`${sessions}/${pathPart(operation.id)}`)
      return { over: 'http', method: 'PUT', url, headers, json }
    }
    case 'complete': {
      const url = at(`${sessions}/${pathPart(operation.id)}/complete`)
      return { over: 'http', method: 'POST', url, headers, json: paymentBody(operation.payment) }
    }
    case 'cancel': {
      const url = at(`${sessions}/${pathPart(operation.id)}/cancel`)
      return { over: 'http', method: 'POST', url, headers }
    }
    case 'read':
    case 'order': {
      const of = operation.op === 'read' ? sessions : '/orders'
      const url = at(`${of}/${pathPart(operation.id)}`)
      return { over: 'http', method: 'GET', url, headers }
    }
  }
}

/** UCP, MCP binding: the transport adds `meta`, with our profile and the key. */
function mcpCall(extensions: UcpExtensions, operation: BuyerOperation): DialectCall {
  switch (operation.op) {
    case 'open': {
      const checkout = checkoutBody(operation.wanted, null, extensions)
      return { over: 'mcp', tool: 'create_checkout', args: { checkout }, key: operation.key }
    }
    case 'change': {
      const { id, wanted, last, key } = operation
      const checkout = checkoutBody(wanted, last, extensions)
      return { over: 'mcp', tool: 'update_checkout', args: { id, checkout }, key }
    }
    case 'complete': {
      const { id, payment, key } = operation
      const checkout = paymentBody(payment)
      return { over: 'mcp', tool: 'complete_checkout', args: { id, checkout }, key }
    }
    case 'cancel': {
      const { id, key } = operation
      return { over: 'mcp', tool: 'cancel_checkout', args: { id }, key }
    }
    case 'read':
      return { over: 'mcp', tool: 'get_checkout', args: { id: operation.id } }
    case 'order':
      return { over: 'mcp', tool: 'get_order', args: { id: operation.id } }
  }
}
