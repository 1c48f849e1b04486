import type { AcpMessage } from '../../../../shared/protocols/acp/session.ts'
import { field } from '../../../../shared/web/json/json.ts'
import { readRightFields } from '../../checkout/address.ts'
import type { Snapshot } from '../../checkout/answers.ts'
import { type CallOutcome, type CheckoutAnswer, callOutcomeOf } from '../../checkout/answers.ts'
import { attributionOf, type CheckoutContext } from '../../checkout/caller.ts'
import { createCheckout, readCheckout } from '../../checkout/checkout.ts'
import { type IdempotentCall, idempotentCall } from '../../checkout/idempotency.ts'
import { answerChange, answerOnce } from '../../checkout/sent-answers.ts'
import type { OfficialSession } from '../../checkout/sessions.ts'
import { cancelCheckout } from '../../checkout/steps/cancel.ts'
import { reviseCheckout } from '../../checkout/steps/revise.ts'
import { OFFICIAL_ACP } from '../../db/statuses.ts'
import type { CheckoutSession, PartialAddress } from '../../db/tables.ts'
import { CURRENCY } from '../../shop/assortment.ts'
import { type Inventory, inventoryOfIds, readInventory } from '../../shop/inventory.ts'
import { fromAcpAddress } from './address.ts'
import { type AcpAnswer, type AcpFault, faultAnswer, faultOf, NO_ACP_SESSION } from './answers.ts'
import type { AcpCaller } from './caller.ts'
import { interventionsOf } from './capabilities.ts'
import { idsAsked, itemIdOf, lineIdOf, readAcpItems } from './items.ts'
import { acpErrorMessage, acpInfo, acpWarning, addressParam } from './messages.ts'
import {
  AcpCancelRequest,
  AcpCreateRequest,
  type AcpFulfillment,
  AcpUpdateRequest,
  readAcp,
} from './requests.ts'
import { showAcpSession } from './session-view.ts'
import type { AcpSettings } from './settings.ts'
import { type AcpState, acpState } from './state.ts'

export interface AcpContext extends CheckoutContext {
  settings: AcpSettings
}

/** One call of an operation, its caller known. */
export interface AcpCall {
  caller: AcpCaller
  /** The requested host. */
  host: string
  /** Empty for create. */
  id: string
  /** The raw body. */
  body: unknown
}

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
    const rendered: { answer?: AcpAnswer } = {}
    const answer = await reviseCheckout(deps, {
      protocol: OFFICIAL_ACP,
      id,
      keyed,
      isTheirs: (session) => isOwn(session, call),
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
        const shown = show(context, snapshot, inventory, said)
        rendered.answer = shown
        return shown
      },
    })
    if (answer.isSent && rendered.answer) return { ...rendered.answer, of: answer }
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
  if (!(await ownSession(context, call))) return faultAnswer(NO_ACP_SESSION)
  return answerOnce(deps, keyedAcpCall(call, `cancel:${id}`), async (keyed) => {
    const snapshot = await ownSession(context, call)
    const isNew = keyed?.isNew ?? true
    const isOver = snapshot && isNew && OVER.includes(statusNow(snapshot))
    if (isOver) return faultAnswer({ ...NOT_CANCELABLE, headers: { allow: '' } })
    return answerWith(
      context,
      call,
      await cancelCheckout(deps, { protocol: OFFICIAL_ACP, id, keyed }),
    )
  })
}

const OVER = ['completed', 'canceled', 'expired']

/** A payment in progress is not an end: it may still fail. */
const statusNow = ({ session, order }: Snapshot): string =>
  order?.status === 'awaiting_payment' ? 'completing' : session.status

const NOT_CANCELABLE: AcpFault = {
  status: 405,
  code: 'not_cancelable',
  message: 'This checkout session has come to its end and cannot be canceled.',
}

const OTHER_CURRENCY: AcpFault = {
  status: 400,
  code: 'unsupported_currency',
  message: `This shop sells in ${CURRENCY.toLowerCase()} alone. Send that as currency.`,
  param: '$.currency',
}

/**
 * The call under its key; null without one. Unspecified: a call that is refused before it has any
 * effect leaves its idempotency key free for the corrected one.
 */
export const keyedAcpCall = (
  { caller, body }: AcpCall,
  operation: string,
): IdempotentCall | null =>
  caller.key === null
    ? null
    : idempotentCall(`${OFFICIAL_ACP}:${operation}:${caller.platform}`, caller.key, body)

/**
 * The session, if it is the caller's own. Unspecified: a session belongs to the credential that
 * opened it, at the host where it did; for others it does not exist.
 */
export async function ownSession({ deps }: AcpContext, call: AcpCall): Promise<Snapshot | null> {
  const found = await readCheckout(deps, OFFICIAL_ACP, call.id)
  return found && isOwn(found.session, call) ? found : null
}

const isOwn = (session: OfficialSession, { host, caller }: AcpCall): boolean =>
  session.host === host && session.official.platform === caller.platform

interface ShowOptions {
  status?: number
  messages?: AcpMessage[]
  /** The products of the session's items, if the call has read them. */
  inventory?: Inventory | undefined
}

/** The answer that shows a session, with the current stock. */
export async function showSnapshot(
  { deps, settings }: AcpContext,
  snapshot: Snapshot,
  { status = 200, messages = [], inventory: read }: ShowOptions = {},
): Promise<AcpAnswer> {
  const { session, order } = snapshot
  const ids = [...session.items, ...(order?.items ?? [])].map(({ product_id }) => product_id)
  const inventory = read ?? (await readInventory(deps.db, ids))
  return show({ deps, settings }, snapshot, inventory, messages, status)
}

/** The bytes of a session. */
function show(
  { deps, settings }: Pick<AcpContext, 'deps' | 'settings'>,
  snapshot: Snapshot,
  inventory: Inventory,
  messages: AcpMessage[],
  status = 200,
): { status: number; text: string } {
  const { acceptance } = deps
  const shown = showAcpSession(snapshot, { inventory, settings, acceptance, messages })
  return { status, text: JSON.stringify(shown) }
}

interface AnswerOptions {
  status?: number
  messages?: AcpMessage[] | ((session: CheckoutSession) => Promise<AcpMessage[]>)
  inventory?: Inventory | undefined
}

/** The session after the checkout has answered; or its refusal, as a flat error. */
export async function answerWith(
  context: AcpContext,
  call: AcpCall,
  answer: CheckoutAnswer,
  { status = 200, messages = [], inventory }: AnswerOptions = {},
): Promise<AcpAnswer> {
  const outcome: CallOutcome = callOutcomeOf(answer)
  if ('refused' in outcome) {
    return { ...faultAnswer(faultOf(outcome.refused, answer.retryAfter)), of: answer }
  }
  const id = 'checkout_id' in outcome ? outcome.checkout_id : call.id
  const snapshot = answer.snapshot ?? (await ownSession(context, { ...call, id }))
  if (!snapshot) return faultAnswer(NO_ACP_SESSION)
  const said = typeof messages === 'function' ? await messages(snapshot.session) : messages
  const shown = await showSnapshot(context, snapshot, { status, messages: said, inventory })
  return { ...shown, ...(answer.replayed && { replayed: true }), of: answer }
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
