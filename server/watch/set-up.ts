import { getDomain } from 'tldts'
import { nextSlot, PERIOD_MS, type Slot } from '../../shared/watch/period.ts'
import {
  type NewWatch,
  WATCH_DEFAULTS,
  type Watch,
  type WatchChange,
} from '../../shared/watch/watch.ts'
import { nextDigestAt } from '../../shared/watch/week.ts'
import { findTimeZones } from '../db/attribution/domain-settings.ts'
import type { Db } from '../db/connect.ts'
import { closeIncidents } from '../db/watch/incidents.ts'
import {
  deleteWatch,
  findWatch,
  insertWatch,
  updateWatch,
  type WatchRow,
} from '../db/watch/watches.ts'
import { ApiError } from '../http/api-error.ts'

interface SetUpDeps {
  db: Db
  now: () => Date
}

/** The caller, and whether they may read what orders show. */
interface WatchMaker {
  keyId: string
  mayReadReport: boolean
}

/** The first check is due immediately, regardless of the domain's moment in its period. */
function firstSlot(period: WatchRow['period'], now: Date): Slot {
  return { slot_at: now, next_at: now, late_at: new Date(now.getTime() + PERIOD_MS[period] / 10) }
}

/** Creates a watch. Throws 409 `watch_exists`. */
export async function createWatch(
  { db, now }: SetUpDeps,
  asked: NewWatch,
  { keyId, mayReadReport }: WatchMaker,
): Promise<WatchRow> {
  const at = now()
  const { domain, period = WATCH_DEFAULTS.period } = asked
  const zones = await findTimeZones(db.$client, [domain])
  const time_zone = asked.time_zone ?? zones.get(domain) ?? 'UTC'
  const row = await insertWatch(db, {
    domain,
    site: siteOf(domain),
    key_id: keyId,
    checks: asked.checks ?? [...WATCH_DEFAULTS.checks],
    walk: asked.walk ?? WATCH_DEFAULTS.walk,
    period,
    severity: asked.severity ?? WATCH_DEFAULTS.severity,
    quiet_hours: asked.quiet_hours ?? null,
    time_zone,
    with_report: asked.with_report ?? mayReadReport,
    tags: asked.tags ?? [],
    created_at: at,
    ...firstSlot(period, at),
    look: 0,
    state: {},
    digest_at: nextDigestAt(time_zone, at),
  })
  if (row !== null) return row
  throw new ApiError(
    409,
    'watch_exists',
    `${domain} is watched already. Change that watch, or delete it first.`,
  )
}

/** Changes a watch. Throws 404 `watch_not_found`. */
export async function changeWatch(
  { db, now }: SetUpDeps,
  domain: string,
  { paused, quiet_hours, ...asked }: WatchChange,
): Promise<WatchRow> {
  const before = await findWatch(db, domain)
  if (before === null) throw noWatch(domain)
  const at = now()
  const { period = before.period, time_zone = before.time_zone } = asked
  const isResumed = paused === false && before.paused_at !== null
  const columns = {
    ...asked,
    ...(quiet_hours !== undefined && {
      quiet_hours: quiet_hours === 'none' ? null : quiet_hours,
    }),
    ...(paused === true && before.paused_at === null && { paused_at: at }),
    ...(isResumed && { paused_at: null, ...firstSlot(period, at), look: 0 }),
    ...(!isResumed && period !== before.period && { ...nextSlot(domain, period, at, at), look: 0 }),
    ...(time_zone !== before.time_zone && { digest_at: nextDigestAt(time_zone, at) }),
  }
  if (Object.keys(columns).length === 0) return before
  const row = await updateWatch(db, domain, columns)
  if (row === null) throw noWatch(domain)
  // Signals from orders are no longer searched for.
  if (before.with_report && !row.with_report) {
    await closeIncidents(db, { domain, kind: 'signal' }, at)
  }
  return row
}

/**
 * Asks for a check of a domain as soon as a slot is free, in addition to the periodic ones. Throws
 * 404 `watch_not_found` and 409 `watch_paused`. `admit` runs when neither applies; if it throws, no
 * check is made.
 */
export async function checkNow(
  { db, now }: SetUpDeps,
  domain: string,
  admit: () => Promise<void> = async () => {},
): Promise<WatchRow> {
  const before = await findWatch(db, domain)
  if (before === null) throw noWatch(domain)
  if (before.paused_at !== null) {
    throw new ApiError(409, 'watch_paused', `The watch of ${domain} is paused. Resume it first.`)
  }
  await admit()
  const at = now()
  const row = await updateWatch(db, domain, { slot_at: at, next_at: at, late_at: at, look: 0 })
  if (row === null) throw noWatch(domain)
  return row
}

/** Deletes a watch. Throws 404 `watch_not_found`. */
export async function endWatch({ db, now }: SetUpDeps, domain: string): Promise<void> {
  if (!(await deleteWatch(db, domain, now()))) throw noWatch(domain)
}

/** The error for a domain that is not watched. */
export const noWatch = (domain: string): ApiError =>
  new ApiError(
    404,
    'watch_not_found',
    `${domain} is not watched. Create a watch with POST /api/watches.`,
  )

/** The subdomains of a site count together: listing them all must not flood it. */
const siteOf = (domain: string): string =>
  getDomain(domain, { allowPrivateDomains: true }) ?? domain

/** A watch as it is shown. */
export const shownWatch = (row: WatchRow, baseUrl: string): Watch => ({
  domain: row.domain,
  checks: row.checks,
  walk: row.walk,
  period: row.period,
  severity: row.severity,
  quiet_hours: row.quiet_hours,
  time_zone: row.time_zone,
  with_report: row.with_report,
  tags: row.tags,
  paused: row.paused_at !== null,
  created_at: row.created_at.toISOString(),
  next_look_at: row.paused_at === null ? row.next_at.toISOString() : null,
  looked_at: row.looked_at?.toISOString() ?? null,
  outcome: row.outcome,
  score: row.score,
  grade: row.grade,
  why: row.why,
  url: watchUrl(baseUrl, row.domain),
})

/** The page of a watch. */
export const watchUrl = (baseUrl: string, domain: string): string => `${baseUrl}/watches/${domain}`

/** The page of an incident. */
export const incidentUrl = (baseUrl: string, domain: string, id: string): string =>
  `${watchUrl(baseUrl, domain)}/incidents/${id}`
