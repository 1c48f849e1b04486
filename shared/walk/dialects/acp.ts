import { OFFICIAL_ACP_PATHS } from '../../protocols/acp/operations.ts'
import { acpCart } from '../../protocols/acp/session.ts'
import { ACP, type AcpVersion } from '../../protocols/acp/versions.ts'
import { CLOCK_SLACK_MS } from '../../protocols/spec/ucp.ts'
import type { Abilities, WalkDialect } from '../dialect.ts'
import { itemOf } from '../goods.ts'
import type { BuyerOperation, Payment, WalkAddress, Wanted } from '../operation.ts'
import type { Session } from '../session.ts'
import { acpForm } from './acp-answer.ts'
import { isOfCart, nameParts, OFFICIAL_LIMITS, restCall } from './official.ts'
import { readRest } from './official-answer.ts'

/**
 * Where and how a store speaks official ACP. Plain JSON, except for the key, which is never stored.
 */
export interface AcpRoute {
  /** `api_base_url` of its acp.json. */
  base: string
  version: AcpVersion
  /** Names of the extensions in its acp.json. */
  extensions?: readonly string[]
  agentKey?: string
  /** The store does not name a version. */
  isAssumed?: true
}

/** Official ACP over REST (Agentic Checkout of each version). */
export function officialAcp(route: AcpRoute): WalkDialect {
  const { base, version, agentKey, extensions = [], isAssumed } = route
  const release = ACP.of(version)
  const hasDiscount = extensions.some((name) => name.split('@')[0] === 'discount')
  const part = (name: string) => `ACP ${version}, ${name}`
  const form = acpForm(version)
  const headers = { authorization: `Bearer ${agentKey ?? NO_KEY}`, 'api-version': version }
  const rest = { base, headers, endpoints: ENDPOINTS }
  const cart = { ...form, session: acpCart(version) }
  const hasCarts = release.hasDiscovery && extensions.includes('carts')
  return {
    name: 'acp',
    label: `ACP, ${version}`,
    can: {
      ...ABILITIES,
      coupon: hasDiscount,
      ...(hasCarts && { cart: 'alone' }),
      ...(!release.hasHandlers && { currency: false }),
      ...(release.hasOneAddress && { changeLines: true }),
    },
    ...(isAssumed && {
      assumed: `The store names no version of ACP, and was spoken to in ${version}.`,
    }),
    fields: form.fields,
    authority: {
      checkout: part('Agentic Checkout'),
      errors: part('Agentic Checkout, Error'),
      idempotency: part('Agentic Checkout, Idempotency'),
      payment: part('Payment handlers'),
      limits: 'ACP sets no limit; agents wait about 3 seconds, and pay before expires_at',
    },
    // ACP has no minimum lifetime: a session only has to be alive when its answer arrives, with
    // tolerance for clocks.
    limits: { ...OFFICIAL_LIMITS, life: CLOCK_SLACK_MS },
    call: (operation) => restCall(rest, operation, bodyOf(operation, { ...release, hasDiscount })),
    read: (operation, seen) => readRest(isOfCart(operation) ? cart : form, operation, seen),
  }
}

const ABILITIES: Abilities = {
  dryRun: false,
  // Unspecified: ACP's schema only allows complete addresses, so a walk never asks with a part of
  // one, although some servers accept it.
  quote: false,
  changeLines: 'alone',
  quantityForms: true,
  changeAddress: true,
  choose: true,
  coupon: false,
  currency: true,
  read: true,
  cancel: 'yes',
  order: false,
  keys: true,
}

// Unspecified: ACP demands a bearer token on every call and leaves open how it is agreed. If the
// owner gave none, the walk sends its name as the token.
const NO_KEY = 'aisle'

const { create, read, update, complete, cancel, carts, cart, cancelCart } = OFFICIAL_ACP_PATHS
const ENDPOINTS = {
  open: ['POST', create],
  read: ['GET', read],
  change: ['POST', update],
  complete: ['POST', complete],
  cancel: ['POST', cancel],
  cart_open: ['POST', carts],
  cart_read: ['GET', cart],
  cart_change: ['PUT', cart],
  cart_cancel: ['POST', cancelCart],
} as const

/** What a store reads, by its version and its extensions. */
type Spoken = Pick<ReturnType<typeof ACP.of>, 'hasHandlers' | 'hasOneAddress'> & {
  hasDiscount: boolean
}

function bodyOf(operation: BuyerOperation, spoken: Spoken): Record<string, unknown> | undefined {
  if (isOfCart(operation)) {
    return 'wanted' in operation ? { line_items: itemsOf(operation.wanted) } : undefined
  }
  switch (operation.op) {
    case 'open':
      return createBody(operation.wanted, spoken)
    case 'change':
      return updateBody(operation, spoken)
    case 'complete':
      return paymentData(operation.payment, spoken)
    default:
      return undefined
  }
}

