import { hash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpBindings, serve } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { carries } from '../../../metrics/bearer.ts'
import type { StripeOptions } from '../stripe/stripe.ts'
import { DELEGATE_CONFLICTS, delegatePayment } from './delegate.ts'
import { invalid, type PaymentOutcome, type StripeResponse } from './form.ts'
import type { Grant, Grants } from './grants.ts'
import type { Intent } from './intent.ts'
import { type ChargeLedger, createLedger } from './ledger.ts'
import type { TestRefund } from './refunds.ts'
import { createReplay, type Replay } from './replay.ts'
import { createSender } from './sender.ts'
import { behaviourOf } from './tokens.ts'

type Env = { Bindings: HttpBindings }

const HOST = '127.0.0.1'
const MAX_BODY_BYTES = 64 * 1024

export interface TestPspOptions {
  /** Signs the deliveries. */
  webhookSecret: string
  /** An http URL of this machine; without one, and without `sendTo`, nothing is delivered. */
  webhookUrl?: string
  /** A free one unless given. */
  port?: number
  /** The merchant's account, which tokens are bound to: `merchant_test`. */
  merchantId?: string
  /** The credential of agents that delegate payments; by default random. */
  agentKey?: string
  now?: () => Date
  /** The delay of answers for `tok_slow`: 6000, longer than an agent waits. */
  slowMs?: number
  /** After how long a pending payment is decided: 2000. Null: only by `settle`. */
  settleMs?: number | null
}

export interface TestPsp {
  url: string
  secretKey: string
  /** What `createStripePsp` needs to pay with it. */
  access: StripeOptions
  merchantId: string
  agentKey: string
  /** Payments that took money. */
  charges(): Intent[]
  /** All payments, newest first. */
  payments(): Intent[]
  /** Delivers events there from now on. */
  sendTo(webhookUrl: string): void
  /**
   * Decides a payment that is pending or waits for its challenge, and delivers the result. Throws
   * if the payment is neither.
   */
  settle(paymentId: string, outcome: PaymentOutcome): void
  /** All refunds, with any result. */
  refunds(): TestRefund[]
  /** Decides a pending refund. Throws if the refund is not pending. */
  settleRefund(refundId: string, outcome: PaymentOutcome): void
  /** Delivers that a payment is disputed. */
  dispute(paymentId: string): void
  /** Resolves when each event was accepted, or dropped. */
  delivered(): Promise<void>
  close(): Promise<void>
}

/**
 * A payment service on this machine that speaks the part of Stripe's API which a store needs, with
 * Stripe's idempotency, errors and signed webhooks, its shared payment tokens, a bank with
 * challenges, and ACP's delegated payments. The token decides the result: `TEST_TOKENS`.
 */
export async function startTestPsp(options: TestPspOptions): Promise<TestPsp> {
  const { webhookSecret, webhookUrl, now = () => new Date() } = options
  const sender = createSender(webhookSecret, now)
  if (webhookUrl !== undefined) sender.sendTo(webhookUrl)
  const merchantId = options.merchantId ?? 'merchant_test'
  let url = ''
  const ledger = createLedger({
    now,
    merchantId,
    origin: () => url,
    slowMs: options.slowMs ?? 6000,
    settleMs: options.settleMs === undefined ? 2000 : options.settleMs,
    onEvent: sender.send,
  })
  const secretKey = `sk_test_${randomUUID().replaceAll('-', '')}`
  const agentKey = options.agentKey ?? `pk_test_${randomUUID().replaceAll('-', '')}`
  const app = createApi(ledger, { secretKey, agentKey, now })
  const server = serve({ fetch: app.fetch, hostname: HOST, port: options.port ?? 0 })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  url = `http://${HOST}:${port}`
  return {
    url,
    secretKey,
    access: { secretKey, webhookSecrets: [webhookSecret], host: HOST, port, protocol: 'http' },
    merchantId,
    agentKey,
    charges: () => ledger.all().filter(({ status }) => status === 'succeeded'),
    payments: ledger.all,
    sendTo: sender.sendTo,
    settle: ledger.settle,
    dispute: ledger.dispute,
    refunds: ledger.refunds.all,
    settleRefund: ledger.refunds.settle,
    delivered: sender.idle,
    async close() {
      ledger.close()
      const closed = once(server, 'close')
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await Promise.all([closed, sender.close()])
    },
  }
}

interface Access {
  secretKey: string
  agentKey: string
  now: () => Date
}

