import type { Context, Hono } from 'hono'
import type { Db } from '../../db/connect.ts'
import { type Env, type Routing, readJson, storable } from '../http/routing.ts'
import { refuseStranger } from './admin-key.ts'
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
  metrics: Metrics
}

/** Only for the merchant: the metrics of the store, and the receivers of its order events. */
export function routeMerchant(app: Hono<Env>, { answer }: Routing, deps: MerchantDeps): void {
  const { adminKey, metrics } = deps
  const key = (c: Context<Env>) => c.req.header('authorization') ?? null
  const id = (c: Context<Env>) => storable(c.req.param('id') ?? '')

  app.get(
    '/metrics',
    answer((_, c) => (isFromOutside(c) && refuseStranger(adminKey, key(c))) || metrics.reply()),
  )
  app.get(
    '/webhooks/endpoints',
    answer((_, c) => endpointsReply(deps, key(c))),
  )
  app.post(
    '/webhooks/endpoints',
    answer(async (_, c) => newEndpointReply(deps, key(c), await readJson(c))),
  )
  app.delete(
    '/webhooks/endpoints/:id',
    answer((_, c) => endEndpointReply(deps, key(c), id(c))),
  )
  app.get(
    '/webhooks/deliveries',
    answer((_, c) => deliveriesReply(deps, key(c))),
  )
  app.post(
    '/webhooks/deliveries/:id/redeliver',
    answer((_, c) => redeliverReply(deps, key(c), id(c))),
  )
}

/**
 * Unspecified: who reads the metrics. Prometheus asks the port itself. Requests through the proxy
 * are public and need the admin key; clients cannot remove the headers that the proxy adds.
 */
const isFromOutside = (c: Context<Env>): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-forwarded-proto'].some((name) => c.req.header(name))
