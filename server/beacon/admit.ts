import { createMiddleware } from 'hono/factory'
import type { Deps, ServerEnv } from '../app.ts'
import { clientAddress } from '../client-address.ts'
import type { Db } from '../db/connect.ts'
import { findProperties, type PropertyRow } from '../db/properties.ts'
import { ApiError } from '../errors.ts'
import { createBatcher, Overdue, QueueFull } from '../ingest/batcher.ts'
import { busy } from '../ingest/refusals.ts'
import { isPropertyId } from '../properties.ts'
import { allowedOrigin } from '../property-origins.ts'
import { createBeaconLimits } from './limits.ts'

export interface BeaconEnv {
  Variables: ServerEnv['Variables'] & { property: PropertyRow }
}

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '7200',
}

/**
 * Lets a beacon pass that comes from a page of its property, within the limits, and leaves the
 * property in `c.var`. Answers preflights. Nothing of the body has been read by then.
 */
export function admitBeacon({ db, ingest, trustedProxies }: Deps) {
  const limits = createBeaconLimits()
  const find = lookUpProperties(db)

  return createMiddleware<BeaconEnv>(async (c, next) => {
    if (c.req.method !== 'POST' && c.req.method !== 'OPTIONS') return next()
    const id = c.req.query('id') ?? ''
    const property = isPropertyId(id) ? await find(id) : null

    // Before any refusal: a page of the property can read why.
    const asking = { origin: c.req.header('Origin'), referer: c.req.header('Referer') }
    const origin = allowedOrigin(asking, property?.origins ?? [])
    c.header('Vary', 'Origin')
    if (origin !== null) c.header('Access-Control-Allow-Origin', origin)

    await limits.countAddress(clientAddress(c, trustedProxies))
    if (property === null) throw unknownProperty()
    if (origin === null) throw originNotAllowed(property)
    if (c.req.method === 'OPTIONS') return c.body(null, 204, PREFLIGHT)
    await limits.countProperty(property.id)
    if (ingest.isFull()) {
      ingest.refuse('shed')
      throw busy()
    }
    c.set('property', property)
    await next()
  })
}

/** One query for all beacons that come while the one before is under way, and a bound on them. */
function lookUpProperties(db: Db): (id: string) => Promise<PropertyRow | null> {
  const batcher = createBatcher<string, PropertyRow | null>({
    flush: async (ids) => {
      const found = await findProperties(db, ids)
      return ids.map((id) => found.get(id) ?? null)
    },
    splitsOn: () => false,
    maxBatch: 500,
    maxItems: 5000,
    maxBytes: Number.POSITIVE_INFINITY,
    waitMs: 5000,
  })
  return (id) =>
    batcher.add(id).catch((error: unknown) => {
      throw error instanceof QueueFull || error instanceof Overdue ? busy() : error
    })
}

const unknownProperty = () =>
  new ApiError(
    404,
    'unknown_property',
    'There is no property with this id. Take the tag that "aisle properties list" shows.',
  )

const originNotAllowed = ({ origins }: PropertyRow) =>
  new ApiError(
    403,
    'origin_not_allowed',
    `This property takes sessions from ${origins.join(', ')} only. Create a property with the origin of this page.`,
  )
