import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HttpBindings, serve } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { PaymentOutcome, StripeResponse } from './form.ts'
import { createLedger, type Intent, type Ledger } from './ledger.ts'
import type { TestRefund } from './refunds.ts'
import { createReplay, type Replay } from './replay.ts'
import { createSender } from './sender.ts'

type Env = { Bindings: HttpBindings }

const HOST = '127.0.0.1'
const MAX_BODY_BYTES = 64 * 1024

export interface TestPspOptions {
  /** Signs what is delivered. */
  webhookSecret: string
  /** An http URL of this machine; without one, and no `sendTo`, nothing is delivered. */
  webhookUrl?: string
  /** A free one unless given. */
  port?: number
  now?: () => Date
  /** How long `tok_slow` takes to be answered: 6000, beyond what an agent waits. */
  slowMs?: number
  /** After how long a pending payment is decided: 2000. Null: only by `settle`. */
  settleMs?: number | null
}

export interface TestPsp {
  url: string
  host: string
  port: number
  secretKey: string
  /** Payments that took money. */
  charges(): Intent[]
  /** All payments, newest first. */
  payments(): Intent[]
  /** Delivers events there from now on. */
  sendTo(webhookUrl: string): void
  /** Decides a pending payment, and delivers the result. Throws when the payment is not pending. */
  settle(paymentId: string, outcome: PaymentOutcome): void
  /** Refunds, whatever became of them. */
  refunds(): TestRefund[]
  /** Decides a pending refund. Throws when the refund is not pending. */
  settleRefund(refundId: string, outcome: PaymentOutcome): void
  /** Delivers that a payment is disputed. */
  dispute(paymentId: string): void
  /** Resolves when each event was accepted, or given up. */
  delivered(): Promise<void>
  close(): Promise<void>
}

/**
 * A payment service on this machine that speaks the part of Stripe's API which a store needs, with
 * Stripe's idempotency, errors and signed webhooks. What happens is up to the token: `tok_visa`,
 * `tok_declined`, `tok_slow` (answers late), `tok_pending` and `tok_pending_failed` (decided by
 * webhook), `tok_error` (fails once with 500), `tok_lost` (charges, and drops the connection).
 * `tok_refund_pending`, `tok_refund_failed`, `tok_refund_error` and `tok_refund_lost` charge, and are
 * said of the payment's refunds; of a lost one no answer comes ever, and the list alone tells of it.
 */
export async function startTestPsp(options: TestPspOptions): Promise<TestPsp> {
  const { webhookSecret, webhookUrl, now = () => new Date() } = options
  const sender = createSender(webhookSecret, now)
  if (webhookUrl !== undefined) sender.sendTo(webhookUrl)
  const ledger = createLedger({
    now,
    slowMs: options.slowMs ?? 6000,
    settleMs: options.settleMs === undefined ? 2000 : options.settleMs,
    onEvent: sender.send,
  })
  const secretKey = `sk_test_${randomUUID().replaceAll('-', '')}`
  const app = createApi(ledger, secretKey)
  const server = serve({ fetch: app.fetch, hostname: HOST, port: options.port ?? 0 })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://${HOST}:${port}`,
    host: HOST,
    port,
    secretKey,
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

function createApi(ledger: Ledger, secretKey: string): Hono<Env> {
  const replay = createReplay()
  const app = new Hono<Env>()
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }))
  app.use(async (c, next) => {
    if (c.req.header('authorization') === `Bearer ${secretKey}`) return next()
    return c.json({ error: { type: 'authentication_error', message: 'Invalid API Key.' } }, 401)
  })
  app.post('/v1/payment_intents', (c) => create(c, ledger.charge, replay))
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

type Work = (form: URLSearchParams, key: string) => StripeResponse

async function create(c: Context<Env>, work: Work, replay: Replay): Promise<Response> {
  const body = await c.req.text()
  const key = c.req.header('idempotency-key') ?? randomUUID()
  const fingerprint = createHash('sha256').update(`${c.req.path}\n${body}`).digest('hex')
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
