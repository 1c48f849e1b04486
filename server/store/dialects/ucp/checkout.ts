import { hash } from 'node:crypto'
import type { UcpErrorMessage } from '../../../../shared/protocols/ucp/checkout.ts'
import type { SigningKey } from '../../../signatures/jwk.ts'
import { challengeReturnUrl } from '../../buyer/addresses.ts'
import {
  type CheckoutAnswer,
  callOutcomeOf,
  refusalAnswer,
  type Snapshot,
} from '../../checkout/answers.ts'
import { attributionOf } from '../../checkout/caller.ts'
import { findCart, noteCheckout } from '../../checkout/carts.ts'
import { completeCheckout, createCheckout, readCheckout } from '../../checkout/checkout.ts'
import type { StoreDeps } from '../../checkout/deps.ts'
import type { IdempotentCall } from '../../checkout/idempotency.ts'
import type { CountCheckout } from '../../checkout/quota.ts'
import { type Refused, TOO_MANY } from '../../checkout/refusals.ts'
import { isFinal, type OfficialSession, type SessionCall } from '../../checkout/sessions.ts'
import { type BasketFault, fillBasket } from '../../checkout/steps/basket.ts'
import { cancelCheckout } from '../../checkout/steps/cancel.ts'
import { reviseCheckout } from '../../checkout/steps/revise.ts'
import { OFFICIAL_UCP } from '../../db/statuses.ts'
import type { CheckoutSession, OfficialState } from '../../db/tables.ts'
import { inventoryOfIds } from '../../shop/inventory.ts'
import {
  type CheckoutRequest,
  choicesOf,
  itemsOf,
  type UcpCreateRequest,
} from './checkout-request.ts'
import { isInProgress, type Saying, showCheckout } from './checkout-view.ts'
import { type Shown, shownOf } from './destination.ts'
import {
  type Agreed,
  isRefusedCall,
  protocolError,
  refusedCall,
  SERVER_ERROR,
  type UcpResult,
  ucpFailure,
} from './envelope.ts'
import {
  agreesOnMandates,
  judgeMandate,
  keptMandate,
  type MandateRefusal,
  refusedMandate,
  spendMandate,
} from './mandates.ts'
import { countedAs, platformOf } from './negotiation/caller.ts'
import type { Negotiated } from './negotiation/negotiate.ts'
import { shownInstrument, tokenOf, type UcpCompleteRequest } from './profile/payment-handlers.ts'

/** One call of an operation: the caller, the shop, and the store's dependencies. */
export interface UcpContext extends Agreed {
  deps: StoreDeps
  count: CountCheckout
  signedBy: string | null
  nonce: string | null
  trustsProfiles: boolean
  address: () => string | null
  /** The call under its idempotency key; null without one. */
  keyed: IdempotentCall | null
  /** Signs checkouts with mandates; null if no key can be opened. */
  signer: SigningKey | null
}

/** The platform's data that a session or cart stores. */
export const platformState = (negotiated: Negotiated, shown: Shown): OfficialState => ({
  version: negotiated.version,
  platform: negotiated.profileUrl,
  webhook_url: negotiated.webhookUrl,
  shown: { ...shown },
  ...(agreesOnMandates(negotiated) && { mandates: true }),
})

