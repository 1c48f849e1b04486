import { describeIssues } from '../../../shared/web/json/field-errors.ts'
import type { Db } from '../../db/connect.ts'
import { platformOfKey } from '../dialects/acp/caller.ts'
import { ucpRefusal } from '../http/refusals.ts'
import { json, type Reply } from '../http/store-request.ts'
import { listDeliveries, redeliver } from '../outbox/deliveries.ts'
import {
  createEndpoint,
  disableEndpoint,
  listEndpoints,
  MAX_ENDPOINTS,
  NewEndpoint,
  withoutSigningSecret,
} from '../outbox/endpoints.ts'
import { refuseUnlessAdmin } from './admin-key.ts'

// Unspecified: the merchant registers the target of fulfillment webhooks, with a key of the store,
// because agents have no account here that could own one.
export interface WebhookAdminDeps {
  db: Db
  now: () => Date
  /** STORE_ADMIN_KEY; without one every request is rejected. */
  adminKey: string | undefined
  /** STORE_ACP_KEYS; null: any key is accepted. */
  acpKeys: readonly string[] | null
}

const PRIVATE = { headers: { 'cache-control': 'no-store' } }

const asAdmin =
  <Rest extends unknown[]>(work: (deps: WebhookAdminDeps, ...rest: Rest) => Promise<Reply>) =>
  async (deps: WebhookAdminDeps, authorization: string | null, ...rest: Rest): Promise<Reply> =>
    refuseUnlessAdmin(deps.adminKey, authorization) ?? work(deps, ...rest)

const notFound = (what: string): Reply =>
  ucpRefusal(404, { code: 'not_found', message: `There is no ${what} with this id.` })

/** `GET /webhooks/endpoints`: all that were registered, without their secrets. */
export const endpointsReply = asAdmin(async ({ db }) =>
  json({ endpoints: await listEndpoints(db) }, PRIVATE),
)

/**
 * `POST /webhooks/endpoints`: registers `{ url, events? }`, or `{ url, format: 'acp', key, secret?
 * }`. The secret is shown only in this answer.
 */
export const newEndpointReply = asAdmin(async ({ db, now, acpKeys }, body: unknown) => {
  const wanted = NewEndpoint.safeParse(body)
  if (!wanted.success) {
    const wrong = describeIssues(
      wanted.error.issues,
      (path, message) => `${path || 'the body'}: ${message}`,
    )
    return unregistered(wrong)
  }
  const { key, ...endpoint } = wanted.data
  if (key !== undefined && acpKeys !== null && !acpKeys.includes(key)) {
    return unregistered('key: expected one of STORE_ACP_KEYS')
  }
  const created = await createEndpoint(
    db,
    { ...endpoint, platform: key === undefined ? null : platformOfKey(key) },
    now(),
  )
  if (created !== null) {
    return json({ ...withoutSigningSecret(created), secret: created.secret }, PRIVATE)
  }
  return ucpRefusal(409, {
    code: 'too_many_endpoints',
    message: `There are ${MAX_ENDPOINTS} endpoints already. Remove one first.`,
  })
})

const unregistered = (why: string): Reply =>
  ucpRefusal(422, {
    code: 'invalid_request',
    message: `The endpoint cannot be registered. ${why}.`,
  })

/** `DELETE /webhooks/endpoints/:id`: it gets no further deliveries. */
export const endEndpointReply = asAdmin(async ({ db, now }, id: string) => {
  const endpoint = await disableEndpoint(db, id, now())
  return endpoint === null ? notFound('endpoint') : json(endpoint, PRIVATE)
})

/** `GET /webhooks/deliveries`: the newest hundred, also to platforms, with their results. */
export const deliveriesReply = asAdmin(async ({ db }) =>
  json({ deliveries: await listDeliveries(db) }, PRIVATE),
)

/**
 * `POST /webhooks/deliveries/:id/redeliver`: sends it once more under the same `webhook-id`, unless
 * a later one has overtaken it.
 */
export const redeliverReply = asAdmin(async ({ db, now }, id: string) => {
  const outcome = await redeliver(db, id, now())
  if (outcome === 'not_found') return notFound('delivery')
  if (outcome === 'queued') return json({ id, status: outcome }, PRIVATE)
  if (outcome === 'superseded') {
    const message = 'A later state of this order has arrived there, so nothing is missing.'
    return ucpRefusal(409, { code: outcome, message })
  }
  const message = 'Its endpoint is disabled. Register the endpoint again to receive further events.'
  return ucpRefusal(409, { code: outcome, message })
})
