import { type CheckoutAnswer, callOutcomeOf, type Snapshot } from '../../checkout/answers.ts'
import { completeCheckout } from '../../checkout/checkout.ts'
import {
  answerChange,
  findAnswer,
  type IdempotentCall,
  idempotentCall,
} from '../../checkout/idempotency.ts'
import { changeSession, completionScope, lockSession, sessionAt } from '../../checkout/sessions.ts'
import { OFFICIAL_ACP } from '../../db/statuses.ts'
import type { CheckoutSession, Tx } from '../../db/tables.ts'
import type { ThreeDsResult } from '../../psp/psp.ts'
import type { Inventory } from '../../shop/inventory.ts'
import { type AcpAnswer, type AcpFault, faultAnswer, faultOf, NO_ACP_SESSION } from './answers.ts'
import { type AcpCall, type AcpContext, aboutSession, ownSession } from './caller.ts'
import { AcpCompleteRequest, type AuthenticationResult, readAcp } from './requests.ts'
import { directoryServerOf, HANDLER_ID, ownInterventions } from './session/capabilities.ts'
import { acpErrorMessage } from './session/messages.ts'
import {
  acpStatusOf,
  answerWith,
  inventoryOfSession,
  showSnapshot,
} from './session/session-view.ts'
import { type AcpState, acpState, keptVersion } from './session/state.ts'

/**
 * `POST /checkout_sessions/{id}/complete`: the session with its order. A decline, or anything else
 * that blocks the payment, is 200 with a message.
 */
export async function completeAcpSession(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const { deps } = context
  const { caller, id, body } = call
  const read = readAcp(AcpCompleteRequest, body)
  if ('fault' in read) return faultAnswer(read.fault)
  const { buyer, order_notes, authentication_result: authentication, payment_data } = read.data
  const instrument = readInstrument(deps, payment_data)
  const given =
    caller.key === null
      ? null
      : idempotentCall(completionScope({ protocol: OFFICIAL_ACP, id }), caller.key, body)
  return answerChange(deps, given, async (keyed) => {
    let inventory: Inventory | undefined
    const answer = await completeCheckout(deps, {
      ...aboutSession(call, keyed),
      judge: async (seen, tx, isNew) => {
        if ('fault' in instrument) return ownAnswer(faultAnswer(instrument.fault))
        if (isNew && seen.session.status === 'pending_confirmation') {
          inventory = await inventoryOfSession(tx, seen)
          const early = await answerEarly(context, seen, inventory, authentication, tx)
          if (early) return ownAnswer(early)
        }
        const threeDs = threeDsOf(authentication)
        return {
          payment: { ...instrument.payment, ...(threeDs && { authentication: threeDs }) },
          shown: {
            wants: undefined,
            ...(buyer && { buyer }),
            ...(order_notes !== undefined && { order_notes }),
          } satisfies AcpState,
        }
      },
      shippingOptionId: undefined,
    })
    const asks = authentication || 'fault' in instrument ? null : instrument.directoryServer
    return { ...(await showOutcome(context, call, answer, { keyed, asks, inventory })), of: answer }
  })
}

/** An answer that the checkout neither knows nor keeps. */
const ownAnswer = (sent: AcpAnswer): CheckoutAnswer => ({ status: sent.status, body: null, sent })

interface Outcome {
  keyed: IdempotentCall | null
  /** The directory server for an authentication; null: the agent has tried one. */
  asks: string | null
  /** The products of the session, from before the payment. */
  inventory: Inventory | undefined
}

/** The session after a payment: with its order, or with the reason why there is none. */
async function showOutcome(
  context: AcpContext,
  call: AcpCall,
  answer: CheckoutAnswer,
  { keyed, asks, inventory }: Outcome,
): Promise<AcpAnswer> {
  const { deps } = context
  const outcome = answer.sent ? null : callOutcomeOf(answer)
  // A session that is paid shows its products, but no stock.
  if (outcome === null || !('refused' in outcome)) {
    return answerWith(context, call, answer, { inventory })
  }
  const { refused } = outcome
  const snapshot = answer.snapshot ?? (await ownSession(context, call))
  if (snapshot === null) return faultAnswer(NO_ACP_SESSION)
  if (refused.code === 'declined') {
    return refused.needsAuthentication && asks
      ? askForAuthentication(context, snapshot, asks)
      : showSnapshot(context, snapshot, { messages: [declined(refused.message)] })
  }
  // The session itself shows what blocks it.
  if (refused.code === 'out_of_stock' || refused.code === 'invalid') {
    return showSnapshot(context, snapshot)
  }
  const earlier = keyed && (await findAnswer(deps.db, keyed, deps.now()))
  const isUnderWay = ['completing', 'completed'].includes(snapshot.session.status)
  // Another call is paying it, or this payment takes long: the agent reads the result later.
  const isOthers = refused.code === 'idempotency_in_flight' && earlier?.is !== 'known'
  const isOurs = refused.code === 'taking_long' || refused.code === 'payment_unknown'
  if (isUnderWay && (isOthers || isOurs)) {
    return showSnapshot(context, snapshot)
  }
  return faultAnswer(faultOf(refused, answer.retryAfter))
}

