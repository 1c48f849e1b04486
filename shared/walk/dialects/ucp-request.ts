import type { Payment, WalkAddress, Wanted } from '../operation.ts'
import type { Session, SessionDelivery } from '../session.ts'
import { lineIdsOf, nameParts } from './official.ts'
import { requestIdOf } from './request-id.ts'

/** The store's capabilities that shape a checkout request. */
export interface UcpExtensions {
  hasFulfillment: boolean
  hasDiscount: boolean
  /** An update has the id of the checkout in its body as well. */
  repeatsId: boolean
}

/**
 * The body of create and, with the answer that it changes, of update: an update replaces
 * everything, and names by id what the store gave an id (UCP, Checkout, Update).
 */
export function checkoutBody(
  wanted: Wanted,
  last: Session | null,
  { hasFulfillment, hasDiscount, repeatsId }: UcpExtensions,
): Record<string, unknown> {
  const { address, contact, coupon, currency } = wanted
  const lineIds = lineIdsOf(wanted, last)
  const coupons = coupon === null ? [] : [coupon]
  return {
    // Unspecified: UCP leaves these two to the answer, and servers of the early versions, as their
    // official sample, demand them of a request.
    ...(repeatsId && { currency, payment: { instruments: [] } }),
    ...(repeatsId && last !== null && last.id !== null && { id: last.id }),
    line_items: wanted.lines.map(({ product_id, variant_id, quantity }, at) => ({
      ...(lineIds[at] !== null && { id: lineIds[at] }),
      item: { id: variant_id ?? product_id },
      quantity,
    })),
    // Sent each time: without a currency a store would take that of the address.
    context: {
      currency,
      ...(address && { address_country: address.country }),
      ...(address?.zip !== undefined && { postal_code: address.zip }),
    },
    ...(contact && {
      buyer: {
        ...nameParts(address?.name),
        email: contact.email,
        ...(contact.phone !== undefined && { phone_number: contact.phone }),
      },
    }),
    // A method without an address would say nothing, and some stores refuse it.
    ...(hasFulfillment &&
      (address !== null || deliveriesOf(last).length > 0) && {
        fulfillment: { methods: methodsOf(wanted, last, lineIds) },
      }),
    ...(hasDiscount && (last !== null || coupon !== null) && { discounts: { codes: coupons } }),
  }
}

const deliveriesOf = (last: Session | null): SessionDelivery[] => last?.deliveries ?? []

function methodsOf(
  { address, option, namesDelivery = false }: Wanted,
  last: Session | null,
  lineIds: readonly (string | null)[],
): Record<string, unknown>[] {
  const destination = address && destinationOf(address)
  const known = deliveriesOf(last)
  if (known.length === 0) {
    return [
      {
        ...(last !== null && namesDelivery && { id: 'method_aisle' }),
        type: 'shipping',
        // Only an update names the lines, because they get their ids from the store.
        ...(last !== null && { line_item_ids: lineIds.filter((id) => id !== null) }),
        ...(destination && destinationsOf(destination, null)),
        ...(option !== null && { groups: [{ selected_option_id: option }] }),
      },
    ]
  }
  return known.map((delivery) => ({
    id: delivery.id,
    type: 'shipping',
    // Unspecified: a new line has no id yet, as in a create; the store assigns one.
    line_item_ids: delivery.lines.filter((id) => lineIds.includes(id)),
    ...(destination && destinationsOf(destination, delivery.destination)),
    ...(option !== null && {
      groups: delivery.groups.map(({ id, lines, options }) => ({
        id,
        // Members that UCP has a request leave out, for servers that demand them.
        ...(namesDelivery && { line_item_ids: lines.filter((line) => lineIds.includes(line)) }),
        // With several parcels each has its own options.
        selected_option_id:
          delivery.groups.length === 1 || options.includes(option) ? option : null,
      })),
    }),
  }))
}

/** The prefix of our own address ids. */
const OURS = 'dest_aisle_'

/**
 * Unspecified: UCP does not say who names a new address, and for how long. Some stores keep an
 * address under the agent's id over all checkouts, so our id stands for one place and is the same
 * each time.
 */
const ourIdOf = ({ first_name, last_name, ...place }: Record<string, string>): string =>
  OURS + requestIdOf(JSON.stringify(place))

/** A selected address: stores quote for no other. A known id replaces the store's address. */
const destinationsOf = (destination: Record<string, string>, known: string | null) => {
  const id = known === null || known.startsWith(OURS) ? ourIdOf(destination) : known
  return { destinations: [{ id, ...destination }], selected_destination_id: id }
}

/** UCP's postal address; `type` may be left out under a method that ships. */
function destinationOf(address: WalkAddress): Record<string, string> {
  const { name, street, city, state, zip, country } = address
  return {
    ...nameParts(name),
    ...(street !== undefined && { street_address: street }),
    ...(city !== undefined && { address_locality: city }),
    ...(state !== undefined && { address_region: state }),
    ...(zip !== undefined && { postal_code: zip }),
    address_country: country,
  }
}

/** The body of complete: exactly one instrument, of a handler that the checkout names. */
export const paymentBody = ({ token, handler }: Payment): Record<string, unknown> => ({
  payment: {
    instruments: [
      {
        id: 'pi_1',
        ...(handler !== null && { handler_id: handler }),
        type: 'card',
        selected: true,
        // Unspecified: a token does not show its card, but servers that display one demand these
        // members.
        display: { brand: 'visa', last_digits: '4242' },
        credential: { type: 'token', token },
      },
    ],
  },
})
