import { randomUUID } from 'node:crypto'
import { AGENT_DAYS, type AgentDay, judgeAgents } from '../../../shared/watch/fetch-signals.ts'
import { firstOrderNotice, signalNotice } from '../../../shared/watch/signal-notice.ts'
import {
  FALL_DAYS,
  firstOrderSubject,
  judgeCheckouts,
  judgeFalls,
  type Signal,
} from '../../../shared/watch/signals.ts'
import { DAY_MS, dayIn, dayOf, shiftDay } from '../../../shared/web/moment.ts'
import { findTimeZones } from '../../db/attribution/domain-settings.ts'
import type { Db } from '../../db/connect.ts'
import { readAgentDays } from '../../db/fetches/report.ts'
import {
  closeIncident,
  keepIncidentsOpen,
  listIncidents,
  openIncident,
  openIncidentsAmong,
  shownIncident,
} from '../../db/watch/incidents.ts'
import {
  claimSignals,
  type DomainDay,
  findFirstOrder,
  hadOrderBefore,
  holdReported,
  isNoticed,
  noteJudged,
  readCheckouts,
  readFirstDays,
  readSurfaceDays,
  type SignalsWatch,
} from '../../db/watch/signals.ts'
import { repeat } from '../../jobs/repeat.ts'
import type { Log } from '../../process/log.ts'
import { enqueueNotice, recallNotice } from '../enqueue-notice.ts'
import { noticeIdOf } from '../notice-id.ts'

interface SignalsDeps {
  db: Db
  now: () => Date
  log: Log
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
}

const HOUR_MS = 3_600_000

/** Time between two searches for due watches; each watch is judged once an hour. */
const PAUSE_MS = 10_000

// Unspecified: signals are searched for once an hour, in orders and checkouts of the last day, or
// of the last seven if a day has too few.
const EVERY_MS = HOUR_MS
const CHECKOUT_HOURS = [24, 168]

/** How many watches are judged after one reading of their days. */
const AT_A_TIME = 20

// Unspecified: the first order of a surface is reported within seven days: an older one was
// imported.
const FIRST_ORDER_DAYS = 7

// Unspecified: an incident that could not be judged for seven days is closed: too few people buy
// there.
const UNJUDGED_MS = 7 * DAY_MS

/**
 * Searches for due signals, a few watches per call. Resolves to how many it took; fewer than
 * `AT_A_TIME` means that none are left. A watch that fails is logged and tried again an hour later.
 */
export async function searchSignals(
  deps: SignalsDeps,
): Promise<{ taken: number; isDone: boolean }> {
  const { db, now, log } = deps
  const at = now()
  const before = new Date(at.getTime() - EVERY_MS)
  const claimed = await claimSignals(db, { now: at, before, most: AT_A_TIME })
  if (claimed.length > 0) {
    const domains = claimed.map(({ domain }) => domain)
    const together = await readAll(db, domains, at).catch((err: unknown) => {
      log.warn({ err, domains }, 'what signals need is read of each domain alone')
      return null
    })
    const judged: string[] = []
    for (const watch of claimed) {
      const { domain } = watch
      try {
        // If one cannot be read, as its node is down, only that one waits an hour.
        const seen = together ?? (await readAll(db, [domain], at))
        await judgeDomain(deps, watch, seen(domain), at)
        judged.push(domain)
      } catch (err) {
        log.error({ err, domain }, 'signals could not be judged')
      }
    }
    await noteJudged(db, judged, at)
  }
  return { taken: claimed.length, isDone: claimed.length < AT_A_TIME }
}

/** What is known of a domain before it is judged. */
interface DomainSeen {
  /** Days that are not over yet, in the store's time zone, are excluded. */
  today: string
  days: DomainDay[]
  since: string | null
  open: Set<string>
  agents: AgentDay[]
}

/** Reads what all of these need, with one statement for each kind. */
async function readAll(
  db: Db,
  domains: readonly string[],
  now: Date,
): Promise<(domain: string) => DomainSeen> {
  const zones = await findTimeZones(db.$client, domains)
  // A day earlier than the earliest in any time zone.
  const from = shiftDay(dayOf(now.getTime()), -FALL_DAYS - 1)
  const [days, since, open, agents] = await Promise.all([
    readSurfaceDays(db, domains, from),
    readFirstDays(db, domains),
    openIncidentsAmong(db, domains),
    readAgentDays(db.$client, domains, shiftDay(dayOf(now.getTime()), -AGENT_DAYS - 1)),
  ])
  return (domain) => ({
    today: dayIn(now.getTime(), zones.get(domain)),
    days: days.filter((day) => day.domain === domain),
    since: since.get(domain) ?? null,
    agents: agents.filter((day) => day.domain === domain),
    open: new Set(
      open
        .filter((each) => each.domain === domain && each.kind === 'signal')
        .map(({ subject }) => subject),
    ),
  })
}

