import type { Sql } from 'postgres'
import { rememberSetting } from '../../db/attribution/domain-settings.ts'
import { type BatcherLoad, createBatcher } from '../../db/batching/batcher.ts'
import { batchesOfNode, DATABASE_CONNECTIONS } from '../../db/connect.ts'
import {
  isDatabaseUnavailable,
  isLockRefused,
  isPartitionMissing,
  isTransactionConflict,
  isVisitMistaken,
} from '../../db/connection/failures.ts'
import { findEventKeys, findSessions } from '../../db/events/events.ts'
import { createPartitionCache, monthOf } from '../../db/events/partitions.ts'
import { type Shards, shardsOf } from '../../db/sharding/shards.ts'
import { ApiError } from '../../http/api-error.ts'
import type { Log } from '../../process/log.ts'
import { assumeCurrencies } from './assume-currency.ts'
import { classifyEvents } from './classify-events.ts'
import {
  type IncomingEvent,
  isRefund,
  isUnpriced,
  keysOf,
  type Recorded,
  takesVisitSurface,
} from './event.ts'
import { idempotencyConflict, toEventError } from './event-errors.ts'
import { isClientKey } from './read-event.ts'
import { addRefunds } from './refunds.ts'
import { settleChanged } from './settle-sessions.ts'
import { storeEvents } from './store-events.ts'

/** What became of events. `received` is the sum of the others when none is in progress. */
export interface Counts {
  received: number
  accepted: number
  duplicate: number
  rejected: number
  /** Answered 503 or 500: too many events, or the database was not available. */
  shed: number
}

/** Batches of events that were stored, or could not be, and how long they took in all. */
export interface Batches {
  stored: number
  failed: number
  seconds: number
}

export interface Ingest {
  /** Ask before reading a body: true → answer 503 + Retry-After: 1. */
  isFull(): boolean
  /**
   * Resolves after COMMIT. Rejects with ApiError 503 if it takes longer than 10 s (the event may
   * still be recorded; a retry finds it) and 422 if the database rejects this event, if its value
   * has no currency, or if the client's own key was used for an event with different fields.
   * `bytes` is roughly what was sent, where that is known.
   */
  record(event: IncomingEvent, bytes?: number): Promise<Recorded>
  /** Resolves when nothing is waiting to be stored. */
  drain(): Promise<void>
  readonly counts: Readonly<Counts>
  readonly batches: Readonly<Batches>
  /** What waits in memory; at most `INGEST_LIMITS`. */
  load(): BatcherLoad
  /** Counts what was refused before it came to `record`. */
  refuse(outcome: 'rejected' | 'shed'): void
}

interface IngestDeps {
  sql: Sql
  now: () => Date
  log: Log
  /** Those of the pool; the default of the setting unless given. */
  connections?: number
  /** Where the rows of domains are; asked of the database unless given. */
  shards?: Shards
  /** Milliseconds by which waits are measured; those that pass unless given. */
  clock?: () => number
}

/** Events per statement: enough that one commit serves many, few enough that it ends quickly. */
const MAX_BATCH = 500

/** What may wait in memory, in events and bytes; beyond it senders get 503 and try again. */
const MAX_WAITING = 20_000
const MAX_BYTES = 32 * 2 ** 20

/** What `load` says at most. */
export const INGEST_LIMITS: Readonly<BatcherLoad> = { items: MAX_WAITING, bytes: MAX_BYTES }

/** How long a sender waits for its COMMIT, in milliseconds. */
const WAIT_MS = 10_000

/** For a batch that failed because of another transaction. */
const TRIES = 3

/**
 * Batches under way at a time, by the connections of the pool: reports keep some, and a node of a
 * cluster that does not answer, or domains that wait for a lock, leave some to the others.
 */
const flushesOf = (connections: number) => ({
  all: Math.floor(0.6 * connections),
  perNode: batchesOfNode(connections),
})

/** Roughly what an event takes in memory without its properties. */
const BARE_EVENT_BYTES = 1024

/** What became of one event of a batch; the error of one says nothing about the others. */
type Outcome = Recorded | ApiError

const keysAsked = (event: IncomingEvent) =>
  keysOf(event).map((key) => ({ domain: event.domain, key }))

const isReplayed = (outcome: Outcome): boolean => !(outcome instanceof ApiError) && outcome.replayed

/**
 * Stores events in groups: one statement and one commit for all that came since the last. An event
 * is acknowledged after its COMMIT, so that a crash loses none that was acknowledged.
 */
