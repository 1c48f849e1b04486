import { createMiddleware } from 'hono/factory'
import { DAY_MS } from '../../../shared/web/moment.ts'
import type { Db } from '../../db/connect.ts'
import { createLookUp } from '../../db/look-up.ts'
import { findProperties, type PropertyRow } from '../../db/properties.ts'
import { clientAddress, isPrivateAddress, type TrustedProxies } from '../../http/client-address.ts'
import type { ServerEnv } from '../../http/env.ts'
import { ApiError, overloaded } from '../../http/errors.ts'
import type { Log } from '../../log.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { isPropertyId } from '../properties.ts'
import { allowedOrigin } from '../property-origins.ts'
import type { BeaconDays } from './days.ts'
import { type Bound, createBeaconLimits, type Over } from './limits.ts'

/** What stands in `c.var` behind `checkBeacon`. */
export interface BeaconEnv {
  Variables: ServerEnv['Variables'] & { property: PropertyRow }
}

/** For clients that send another content type than the snippet, which needs no preflight. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '7200',
}

interface BeaconDeps {
  db: Db
  ingest: Pick<Ingest, 'isFull' | 'refuse'>
  beaconDays: Pick<BeaconDays, 'admit' | 'setAside'>
  trustedProxies: TrustedProxies
  now: () => Date
  log: Pick<Log, 'warn'>
}

/**
 * Admits beacons that come from a page of their property and are within the limits, and puts the
 * property into `c.var`. Answers preflights. Throws 403, 404, 429 or 503; the body is not read
 * before that, so that a refusal costs little. Sets aside what is over a limit.
 */
export function checkBeacon({ db, ingest, beaconDays, trustedProxies, now, log }: BeaconDeps) {
  const limits = createBeaconLimits(now)
  const find = createLookUp((ids) => findProperties(db, ids))

  // What overload turns away is counted: the counters must add up to what was received.
  const refuseAsOverload = (error: unknown): never => {
    ingest.refuse('shed')
    throw error
  }

  let isTold = false
  /** Behind a proxy that is not named, all visitors are one address, and soon too many of it. */
  const tellOfProxy = (address: string | null) => {
    if (isTold || !isPrivateAddress(address)) return
    isTold = true
    log.warn(
      'Sessions from a private address were set aside. If that is a proxy, name it in TRUST_PROXY.',
    )
  }

  return createMiddleware<BeaconEnv>(async (c, next) => {
    c.set('summed', { property_id: null })
    if (c.req.method !== 'POST' && c.req.method !== 'OPTIONS') return next()
    const id = c.req.query('id') ?? ''
    const property = isPropertyId(id) ? await find(id).catch(refuseAsOverload) : null
    c.set('summed', { property_id: property?.id ?? null })

    // Set before any error is thrown, so that a page of the property can read the error.
    const asking = { origin: c.req.header('Origin'), referer: c.req.header('Referer') }
    const origin = allowedOrigin(asking, property?.origins ?? [])
    c.header('Vary', 'Origin')
    if (origin !== null) c.header('Access-Control-Allow-Origin', origin)

    // Counted before the property is judged: guessing ids is limited as well.
    const address = clientAddress(c, trustedProxies)
    const overAsCaller = limits.countCall(address)
    const isBeacon = origin !== null && c.req.method === 'POST'
    if (overAsCaller !== null && !isBeacon) throw tooMany(overAsCaller)
    if (property === null) throw unknownProperty()
    if (origin === null) throw originNotAllowed(property)
    if (c.req.method === 'OPTIONS') return c.body(null, 204, PREFLIGHT)

    const userAgent = c.req.header('User-Agent') ?? ''
    const over = overAsCaller ?? limits.countBeacon({ propertyId: property.id, address, userAgent })
    // Before the body is read, which is what costs memory.
    if (over === null && ingest.isFull()) refuseAsOverload(overloaded())
    const overInAll =
      over ??
      ((await beaconDays.admit(property).catch(refuseAsOverload)) ? null : overPropertyDay(now()))
    if (overInAll !== null) {
      beaconDays.setAside(property, overInAll.bound)
      tellOfProxy(address)
      c.set('summed', { property_id: property.id, outcome: `over_${overInAll.bound}` })
      throw tooMany(overInAll)
    }
    c.set('property', property)
    await next()
  })
}

const overPropertyDay = (at: Date): Over => ({
  bound: 'property',
  per: 'day',
  retryAfter: Math.ceil((DAY_MS - (at.getTime() % DAY_MS)) / 1000),
})

const WHERE: Record<Bound, string> = {
  address: 'from this address',
  network: 'from this network',
  property: 'for this property',
}

const tooMany = ({ bound, per, retryAfter }: Over) =>
  new ApiError(
    429,
    'rate_limited',
    `Too many sessions per ${per} ${WHERE[bound]}. Try again in ${retryAfter === 1 ? 'a second' : `${retryAfter} seconds`}.`,
    { headers: { 'Retry-After': String(retryAfter) } },
  )

/** Told to anyone: property ids are public. */
const unknownProperty = () =>
  new ApiError(
    404,
    'unknown_property',
    'No property has this id. Use the tag from "aisle properties list".',
  )

/** Names the origins, so that the owner of a moved shop sees what to change. */
const originNotAllowed = ({ origins }: PropertyRow) =>
  new ApiError(
    403,
    'origin_not_allowed',
    `This property accepts sessions only from ${origins.join(', ')}. Create a property for the origin of this page.`,
  )
