import { type Fetcher, fetchOnce } from '../../audit/probe/fetch/fetch.ts'
import type { Db } from '../../db/connect.ts'
import type { Outbox } from '../../jobs/outbox.ts'
import { type Attempt, attemptOf, RETRY_DELAYS } from '../../jobs/schedule.ts'
import type { KeyRing } from '../../signatures/keys.ts'
import { findOrder } from '../orders/orders.ts'
import { claimDue, type Delivery, dueEndpoints, recordAttempt } from './deliveries.ts'
import type { WebhookEndpointRow } from './endpoints.ts'
import { headersOf } from './headers.ts'

/**
 * The schedule for platforms: UCP's conformance tests expect the second try within five seconds,
 * and the outbox runs once a second.
 */
const PLATFORM_RETRY_DELAYS: readonly number[] = [0, 2000, ...RETRY_DELAYS.slice(2)]

export interface OutboxDeps {
  db: Db
  signingKeys: KeyRing
  /** Made with WEBHOOK_LIMITS. Its guard keeps a target from leading into our own network. */
  fetcher: Fetcher
  now: () => Date
  /** From 0 to 1, for the jitter. */
  random?: () => number
  /** The webhook as the order's shop sends it, changed by its faults; by default unchanged. */
  headersAt?: (host: string, right: Record<string, string>) => Record<string, string>
}

/** The webhooks of orders. */
export const orderOutbox = (deps: OutboxDeps): Outbox<WebhookEndpointRow, Delivery> => ({
  now: deps.now,
  random: deps.random,
  due: (now) => dueEndpoints(deps.db, now),
  claim: ({ id }, lease) => claimDue(deps.db, id, lease),
  send: (endpoint, delivery, signal) => send(deps, endpoint, delivery, signal),
  delaysOf: ({ format }) => (format === 'ucp' ? PLATFORM_RETRY_DELAYS : RETRY_DELAYS),
  note: (_, delivery, outcome, now) => recordAttempt(deps.db, delivery, outcome, now),
})

async function send(
  { db, now, fetcher, headersAt, signingKeys }: OutboxDeps,
  endpoint: WebhookEndpointRow,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const right = await headersOf({ db, signingKeys }, endpoint, delivery, now())
  const order = headersAt && (await findOrder(db, delivery.order_id ?? ''))
  const headers = order ? headersAt(order.host, right) : right
  const { url } = endpoint
  const request = {
    method: 'POST',
    url,
    headers,
    jsonText: delivery.payload,
    maxBytes: 1024,
  } as const
  return attemptOf(await fetchOnce(fetcher, request, signal), now())
}
