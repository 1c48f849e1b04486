import { randomUUID } from 'node:crypto'
import {
  invalid,
  metadataOf,
  noSuchIntent,
  type PaymentOutcome,
  type StripeResponse,
} from './form.ts'

/** The part of Stripe's refund that is read. */
export interface TestRefund {
  id: string
  object: 'refund'
  amount: number
  currency: string
  /** Unix seconds. */
  created: number
  payment_intent: string
  status: 'succeeded' | 'pending' | 'failed'
  failure_reason?: string
  metadata: Record<string, string>
}

/** Older refunds are dropped, as older payments are. */
const MOST_REFUNDS = 10_000

type Behaviour = 'pending' | 'failed' | 'error' | 'lost'

/** A payment, as far as refunds need it. */
interface Paid {
  id: string
  amount: number
  currency: string
  status: string
}

interface RefundOptions {
  now: () => Date
  /** After how long a pending refund is decided; null: only by `settle`. */
  settleMs: number | null
  find: (paymentId: string) => Paid | undefined
  onEvent: (type: string, object: object) => void
}

/** The refunds of the test PSP; the token that paid decides their result. */
export function createRefunds({ now, settleMs, find, onEvent }: RefundOptions) {
  const refunds = new Map<string, TestRefund>()
  const behaviours = new Map<string, Behaviour>()
  const erred = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()

  const settle = (id: string, outcome: PaymentOutcome) => {
    const refund = refunds.get(id)
    if (refund?.status !== 'pending') throw new Error(`No refund ${id} is pending.`)
    refund.status = outcome
    if (outcome === 'failed') refund.failure_reason = 'expired_or_canceled_card'
    onEvent('refund.updated', { ...refund })
  }

  const leftOf = ({ id, amount }: Paid): number =>
    [...refunds.values()]
      .filter((refund) => refund.payment_intent === id && refund.status !== 'failed')
      .reduce((left, refund) => left - refund.amount, amount)

  const open = (form: URLSearchParams, { id, currency }: Paid, amount: number): TestRefund => {
    const refund: TestRefund = {
      id: `re_${randomUUID().replaceAll('-', '')}`,
      object: 'refund',
      amount,
      currency,
      created: Math.floor(now().getTime() / 1000),
      payment_intent: id,
      status: 'pending',
      metadata: metadataOf(form),
    }
    refunds.set(refund.id, refund)
    const [oldest] = refunds.keys()
    if (refunds.size > MOST_REFUNDS && oldest !== undefined) refunds.delete(oldest)
    return refund
  }

  const decideLater = ({ id }: TestRefund) => {
    if (settleMs === null) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (refunds.get(id)?.status === 'pending') settle(id, 'succeeded')
    }, settleMs)
    timers.add(timer.unref())
  }

  return {
    settle,

    /** Refunds a payment, never more than was taken; `key` is the request's idempotency key. */
    make(form: URLSearchParams, key: string): StripeResponse {
      const intent = find(form.get('payment_intent') ?? '')
      if (intent === undefined) return noSuchIntent('payment_intent')
      if (intent.status !== 'succeeded') {
        const message = 'This PaymentIntent does not have a successful charge to refund.'
        return invalid('payment_intent_unexpected_state', 'payment_intent', message)
      }
      const left = leftOf(intent)
      if (left === 0) {
        const message = 'The charge has already been refunded.'
        return invalid('charge_already_refunded', 'payment_intent', message)
      }
      const asked = form.get('amount') ?? String(left)
      if (!/^[1-9]\d{0,7}$/.test(asked)) {
        return invalid('parameter_invalid_integer', 'amount', `Invalid integer: ${asked}`)
      }
      if (Number(asked) > left) {
        const message = `Refund amount (${asked}) is greater than unrefunded amount on charge (${left}).`
        return invalid('amount_too_large', 'amount', message)
      }
      const behaviour = behaviours.get(intent.id)
      if (behaviour === 'error' && !erred.has(key)) {
        erred.add(key)
        return { status: 500, body: { error: { type: 'api_error', message: 'Try again.' } } }
      }
      const refund = open(form, intent, Number(asked))
      if (behaviour === 'pending') decideLater(refund)
      else settle(refund.id, behaviour === 'failed' ? 'failed' : 'succeeded')
      return { status: 200, body: refund, ...(behaviour === 'lost' && { hangUp: 'always' }) }
    },

    /** Newest first, as Stripe lists them. */
    all: (): TestRefund[] => [...refunds.values()].toReversed(),

    /** Notes what a payment's token prescribes for its refunds. */
    expect(paymentId: string, token: string) {
      const behaviour = /^tok_refund_(pending|failed|error|lost)$/.exec(token)?.[1]
      if (behaviour !== undefined) behaviours.set(paymentId, behaviour as Behaviour)
    },

    /** The payment is no longer known. */
    forget(paymentId: string) {
      behaviours.delete(paymentId)
    },

    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
