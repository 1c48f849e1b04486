import type { Fetcher } from '../../../audit/probe/fetch/fetch.ts'
import {
  type Charge,
  type ChargeResult,
  PAYMENT_USED,
  type Psp,
  type SoughtCharge,
} from '../psp.ts'
import { requireSecrets } from '../secrets.ts'
import { callRazorpay, type Notes, type RazorpayCall, type RazorpayPayment } from './api.ts'
import { isOfOtherSale, readRazorpayDelivery } from './delivery.ts'
import { findRazorpayRefund, makeRazorpayRefund } from './refunds.ts'

const TOKEN = /^pay_[A-Za-z0-9]{1,40}$/

/** The longest time between a buyer's approval and the charge. */
const APPROVED_WITHIN_S = 3600

/** How far Razorpay's clock may be from ours. */
const SKEW_S = 300

/** Pages of a search; more would exceed the request budget of a call. */
const MOST_PAGES = 20

export interface RazorpayOptions {
  keyId: string
  keySecret: string
  /** Both the new and the old one during a rotation. */
  webhookSecrets: readonly string[]
  /** Razorpay's own unless given. */
  baseUrl?: string
  fetcher: Pick<Fetcher, 'open'>
}

/**
 * Local payments such as UPI, through Razorpay. The token is the id of the payment that the buyer
 * approved in their app (`pay_…`); the charge captures it. Throws if a secret is missing.
 */
export function createRazorpayPsp(options: RazorpayOptions): Psp {
  const { webhookSecrets, baseUrl = 'https://api.razorpay.com', ...access } = options
  requireSecrets("Razorpay's key", [access.keyId, access.keySecret])
  requireSecrets("The secret of Razorpay's webhook", webhookSecrets)
  const within = <T>(work: (call: RazorpayCall) => Promise<T>) =>
    callRazorpay({ ...access, baseUrl }, work)
  return {
    name: 'razorpay',
    methods: ['upi', 'card', 'netbanking', 'wallet'],
    charge: (charge) => within((call) => capture(call, charge)),
    find: (sought) => within((call) => findCharge(call, sought)),
    refund: (refund) => within((call) => makeRazorpayRefund(call, refund)),
    findRefund: (sought) => within((call) => findRazorpayRefund(call, sought)),
    readDelivery: async (headers, body) => readRazorpayDelivery(headers, body, webhookSecrets),
  }
}

/**
 * Razorpay needs no idempotency key, because a payment can be captured only once. `returnUrl` and
 * `authentication` are ignored: the buyer passed the challenge when they approved the payment.
 */
async function capture(call: RazorpayCall, charge: Charge): Promise<ChargeResult> {
  const { amount, currency } = charge.amount
  const approved = TOKEN.test(charge.token) ? await call.payment(charge.token) : null
  if (approved === null)
    return declined(null, 'We could not find this payment. Please pay another way.')
  if (approved.amount !== amount || approved.currency !== currency) {
    return declined(
      approved.id,
      'The amount that you approved differs from the total. Please approve the total, then pay.',
    )
  }
  if (isForeign(approved, charge)) return declined(approved.id, PAYMENT_USED)
  await call.note(approved.id, claim(approved.notes, charge))
  // Refused: it was already captured or released, or is not approved yet.
  const settled =
    (await call.capture(approved.id, amount, currency)) ?? (await afterRefusal(call, approved.id))
  // If two sessions claim it at the same moment, the last one owns it.
  return settled?.notes.session_id === charge.sessionId
    ? resultOf(settled)
    : declined(approved.id, PAYMENT_USED)
}

/** An earlier try may have captured it: a key that is refused now does not prove otherwise. */
async function afterRefusal(call: RazorpayCall, id: string): Promise<RazorpayPayment | null> {
  try {
    return await call.payment(id)
  } catch (error) {
    throw new Error(`Razorpay does not report the result of ${id}.`, { cause: error })
  }
}

/**
 * Whether a payment is for something else: the account may also take money for another website.
 * This store makes no orders and invoices of Razorpay. A payment that is already captured belongs
 * to a session only if it names it: our page, or an earlier try, wrote that before the money moved.
 */
function isForeign(payment: RazorpayPayment, { sessionId }: Pick<Charge, 'sessionId'>): boolean {
  const owner = payment.notes.session_id
  if (isOfOtherSale(payment) || (owner !== undefined && owner !== sessionId)) return true
  return payment.status === 'captured' && owner === undefined
}

const claim = (notes: Notes, { sessionId, idempotencyKey }: Charge): Notes => ({
  ...notes,
  session_id: sessionId,
  idempotency_key: idempotencyKey,
})

/** Throws while it is approved but not captured: a capture may be running, or still to come. */
function resultOf(payment: RazorpayPayment): ChargeResult {
  const { id, status, error_description, currency } = payment
  const amount = { amount: payment.amount, currency }
  switch (status) {
    case 'captured':
      return { status: 'succeeded', paymentId: id, amount }
    case 'created':
      // Unspecified: a Razorpay account captures late approvals of buyers by itself.
      return { status: 'pending', paymentId: id, amount }
    case 'authorized':
      throw new Error(`Razorpay has not captured ${id}, which is approved. Look at its dashboard.`)
    default:
      return declined(id, error_description ?? 'The payment failed.')
  }
}

const declined = (paymentId: string | null, message: string): ChargeResult => ({
  status: 'declined',
  paymentId,
  message,
})

/**
 * The result of a payment that a try has claimed. If it is still only approved it is captured now:
 * that try may be doing it at this moment, and a payment can be captured only once.
 */
async function finish(call: RazorpayCall, claimed: RazorpayPayment): Promise<ChargeResult> {
  if (claimed.status !== 'authorized') return resultOf(claimed)
  const { id, amount, currency } = claimed
  const settled = (await call.capture(id, amount, currency)) ?? (await call.payment(id))
  return resultOf(settled ?? claimed)
}

/**
 * Finds a charge whose answer was lost; by time if its id is unknown, because Razorpay has no
 * search by notes.
 */
async function findCharge(
  call: RazorpayCall,
  { sessionId, idempotencyKey, paymentId, since, until, signal }: SoughtCharge,
): Promise<ChargeResult | null> {
  if (paymentId !== undefined) {
    const payment = await call.payment(paymentId)
    if (payment === null) return null
    // Another session claimed it at the same moment.
    if (payment.notes.session_id !== sessionId) return declined(paymentId, PAYMENT_USED)
    return finish(call, payment)
  }
  const from = Math.floor(since.getTime() / 1000) - APPROVED_WITHIN_S
  const to = until === undefined ? null : Math.ceil(until.getTime() / 1000) + SKEW_S
  for (let page = 0; page < MOST_PAGES; page += 1) {
    signal?.throwIfAborted()
    const payments = await call.list(from, to, page * 100)
    const found = payments.find(
      (each) => each.notes.idempotency_key === idempotencyKey && !isOfOtherSale(each),
    )
    if (found !== undefined) return finish(call, found)
    if (payments.length < 100) return null
  }
  throw new Error(`More than ${MOST_PAGES * 100} payments since then: look this one up manually.`)
}