/** `POST /checkout-sessions`. Unavailable items are left out, and the answer says so. */
export async function createUcpCheckout(
  context: UcpContext,
  wanted: UcpCreateRequest,
): Promise<UcpResult> {
  const { deps, request, negotiated, keyed } = context
  const cart =
    wanted.cart_id === undefined ? null : await findCart(deps, OFFICIAL_UCP, wanted.cart_id)
  if (wanted.cart_id !== undefined && cart?.host !== request.host) {
    const content = 'There is no such cart, or it has expired.'
    return refuseNew(context, { code: 'not_found', content })
  }
  if (cart?.session_id) {
    const opened = await readCheckout(deps, { protocol: OFFICIAL_UCP, id: cart.session_id })
    if (opened && !isFinal(opened)) return showCheckout(context, opened)
  }
  const lineItems = wanted.line_items ?? []
  if (cart === null && lineItems.length === 0) {
    return protocolError(
      400,
      'invalid_request',
      'Fix and send again: line_items: expected an item.',
    )
  }
  const inventory = await inventoryOfIds(
    deps.db,
    cart ? cart.items.map(({ product_id }) => product_id) : lineItems.map(({ item }) => item.id),
  )
  const asked = cart ? cart.items : itemsOf(lineItems, inventory)
  const { items, complaints } = separate(asked, inventory)
  const [first] = complaints
  if (items.length === 0 && first) return refuseNew(context, first)
  // UCP, cart: its contents (items, buyer and context) take precedence over the call's.
  const known = cart ? shownOf(cart.official) : {}
  const { buyer = wanted.buyer, context: where = wanted.context } = known
  const choices = choicesOf({ ...wanted, buyer, context: where }, null, negotiated.version)
  if ('unknown' in choices) return refuseNew(context, unknownDestinationDetail(choices.unknown))
  const shown = { ...choices.shown, ...(cart && { cart_id: cart.id }) }
  const answer = await createCheckout(deps, context.count, {
    protocol: OFFICIAL_UCP,
    host: request.host,
    buyer: platformOf(negotiated.profileUrl),
    counted: countedAs(context),
    keyed,
    items,
    address: choices.address,
    attribution: attributionOf(wanted.attribution?.ai_surface),
    dryRun: false,
    official: {
      state: platformState(negotiated, shown),
      shippingOptionId: choices.shippingOptionId,
      inventory,
    },
  })
  const outcome = callOutcomeOf(answer)
  if ('refused' in outcome && !isRefusedCall(outcome.refused)) {
    const { code, message } = outcome.refused
    return { ...ucpFailure(context, codeOf(code), message), of: answer }
  }
  const id = outcomeId(outcome)
  const noted = cart && id ? await noteCheckout(deps.db, cart.id, id, cart.session_id) : id
  return show(context, noted, answer, { status: 201, complaints })
}

/**
 * Why nothing can be opened. Its call counts towards the quota, because the key stores this answer
 * too.
 */
export async function refuseNew(
  context: UcpContext,
  { code, content }: Pick<UcpErrorMessage, 'code' | 'content'>,
): Promise<UcpResult> {
  const wait = context.keyed && (await context.count(countedAs(context)))
  return wait === null
    ? ucpFailure(context, code, content)
    : refusedCall({ ...TOO_MANY, retryAfter: wait })
}

/** A call about a checkout of the requested shop: those of other hosts do not exist for it. */
const callOf = ({ request, keyed }: UcpContext, id: string): SessionCall => ({
  protocol: OFFICIAL_UCP,
  id,
  keyed,
  isTheirs: ({ host }) => host === request.host,
})

/** The current checkout. */
export async function getUcpCheckout(context: UcpContext, id: string): Promise<UcpResult> {
  const snapshot = await readCheckout(context.deps, callOf(context, id))
  return snapshot ? showCheckout(context, snapshot) : noSession(context)
}

