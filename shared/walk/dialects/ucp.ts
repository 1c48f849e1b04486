import { MIN_LIFE_MS } from '../../protocols/spec/ucp.ts'
import { UCP_REST_PATHS, UCP_TOOLS } from '../../protocols/ucp/operations.ts'
import { UCP, type UcpVersion } from '../../protocols/ucp/versions.ts'
import type { WalkDialect } from '../dialect.ts'
import type { BuyerOperation, DialectCall } from '../operation.ts'
import { OFFICIAL_LIMITS, restCall } from './official.ts'
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
}

/** Official UCP (Checkout and its REST and MCP bindings, Fulfillment, Discount, Order). */
export function officialUcp(route: UcpRoute): WalkDialect {
  const { version, transport, endpoint, agent, capabilities, handlers } = route
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
      const json = bodyOf(operation, extensions)
      return isRest ? restCall(rest, operation, json) : toolCall(operation, json)
    },
    read: (operation, seen) =>
      isRest ? readRest(form, operation, seen) : readUcpMcp(form, operation, seen),
  }
}

const { create, read, update, complete, cancel, order } = UCP_REST_PATHS
const ENDPOINTS = {
  open: ['POST', create],
  read: ['GET', read],
  change: ['PUT', update],
  complete: ['POST', complete],
  cancel: ['POST', cancel],
  order: ['GET', order],
} as const

const TOOLS = {
  open: UCP_TOOLS.create,
  read: UCP_TOOLS.read,
  change: UCP_TOOLS.update,
  complete: UCP_TOOLS.complete,
  cancel: UCP_TOOLS.cancel,
  order: UCP_TOOLS.order,
}

/** UCP, MCP binding: the transport adds `meta`, with our profile and the key. */
const toolCall = (
  operation: BuyerOperation,
  checkout: Record<string, unknown> | undefined,
): DialectCall => ({
  over: 'mcp',
  tool: TOOLS[operation.op],
  args: { ...('id' in operation && { id: operation.id }), ...(checkout && { checkout }) },
  ...('key' in operation && { key: operation.key }),
})

function bodyOf(
  operation: BuyerOperation,
  extensions: UcpExtensions,
): Record<string, unknown> | undefined {
  switch (operation.op) {
    case 'open':
      return checkoutBody(operation.wanted, null, extensions)
    case 'change':
      return checkoutBody(operation.wanted, operation.last, extensions)
    case 'complete':
      return paymentBody(operation.payment)
    default:
      return undefined
  }
}
