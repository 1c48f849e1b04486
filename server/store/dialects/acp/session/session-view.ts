import type { AcpMessage } from '../../../../../shared/protocols/acp/session.ts'
import {
  ACP,
  type AcpStatus,
  type AcpVersion,
} from '../../../../../shared/protocols/acp/versions.ts'
import type { ShippingOption } from '../../../../../shared/protocols/spec/ucp.ts'
import type { Db } from '../../../../db/connect.ts'
import { checkoutUrl } from '../../../buyer/addresses.ts'
import {
  type CallOutcome,
  type CheckoutAnswer,
  callOutcomeOf,
  type SentBytes,
  type Snapshot,
} from '../../../checkout/answers.ts'
import { MAX_QUANTITY } from '../../../checkout/steps/basket.ts'
import type { CheckoutSession, SessionItem, Tx } from '../../../db/tables.ts'
import { originOf } from '../../../http/store-request.ts'
import { imagePath } from '../../../shop/assortment.ts'
import { type Inventory, readInventory } from '../../../shop/inventory.ts'
import { policyLinks } from '../../../shop/pages/policies.ts'
import { type AcpAnswer, faultAnswer, faultOf, NO_ACP_SESSION } from '../answers.ts'
import { type AcpCall, type AcpContext, ownSession } from '../caller.ts'
import { acpOrder } from '../order.ts'
import { toAcpAddress } from './address.ts'
import { acpCapabilities, authenticationMetadata, type HandlerTerms } from './capabilities.ts'
import { allTotals, goodsTotals, itemIdOf, lineIdOf } from './items.ts'
import { authenticationMessage, lacking, shortages } from './messages.ts'
import { type AcpState, acpState, keptVersion } from './state.ts'

type Shown = Record<string, unknown>

interface ViewOptions extends Pick<HandlerTerms, 'settings' | 'acceptance'> {
  /** The products that can be bought now. */
  inventory: Inventory
  /** Messages of this call only. */
  messages?: AcpMessage[]
}

const FINAL = ['completed', 'canceled', 'expired']

/** The session's state in ACP's words (ACP 2026-04-17, CheckoutSession.status). */
export function acpStatusOf({ session, order }: Snapshot, inventory: Inventory): AcpStatus {
  const { status } = session
  if (status === 'canceled' || status === 'expired') return status
  if (status === 'completed' && order?.status !== 'awaiting_payment') return 'completed'
  if (status !== 'pending_confirmation') return 'complete_in_progress'
  if (shortages(session, inventory).length > 0) return 'not_ready_for_payment'
  if (lacking(session).length > 0) return 'incomplete'
  const { wants } = acpState(session)
  if (wants) return wants.by === 'agent' ? 'authentication_required' : 'requires_escalation'
  return 'ready_for_payment'
}

/** The complete session, which every operation answers (ACP 2026-04-17, CheckoutSession). */
function showAcpSession(snapshot: Snapshot, options: ViewOptions): Shown {
  const { session, order } = snapshot
  const { inventory, settings, messages = [] } = options
  const { host, id, currency, created_at, expires_at, official } = session
  const version = keptVersion(official?.version)
  const status = acpStatusOf(snapshot, inventory)
  const isOpen = session.status === 'pending_confirmation'
  const paid = status === 'completed' ? order : undefined
  // If a failed payment came after all, the session may have changed in between.
  const { items, address } = paid ?? session
  const state = acpState(paid ?? session)
  const shipping = paid?.shipping ?? chosenOption(session)
  // Unspecified: a completed session lists only the shipping option that was bought.
  const offered = paid ? [paid.shipping] : session.shipping_options
  const sessionMessages = isOpen
    ? [...shortages(session, inventory), ...lacking(session), ...authenticationMessage(state)]
    : []
  const { details = {}, buyer, locale, timezone, metadata } = state
  const destination = detailsOf(details, address, version)
  return {
    id,
    protocol: { version },
    status,
    currency: currency.toLowerCase(),
    capabilities: acpCapabilities({ ...options, host, version }, state),
    ...(buyer && { buyer }),
    line_items: items.map((item) => acpLineItem(item, host, inventory, isOpen)),
    ...(destination && { fulfillment_details: destination }),
    fulfillment_options: offered.map(fulfillmentOption),
    ...(shipping && {
      selected_fulfillment_options: [
        {
          type: 'shipping',
          option_id: shipping.id,
          item_ids: items.map((item) => lineIdOf(itemIdOf(item))),
        },
      ],
    }),
    totals: allTotals(paid ?? session, shipping),
    messages: [...messages, ...sessionMessages].map((message) => ofVersion(message, version)),
    links: policyLinks({ origin: originOf(host) }).flatMap(acpLink),
    ...(status === 'authentication_required' &&
      settings.acquirer && {
        authentication_metadata: authenticationMetadata(
          settings.acquirer,
          state.wants?.directory_server ?? 'visa',
        ),
      }),
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    ...(!FINAL.includes(status) && { continue_url: checkoutUrl(session) }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezone }),
    ...(metadata && { metadata }),
    ...(paid && { order: acpOrder(paid, version) }),
  }
}