/** `PUT`: replaces the content. An unavailable item changes nothing, and the answer says so. */
export async function updateUcpCheckout(
  context: UcpContext,
  id: string,
  wanted: CheckoutRequest,
): Promise<UcpResult> {
  const { deps, negotiated } = context
  const { line_items } = wanted
  const read = (session: OfficialSession) =>
    choicesOf(
      wanted,
      {
        shown: shownOf(session.official),
        address: session.address ?? {},
        shippingOptionId: session.shipping_option_id,
      },
      negotiated.version,
    )
  let unknown: string | null = null
  const answer = await reviseCheckout(deps, {
    ...callOf(context, id),
    become: async (session, tx) => {
      const choices = read(session)
      if ('unknown' in choices) {
        unknown = choices.unknown
        return null
      }
      const rest = {
        address: choices.address,
        shippingOptionId: choices.shippingOptionId,
        state: stateAfter(session, platformState(negotiated, choices.shown)),
      }
      if (hasItems(session, line_items)) return { ...rest, items: 'same' }
      const ids = line_items.map(({ item }) => item.id)
      const inventory = await inventoryOfIds(tx, ids)
      return { ...rest, items: itemsOf(line_items, inventory), inventory }
    },
    render: (snapshot) => {
      const shown = showCheckout(context, snapshot)
      return { status: shown.status, text: JSON.stringify(shown) }
    },
  })
  const complaints = unknown === null ? [] : [unknownDestinationDetail(unknown)]
  return show(context, id, answer, { complaints })
}

/** Whether these are the items of the session, in its order. */
const hasItems = ({ items }: CheckoutSession, asked: CheckoutRequest['line_items']): boolean =>
  asked.length === items.length &&
  items.every(
    ({ product_id, variant_id, quantity }, at) =>
      asked[at]?.item.id === (variant_id ?? product_id) && asked[at]?.quantity === quantity,
  )

/**
 * The stored state of a session after an update. It stays with the platform that opened it, even if
 * another one knows its id: the opener gets the order's webhooks, and reads the order.
 */
const stateAfter = ({ official }: OfficialSession, sent: OfficialState): OfficialState =>
  official.platform === sent.platform
    ? { ...sent, ...(official.mandates && { mandates: true }) }
    : { ...official, shown: sent.shown }

/** Cancels a checkout, once. It stays readable (UCP, Checkout, Cancel Checkout). */
export const cancelUcpCheckout = async (context: UcpContext, id: string): Promise<UcpResult> =>
  show(context, id, await cancelCheckout(context.deps, callOf(context, id)))

/** Pays and places the order (UCP, Checkout, Complete). */
export async function completeUcpCheckout(
  context: UcpContext,
  id: string,
  { payment, ap2 }: UcpCompleteRequest,
): Promise<UcpResult> {
  const { deps, request } = context
  const sent = ap2?.checkout_mandate
  // Read before the session is locked: who holds a lock does not wait for another connection.
  const published = sent === undefined ? [] : await deps.signingKeys.published(deps.db, deps.now())
  const ownKeys = published.map((key) => ({ ...key }))
  let refusal: MandateRefusal | null = null
  const refuse = (refused: MandateRefusal) => {
    refusal = refused
    return refusalAnswer(OFFICIAL_UCP, { code: 'invalid', message: refused.content })
  }
  const answer = await completeCheckout(deps, {
    ...callOf(context, id),
    judge: async (seen, tx, isNew) => {
      refusal = null
      // A checkout that is over takes no payment from any caller.
      if (isNew && isFinal(seen)) return refusalAnswer(OFFICIAL_UCP, OVER)
      const unpaid = (path: string, message: string) =>
        refusalAnswer(OFFICIAL_UCP, { code: 'declined', message, fields: [path] })
      const { session } = seen
      const now = deps.now()
      // It was verified when this payment was begun, and may have expired since.
      const isKnown = isUnderWay(seen) && sent !== undefined && session.mandate?.sent === sent
      const judged = isKnown
        ? { mandate: null }
        : await judgeMandate(
            { ...context, sent, ownKeys, now },
            session,
            showCheckout(context, seen).body,
          )
      if ('refused' in judged) return refuse(judged.refused)
      const { mandate } = judged
      const [instrument, second] = payment.instruments
      if (!instrument || second) return unpaid(INSTRUMENTS, 'Send exactly one instrument.')
      const read = tokenOf(instrument, request, deps.acceptance)
      if ('wrong' in read) return unpaid(`${INSTRUMENTS}[0].${read.wrong}`, read.content)
      const tried = hash('sha256', `${id} ${read.token}`)
      const last = shownOf(session.official ?? { shown: {} }).tried
      if (isKnown && last !== tried) return refuse(SPENT)
      if (mandate && !(await spendMandate(tx, mandate, session, tried, now))) return refuse(SPENT)
      const returnUrl = challengeReturnUrl(session)
      return {
        payment: { type: 'card', token: read.token, returnUrl },
        // The same credential again, under any key, asks for the result.
        isOther: last !== undefined && last !== tried,
        shown: { instrument: shownInstrument(instrument), tried },
        ...(mandate && sent !== undefined && { mandate: keptMandate(mandate, sent, now) }),
      }
    },
    shippingOptionId: undefined,
  })
  return refusal ? refusedMandate(refusal) : show(context, id, answer)
}

