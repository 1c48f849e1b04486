import type { Context, Hono } from 'hono'
import type { Db } from '../../db/connect.ts'
import { type Env, pathParam, readJsonBody, send } from '../http/routing.ts'
import { refuseUnlessAdmin } from './admin-key.ts'
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
export function routeMerchant(app: Hono<Env>, deps: MerchantDeps): void {
  const { adminKey, metrics } = deps
  const key = (c: Context<Env>) => c.req.header('authorization') ?? null

  app.get('/metrics', async (c) =>
    send((isFromOutside(c) && refuseUnlessAdmin(adminKey, key(c))) || (await metrics.reply())),
  )
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

/**
 * Unspecified: metrics are read by Prometheus at the port itself. Requests through the proxy are
 * public and need the admin key; clients cannot remove the headers that the proxy adds.
 */
const isFromOutside = (c: Context<Env>): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-forwarded-proto'].some((name) => c.req.header(name))
