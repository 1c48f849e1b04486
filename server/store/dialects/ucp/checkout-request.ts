import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { CheckoutItem } from '../../../../shared/protocols/spec/ucp.ts'
import { UCP, type UcpVersion } from '../../../../shared/protocols/ucp/versions.ts'
import { MAX_LINES } from '../../checkout/steps/basket.ts'
import type { PartialAddress } from '../../db/tables.ts'
import { type Inventory, itemOfId } from '../../shop/inventory.ts'
import {
  Buyer,
  BuyerContext,
  contextAddress,
  Destination,
  type NamedDestination,
  readDestination,
  type Shown,
  selectedOf,
} from './destination.ts'
import { Text } from './envelope.ts'

/** Clients check the ids of lines, methods and groups; the store goes by their positions. */
const LineItem = z.object({
  id: Text.optional(),
  item: z.object({ id: Text }),
  quantity: z.int().min(1),
})
type LineItem = z.infer<typeof LineItem>

/** Longer lists than any agent needs are refused without reading. */
const MAX_ENTRIES = 20

const Method = z.object({
  id: Text.optional(),
  type: Text.optional(),
  line_item_ids: z.array(Text).max(MAX_LINES).optional(),
  destinations: z.array(Destination).max(MAX_ENTRIES).optional(),
  selected_destination_id: Text.nullish(),
  groups: z
    .array(z.object({ id: Text.optional(), selected_option_id: Text.nullish() }))
    .max(MAX_LINES)
    .optional(),
})

const Attribution = z.record(z.string(), z.unknown())

const CHOICES = {
  buyer: Buyer.optional(),
  context: BuyerContext.optional(),
  fulfillment: z.object({ methods: z.array(Method).max(MAX_ENTRIES).optional() }).optional(),
  attribution: Attribution.optional(),
}

/** The members of a checkout that the store reads; those of answers are ignored. */
export const CheckoutRequest = z.object({ line_items: z.array(LineItem).min(1), ...CHOICES })
export type CheckoutRequest = z.infer<typeof CheckoutRequest>

/** A checkout to open, with its own items or those of a cart. */
export const UcpCreateRequest = z.object({
  line_items: z.array(LineItem).optional(),
  cart_id: Text.optional(),
  ...CHOICES,
})
export type UcpCreateRequest = z.infer<typeof UcpCreateRequest>

/** The members of a cart that the store reads. */
export const CartRequest = z.object({
  line_items: z.array(LineItem).min(1),
  buyer: Buyer.optional(),
  context: BuyerContext.optional(),
})
export type CartRequest = z.infer<typeof CartRequest>

/** The items by the catalog's ids of variants. Unknown ids are passed on unchanged. */
export const itemsOf = (asked: readonly LineItem[], inventory: Inventory): CheckoutItem[] =>
  asked.map(({ item, quantity }) => itemOfId(inventory, item.id, quantity))

/** A request's data about buyer and delivery. */
export interface Choices {
  shown: Shown
  address: PartialAddress
  shippingOptionId: string | null
}

/**
 * Reads buyer and delivery. A request replaces the known data; in older versions absent parts stay.
 * `unknown`: the selected destination was never sent.
 */
export function choicesOf(
  { buyer, context, fulfillment }: Omit<CheckoutRequest, 'line_items'>,
  known: Choices | null,
  version: UcpVersion,
): Choices | { unknown: string } {
  const stays = UCP.of(version).keepsAbsent ? known : null
  const person = buyer ?? stays?.shown.buyer
  const cart = known?.shown.cart_id
  const base = { ...(person && { buyer: person }), ...(cart !== undefined && { cart_id: cart }) }
  const method = fulfillment?.methods?.find(({ type = 'shipping' }) => type === 'shipping')
  if (method === undefined) {
    if (stays) return { ...stays, shown: { ...stays.shown, ...base } }
    return { shown: base, address: contextAddress(context ?? {}), shippingOptionId: null }
  }
  const sent = method.destinations ?? known?.shown.destinations ?? []
  const named = namedDestinations(sent)
  // Unspecified: of destinations with one id the first counts, so that an id never means two
  // addresses.
  const destinations = named.filter(
    ({ id }, at) => named.findIndex((each) => each.id === id) === at,
  )
  const chosen = method.selected_destination_id ?? undefined
  // Unspecified: a new checkout that selects none of its destinations goes to the first.
  const unchosen = known ? stillSelected(sent, named, known.shown) : destinations[0]
  const selected = destinations.find(({ id }) => id === chosen) ?? unchosen
  const isUnknown = chosen !== undefined && selected?.id !== chosen
  // A single destination of a new checkout is selected; with several the choice is open.
  if (isUnknown && (known || destinations.length > 1)) return { unknown: chosen }
  const isElsewhere = context !== undefined || destinations.length > 0 || stays?.shown.selected
  const unselected = stays && !isElsewhere ? stays.address : contextAddress(context ?? {})
  return {
    shown: {
      ...base,
      ...(destinations.length > 0 && { destinations }),
      ...(selected && { selected: selected.id }),
    },
    address: selected ? readDestination(selected, person).address : unselected,
    shippingOptionId: method.groups?.[0]?.selected_option_id ?? null,
  }
}

/**
 * The destination of an update that selects none: the only one, or the one that was selected
 * before, so that a parcel is never redirected by accident. Ids of the store mean positions in the
 * list, not addresses.
 */
function stillSelected(
  sent: readonly Destination[],
  named: readonly NamedDestination[],
  known: Shown,
): NamedDestination | undefined {
  if (new Set(named.map(({ id }) => id)).size === 1) return named[0]
  const before = selectedOf(known)
  if (before === undefined) return undefined
  const { id: selected, ...address } = before
  const at = sent.findIndex(({ id, ...each }) =>
    id === undefined ? isDeepStrictEqual(each, address) : id === selected,
  )
  return named[at]
}

/** Each gets an id: its own, or a new one. */
function namedDestinations(sent: readonly Destination[]): NamedDestination[] {
  const taken = new Set(sent.map(({ id }) => id))
  return sent.map((destination) => {
    const id = destination.id ?? freeId(taken)
    taken.add(id)
    return { ...destination, id }
  })
}

function freeId(taken: ReadonlySet<string | undefined>): string {
  let number = 1
  while (taken.has(`address_${number}`)) number += 1
  return `address_${number}`
}
