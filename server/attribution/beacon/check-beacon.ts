import type { Context } from 'hono'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { findProperties, type PropertyRow } from '../../db/attribution/properties.ts'
import { createLookUp, rememberFound } from '../../db/batching/look-up.ts'
import type { Db } from '../../db/connect.ts'
import { ApiError, overloaded } from '../../http/api-error.ts'
import { clientAddress, isPrivateAddress, type TrustedProxies } from '../../http/client-address.ts'
import type { ServerEnv } from '../../http/env.ts'
import { rateLimited } from '../../http/rate-limit.ts'
import type { Log } from '../../process/log.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { isPropertyId } from '../properties.ts'
import { askingOrigin, isAllowedOrigin } from '../property-origins.ts'
import type { BeaconDays } from './days.ts'
import { type Bound, createBeaconLimits, type Over } from './limits.ts'

/** For clients that send another content type than the snippet, which needs no preflight. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Content-Type',
  'Access-Control-Max-Age': '7200',
}

interface BeaconDeps {
  db: Db
  ingest: Pick<Ingest, 'isFull' | 'refuse'>
  beaconDays: Pick<BeaconDays, 'admit' | 'setAside' | 'takeBack' | 'turnAway'>
  trustedProxies: TrustedProxies
  /** How many sessions a property may have per second. */
  sessionsPerSecond: number
  now: () => Date
  log: Pick<Log, 'warn'>
}

/** Both work behind `frameBusyRoute`, and throw 403, 404, 429 or 503. */
interface BeaconCheck {
  /**
   * The property of a beacon that comes from one of its pages and is within the limits. The body is
   * not read before that, so that a refusal costs little. Sets aside what is over a limit.
   */
  admit(c: Context<ServerEnv>): Promise<PropertyRow>
  /** Says that what was let through is ignored. */
  takeBack: BeaconDays['takeBack']
  /** The answer to the question whether a page may send one. */
  answerPreflight(c: Context<ServerEnv>): Promise<Response>
}

/** What judges beacons before they are read. Its limits are counted in this process alone. */
export function checkBeacon(deps: BeaconDeps): BeaconCheck {
  const { db, ingest, beaconDays, trustedProxies, sessionsPerSecond, now, log } = deps
  const limits = createBeaconLimits(now, sessionsPerSecond)
  // Unspecified: a property that was deleted, or lost an origin, may have sessions stored for five
  // more seconds, on servers that have just seen it; an origin that it gains counts immediately.
  const find = rememberFound(createLookUp((ids) => findProperties(db, ids)))

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

  /** The property of a call from one of its pages, and what the caller sends too many of. */
  async function findCaller(c: Context<ServerEnv>) {
    c.set('summed', { property_id: null })
    const id = c.req.query('id') ?? ''
    const asking = askingOrigin({
      origin: c.req.header('Origin'),
      referer: c.req.header('Referer'),
    })
    const isOf = ({ origins }: PropertyRow) => asking !== null && isAllowedOrigin(asking, origins)
    const property = isPropertyId(id)
      ? await find(id, (each) => c.req.method === 'POST' && isOf(each)).catch(refuseAsOverload)
      : null
    c.set('summed', { property_id: property?.id ?? null })

    // Set before any error is thrown, so that a page of the property can read the error.
    const origin = property && isOf(property) ? asking : null
    const headers = c.get('headers')
    headers.Vary = 'Origin'
    if (origin !== null) headers['Access-Control-Allow-Origin'] = origin

    // Counted before the property is judged: guessing ids is limited as well.
    const address = clientAddress(c, trustedProxies)
    const overAsCaller = limits.countCall(address)
    const isBeacon = origin !== null && c.req.method === 'POST'
    if (overAsCaller !== null && !isBeacon) throw tooMany(overAsCaller)
    if (property === null) throw unknownProperty()
    if (origin === null) {
      if (asking !== null) beaconDays.turnAway(property, asking)
      throw originNotAllowed(property)
    }
    return { property, address, overAsCaller }
  }

  async function admit(c: Context<ServerEnv>): Promise<PropertyRow> {
    const { property, address, overAsCaller } = await findCaller(c)
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
    return property
  }

  return {
    admit,
    takeBack: beaconDays.takeBack,
    async answerPreflight(c) {
      await findCaller(c)
      const { 'Content-Type': _, ...headers } = c.get('headers')
      return new Response(null, { status: 204, headers: { ...headers, ...PREFLIGHT } })
    },
  }
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
  rateLimited(
    `Too many sessions per ${per} ${WHERE[bound]}. Try again in ${retryAfter === 1 ? 'a second' : `${retryAfter} seconds`}.`,
    retryAfter,
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
