import type { AcpMessage } from '../../../../shared/protocols/acp/session.ts'
import { field } from '../../../../shared/web/json/json.ts'
import { readRightFields } from '../../checkout/address.ts'
import { attributionOf } from '../../checkout/caller.ts'
import { createCheckout } from '../../checkout/checkout.ts'
import { answerChange, answerOnce } from '../../checkout/idempotency.ts'
import { isFinal } from '../../checkout/sessions.ts'
import { cancelCheckout } from '../../checkout/steps/cancel.ts'
import { reviseCheckout } from '../../checkout/steps/revise.ts'
import { OFFICIAL_ACP } from '../../db/statuses.ts'
import type { CheckoutSession, PartialAddress } from '../../db/tables.ts'
import { CURRENCY } from '../../shop/assortment.ts'
import { type Inventory, inventoryOfIds, readInventory } from '../../shop/inventory.ts'
import { type AcpAnswer, type AcpFault, faultAnswer, NO_ACP_SESSION } from './answers.ts'
import { type AcpCall, type AcpContext, aboutSession, keyedAcpCall, ownSession } from './caller.ts'
import {
  AcpCancelRequest,
  AcpCreateRequest,
  type AcpFulfillment,
  AcpUpdateRequest,
  readAcp,
} from './requests.ts'
import { fromAcpAddress } from './session/address.ts'
import { interventionsOf } from './session/capabilities.ts'
import { idsAsked, itemIdOf, lineIdOf, readAcpItems } from './session/items.ts'
import { acpErrorMessage, acpInfo, acpWarning, addressParam } from './session/messages.ts'
import { answerWith, show, showSnapshot } from './session/session-view.ts'
import { type AcpState, acpState } from './session/state.ts'

/** `POST /checkout_sessions`: 201 with the session, even if it is not complete. */
export async function createAcpSession(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const { deps } = context
  const { caller, host, body } = call
  const read = readAcp(AcpCreateRequest, body)
  if ('fault' in read) return faultAnswer(read.fault)
  const wanted = read.data
  if (wanted.currency.toUpperCase() !== CURRENCY) return faultAnswer(OTHER_CURRENCY)
  return answerOnce(deps, keyedAcpCall(call, `create:${host}`), async (keyed) => {
    const inventory = await inventoryOfIds(deps.db, idsAsked(wanted.line_items))
    const asked = readAcpItems(wanted.line_items, inventory)
    if ('fault' in asked) return faultAnswer(asked.fault)
    const { address, state, messages } = readDetails(wanted.fulfillment_details, {}, {})
    const { buyer, locale, timezone, metadata, order_notes } = wanted
    const shown: AcpState = {
      ...state,
      buyer,
      locale,
      timezone,
      metadata,
      order_notes,
      interventions: interventionsOf(wanted.capabilities),
    }
    const { platform, version } = caller
    const answer = await createCheckout(deps, context.count, {
      protocol: OFFICIAL_ACP,
      host,
      buyer: platform,
      counted: platform,
      keyed,
      items: asked.items,
      address,
      attribution: attributionOf(field(body, 'ai_surface')),
      dryRun: false,
      official: {
        state: { version, platform, webhook_url: null, shown },
        shippingOptionId: null,
        takesShort: true,
        inventory,
      },
    })
    return answerWith(context, call, answer, {
      status: 201,
      messages: [...messages, ...notOffered(wanted)],
      inventory,
    })
  })
}

/** `GET /checkout_sessions/{id}`. */
export async function getAcpSession(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const snapshot = await ownSession(context, call)
  return snapshot ? showSnapshot(context, snapshot) : faultAnswer(NO_ACP_SESSION)
}

/** `POST /checkout_sessions/{id}`: replaces the sent parts, the rest stays. */
export async function updateAcpSession(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const { deps } = context
  const { id, body } = call
  const read = readAcp(AcpUpdateRequest, body)
  if ('fault' in read) return faultAnswer(read.fault)
  const wanted = read.data
  return answerChange(deps, keyedAcpCall(call, `update:${id}`), async (keyed) => {
    const { line_items: lines } = wanted
    let inventory: Inventory | undefined = lines && (await inventoryOfIds(deps.db, idsAsked(lines)))
    const asked = lines && inventory && readAcpItems(lines, inventory)
    if (asked && 'fault' in asked) return faultAnswer(asked.fault)
    const messages = notOffered(wanted)
    const answer = await reviseCheckout(deps, {
      ...aboutSession(call, keyed),
      become: async (session, tx) => {
        const before = acpState(session)
        const details = readDetails(wanted.fulfillment_details, session.address ?? {}, before)
        messages.push(...details.messages)
        const chosen = readSelection(wanted, session, asked?.items.map(lineOf) ?? null)
        messages.push(...chosen.messages)
        inventory ??= await readInventory(
          tx,
          session.items.map(({ product_id }) => product_id),
        )
        return {
          items: asked?.items ?? 'same',
          address: details.address,
          shippingOptionId: chosen.optionId,
          takesShort: true,
          inventory,
          state: {
            ...session.official,
            shown: {
              ...before,
              ...details.state,
              buyer: replaced(before.buyer, wanted.buyer),
              order_notes: replaced(before.order_notes, wanted.order_notes),
              // A payment waiting for authentication was for the earlier session.
              wants: undefined,
            } satisfies AcpState,
          },
        }
      },
      render: (snapshot) => {
        if (inventory === undefined) return null
        const said = [...messages, ...unoffered(wanted, snapshot.session)]
        return show(context, snapshot, inventory, said)
      },
    })
    return answerWith(context, call, answer, {
      messages: async (session) => [...messages, ...unoffered(wanted, session)],
      inventory,
    })
  })
}

