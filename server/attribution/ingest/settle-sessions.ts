import { isDeepStrictEqual } from 'node:util'
import { readVerified } from '../../../shared/attribution/classify/verified.ts'
import { UNATTRIBUTED } from '../../../shared/attribution/classify/visit.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { isTransactionConflict } from '../../db/connection/failures.ts'
import { findSessions, type KnownSession } from '../../db/events/events.ts'
import { orderKeys } from '../../db/events/ids.ts'
import { deleteEmptyRows } from '../../db/events/rollup-changes.ts'
import {
  changeSessions,
  type EventChange,
  type EventPlace,
  findSessionEvents,
  type SessionEvent,
  type StoredSession,
} from '../../db/events/settle.ts'
import type { AtShard } from '../../db/sharding/shards.ts'
import {
  type EventSurface,
  type LookBacks,
  namedOf,
  namesSurface,
  ownClassification,
  surfaceIn,
} from './classify-events.ts'
import { isPastLookback, momentOf, pairOf, reportedAt } from './event.ts'

// Unspecified: events of one session may come in any order, and the report is as if they had come
// in the order in which they happened: the session is of the day of its first event and of the
// first surface that one of them names, and so are those that name none. What came over two days
// before the event that changes its session stays as it was counted.
const LOOK_BACK_MS = 2 * DAY_MS

/** For one that another transaction was in the way of. */
const TRIES = 3

/**
 * Judges sessions as a whole, after an event was stored that happened before those that are known,
 * and corrects what was counted of them. Doing so again changes nothing. Ingestion is in order
 * nearly always, so that its usual batch does none of this.
 */
export async function settleSessions(
  at: AtShard,
  visits: readonly { domain: string; visit_id: string }[],
  lookBacks: LookBacks = new Map(),
  tries = TRIES,
): Promise<void> {
  // By the clock that ids of events are made with.
  const since = new Date(Date.now() - LOOK_BACK_MS)
  const [known, events] = await Promise.all([
    findSessions(at, visits),
    findSessionEvents(at, visits, since),
  ])
  const sessions = bySession(known)
  const judged = [
    ...Map.groupBy(events, ({ domain, visit_id }) => pairOf(domain, visit_id)),
  ].flatMap(([visit, of]) => {
    const session = sessions.get(visit)
    return session === undefined ? [] : [judgeSession(session, of, lookBacks.get(session.domain))]
  })
  const changes = judged.flatMap((each) => each.changes)
  const stored = judged.flatMap(({ session }) => session ?? [])
  if (stored.length === 0) return
  try {
    if (await changeSessions(at, stored, changes)) {
      await clearTotals(at, changes)
      return
    }
  } catch (error) {
    if (tries === 1 || !isTransactionConflict(error)) throw error
  }
  if (tries > 1) await settleSessions(at, visits, lookBacks, tries - 1)
}

/**
 * Settles those of these sessions that another batch has changed since they were read: events that
 * were stored meanwhile count by what the session was then. One that its browser has reported
 * hardly changes any more, and is not read again.
 */
export async function settleChanged(
  at: AtShard,
  read: readonly KnownSession[],
  lookBacks: LookBacks,
): Promise<void> {
  const before = read.filter(({ began }) => reportedAt(began) === null)
  const visits = before.map(({ domain, session_id }) => ({ domain, visit_id: session_id }))
  const after = bySession(await findSessions(at, visits))
  const changed = visits.filter(
    ({ domain, visit_id }, n) => !isDeepStrictEqual(after.get(pairOf(domain, visit_id)), before[n]),
  )
  if (changed.length > 0) await settleSessions(at, changed, lookBacks)
}

const bySession = (sessions: readonly KnownSession[]): ReadonlyMap<string, KnownSession> =>
  new Map(sessions.map((each) => [pairOf(each.domain, each.session_id), each]))

/** Deletes totals that nothing counts in any more: a report would name their surface or page. */
async function clearTotals(at: AtShard, changes: readonly EventChange[]): Promise<void> {
  for (const [domain, of] of Map.groupBy(changes, ({ before }) => before.domain)) {
    const days = of.map(({ before }) => before.day).toSorted()
    await deleteEmptyRows(at, domain, { days: { first: days[0] ?? '', last: days.at(-1) ?? '' } })
  }
}

/** An event of a session, and what it says of its origin. */
interface Told {
  event: SessionEvent
  moment: number
  own: EventSurface
}

