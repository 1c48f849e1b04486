import { randomUUID } from 'node:crypto'
import { createChallenges } from './challenges.ts'
import {
  invalid,
  metadataOf,
  noSuchIntent,
  type PaymentOutcome,
  type StripeResponse,
} from './form.ts'
import { createGrants, type Grant } from './grants.ts'
import {
  type CardError,
  decline,
  FAILED_CHALLENGE,
  type Intent,
  isLive,
  NEEDS_CHALLENGE,
} from './intent.ts'
import { createRefunds } from './refunds.ts'
import { readThreeDs } from './three-ds.ts'
import { type Behaviour, behaviourOf } from './tokens.ts'

/** Older payments are dropped, so that a store that runs for weeks does not grow without limit. */
const MOST_INTENTS = 10_000

interface LedgerOptions {
  now: () => Date
  /** The merchant. */
  merchantId: string
  /** The address of the challenges' pages. */
  origin: () => string
  /** The delay of answers for `tok_slow`. */
  slowMs: number
  /** After how long a pending payment is decided; null: only by `settle`. */
  settleMs: number | null
  onEvent: (type: string, object: object) => void
}

export type ChargeLedger = ReturnType<typeof createLedger>

/** The payments of the test PSP, and the behaviour of its tokens. */
export function createLedger(options: LedgerOptions) {
  const { now, merchantId, origin, slowMs, settleMs, onEvent } = options
  const intents = new Map<string, Intent>()
  const erred = new Set<string>()
  const refunds = createRefunds({ now, settleMs, find: (id) => intents.get(id), onEvent })
  const timers = new Set<NodeJS.Timeout>()

  const find = (id: string): Intent | undefined => intents.get(id)

  const fail = (intent: Intent, failure: CardError) => {
    intent.status = 'requires_payment_method'
    intent.next_action = null
    intent.last_payment_error = failure
    onEvent('payment_intent.payment_failed', { ...intent })
  }

  const succeed = (intent: Intent) => {
    intent.status = 'succeeded'
    intent.next_action = null
    onEvent('payment_intent.succeeded', { ...intent })
  }

  const settle = (id: string, outcome: PaymentOutcome) => {
    const intent = intents.get(id)
    const isChallenged = intent?.status === 'requires_action'
    if (!isChallenged && intent?.status !== 'processing') {
      throw new Error(`No payment ${id} is pending.`)
    }
    if (outcome === 'succeeded') succeed(intent)
    else fail(intent, isChallenged ? FAILED_CHALLENGE : decline())
  }

  const challenges = createChallenges({ origin, find, settle })
  const grants = createGrants({
    now,
    merchantId,
    // One that was dropped stays used.
    isLive: (id) => {
      const intent = intents.get(id)
      return intent === undefined || isLive(intent)
    },
  })

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
      next_action: null,
      cancellation_reason: null,
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

  /** What pays: a test token, and the grant that stands for it, if any. */
  const methodOf = (form: URLSearchParams, isPreview: boolean): Method | StripeResponse => {
    const [param = 'payment_method', given = ''] =
      METHODS.flatMap((name) => {
        const value = form.get(name)
        return value === null ? [] : [[name, value] as const]
      })[0] ?? []
    if (param === SHARED && !isPreview) {
      return invalid('parameter_unknown', param, `Received unknown parameter: ${param}`)
    }
    const isGranted = param === SHARED || (param === 'payment_method' && given.startsWith('vt_'))
    const grant = isGranted ? grants.find(given) : undefined
    const token = isGranted ? grant?.token : given
    const behaviour = token === undefined ? undefined : behaviourOf(token)
    return token === undefined || behaviour === undefined
      ? invalid('resource_missing', param, 'No such token.')
      : { token, behaviour, grant }
  }

  /** Fails a payment that was opened, and returns the error. */
  const refuse = (intent: Intent, failure: CardError): StripeResponse => {
    fail(intent, failure)
    return { status: 402, body: { error: { ...failure, payment_intent: { ...intent } } } }
  }

  /** What a bank does that requires authentication, without one that it accepts. */
  const challenge = (intent: Intent, form: URLSearchParams, hasPage: boolean): StripeResponse => {
    const returnUrl = form.get('return_url')
    if (form.get('error_on_requires_action') === 'true' || returnUrl === null) {
      return refuse(intent, NEEDS_CHALLENGE)
    }
    intent.status = 'requires_action'
    intent.next_action = hasPage
      ? {
          type: 'redirect_to_url',
          redirect_to_url: { url: challenges.open(intent.id, returnUrl), return_url: returnUrl },
        }
      : { type: 'use_stripe_sdk', use_stripe_sdk: {} }
    return { status: 200, body: { ...intent } }
  }

  return {
    settle,
    grants,
    challenges,

    /** Takes a confirmed payment intent; `key` is its idempotency key. */
    charge(form: URLSearchParams, key: string, isPreview: boolean): StripeResponse {
      const method = methodOf(form, isPreview)
      const amount = form.get('amount') ?? ''
      if (!/^[1-9]\d{0,7}$/.test(amount)) {
        return invalid('parameter_invalid_integer', 'amount', `Invalid integer: ${amount}`)
      }
      if ('status' in method) return method
      const returnUrl = form.get('return_url')
      if (returnUrl !== null && !/^https?:$/.test(URL.parse(returnUrl)?.protocol ?? '')) {
        return invalid('url_invalid', 'return_url', 'Not a valid URL.')
      }
      const isAuthenticated = readThreeDs(form)
      if (typeof isAuthenticated === 'object') return isAuthenticated
      const { token, behaviour, grant } = method
      if (behaviour === 'error' && !erred.has(key)) {
        erred.add(key)
        return { status: 500, body: { error: { type: 'api_error', message: 'Try again.' } } }
      }
      const intent = open(form, token)
      if (grant !== undefined) {
        const sessionId = intent.metadata.session_id ?? null
        const breach = grants.breachOf(grant, { ...intent, sessionId })
        if (breach !== null) return refuse(intent, decline(breach))
        grant.usedBy = intent.id
      }
      switch (behaviour) {
        case 'slow':
          decideLater(slowMs, intent, 'succeeded')
          return { status: 200, body: intent, delayMs: slowMs }
        case 'pend':
        case 'pend_and_fail':
          if (settleMs !== null) {
            decideLater(settleMs, intent, behaviour === 'pend' ? 'succeeded' : 'failed')
          }
          return { status: 200, body: intent }
        case 'decline':
          return refuse(intent, decline())
        case 'challenge':
        case 'challenge_in_app':
          if (isAuthenticated) break
          return challenge(intent, form, behaviour === 'challenge')
      }
      succeed(intent)
      return { status: 200, body: intent, hangUp: behaviour === 'lose' }
    },

    /** Cancels a payment that took no money: it can no longer succeed. */
    cancel(id: string, form: URLSearchParams): StripeResponse {
      const intent = intents.get(id)
      if (intent === undefined) return noSuchIntent('intent')
      if (intent.status !== 'requires_action' && intent.status !== 'requires_payment_method') {
        const message = `A PaymentIntent whose status is ${intent.status} cannot be canceled.`
        return invalid('payment_intent_unexpected_state', 'intent', message)
      }
      intent.status = 'canceled'
      intent.next_action = null
      intent.cancellation_reason = form.get('cancellation_reason')
      onEvent('payment_intent.canceled', { ...intent })
      return { status: 200, body: { ...intent } }
    },

    /** A customer disputes a payment with their bank. */
    dispute(id: string) {
      const intent = intents.get(id)
      if (intent === undefined) throw new Error(`There is no payment ${id}.`)
      const dispute = { id: `dp_${randomUUID()}`, object: 'dispute', amount: intent.amount }
      onEvent('charge.dispute.created', { ...dispute, payment_intent: id, metadata: {} })
    },

    refunds,

    find,

    /** Newest first, as Stripe lists them. */
    all: (): Intent[] => [...intents.values()].toReversed(),

    close() {
      for (const timer of timers) clearTimeout(timer)
      refunds.close()
    },
  }
}

const SHARED = 'payment_method_data[shared_payment_granted_token]'

const METHODS = ['payment_method_data[card][token]', SHARED, 'payment_method']

interface Method {
  token: string
  behaviour: Behaviour
  grant: Grant | undefined
}
