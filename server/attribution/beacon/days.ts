import { LRUCache } from 'lru-cache'
import type { Sql } from 'postgres'
import { dayOf } from '../../../shared/web/moment.ts'
import {
  addBeaconDays,
  type BeaconDayKey,
  type BeaconDayRow,
  findAdmitted,
  nameOfDay,
} from '../../db/attribution/beacon-days.ts'
import type { PropertyRow } from '../../db/attribution/properties.ts'
import { createLookUp } from '../../db/batching/look-up.ts'
import { outsideRequest } from '../../db/connection/request-domain.ts'
import { shardsOf } from '../../db/sharding/shards.ts'
import type { Log } from '../../process/log.ts'
import { type Bound, PER_PROPERTY_AND_DAY } from './limits.ts'

/** What was counted is written at most this often, however much comes in. */
const WRITE_MS = 1000

type StorefrontId = Pick<PropertyRow, 'id' | 'domain'>

type Ignored = 'bot' | 'not_ai'
export type TurnedAway = { origin: string } | { reason: Ignored }

/** Counts the beacons of each property and day, over all replicas, without a row for each. */
export interface BeaconDays {
  /**
   * Counts a beacon of today, unless the property has had as many as its bound: then false. Rejects
   * when the database cannot be asked what earlier runs and other replicas have let through.
   */
  admit(property: StorefrontId): Promise<boolean>
  /** Counts a beacon that was let through, and then ignored, no more: it was no visit of AI. */
  takeBack(property: StorefrontId, reason: Ignored): void
  /** Remembers that a page of another origin sent a beacon. */
  turnAway(property: StorefrontId, origin: string): void
  /**
   * Why the last beacon of these minutes did not count: the origin of its page, or a reason. Only
   * this process knows; the owner who waits for a first visit asks again and again.
   */
  lastTurnedAway(propertyId: string): TurnedAway | null
  /** Counts a beacon that exceeds a limit; the owner sees it in the report. */
  setAside(property: StorefrontId, bound: Bound): void
  /** Writes what was counted so far. */
  flush(): Promise<void>
}

interface Day {
  key: BeaconDayKey
  /** How many were stored when it was last read or written; null before. */
  stored: number | null
  /** Counted here, and not written yet. */
  unwritten: Omit<BeaconDayRow, keyof BeaconDayKey>
}

const NOTHING = { admitted: 0, over_address: 0, over_network: 0, over_property: 0 }
const NOT_WRITTEN = 'counts of sessions not written yet'
const COUNTS = ['admitted', 'over_address', 'over_network', 'over_property'] as const

/**
 * Keeps today's counts in memory, and adds them to the database once a second. Replicas learn of
 * each other's that way, so a bound can be passed by what comes in within a second. A process that
 * is killed loses the counts of a second, never a session.
 */
export function createBeaconDays({
  sql,
  now,
  log,
}: {
  sql: Sql
  now: () => Date
  log: Log
}): BeaconDays {
  /** The days of properties, two of each at most: those of other days go once they are written. */
  const days = new Map<string, Day>()
  const shards = shardsOf(sql)
  const findStored = createLookUp(
    (names) => {
      const asked = names.map(keyOf)
      return findAdmitted(shards.at(domainsOf(asked)), asked)
    },
    {
      // So that a node that does not answer holds up no other's.
      laneOf: (name) => shards.of(keyOf(name).domain),
      maxFlushes: { all: Number.POSITIVE_INFINITY, perNode: 1 },
    },
  )
  const turnedAway = new LRUCache<string, TurnedAway>({ max: 1000, ttl: 10 * 60_000 })
  let isDue = false
  let writing: Promise<void> = Promise.resolve()

  function dayFor({ id, domain }: StorefrontId): Day {
    const key = { domain, day: dayOf(now().getTime()), property_id: id }
    const name = nameOfDay(key)
    const known = days.get(name)
    if (known !== undefined) return known
    const day: Day = { key, stored: null, unwritten: { ...NOTHING } }
    days.set(name, day)
    return day
  }

  function count(day: Day, what: keyof typeof NOTHING, by = 1) {
    day.unwritten[what] += by
    if (isDue) return
    isDue = true
    outsideRequest(() => setTimeout(() => void flush(), WRITE_MS).unref())
  }

  /** One after the other, so that what is being written is not written twice. */
  const flush = () => {
    writing = writing.then(write)
    return writing
  }

  async function write() {
    isDue = false
    const today = dayOf(now().getTime())
    const counted = [...days.values()].filter((day) => COUNTS.some((each) => day.unwritten[each]))
    try {
      const ofDomains = Map.groupBy(counted, ({ key }) => key.domain)
      const among = await shards.among([...ofDomains.keys()])
      await Promise.all(
        among.map(({ domains }) =>
          writeDays(domains.flatMap((domain) => ofDomains.get(domain) ?? [])),
        ),
      )
    } catch (err) {
      log.warn({ err }, NOT_WRITTEN)
    }
    for (const [name, day] of days) {
      if (day.key.day !== today && COUNTS.every((each) => day.unwritten[each] === 0)) {
        days.delete(name)
      }
    }
  }

  /** Writes the days whose rows are on one shard. */
  async function writeDays(counted: readonly Day[]) {
    const sent = counted.map((day) => ({ day, row: { ...day.key, ...day.unwritten } }))
    try {
      const rows = sent.map(({ row }) => row)
      const stored = await addBeaconDays(shards.at(domainsOf(rows)), rows)
      for (const { day, row } of sent) {
        day.stored = stored.get(nameOfDay(day.key)) ?? null
        for (const each of COUNTS) day.unwritten[each] -= row[each]
      }
    } catch (err) {
      // They stay counted here, and are written with the next that are.
      log.warn({ err }, NOT_WRITTEN)
    }
  }

  return {
    async admit(property) {
      const day = dayFor(property)
      if (day.stored === null) {
        const stored = (await findStored(nameOfDay(day.key))) ?? 0
        // Unless it was written meanwhile, which has the same effect.
        day.stored ??= stored
      }
      if (day.stored + day.unwritten.admitted >= PER_PROPERTY_AND_DAY) return false
      count(day, 'admitted')
      return true
    },
    takeBack(property, reason) {
      count(dayFor(property), 'admitted', -1)
      turnedAway.set(property.id, { reason })
    },
    turnAway({ id }, origin) {
      turnedAway.set(id, { origin })
    },
    lastTurnedAway: (id) => turnedAway.get(id) ?? null,
    setAside(property, bound) {
      count(dayFor(property), `over_${bound}`)
    },
    flush,
  }
}

/** Each once. */
const domainsOf = (keys: readonly BeaconDayKey[]): [string, ...string[]] => {
  const [first = '', ...more] = new Set(keys.map(({ domain }) => domain))
  return [first, ...more]
}

/** The inverse of `nameOfDay`. */
function keyOf(name: string): BeaconDayKey {
  const [domain = '', day = '', property_id = ''] = name.split(' ')
  return { domain, day, property_id }
}