export function createIngest({
  sql,
  now,
  log,
  connections = DATABASE_CONNECTIONS,
  shards = shardsOf(sql),
  clock,
}: IngestDeps): Ingest {
  const counts: Counts = { received: 0, accepted: 0, duplicate: 0, rejected: 0, shed: 0 }
  const batches: Batches = { stored: 0, failed: 0, seconds: 0 }
  const partitions = createPartitionCache(sql)
  const timeZones = rememberSetting(sql, 'time_zone')
  const findLookBacks = rememberSetting(sql, 'lookback_days')

  /**
   * Stores a batch of one shard: currencies, partitions, sessions and orders that are known, rows.
   * What is known already begins no visit. The usual batch does not ask for that: the database
   * refuses one that took it otherwise, and then it is tried again.
   */
  async function flush(
    sent: IncomingEvent[],
    patienceMs: number | null,
    isAgain: boolean,
  ): Promise<Outcome[]> {
    const [first = '', ...more] = new Set(sent.map(({ domain }) => domain))
    const at = shards.atNode([first, ...more])
    const judged = sent.some(isUnpriced) ? await assumeCurrencies({ sql, at }, sent) : sent
    const accepted = judged.filter((each): each is IncomingEvent => !(each instanceof ApiError))
    await partitions.ensure(accepted.map(({ ts }) => monthOf(ts)))
    const others = accepted.filter((each) => !isRefund(each))
    // Read before the rows are made: a visit decides what its events count as.
    const [known, zones, lookBacks] = await Promise.all([
      findSessions(at, others.filter(takesVisitSurface)),
      timeZones([first, ...more]),
      findLookBacks([first, ...more]),
    ])
    const receivedAt = now()
    const repeated = isAgain ? await findEventKeys(at, others.flatMap(keysAsked)) : []
    const { rows, unsettled } = classifyEvents(
      others,
      known,
      receivedAt,
      { zones, lookBacks },
      repeated,
    )
    const whole = accepted.some(isRefund)
      ? await addRefunds(at, accepted, rows, receivedAt, zones)
      : { batch: accepted, rows }
    const recorded = await storeEvents(
      at,
      whole.batch,
      whole.rows,
      patienceMs,
      unsettled,
      lookBacks,
    )
    await settleChanged(at, known, lookBacks)
    return judged.flatMap((each): Outcome[] =>
      each instanceof ApiError ? [each] : recorded.splice(0, 1),
    )
  }

  /** Tries a batch again where another transaction was in its way. */
  async function flushAgain(
    batch: IncomingEvent[],
    patienceMs: number | null,
    tries: number,
  ): Promise<Outcome[]> {
    try {
      return await flush(batch, patienceMs, tries < TRIES)
    } catch (error) {
      const isMissing = isPartitionMissing(error)
      // The batcher then sends each domain by itself.
      const isLocked = isLockRefused(error) && patienceMs !== null
      const isInTheWay = isTransactionConflict(error) && !isLocked
      const isMistaken = isVisitMistaken(error)
      if (tries === 1 || !(isMissing || isInTheWay || isMistaken)) throw error
      // Another process dropped a month that this one saw.
      if (isMissing) partitions.forget()
      return flushAgain(batch, patienceMs, tries - 1)
    }
  }

  const batcher = createBatcher<IncomingEvent, Outcome>({
    flush: async (batch, patienceMs) => {
      const started = performance.now()
      const count = (became: 'stored' | 'failed') => {
        const ms = performance.now() - started
        batches[became] += 1
        batches.seconds += ms / 1000
        return Math.round(ms)
      }
      const recorded = await flushAgain(batch, patienceMs, TRIES).catch((error: unknown) => {
        count('failed')
        throw error
      })
      const duplicates = recorded.filter(isReplayed).length
      const ms = count('stored')
      log.info({ events: batch.length, duplicates, ms }, 'events stored')
      return recorded
    },
    splitsOn: (error) => !isDatabaseUnavailable(error),
    separatesOn: isLockRefused,
    ownerOf: ({ domain }) => domain,
    // A batch is of one shard, and so one statement; and what an event may depend on is stored
    // before: its visit, the order of a refund, the currency and the names of its domain.
    laneOf: ({ domain }) => shards.of(domain),
    onLoss: (err, events) => log.error({ err, events }, 'events not stored'),
    maxBatch: MAX_BATCH,
    maxItems: MAX_WAITING,
    maxBytes: MAX_BYTES,
    maxFlushes: flushesOf(connections),
    waitMs: WAIT_MS,
    ...(clock && { clock }),
  })

  return {
    counts,
    batches,
    load: batcher.load,
    isFull: batcher.isFull,
    drain: batcher.drain,
    refuse(outcome) {
      counts.received += 1
      counts[outcome] += 1
    },
    async record(event, sent = JSON.stringify(event.properties).length) {
      counts.received += 1
      // An estimate: the queue's limit on bytes need not be exact.
      const bytes = BARE_EVENT_BYTES + sent
      try {
        // A node that does not answer holds up its own domains alone: the others have to be known.
        if (!shards.isKnown(event.domain) && !batcher.isFull()) await shards.find(event.domain)
        const recorded = await batcher.add(event, bytes)
        if (recorded instanceof ApiError) throw recorded
        // Under a key that we made, another event is a repeat with more or fewer fields.
        if (recorded.conflict && isClientKey(event.key)) throw idempotencyConflict()
        counts[recorded.replayed ? 'duplicate' : 'accepted'] += 1
        return recorded
      } catch (error) {
        const refusal = toEventError(error)
        // 422 is the sender's mistake; everything else is ours to answer for.
        counts[refusal?.status === 422 ? 'rejected' : 'shed'] += 1
        throw refusal ?? error
      }
    },
  }
}
