import type { Context, Hono } from 'hono'
import type { Db } from '../../db/connect.ts'
import { carries } from '../../metrics/bearer.ts'
import { notFound } from '../dialects/refuse.ts'
import { ucpRefusal } from '../http/refusals.ts'
import { type Env, pathParam, readJsonBody, send } from '../http/routing.ts'
import type { Reply } from '../http/store-request.ts'
import type { Metrics } from './metrics.ts'
import {
  deliveriesReply,
  endEndpointReply,
  endpointsReply,
  newEndpointReply,
  redeliverReply,
} from './webhook-admin.ts'

interface MerchantDeps {
  db: Db
  now: () => Date
  /** STORE_ADMIN_KEY; without one the merchant's own routes are closed. */
  adminKey: string | undefined
  /** STORE_ACP_KEYS; null: any key is accepted. */
  acpKeys: readonly string[] | null
  metrics: Metrics
  /** METRICS_TOKEN: opens the metrics and nothing else. */
  metricsToken: string | undefined
}

/** Only for the merchant: the metrics of the store, and the receivers of its order events. */
export function routeMerchant(app: Hono<Env>, deps: MerchantDeps): void {
  const key = (c: Context<Env>) => c.req.header('authorization') ?? null

  app.get('/metrics', async (c) => send(await metricsReply(c, deps)))
  app.get('/webhooks/endpoints', async (c) => send(await endpointsReply(deps, key(c))))
  app.post('/webhooks/endpoints', async (c) =>
    send(await newEndpointReply(deps, key(c), await readJsonBody(c))),
  )
  app.delete('/webhooks/endpoints/:id', async (c) =>
    send(await endEndpointReply(deps, key(c), pathParam(c, 'id'))),
  )
  app.get('/webhooks/deliveries', async (c) => send(await deliveriesReply(deps, key(c))))
  app.post('/webhooks/deliveries/:id/redeliver', async (c) =>
    send(await redeliverReply(deps, key(c), pathParam(c, 'id'))),
  )
}

/** For callers with the token or the admin key. If neither is set, the path does not exist. */
async function metricsReply(
  c: Context<Env>,
  { adminKey, metrics, metricsToken }: MerchantDeps,
): Promise<Reply> {
  if (!adminKey && !metricsToken) return notFound(c.var.request)
  const sent = c.req.header('authorization') ?? null
  if (!carries(metricsToken, sent) && !carries(adminKey, sent)) {
    const message = 'Send the token in the header "Authorization: Bearer <METRICS_TOKEN>".'
    const { headers, ...reply } = ucpRefusal(401, { code: 'unauthorized', message })
    return { ...reply, headers: { ...headers, 'www-authenticate': 'Bearer realm="metrics"' } }
  }
  return {
    status: 200,
    headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
    body: await metrics.text(),
  }
}