const declined = (content: string) =>
  acpErrorMessage('payment_declined', content, {
    param: '$.payment_data',
    resolution: 'requires_buyer_input',
  })

/** The answer for an open session before anything is charged; null: it can be paid. */
async function answerEarly(
  context: AcpContext,
  seen: Snapshot,
  inventory: Inventory,
  result: AuthenticationResult | undefined,
  tx: Tx,
): Promise<AcpAnswer | null> {
  const status = acpStatusOf(seen, inventory)
  if (status === 'incomplete' || status === 'not_ready_for_payment') {
    return showSnapshot(context, seen, { inventory })
  }
  if (status === 'authentication_required' && result === undefined) return faultAnswer(NO_RESULT)
  if (result === undefined || !FAILED.includes(result.outcome)) return null
  const session = await setWants(tx, seen.session, undefined)
  const messages = [declined(NOT_AUTHENTICATED)]
  return showSnapshot(context, { ...seen, session }, { messages, inventory })
}

const NO_RESULT: AcpFault = {
  status: 400,
  code: 'requires_3ds',
  message: 'The bank wants an authentication. Send its result, however it ended.',
  param: '$.authentication_result',
}

// Unspecified: an authentication that the bank or the buyer refused is a decline, and nothing is
// charged. If none was possible the bank decides, and may decline the payment.
const FAILED: readonly AuthenticationResult['outcome'][] = [
  'denied',
  'rejected',
  'canceled',
  'abandoned',
  'internal_error',
]
const NOT_AUTHENTICATED =
  'The payment was not confirmed with the bank, and nothing was charged. Please pay another way.'

/** The proof of an authentication, for the charge. */
function threeDsOf(result: AuthenticationResult | undefined): ThreeDsResult | null {
  if (result?.outcome !== 'authenticated' && result?.outcome !== 'attempt_acknowledged') return null
  const { outcome_details: details } = result
  return details === undefined
    ? null
    : {
        cryptogram: details.three_ds_cryptogram,
        eci: details.electronic_commerce_indicator,
        transactionId: details.transaction_id,
        version: details.version,
      }
}

/**
 * The agent authenticates the buyer if both sides support it; else the buyer pays on the shop's
 * page.
 */
async function askForAuthentication(
  context: AcpContext,
  { session, order }: Snapshot,
  directory_server: string,
): Promise<AcpAnswer> {
  const { deps, settings } = context
  const { interventions = [] } = acpState(session)
  const own = ownInterventions(settings, keptVersion(session.official?.version))
  const isAgents = own.includes('3ds') && interventions.includes('3ds')
  const wants: AcpState['wants'] = { by: isAgents ? 'agent' : 'buyer', directory_server }
  const marked = await deps.db.transaction(async (tx) => {
    const locked = await lockSession(tx, session.id)
    // One that is being paid, or is over, stays unchanged.
    const now = locked && sessionAt(locked, deps.now())
    return now?.status === 'pending_confirmation' ? setWants(tx, now, wants) : now
  })
  return showSnapshot(context, { session: marked ?? session, order })
}

/** Stores in an open, locked session what the bank wants. */
const setWants = (
  tx: Tx,
  session: CheckoutSession,
  wants: AcpState['wants'],
): Promise<CheckoutSession> => {
  const { official } = session
  const shown = { ...acpState(session), wants } satisfies AcpState
  return changeSession(tx, session, 'update', official ? { official: { ...official, shown } } : {})
}

/** The token to charge, if it came through an offered handler. */
function readInstrument(
  { acceptance }: AcpContext['deps'],
  { handler_id, instrument }: AcpCompleteRequest['payment_data'],
): { payment: { type: string; token: string }; directoryServer: string } | { fault: AcpFault } {
  const isOffered = handler_id === HANDLER_ID && acceptance.kind !== 'none'
  if (!isOffered || instrument === undefined) {
    const param = isOffered ? '$.payment_data.instrument' : '$.payment_data.handler_id'
    const message = `Pay by one of the session's payment handlers: "${HANDLER_ID}", with an instrument.`
    return { fault: { status: 400, code: 'unsupported_payment_handler', message, param } }
  }
  const { type, brand, credential } = instrument
  if (type !== 'card') {
    const param = '$.payment_data.instrument.type'
    const message = `The handler "${HANDLER_ID}" takes instruments of the type "card".`
    return { fault: { status: 400, code: 'unsupported_payment_instrument', message, param } }
  }
  return {
    payment: { type, token: credential.token },
    directoryServer: directoryServerOf(brand),
  }
}