const chosenOption = ({
  shipping_options,
  shipping_option_id,
  confirmed_option_id,
  status,
}: CheckoutSession) =>
  shipping_options.find(
    ({ id }) => id === (status === 'completing' ? confirmed_option_id : shipping_option_id),
  )

function ofVersion(message: AcpMessage, version: AcpVersion): AcpMessage {
  if (ACP.of(version).hasResolutions) return message
  const { resolution: _, ...old } = message
  return old
}

function detailsOf(
  details: NonNullable<AcpState['details']>,
  address: CheckoutSession['address'],
  version: AcpVersion,
): Shown | null {
  const { company, ...person } = details
  const whole = toAcpAddress(address, ACP.of(version).hasCompany ? company : undefined)
  const shown = { ...person, ...(whole && { address: whole }) }
  return Object.keys(shown).length === 0 ? null : shown
}

/** One line; `isOpen`: it can still be bought, so its stock is shown. */
export function acpLineItem(
  item: SessionItem,
  host: string,
  inventory: Inventory,
  isOpen: boolean,
): Shown {
  const { product_id, variant_id, name, quantity, unit_price, available_on } = item
  const id = itemIdOf(item)
  const found = inventory.findOffer(id)
  const pieces = inventory.left(id)
  const options = Object.entries(found?.offer?.attributes ?? {})
  return {
    id: lineIdOf(id),
    item: { id, name, unit_amount: unit_price.amount },
    quantity,
    name,
    unit_amount: unit_price.amount,
    product_id,
    ...(variant_id !== null && { variant_id }),
    ...(found?.offer && { sku: found.offer.sku }),
    ...(found && { images: [`${originOf(host)}${imagePath(found.article)}`] }),
    ...(options.length > 0 && {
      variant_options: options.map(([option, value]) => ({ name: option, value })),
    }),
    ...(isOpen && {
      availability_status: availabilityOf(found?.offer?.availability),
      ...(pieces < quantity && { available_quantity: pieces }),
      max_quantity_per_order: MAX_QUANTITY,
    }),
    ...(available_on !== null && { fulfillable_on: `${available_on}T00:00:00.000Z` }),
    totals: goodsTotals(unit_price.amount * quantity),
  }
}

const availabilityOf = (availability = 'out_of_stock'): string =>
  availability === 'preorder' ? 'pre_order' : availability

const fulfillmentOption = ({ id, name, cost }: ShippingOption): Shown => ({
  type: 'shipping',
  id,
  title: name,
  totals: [{ type: 'total', display_text: name, amount: cost.amount }],
})

/** The policies by ACP's names; others are left out. */
function acpLink({ type, url, title }: ReturnType<typeof policyLinks>[number]): Shown[] {
  const named = LINK_TYPES[type]
  return named === undefined ? [] : [{ type: named, url, title }]
}

const LINK_TYPES: Readonly<Record<string, string>> = {
  shipping_policy: 'shipping_policy',
  refund_policy: 'return_policy',
  privacy_policy: 'privacy_policy',
  terms_of_service: 'terms_of_use',
}

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
  const inventory = read ?? (await inventoryOfSession(deps.db, snapshot))
  return show({ deps, settings }, snapshot, inventory, messages, status)
}

/** The products of a session and of its order. */
export const inventoryOfSession = (db: Db | Tx, { session, order }: Snapshot): Promise<Inventory> =>
  readInventory(db, [
    ...new Set([...session.items, ...(order?.items ?? [])].map(({ product_id }) => product_id)),
  ])

/** The bytes of a session. */
export function show(
  { deps, settings }: Pick<AcpContext, 'deps' | 'settings'>,
  snapshot: Snapshot,
  inventory: Inventory,
  messages: AcpMessage[],
  status = 200,
): SentBytes {
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
  const { sent, replayed = false } = answer
  if (sent) return { ...sent, ...(replayed && { replayed }), of: answer }
  const outcome: CallOutcome = callOutcomeOf(answer)
  if ('refused' in outcome) {
    return { ...faultAnswer(faultOf(outcome.refused, answer.retryAfter)), of: answer }
  }
  const id = 'checkout_id' in outcome ? outcome.checkout_id : call.id
  const snapshot = answer.snapshot ?? (await ownSession(context, { ...call, id }))
  if (!snapshot) return faultAnswer(NO_ACP_SESSION)
  const said = typeof messages === 'function' ? await messages(snapshot.session) : messages
  const shown = await showSnapshot(context, snapshot, { status, messages: said, inventory })
  return { ...shown, ...(replayed && { replayed }), of: answer }
}