const SPENT: MandateRefusal = {
  code: 'mandate_scope_mismatch',
  content: 'This mandate was used for another payment. Ask the buyer again.',
}

/** Whether a payment of a session has begun, and may still be under way. */
const isUnderWay = ({ session: { status } }: Snapshot): boolean =>
  status === 'completing' || status === 'completed'

/** The answer of `closed` is given for it. */
const OVER = { code: 'session_closed', message: 'This checkout is over.' } as const

const INSTRUMENTS = '$.payment.instruments'

/** The session with the outcome of the call. */
const show = async (
  context: UcpContext,
  id: string,
  answer: CheckoutAnswer,
  saying: Saying = {},
): Promise<UcpResult> => {
  const { sent, replayed = false } = answer
  const said: UcpResult = sent
    ? { ...JSON.parse(sent.text), ...(replayed && { replayed }) }
    : await showOutcome(context, id, answer, saying)
  return { ...said, of: answer }
}

async function showOutcome(
  context: UcpContext,
  id: string,
  answer: CheckoutAnswer,
  saying: Saying,
): Promise<UcpResult> {
  const outcome = callOutcomeOf(answer)
  const refused = 'refused' in outcome ? outcome.refused : null
  const { retryAfter } = answer
  if (refused && isRefusedCall(refused)) {
    return refusedCall({ ...refused, ...(retryAfter !== undefined && { retryAfter }) })
  }
  if (refused?.code === 'session_not_found') return noSession(context)
  const own = answer.snapshot?.session.id === id ? answer.snapshot : null
  const snapshot = own ?? (await readCheckout(context.deps, callOf(context, id)))
  if (snapshot === null) return noSession(context)
  if (refused === null) return showCheckout(context, snapshot, saying)
  const isUnderWay = isInProgress(snapshot) || snapshot.session.status === 'completed'
  if (IN_FLIGHT.includes(refused.code) && !isUnderWay) {
    return protocolError(409, 'idempotency_in_flight', refused.detail ?? refused.message, {
      rpcCode: SERVER_ERROR,
      ...(retryAfter !== undefined && { retryAfter }),
    })
  }
  const { complaints = [], ...rest } = saying
  if (refused.code === 'session_closed' || refused.code === 'session_expired') {
    if (isFinal(snapshot)) return closed(snapshot)
  }
  const complaint = complaintOf(refused, snapshot, isUnderWay)
  const shown = showCheckout(context, snapshot, {
    ...rest,
    complaints: complaint ? [...complaints, complaint] : complaints,
  })
  return { ...shown, isPassing: PASSING.includes(refused.code) }
}

// Unspecified: while another call, or this one, still works on a payment, the checkout is shown as
// in progress. One that nothing is charged for yet has no such state: its call is 409.
const IN_FLIGHT: readonly Refused['code'][] = ['idempotency_in_flight', 'taking_long']

/** Temporary refusals: the same call, sent again, gets the result. */
const PASSING: readonly Refused['code'][] = [...IN_FLIGHT, 'payment_unknown']

/**
 * The error for a refusal, as far as the platform can act on it; null: the session itself shows
 * what it lacks.
 */
