import type { Snapshot } from '../../checkout/answers.ts'
import { type CheckoutAnswer, callOutcomeOf } from '../../checkout/answers.ts'
import { completeCheckout, readCheckout } from '../../checkout/checkout.ts'
import { findAnswer, type IdempotentCall, idempotentCall } from '../../checkout/idempotency.ts'
import { answerOnce } from '../../checkout/sent-answers.ts'
import { completionScope } from '../../checkout/sessions.ts'
import { OFFICIAL_ACP } from '../../db/statuses.ts'
import type { ThreeDsResult } from '../../psp/psp.ts'
import { readInventory } from '../../shop/inventory.ts'
import { type AcpAnswer, type AcpFault, faultAnswer, faultOf, NO_ACP_SESSION } from './answers.ts'
import { directoryServerOf, HANDLER_ID, ownInterventions } from './capabilities.ts'
import { type AcpCall, type AcpContext, answerWith, ownSession, showSnapshot } from './checkout.ts'
import { acpErrorMessage } from './messages.ts'
import { AcpCompleteRequest, type AuthenticationResult, readAcp } from './requests.ts'
import { acpStatusOf } from './session-view.ts'
import { type AcpState, acpState, changeState } from './state.ts'
import { keptVersion } from './versions.ts'

/**
 * `POST /checkout_sessions/{id}/complete`: the session with its order. A decline, or anything else
 * that blocks the payment, is 200 with a message.
 */
export async function completeAcpSession(context: AcpContext, call: AcpCall): Promise<AcpAnswer> {
  const { deps } = context
  const { caller, id, body } = call
  const read = readAcp(AcpCompleteRequest, body)
  if ('fault' in read) return faultAnswer(read.fault)
  const wanted = read.data
  const snapshot = await ownSession(context, call)
  if (!snapshot) return faultAnswer(NO_ACP_SESSION)
  const given =
    caller.key === null
      ? null
      : idempotentCall(completionScope({ protocol: OFFICIAL_ACP, id }), caller.key, body)
  return answerOnce(deps, given, async (keyed) => {
    const instrument = readInstrument(context, wanted)
    if ('fault' in instrument) return faultAnswer(instrument.fault)
    const authentication = wanted.authentication_result
    if (keyed?.isNew ?? true) {
      const early = await answerEarly(context, snapshot, authentication)
      if (early) return early
    }
    const { buyer, order_notes } = wanted
    const threeDs = threeDsOf(authentication)
    const answer = await completeCheckout(deps, {
      protocol: OFFICIAL_ACP,
      id,
      keyed,
      shippingOptionId: undefined,
      payment: { ...instrument.payment, ...(threeDs && { authentication: threeDs }) },
      shown: {
        wants: undefined,
        ...(buyer && { buyer }),
        ...(order_notes !== undefined && { order_notes }),
      } satisfies AcpState,
    })
    const { directoryServer } = instrument
    const shown = await showOutcome(context, call, answer, {
      keyed,
      ...(!authentication && { directoryServer }),
    })
    return { ...shown, of: answer }
  })
}

/** The session after a payment: with its order, or with the reason why there is none. */
async function showOutcome(
  context: AcpContext,
  call: AcpCall,
  answer: CheckoutAnswer,
  /** Without a directory server the agent cannot authenticate; so it did before. */
  { keyed, directoryServer }: { keyed: IdempotentCall | null; directoryServer?: string },
): Promise<AcpAnswer> {
  const { deps } = context
  const outcome = callOutcomeOf(answer)
  if (!('refused' in outcome)) return answerWith(context, call, answer)
  const { refused } = outcome
  const snapshot = await ownSession(context, call)
  if (snapshot === null) return faultAnswer(NO_ACP_SESSION)
  if (refused.code === 'declined') {
    return refused.needsAuthentication && directoryServer
      ? askForAuthentication(context, call, directoryServer)
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

/** The answer before anything is charged; null: it can be paid. */
async function answerEarly(
  context: AcpContext,
  snapshot: Snapshot,
  result: AuthenticationResult | undefined,
): Promise<AcpAnswer | null> {
  const { session } = snapshot
  if (session.status !== 'pending_confirmation') return null
  const inventory = await readInventory(
    context.deps.db,
    session.items.map(({ product_id }) => product_id),
  )
  const status = acpStatusOf(snapshot, inventory)
  if (status === 'incomplete' || status === 'not_ready_for_payment') {
    return showSnapshot(context, snapshot)
  }
  if (status === 'authentication_required' && result === undefined) return faultAnswer(NO_RESULT)
  if (result === undefined || !FAILED.includes(result.outcome)) return null
  const { id } = session
  await changeState(context.deps, id, (state) => ({ ...state, wants: undefined }))
  const now = await readCheckout(context.deps, OFFICIAL_ACP, id)
  return showSnapshot(context, now ?? snapshot, { messages: [declined(NOT_AUTHENTICATED)] })
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
  call: AcpCall,
  directory_server: string,
): Promise<AcpAnswer> {
  const { deps, settings } = context
  const snapshot = await ownSession(context, call)
  if (!snapshot) return faultAnswer(NO_ACP_SESSION)
  const { interventions = [] } = acpState(snapshot.session)
  const own = ownInterventions(settings, keptVersion(snapshot.session.official?.version))
  const isAgents = own.includes('3ds') && interventions.includes('3ds')
  const wants: AcpState['wants'] = { by: isAgents ? 'agent' : 'buyer', directory_server }
  await changeState(deps, call.id, (state) => ({ ...state, wants }))
  const marked = await ownSession(context, call)
  return showSnapshot(context, marked ?? snapshot)
}

/** The token to charge, if it came through an offered handler. */
function readInstrument(
  { deps }: AcpContext,
  { payment_data: { handler_id, instrument } }: AcpCompleteRequest,
): { payment: { type: string; token: string }; directoryServer: string } | { fault: AcpFault } {
  const isOffered = handler_id === HANDLER_ID && deps.acceptance.kind !== 'none'
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