async function judgeDomain(
  deps: SignalsDeps,
  watch: SignalsWatch,
  { today, days, since, agents, open: wasOpen }: DomainSeen,
  at: Date,
): Promise<void> {
  const { db } = deps
  const { domain } = watch
  await tellFirstOrders(deps, watch, days, { today, at })
  const recent = shiftDay(today, -8)
  const hasCheckouts = days.some(({ day, checkouts }) => day >= recent && checkouts > 0)
  const windows = hasCheckouts
    ? await readCheckouts(db, domain, { now: at, hours: CHECKOUT_HOURS })
    : []
  const signals = [
    ...judgeFalls(days, { today, open: wasOpen, since }),
    ...judgeCheckouts(windows, wasOpen),
    ...judgeAgents(agents, { today, open: wasOpen }),
  ]
  const judged = new Set(
    signals.flatMap(({ subject, seen }) => (seen === 'unknown' ? [] : subject)),
  )
  await closeUnjudged(
    deps,
    watch,
    [...wasOpen].filter((subject) => !judged.has(subject)),
    at,
  )
  for (const signal of signals) {
    const isOpen = wasOpen.has(signal.subject)
    if (signal.seen === 'wrong' && !isOpen) await open(deps, watch, signal, at)
    if (signal.seen === 'well' && isOpen) await close(deps, watch, signal, at)
  }
  const still = signals.filter(({ subject, seen }) => seen === 'wrong' && wasOpen.has(subject))
  const subjects = still.map(({ subject }) => subject)
  await keepIncidentsOpen(db, { domain, kind: 'signal' }, subjects, at)
}

/**
 * Opens an incident. One that exists when the domain is first judged is stored without a notice; a
 * failed search does not count as the first.
 */
async function open(
  { db, baseUrl }: SignalsDeps,
  watch: SignalsWatch,
  { subject, severity, label, detail, fix }: Signal,
  at: Date,
): Promise<void> {
  const { domain } = watch
  const is_known = watch.signals_judged_at === null
  await db.transaction(async (tx) => {
    if (!(await holdReported(tx, domain))) return
    const made = await openIncident(tx, {
      domain,
      id: randomUUID(),
      kind: 'signal',
      subject,
      severity,
      label,
      detail,
      fix,
      points: null,
      changes: [],
      steps: [],
      is_known,
      is_told: !is_known,
      well_at: watch.signals_judged_at,
      first_seen_at: at,
      last_seen_at: at,
      opened_at: at,
      closed_at: null,
    })
    if (made === null || is_known) return
    const notice = signalNotice(shownIncident(made), {
      id: randomUUID(),
      at,
      baseUrl,
      timeZone: watch.time_zone,
    })
    await enqueueNotice(tx, watch, notice, at)
  })
}

/** Closes an incident, and notifies those who were notified of its start. */
async function close(
  { db, baseUrl }: SignalsDeps,
  watch: SignalsWatch,
  { subject, detail }: Pick<Signal, 'subject' | 'detail'>,
  at: Date,
): Promise<void> {
  const { domain } = watch
  await db.transaction(async (tx) => {
    if (!(await holdReported(tx, domain))) return
    const closed = await closeIncident(tx, { domain, kind: 'signal', subject }, at)
    if (!closed?.is_told) return
    const unaware = await recallNotice(tx, domain, closed.id)
    const notice = signalNotice(
      shownIncident(closed),
      { id: randomUUID(), at, baseUrl, timeZone: watch.time_zone },
      detail,
    )
    await enqueueNotice(tx, watch, notice, at, unaware)
  })
}

/** What can no longer be judged stays open, and is closed after some days. */
async function closeUnjudged(
  deps: SignalsDeps,
  watch: SignalsWatch,
  subjects: readonly string[],
  at: Date,
): Promise<void> {
  if (subjects.length === 0) return
  const rows = await listIncidents(deps.db, watch.domain, { only: 'open' })
  for (const { kind, subject, last_seen_at } of rows) {
    if (kind !== 'signal' || !subjects.includes(subject)) continue
    if (at.getTime() - last_seen_at.getTime() < UNJUDGED_MS) continue
    const detail = 'For seven days there have been too few checkouts to judge it.'
    await close(deps, watch, { subject, detail }, at)
  }
}

async function tellFirstOrders(
  { db, baseUrl }: SignalsDeps,
  watch: SignalsWatch,
  days: readonly DomainDay[],
  { today, at }: { today: string; at: Date },
): Promise<void> {
  const { domain } = watch
  const first = new Map<string, string>()
  for (const { day, surface, orders } of days) {
    const before = first.get(surface)
    if (orders > 0 && (before === undefined || day < before)) first.set(surface, day)
  }
  for (const [surface, day] of first) {
    if (day < shiftDay(today, -FIRST_ORDER_DAYS)) continue
    if (await hadOrderBefore(db, { domain, surface, day })) continue
    const order = await findFirstOrder(db, { domain, surface, day })
    // Orders from before the watch are not new.
    if (order === null || new Date(order.ts) < watch.created_at) continue
    const id = noticeIdOf(`${domain} ${firstOrderSubject(surface)}`)
    const { value, currency } = order
    const notice = firstOrderNotice({ domain, surface, day, value, currency }, { id, at, baseUrl })
    await db.transaction(async (tx) => {
      if (!(await holdReported(tx, domain))) return
      // Sent once over all replicas: the id contains the surface.
      if (!(await isNoticed(tx, domain, id))) await enqueueNotice(tx, watch, notice, at)
    })
  }
}

/** Starts the signals of this process, which shares them with the other replicas. */
export const runSignals = (deps: SignalsDeps) =>
  repeat({
    everyMs: PAUSE_MS,
    work: async (_, again) => {
      if (!(await searchSignals(deps)).isDone) again(0)
    },
    onError: (err) => deps.log.error({ err }, 'signals could not be searched for'),
  })