function createBody(wanted: Wanted, spoken: Spoken): Record<string, unknown> {
  const { coupon, currency } = wanted
  const { hasDiscount, hasHandlers } = spoken
  return {
    ...basket(wanted, spoken),
    // ACP, Capability negotiation 7.1: agents MUST declare their interventions, even if they have
    // none. A walk cannot authenticate: a store leads the buyer to its own page.
    ...(hasHandlers && {
      currency: currency.toLowerCase(),
      capabilities: {
        interventions: { supported: [] },
        ...(hasDiscount && { extensions: ['discount'] }),
      },
    }),
    ...(hasDiscount && coupon !== null && { discounts: { codes: [coupon] } }),
  }
}

/**
 * An update sends only what changes; the rest stays as it was (ACP, Agentic Checkout, Update).
 * Replaced lines may get new ids, so shipping is chosen once those are known.
 */
function updateBody(
  { wanted, last, accepted }: Extract<BuyerOperation, { op: 'change' }>,
  spoken: Spoken,
): Record<string, unknown> {
  const { coupon, option } = wanted
  const { hasDiscount } = spoken
  const changed = changesOf(basket(wanted, spoken), accepted && basket(accepted, spoken))
  const isReplaced = accepted !== undefined && 'line_items' in changed
  return {
    ...changed,
    ...(option !== null && !isReplaced && choiceOf(option, { wanted, last }, spoken)),
    ...(hasDiscount &&
      coupon !== accepted?.coupon && { discounts: { codes: coupon === null ? [] : [coupon] } }),
  }
}

/** The members that differ from what the store last accepted. */
const changesOf = (
  body: Record<string, unknown>,
  before: Record<string, unknown> = {},
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  )

/** One item that is repeated at most this many times. */
const MAX_REPEATED = 10

// Unspecified: a quantity above one is sent next to the id. ACP's Item has no quantity, and the
// schema's repeated ids cannot express large numbers; ACP's examples send it this way, and servers
// accept it.
function itemsOf({ lines, quantities }: Wanted) {
  return lines.flatMap((line) => {
    const id = itemOf(line)
    const { quantity } = line
    if (quantities === 'repeated' && quantity <= MAX_REPEATED) {
      return Array.from({ length: quantity }, () => ({ id }))
    }
    return [{ id, ...((quantity > 1 || quantities === 'stated') && { quantity }) }]
  })
}

function basket(wanted: Wanted, { hasHandlers, hasOneAddress }: Spoken): Record<string, unknown> {
  const { address, contact } = wanted
  const whole = address && wholeAddress(address)
  return {
    ...(hasHandlers
      ? { line_items: itemsOf(wanted) }
      : { items: wanted.lines.map((line) => ({ id: itemOf(line), quantity: line.quantity })) }),
    ...(contact && {
      buyer: {
        ...nameParts(address?.name),
        email: contact.email,
        ...(contact.phone !== undefined && { phone_number: contact.phone }),
      },
    }),
    ...(whole && hasOneAddress && { fulfillment_address: whole }),
    ...(whole &&
      !hasOneAddress && {
        fulfillment_details: {
          name: whole.name,
          ...(contact?.phone !== undefined && { phone_number: contact.phone }),
          ...(contact && { email: contact.email }),
          address: whole,
        },
      }),
  }
}

/** Null for a part of an address, which ACP cannot express. */
function wholeAddress({ name, street, city, state, zip, country }: WalkAddress) {
  const parts = [name, street, city, state, zip]
  if (parts.includes(undefined)) return null
  return { name, line_one: street, city, state, country, postal_code: zip }
}

/**
 * The choice of an option. It is for lines, by their ids, and before payment handlers for items; a
 * line that does not exist yet is named by its item.
 */
function choiceOf(
  option: string,
  { wanted, last }: { wanted: Wanted; last: Session },
  { hasHandlers, hasOneAddress }: Spoken,
): Record<string, unknown> {
  if (hasOneAddress) return { fulfillment_option_id: option }
  const type = last.shipping.find(({ id }) => id === option)?.kind ?? 'shipping'
  const items = wanted.lines.map(itemOf)
  if (!hasHandlers) {
    const item_ids = items
    return { selected_fulfillment_options: [{ type, [type]: { option_id: option, item_ids } }] }
  }
  const item_ids = items.flatMap((item) => {
    const ids = last.lines?.flatMap((each) => (each.item === item ? (each.id ?? []) : [])) ?? []
    return ids.length > 0 ? ids : [item]
  })
  return { selected_fulfillment_options: [{ type, option_id: option, item_ids }] }
}

// Unspecified: each handler's schema defines its credentials; a shared payment token is what agents
// have for the handlers that ACP describes.
const paymentData = (
  { token, handler }: Payment,
  { hasHandlers }: Spoken,
): Record<string, unknown> => ({
  payment_data: hasHandlers
    ? {
        ...(handler !== null && { handler_id: handler }),
        instrument: { type: 'card', credential: { type: 'spt', token } },
      }
    : { token, provider: handler ?? 'stripe' },
})