/** A session by all of its events, and those of them that are counted otherwise. */
function judgeSession(
  known: KnownSession,
  events: readonly SessionEvent[],
  lookBack: number | undefined,
): { session: StoredSession | null; changes: EventChange[] } {
  const told = events
    .filter(isOfSession)
    .map((event): Told => ({ event, moment: momentOf(event), own: ownOf(event, known) }))
    .toSorted((a, b) => a.moment - b.moment || (a.event.id < b.event.id ? -1 : 1))
  const [opener] = told
  // What it began with came too long ago.
  const isWhole = told.some(({ event }) => event.opens_session)
  if (opener === undefined || !isWhole) return { session: null, changes: [] }
  const isPast = ({ event }: Told) => isPastLookback(event, opener.moment, lookBack)
  const namer = told.find((each) => namesSurface(each.own) && !isPast(each))
  const { surface, kind, confidence } = (namer ?? opener).own
  const { landing } = opener.event.event === 'ai_session' ? opener.event : { landing: null }
  const places = new Map(
    told.map((each): [SessionEvent, EventPlace] => {
      const { event, own } = each
      if (isPast(each)) return [event, { ...placeOf({ ...event, ...own }), ...APART_FROM_VISIT }]
      const isFirst = each === (namer ?? opener)
      const counted = isFirst ? own : surfaceIn(signalsOf(event), { surface, kind, confidence })
      // What its user agent named is not stored.
      const { surface: of, ...rest } = namesSurface(counted) || !namesSurface(own) ? counted : own
      return [
        event,
        {
          surface: of,
          kind: rest.kind,
          confidence: rest.confidence,
          landing: event.event === 'ai_session' ? event.landing : landing,
          opens_session: each === opener,
        },
      ]
    }),
  )
  for (const refund of events.filter(({ event }) => event === 'ai_order_refunded')) {
    const order = orderOf(refund, events)
    const place = order && places.get(order)
    if (place) places.set(refund, { ...place, opens_session: false })
  }
  const session: StoredSession = {
    domain: known.domain,
    visit_id: known.session_id,
    day: opener.event.day,
    surface,
    kind,
    source: opener.event.source,
    confidence,
    landing,
    began: opener.moment,
    named: namer === undefined || namer === opener ? null : namer.moment,
  }
  const changes = [...places]
    .filter(([before, after]) => !isDeepStrictEqual(placeOf(before), after))
    .map(([before, after]) => ({ before, after }))
  const isSame =
    changes.length === 0 && session.began === known.began && session.named === known.named
  return { session: isSame ? null : session, changes }
}

/** What an event does not have of a visit that it is not of. */
const APART_FROM_VISIT = { landing: null, opens_session: false }

const placeOf = ({
  surface,
  kind,
  confidence,
  landing,
  opens_session,
}: SessionEvent): EventPlace => ({
  surface,
  kind,
  confidence,
  landing,
  opens_session,
})

/** Whether `readEvent` lets it begin a session, or it is the report of one. */
const isOfSession = ({ event, source, properties }: SessionEvent): boolean =>
  event === 'ai_session' ||
  (event !== 'ai_order_refunded' &&
    event !== 'ai_refund_unmatched' &&
    event !== 'ai_test' &&
    (source !== 'web' || properties.visit_id !== undefined))

/** What is stored of an event's signals. */
function signalsOf({ event, source, ai_surface, properties, ...row }: SessionEvent) {
  const { ucp_agent, attribution, affiliate_attribution, agent_verified } = properties
  const { surface, kind, confidence } = row
  return {
    event,
    source,
    signals: {
      source,
      aiSurface: ai_surface,
      ucpAgent: ucp_agent ?? null,
      ucpAttribution: attribution,
      verified: readVerified(agent_verified),
      affiliateAttribution: affiliate_attribution,
    },
    // The report of a browser is classified by what is not stored.
    ...(event === 'ai_session' &&
      kind !== UNATTRIBUTED && {
        classification: { surface, kind, confidence, paid: false, evidence: [], model: '' },
      }),
  }
}

/** What an event said of its origin. Its user agent is not stored, but what was made of it is. */
function ownOf(event: SessionEvent, session: KnownSession): EventSurface {
  const own = ownClassification(signalsOf(event))
  if (namesSurface(own) || event.surface === OTHER_AI) return own
  const isOwn = event.surface !== session.surface || momentOf(event) === namedOf(session)
  return isOwn
    ? { surface: event.surface, kind: event.kind, confidence: event.confidence, model: '' }
    : own
}

/** The order of a refund, among the events of its session. */
function orderOf(refund: SessionEvent, events: readonly SessionEvent[]): SessionEvent | undefined {
  const orders = events.filter(({ event }) => event === 'ai_checkout_completed')
  const keys = keysOfSale(refund)
  return keys.flatMap((key) => orders.filter((order) => keysOfSale(order).includes(key))).at(0)
}

const keysOfSale = ({ session_id, properties }: SessionEvent): string[] =>
  orderKeys({ session_id, ...properties })
