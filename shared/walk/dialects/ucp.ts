import { MIN_LIFE_MS } from '../../protocols/spec/ucp.ts'
import { ucpCart } from '../../protocols/ucp/checkout.ts'
import { ap2MandateIn } from '../../protocols/ucp/names.ts'
import { UCP_REST_PATHS, UCP_TOOLS } from '../../protocols/ucp/operations.ts'
import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import type { WalkDialect } from '../dialect.ts'
import type { BuyerOperation, DialectCall } from '../operation.ts'
import { isOfCart, OFFICIAL_LIMITS, type RequestName, requestNameOf, restCall } from './official.ts'
import { readRest } from './official-answer.ts'
import { readUcpMcp, ucpForm } from './ucp-answer.ts'
import { checkoutBody, paymentBody, type UcpExtensions } from './ucp-request.ts'

/** Where and how a store speaks official UCP. Plain JSON. */
export interface UcpRoute {
  version: UcpVersion
  transport: 'rest' | 'mcp'
  /** The endpoint of that transport's service in the store's profile. */
  endpoint: string
  /** The https URL of our profile as a platform: the store answers in its version. */
  agent: string
  /** Names of the capabilities that the store's profile and ours share. */
  capabilities: readonly string[]
  /** Ids of the payment methods in the store's profile. */
  handlers?: readonly string[]
  /** Where the store's links that fill a basket begin. */
  permalink?: string
}

/** Official UCP (Checkout and its REST and MCP bindings, Fulfillment, Discount, Order). */
export function officialUcp(route: UcpRoute): WalkDialect {
  const { version, transport, endpoint, agent, capabilities, handlers, permalink } = route
  const has = (name: string) => capabilities.includes(`dev.ucp.shopping.${name}`)
  const extensions = {
    hasFulfillment: has('fulfillment'),
    hasDiscount: has('discount'),
    repeatsId: UCP.of(version).repeatsId,
  }
  const { hasFulfillment, hasDiscount } = extensions
  const isRest = transport === 'rest'
  const part = (name: string) => `UCP ${version}, ${name}`
  const form = ucpForm(version)
  const cart = { ...form, session: ucpCart(version) }
  const headers = { 'ucp-agent': `profile="${agent}"` }
  const rest = { base: endpoint, headers, endpoints: ENDPOINTS }
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
      ...(has('cart') && (has('checkout') ? { cart: 'converts' } : HANDED_OVER)),
      ...(capabilities.includes(ap2MandateIn(version)) && { mandates: true }),
      currency: true,
      read: true,
      cancel: 'yes',
      order: has('order'),
      // Over MCP only complete and cancel demand a key (UCP, MCP binding, Request metadata).
      keys: isRest || 'advised',
    },
    ...(handlers && { handlers }),
    ...(permalink !== undefined && { permalink }),
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
      const json = bodyOf(operation, extensions)
      return isRest ? restCall(rest, operation, json) : toolCall(operation, json)
    },
    read: (operation, seen) => {
      const read = isRest ? readRest : readUcpMcp
      return read(isOfCart(operation) ? cart : form, operation, seen)
    },
  }
}

const HANDED_OVER = { cart: 'alone', checkout: false } as const

const { create, read, update, complete, cancel, order, ...carts } = UCP_REST_PATHS
const ENDPOINTS = {
  open: ['POST', create],
  read: ['GET', read],
  change: ['PUT', update],
  complete: ['POST', complete],
  cancel: ['POST', cancel],
  order: ['GET', order],
  cart_open: ['POST', carts.createCart],
  cart_read: ['GET', carts.readCart],
  cart_change: ['PUT', carts.updateCart],
  cart_cancel: ['POST', carts.cancelCart],
} as const

const TOOLS: Partial<Record<RequestName, string>> = {
  open: UCP_TOOLS.create,
  read: UCP_TOOLS.read,
  change: UCP_TOOLS.update,
  complete: UCP_TOOLS.complete,
  cancel: UCP_TOOLS.cancel,
  order: UCP_TOOLS.order,
  cart_open: UCP_TOOLS.createCart,
  cart_read: UCP_TOOLS.readCart,
  cart_change: UCP_TOOLS.updateCart,
  cart_cancel: UCP_TOOLS.cancelCart,
}

/** UCP, MCP binding: the transport adds `meta`, with our profile and the key. */
function toolCall(
  operation: BuyerOperation,
  body: Record<string, unknown> | undefined,
): DialectCall | null {
  const tool = TOOLS[requestNameOf(operation)]
  if (tool === undefined) return null
  return {
    over: 'mcp',
    tool,
    args: {
      ...('id' in operation && { id: operation.id }),
      ...(body && { [isOfCart(operation) ? 'cart' : 'checkout']: body }),
    },
    ...('key' in operation && { key: operation.key }),
  }
}

/** A cart has neither shipping nor discounts. */
const IN_CART: UcpExtensions = { hasFulfillment: false, hasDiscount: false, repeatsId: false }

function bodyOf(
  operation: BuyerOperation,
  extensions: UcpExtensions,
): Record<string, unknown> | undefined {
  const has = isOfCart(operation) ? IN_CART : extensions
  switch (operation.op) {
    case 'open': {
      const { wanted, cart } = operation
      if (cart === undefined) return checkoutBody(wanted, null, has)
      // UCP, Cart: what else the request has of goods does not count, and so it differs.
      const lines = wanted.lines.map((line) => ({ ...line, quantity: 1 }))
      return { ...checkoutBody({ ...wanted, lines }, null, has), cart_id: cart }
    }
    case 'change':
      return checkoutBody(operation.wanted, operation.last, has)
    case 'complete':
      return paymentBody(operation.payment)
    default:
      return undefined
  }
}