function complaintOf(
  refused: Refused,
  snapshot: Snapshot,
  isUnderWay: boolean,
): UcpErrorMessage | null {
  const { code, message, items, fields, needsAuthentication } = refused
  const [instrument = `${INSTRUMENTS}[0]`] = fields ?? []
  switch (code) {
    case 'declined':
      return needsAuthentication
        ? { code: 'requires_3ds', content: message, severity: 'requires_buyer_input' }
        : { code: 'payment_failed', content: message, severity: 'recoverable', path: instrument }
    case 'idempotency_in_flight':
    case 'taking_long':
    case 'payment_unknown':
      // It may have been paid since: then there is no error.
      return isUnderWay
        ? null
        : { code: 'payment_failed', content: message, severity: 'recoverable', path: instrument }
    case 'out_of_stock': {
      const at = snapshot.session.items.findIndex(({ product_id, variant_id }) =>
        items?.includes(variant_id ?? product_id),
      )
      const path = at < 0 ? '$.line_items' : `$.line_items[${at}]`
      return { code, content: message, severity: 'recoverable', path }
    }
    case 'invalid':
    case 'invalid_address':
      return null
    case 'session_closed':
    case 'session_expired':
      return { code: 'in_progress', content: message, severity: 'recoverable' }
    default:
      return { code: codeOf(code), content: message, severity: 'recoverable' }
  }
}

/** A checkout that is over cannot be changed, completed or canceled (UCP, Checkout, Lifecycle). */
const closed = ({ session }: Snapshot): UcpResult =>
  protocolError(
    409,
    session.status === 'completed' ? 'completed' : 'canceled',
    session.status === 'completed'
      ? 'This checkout is completed. Read it to see its order.'
      : 'This checkout is canceled or has expired. Create a new one.',
    { rpcCode: SERVER_ERROR },
  )

// Unspecified: the answer that a checkout or cart does not exist is not stored under an idempotency
// key. It stays true, and strangers could make the store keep any number of them.
const noSession = (context: UcpContext): UcpResult => ({
  ...ucpFailure(
    context,
    'not_found',
    'There is no such checkout, or it has expired. Create a new one.',
  ),
  isPassing: true,
})

const unknownDestinationDetail = (id: string): UcpErrorMessage => ({
  code: 'not_found',
  content: `There is no destination ${JSON.stringify(id)}: select one of the destinations that you sent.`,
  severity: 'recoverable',
  path: '$.fulfillment.methods[0].selected_destination_id',
})

/** The id of a checkout that does not exist, for a call that opened none. */
const outcomeId = (outcome: ReturnType<typeof callOutcomeOf>): string =>
  'checkout_id' in outcome ? outcome.checkout_id : ''

/** The available ones of these items, and the fault of each of the others. */
export function separate(
  asked: Parameters<typeof fillBasket>[0],
  inventory: Parameters<typeof fillBasket>[1],
): { items: Parameters<typeof fillBasket>[0]; complaints: UcpErrorMessage[] } {
  let items = asked
  const complaints: UcpErrorMessage[] = []
  for (;;) {
    const filled = fillBasket(items, inventory)
    if (!('code' in filled)) return { items, complaints }
    complaints.push({
      code: codeOf(filled.code),
      content: filled.message,
      severity: 'recoverable',
      path: '$.line_items',
    })
    const left = items.filter((item, at) => !isBlamed(filled, item, at))
    if (left.length === items.length) return { items: [], complaints }
    if (left.length === 0) return { items: [], complaints }
    items = left
  }
}

function isBlamed(
  { fields = [], items = [] }: BasketFault,
  { product_id, variant_id }: Parameters<typeof fillBasket>[0][number],
  at: number,
): boolean {
  return (
    items.includes(variant_id ?? product_id) ||
    fields.some((field) => field === 'items' || field.startsWith(`items.${at}.`))
  )
}

/** UCP has one code for unavailable items, for any reason. */
const codeOf = (code: string): string =>
  code === 'out_of_stock' || code === 'too_many_items' ? code : 'item_unavailable'
