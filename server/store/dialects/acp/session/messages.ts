import type { Address } from '../../../../../shared/commerce/product.ts'
import type { AcpMessage } from '../../../../../shared/protocols/acp/session.ts'
import { missingFields, spokenField } from '../../../checkout/address.ts'
import { listed } from '../../../checkout/refusals.ts'
import type { CheckoutSession } from '../../../db/tables.ts'
import type { Inventory } from '../../../shop/inventory.ts'
import { ACP_FIELDS } from './address.ts'
import { itemIdOf } from './items.ts'
import type { AcpState } from './state.ts'

/** A message of the type `error`, in plain text. */
export const acpErrorMessage = (
  code: string,
  content: string,
  more: Pick<AcpMessage, 'param' | 'resolution'> = {},
): AcpMessage => ({ type: 'error', code, content, content_type: 'plain', ...more })

/** A message of the type `warning` about the field that `param` names. */
export const acpWarning = (code: string, content: string, param: string): AcpMessage => ({
  type: 'warning',
  code,
  content,
  content_type: 'plain',
  param,
})

/** A message of the type `info` about the field that `param` names. */
export const acpInfo = (content: string, param: string): AcpMessage => ({
  type: 'info',
  content,
  content_type: 'plain',
  param,
})

/** The path of an address's field in the request, by the field's name in the checkout. */
export const addressParam = (name: string): string =>
  `$.fulfillment_details.address.${ACP_FIELDS[name as keyof Address] ?? name}`

/** Items with too little stock, with what remains. */
export function shortages(
  { items }: Pick<CheckoutSession, 'items'>,
  { left }: Inventory,
): AcpMessage[] {
  return items.flatMap((item, at) => {
    const pieces = left(itemIdOf(item))
    if (pieces >= item.quantity) return []
    const content =
      pieces === 0
        ? `${item.name} is sold out. Please remove it, or choose something else.`
        : `Only ${pieces} of ${item.name} remain. Please choose at most ${pieces}.`
    return [
      acpErrorMessage('out_of_stock', content, {
        param: `$.line_items[${at}]`,
        resolution: 'requires_buyer_input',
      }),
    ]
  })
}

/** What the agent still has to send before the session can be paid. */
export function lacking(session: CheckoutSession): AcpMessage[] {
  const { address, shipping_option_id, shipping_options } = session
  const resolution = 'recoverable'
  if (address === null || Object.keys(address).length === 0) {
    const param = '$.fulfillment_details.address'
    return [
      acpErrorMessage('missing', 'Please give the address to ship to.', { param, resolution }),
      ...unchosen(shipping_option_id, shipping_options),
    ]
  }
  return [
    ...missingFields(address).map((name) =>
      acpErrorMessage('missing', `The ${spokenField(name)} of the address is missing.`, {
        param: addressParam(name),
        resolution,
      }),
    ),
    ...unchosen(shipping_option_id, shipping_options),
  ]
}

/**
 * Unspecified: the store does not choose shipping for a buyer, even if there is only one option.
 */
function unchosen(
  chosen: string | null,
  options: CheckoutSession['shipping_options'],
): AcpMessage[] {
  if (chosen !== null) return []
  const names = options.map(({ name }) => name)
  return [
    acpErrorMessage('missing', `Please choose how to ship your order: ${listed(names, 'or')}.`, {
      param: '$.selected_fulfillment_options',
      resolution: 'recoverable',
    }),
  ]
}

/** The bank asks the buyer to confirm the payment. */
export const authenticationMessage = ({ wants }: AcpState): AcpMessage[] =>
  wants === undefined
    ? []
    : [
        acpErrorMessage(
          'requires_3ds',
          wants.by === 'agent'
            ? 'The bank wants you to confirm this payment.'
            : 'The bank wants you to confirm this payment. Please pay on the page of the shop.',
          { resolution: 'requires_buyer_review' },
        ),
      ]