/** `POST /checkout_sessions/{id}/cancel`: 405 for a session that has ended. */
export async function cancelAcpSession(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const { deps } = context
  const { id, body } = call
  if (body !== undefined) {
    const read = readAcp(AcpCancelRequest, body)
    if ('fault' in read) return faultAnswer(read.fault)
  }
  return answerChange(deps, keyedAcpCall(call, `cancel:${id}`), async (keyed) => {
    const answer = await cancelCheckout(deps, aboutSession(call, keyed))
    const { status, snapshot } = answer
    return status >= 400 && snapshot && isFinal(snapshot)
      ? faultAnswer(NOT_CANCELABLE)
      : answerWith(context, call, answer)
  })
}

const NOT_CANCELABLE: AcpFault = {
  status: 405,
  code: 'not_cancelable',
  message: 'This checkout session has come to its end and cannot be canceled.',
  headers: { allow: '' },
}

const OTHER_CURRENCY: AcpFault = {
  status: 400,
  code: 'unsupported_currency',
  message: `This shop sells in ${CURRENCY.toLowerCase()} alone. Send that as currency.`,
  param: '$.currency',
}

/** Null clears, absence keeps (ACP, Idempotency). */
const replaced = <T>(before: T | undefined, sent: T | null | undefined): T | undefined =>
  sent === undefined ? before : (sent ?? undefined)

/**
 * The address as the checkout knows it, and the fields that it does not have. Unspecified: each
 * part of fulfillment_details replaces the same part, an address as a whole, and null clears all of
 * it. A wrong field of an address is left out, and the answer says so.
 */
function readDetails(
  sent: AcpFulfillment | null | undefined,
  known: PartialAddress,
  { details = {} }: AcpState,
): { address: PartialAddress; state: Pick<AcpState, 'details'>; messages: AcpMessage[] } {
  if (sent === undefined) return { address: known, state: { details }, messages: [] }
  if (sent === null) return { address: {}, state: { details: {} }, messages: [] }
  const { address: given, ...person } = sent
  if (given === undefined) {
    return { address: known, state: { details: { ...details, ...person } }, messages: [] }
  }
  const { company } = given
  const line_two = given.line_two?.trim()
  const { address, wrong } = readRightFields(
    fromAcpAddress({ ...given, name: given.name ?? sent.name }),
  )
  return {
    address: { ...address, ...(line_two && { line_two }) },
    state: { details: { ...details, ...person, company } },
    messages: wrong.map((name) =>
      acpErrorMessage(
        'invalid',
        'We could not ship to this address: please check this part of it.',
        {
          param: addressParam(name),
          resolution: 'recoverable',
        },
      ),
    ),
  }
}

const lineOf = ({
  product_id,
  variant_id,
}: {
  product_id: string
  variant_id?: string | null | undefined
}) => variant_id ?? product_id

/**
 * The chosen option; whether it is offered shows when the session is priced. Unspecified: an order
 * is shipped in one parcel, so one option holds for all of its items.
 */
function readSelection(
  { selected_fulfillment_options: selected }: AcpUpdateRequest,
  { items, shipping_option_id }: CheckoutSession,
  changed: readonly string[] | null,
): { optionId: string | null; messages: AcpMessage[] } {
  if (selected === undefined) return { optionId: shipping_option_id, messages: [] }
  const [first] = selected ?? []
  if (selected === null || first === undefined) return { optionId: null, messages: [] }
  const ids = changed ?? items.map(itemIdOf)
  const known = new Set(ids.flatMap((id) => [id, lineIdOf(id)]))
  const messages = selected.flatMap(({ type, option_id, item_ids }, at) => {
    const param = (name: string) => ({
      param: `$.selected_fulfillment_options[${at}].${name}`,
      resolution: 'recoverable' as const,
    })
    if (type !== 'shipping')
      return [acpErrorMessage('invalid', 'We ship all of our goods.', param('type'))]
    if (option_id !== first.option_id)
      return [
        acpErrorMessage(
          'invalid',
          'We ship an order in one parcel: choose one option.',
          param('option_id'),
        ),
      ]
    const unknown = item_ids.findIndex((id) => !known.has(id))
    return unknown === -1
      ? []
      : [
          acpErrorMessage(
            'invalid',
            'This item is not in the order.',
            param(`item_ids[${unknown}]`),
          ),
        ]
  })
  return messages.length === 0
    ? { optionId: first.option_id, messages }
    : { optionId: shipping_option_id, messages }
}

/** The requested option, if the store does not offer it. */
function unoffered(
  { selected_fulfillment_options: selected }: AcpUpdateRequest,
  { shipping_options }: CheckoutSession,
): AcpMessage[] {
  const asked = selected?.[0]?.option_id
  if (asked === undefined || shipping_options.some(({ id }) => id === asked)) return []
  return [
    acpErrorMessage('invalid', 'We do not offer this way to ship. Please choose another one.', {
      param: '$.selected_fulfillment_options[0].option_id',
      resolution: 'recoverable',
    }),
  ]
}

/** Features that an agent may ask for and the store does not have. They do not stop a purchase. */
function notOffered({
  discounts,
  coupons = [],
  fulfillment_groups: groups = [],
}: Pick<AcpUpdateRequest, 'discounts' | 'coupons' | 'fulfillment_groups'>): AcpMessage[] {
  const codes = [
    ...(discounts?.codes ?? []).map((_, at) => `$.discounts.codes[${at}]`),
    ...coupons.map((_, at) => `$.coupons[${at}]`),
  ]
  return [
    ...codes.map((param) =>
      acpWarning('discount_code_invalid', 'This code is not valid here.', param),
    ),
    ...(groups.length > 0
      ? [acpInfo('We ship an order in one parcel to one address.', '$.fulfillment_groups')]
      : []),
  ]
}