function createApi(ledger: ChargeLedger, { secretKey, agentKey, now }: Access): Hono<Env> {
  const { grants } = ledger
  const replay = createReplay()
  const delegated = createReplay(DELEGATE_CONFLICTS)
  const app = new Hono<Env>()
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }))
  app.post('/agentic_commerce/delegate_payment', (c) =>
    delegatePayment({ agentKey, grants, replay: delegated, now }, c),
  )
  app.get('/challenges/:id', ledger.challenges.show)
  app.post('/challenges/:id', ledger.challenges.answer)
  app.use(async (c, next) => {
    if (carries(secretKey, c.req.header('authorization') ?? null)) return next()
    return c.json({ error: { type: 'authentication_error', message: 'Invalid API Key.' } }, 401)
  })
  app.post('/v1/payment_intents', (c) =>
    create(c, (form, key) => ledger.charge(form, key, isPreview(c)), replay),
  )
  app.post('/v1/payment_intents/:id/cancel', (c) =>
    create(c, (form) => ledger.cancel(c.req.param('id'), form), replay),
  )
  app.post(`/v1/test_helpers/${GRANTED}`, async (c) =>
    isPreview(c) ? await create(c, (form) => grantOf(grants, form), replay) : notFound(c),
  )
  app.post(`/v1/test_helpers/${GRANTED}/:id/revoke`, (c) => {
    const grant = sharedOf(c, grants)
    if (grant === undefined) return notFound(c)
    grants.revoke(grant)
    return c.json(grants.view(grant))
  })
  app.get(`/v1/${GRANTED}/:id`, (c) => {
    const grant = sharedOf(c, grants)
    return grant === undefined ? notFound(c) : c.json(grants.view(grant))
  })
  app.get('/v1/payment_intents', (c) => c.json(listOf(ledger.all(), new URL(c.req.url))))
  app.post('/v1/refunds', (c) => create(c, ledger.refunds.make, replay))
  app.get('/v1/refunds', (c) => {
    const url = new URL(c.req.url)
    const ofPayment = url.searchParams.get('payment_intent')
    const all = ledger.refunds.all()
    const asked = ofPayment === null ? all : all.filter((one) => one.payment_intent === ofPayment)
    return c.json(listOf(asked, url))
  })
  app.get('/v1/payment_intents/:id', (c) => {
    const intent = ledger.find(c.req.param('id'))
    return intent === undefined ? notFound(c) : c.json(intent)
  })
  app.notFound(notFound)
  return app
}

const notFound = (c: Context) =>
  c.json({ error: { type: 'invalid_request_error', message: 'Unrecognized request.' } }, 404)

const GRANTED = 'shared_payment/granted_tokens'

/** Stripe only knows shared payment tokens in versions of its preview. */
const isPreview = (c: Context) => c.req.header('stripe-version')?.endsWith('.preview') ?? false

/** A delegated token is not Stripe's, so it is not shown. */
function sharedOf(c: Context, grants: Grants): Grant | undefined {
  const id = c.req.param('id') ?? ''
  return isPreview(c) && id.startsWith('spt_') ? grants.find(id) : undefined
}

/** A token as an agent would have granted it. Source: Stripe, Shared Payment Granted Token. */
function grantOf(grants: Grants, form: URLSearchParams): StripeResponse {
  const token = form.get('payment_method') ?? ''
  const currency = form.get('usage_limits[currency]') ?? ''
  const maxAmount = form.get('usage_limits[max_amount]') ?? ''
  const expiresAt = form.get('usage_limits[expires_at]')
  if (behaviourOf(token) === undefined) {
    return invalid('resource_missing', 'payment_method', 'No such payment method.')
  }
  if (!/^[a-z]{3}$/.test(currency)) {
    return invalid('parameter_invalid', 'usage_limits[currency]', 'Not a currency.')
  }
  if (!/^\d{1,8}$/.test(maxAmount) || !/^\d{1,11}$/.test(expiresAt ?? '0')) {
    return invalid('parameter_invalid_integer', 'usage_limits', 'Not an integer.')
  }
  const grant = grants.make('spt', token, {
    currency,
    maxAmount: Number(maxAmount),
    expiresAt: expiresAt === null ? null : Number(expiresAt),
    merchantId: null,
    sessionId: null,
  })
  return { status: 200, body: grants.view(grant) }
}

type Work = (form: URLSearchParams, key: string) => StripeResponse

async function create(c: Context<Env>, work: Work, replay: Replay): Promise<Response> {
  const body = await c.req.text()
  const key = c.req.header('idempotency-key') ?? randomUUID()
  const fingerprint = hash('sha256', `${c.req.path}\n${body}`)
  const before = replay.begin(key, fingerprint)
  if (before?.hangUp) return hangUp(c)
  if (before !== null) return respond(before.status, before.text, { 'idempotent-replayed': 'true' })
  const answer = work(new URLSearchParams(body), key)
  if (answer.delayMs !== undefined) await sleep(answer.delayMs, undefined, { ref: false })
  const { status } = answer
  const text = JSON.stringify(answer.body)
  const saved = { status, text, hangUp: answer.hangUp === 'always' }
  replay.end(key, status < 500 ? saved : null)
  return answer.hangUp ? hangUp(c) : respond(status, text)
}

function hangUp(c: Context<Env>): Response {
  c.env.incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}

const respond = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })

/** Stripe's list: by time of creation, in pages that `starting_after` continues. */
function listOf(
  all: readonly { id: string; created: number }[],
  { searchParams, pathname }: URL,
): object {
  const from = Number(searchParams.get('created[gte]') ?? 0)
  const to = Number(searchParams.get('created[lte]') ?? Number.POSITIVE_INFINITY)
  const limit = Math.min(Number(searchParams.get('limit') ?? 10), 100)
  const after = searchParams.get('starting_after')
  const within = all.filter(({ created }) => created >= from && created <= to)
  const rest = within.slice(within.findIndex(({ id }) => id === after) + 1)
  return {
    object: 'list',
    url: pathname,
    data: rest.slice(0, limit),
    has_more: rest.length > limit,
  }
}
