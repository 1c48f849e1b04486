import type { Fetched } from '../../../shared/web/fetched.ts'
import type { Fetcher } from '../../audit/probe/fetch/fetch.ts'
import type { FetchLimits, FetchSession } from '../../audit/probe/fetch/session.ts'
import type { Db } from '../../db/connect.ts'
import { findOrder } from '../orders/orders.ts'
import { claimDue, type Delivery, recordAttempt } from './deliveries.ts'
import type { WebhookEndpointRow } from './endpoints.ts'
import { headersOf } from './headers.ts'
import { judgeDelivery, PLATFORM_RETRY_DELAYS, RETRY_DELAYS } from './schedule.ts'

/** Standard Webhooks: "a timeout of 15-30s". One session is one batch, well within its lease. */
export const WEBHOOK_LIMITS: Partial<FetchLimits> = {
  headersMs: 15_000,
  totalMs: 20_000,
  auditMs: 25_000,
  perHost: 4,
}

export interface OutboxDeps {
  db: Db
  /** With WEBHOOK_LIMITS. Its guard keeps a target from leading into our own network. */
  fetcher: Fetcher
  now: () => Date
  /** From 0 to 1, for the jitter. */
  random?: () => number
  /** What the shop of an order has its webhooks say; what is right, unless given. */
  headersAt?: (host: string, right: Record<string, string>) => Record<string, string>
}

const NEVER = new AbortController().signal

/** Delivers what is due for one endpoint, until nothing is. What `signal` ends counts as unsent. */
export async function deliverTo(
  deps: OutboxDeps,
  endpoint: WebhookEndpointRow,
  signal: AbortSignal = NEVER,
): Promise<void> {
  while (!signal.aborted) {
    const batch = await claimDue(deps.db, endpoint.id, deps.now())
    if (batch.length === 0) return
    const session = deps.fetcher.open()
    const hangUp = () => void session.close()
    signal.addEventListener('abort', hangUp, { once: true })
    try {
      await Promise.all(
        batch.map(async (delivery) => {
          const answer = await send(deps, session, endpoint, delivery)
          const wasCut = signal.aborted && answer.kind !== 'answer'
          await note(
            deps,
            endpoint,
            delivery,
            wasCut ? { kind: 'not_asked', reason: 'stopped' } : answer,
          )
        }),
      )
    } finally {
      signal.removeEventListener('abort', hangUp)
      await session.close()
    }
  }
}

async function send(
  { db, now, headersAt }: OutboxDeps,
  session: FetchSession,
  endpoint: WebhookEndpointRow,
  delivery: Delivery,
): Promise<Fetched> {
  const right = await headersOf(db, endpoint, delivery, now())
  const order = headersAt && (await findOrder(db, delivery.order_id ?? ''))
  const headers = order ? headersAt(order.host, right) : right
  const { url } = endpoint
  return session.request({
    method: 'POST',
    url,
    jsonText: delivery.payload,
    maxBytes: 1024,
    headers,
  })
}

async function note(
  { db, now, random = Math.random }: OutboxDeps,
  { format }: WebhookEndpointRow,
  delivery: Delivery,
  answer: Fetched,
): Promise<void> {
  const at = now()
  const delays = format === 'ucp' ? PLATFORM_RETRY_DELAYS : RETRY_DELAYS
  const verdict = judgeDelivery(answer, { failed: delivery.attempts, now: at, random, delays })
  await recordAttempt(db, delivery, verdict, at)
}
