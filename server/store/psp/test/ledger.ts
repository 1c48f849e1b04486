import { randomUUID } from 'node:crypto'
import { invalid, metadataOf, type PaymentOutcome, type StripeResponse } from './form.ts'
import { createRefunds } from './refunds.ts'

/** The part of Stripe's payment intent that is read. */
export interface Intent {
  id: string
  object: 'payment_intent'
  amount: number
  currency: string
  /** Unix seconds. */
  created: number
  livemode: false
  status: 'succeeded' | 'processing' | 'requires_payment_method'
  metadata: Record<string, string>
  last_payment_error: typeof DECLINE | null
}

const DECLINE = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
}

const TOKENS: Readonly<Record<string, 'pay' | 'decline' | 'slow' | 'wait' | 'error' | 'lose'>> = {
  tok_visa: 'pay',
  tok_mastercard: 'pay',
  pm_card_visa: 'pay',
  tok_declined: 'decline',
  tok_slow: 'slow',
  tok_pending: 'wait',
  tok_pending_failed: 'wait',
  tok_error: 'error',
  tok_lost: 'lose',
  tok_refund_pending: 'pay',
  tok_refund_failed: 'pay',
  tok_refund_error: 'pay',
  tok_refund_lost: 'pay',
}

/** Older payments are dropped, so that a store that runs for weeks does not grow without limit. */
const MOST_INTENTS = 10_000

export interface LedgerOptions {
  now: () => Date
  /** How long `tok_slow` takes to be answered. */
  slowMs: number
  /** After how long a pending payment is decided; null: by `settle` alone. */
  settleMs: number | null
  onEvent: (type: string, object: object) => void
}

export type Ledger = ReturnType<typeof createLedger>

/** The payments of the test PSP, and what its tokens do. */
export function createLedger({ now, slowMs, settleMs, onEvent }: LedgerOptions) {
  const intents = new Map<string, Intent>()
  const erred = new Set<string>()
  const refunds = createRefunds({ now, settleMs, find: (id) => intents.get(id), onEvent })
  const timers = new Set<NodeJS.Timeout>()

  const settle = (id: string, outcome: PaymentOutcome) => {
    const intent = intents.get(id)
    if (intent?.status !== 'processing') throw new Error(`No payment ${id} is pending.`)
    intent.status = outcome === 'succeeded' ? 'succeeded' : 'requires_payment_method'
    intent.last_payment_error = outcome === 'succeeded' ? null : DECLINE
    onEvent(
      outcome === 'succeeded' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
      { ...intent },
    )
  }

  const decideLater = (ms: number, intent: Intent, outcome: PaymentOutcome) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (intent.status === 'processing') settle(intent.id, outcome)
    }, ms)
    timers.add(timer.unref())
  }

  const open = (form: URLSearchParams, token: string): Intent => {
    const intent: Intent = {
      id: `pi_${randomUUID().replaceAll('-', '')}`,
      object: 'payment_intent',
      amount: Number(form.get('amount')),
      currency: form.get('currency') ?? '',
      created: Math.floor(now().getTime() / 1000),
      livemode: false,
      status: 'processing',
      metadata: metadataOf(form),
      last_payment_error: null,
    }
    intents.set(intent.id, intent)
    refunds.expect(intent.id, token)
    const [oldest] = intents.keys()
    if (intents.size > MOST_INTENTS && oldest !== undefined) {
      intents.delete(oldest)
      refunds.forget(oldest)
    }
    return intent
  }

  return {
    settle,

    /** Takes a confirmed payment intent; `key` is its idempotency key. */
    charge(form: URLSearchParams, key: string): StripeResponse {
      const token = form.get('payment_method_data[card][token]') ?? form.get('payment_method') ?? ''
      const behaviour = Object.hasOwn(TOKENS, token) ? TOKENS[token] : undefined
      const amount = form.get('amount') ?? ''
      if (!/^[1-9]\d{0,7}$/.test(amount)) {
        return invalid('parameter_invalid_integer', 'amount', `Invalid integer: ${amount}`)
      }
      if (behaviour === undefined) {
        return invalid('resource_missing', 'payment_method_data[card][token]', 'No such token.')
      }
      if (behaviour === 'error' && !erred.has(key)) {
        erred.add(key)
        return { status: 500, body: { error: { type: 'api_error', message: 'Try again.' } } }
      }
      const intent = open(form, token)
      if (behaviour === 'slow') {
        decideLater(slowMs, intent, 'succeeded')
        return { status: 200, body: intent, delayMs: slowMs }
      }
      if (behaviour === 'wait') {
        const outcome = token === 'tok_pending' ? 'succeeded' : 'failed'
        if (settleMs !== null) decideLater(settleMs, intent, outcome)
        return { status: 200, body: intent }
      }
      if (behaviour === 'decline') {
        settle(intent.id, 'failed')
        return { status: 402, body: { error: { ...DECLINE, payment_intent: intent } } }
      }
      settle(intent.id, 'succeeded')
      return { status: 200, body: intent, hangUp: behaviour === 'lose' }
    },

    /** A customer disputes a payment with their bank. */
    dispute(id: string) {
      const intent = intents.get(id)
      if (intent === undefined) throw new Error(`There is no payment ${id}.`)
      const dispute = { id: `dp_${randomUUID()}`, object: 'dispute', amount: intent.amount }
      onEvent('charge.dispute.created', { ...dispute, payment_intent: id, metadata: {} })
    },

    refunds,

    find: (id: string): Intent | undefined => intents.get(id),

    /** Newest first, as Stripe lists them. */
    all: (): Intent[] => [...intents.values()].toReversed(),

    close() {
      for (const timer of timers) clearTimeout(timer)
      refunds.close()
    },
  }
}
