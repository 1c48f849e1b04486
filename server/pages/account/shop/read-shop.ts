import type { Report } from '../../../../shared/attribution/report.ts'
import type { FixChange } from '../../../../shared/attribution/worth/words.ts'
import { compareAudits, comparedOf } from '../../../../shared/audit/result/compare.ts'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { isAlerting, statusOfWatch, type WatchStatus } from '../../../../shared/watch/status.ts'
import { DAY_MS } from '../../../../shared/web/moment.ts'
import { loadReport } from '../../../attribution/report/build-report.ts'
import { loadFixChanges } from '../../../attribution/worth/fix-changes.ts'
import { findFirstVisits } from '../../../db/attribution/beacon-days.ts'
import { shopDay } from '../../../db/attribution/domain-settings.ts'
import { listProperties } from '../../../db/attribution/properties.ts'
import {
  findAudit,
  findAuditById,
  listAudits,
  listDailyVerdicts,
} from '../../../db/audit/audits.ts'
import { type AuditRun, findDoneRun } from '../../../db/audit/runs.ts'
import type { Db } from '../../../db/connect.ts'
import { wasOrderReported } from '../../../db/events/order-reported.ts'
import { type OpenIncident, openIncidentsAmong } from '../../../db/watch/incidents.ts'
import { findWatch } from '../../../db/watch/watches.ts'
import { readReportQuery } from '../report/query.ts'
import { isVisible } from '../watch/visible.ts'

/** What a key with the scope `audit` sees of a shop. */
interface ShopAudited {
  /** The newest by all checks; null before the first. */
  result: AuditResult | null
  /** The newest audit without a key, where the shop has none of its own. */
  unowned: AuditRun | null
  /**
   * Since the newest audit of another score, with the labels of what was closed: a watch makes many
   * of the same. Null without an earlier one that compares.
   */
  change: { points: number; since: string; closed: string[] } | null
  /** What changed after fixes; empty for who may not read reports. */
  fixes: FixChange[]
  /** Null where it is not watched. */
  watch: {
    status: WatchStatus
    looked_at: Date | null
    broken: OpenIncident[]
    /** Open gaps for which no alert is sent, as they were there before. */
    quiet: number
  } | null
}

/** What a key with the scope `report:read` sees of a shop. */
interface ShopSold {
  hasProperty: boolean
  /** The day of the first visit that the tag reported, in UTC; null before. */
  visited: string | null
  hasOrders: boolean
  /** Of the last 28 days. */
  report: Report
}

export interface ReadShop {
  audited: ShopAudited | null
  sold: ShopSold | null
}

interface Reader {
  mayAudit: boolean
  mayReadReport: boolean
}

/** How a shop stands, as far as its reader may see it. */
export async function readShop(
  db: Db,
  domain: string,
  now: Date,
  { mayAudit, mayReadReport }: Reader,
): Promise<ReadShop> {
  const [audited, sold] = await Promise.all([
    mayAudit ? readAudited(db, domain, now, mayReadReport) : null,
    mayReadReport ? readSold(db, domain, now) : null,
  ])
  return { audited, sold }
}

async function readAudited(
  db: Db,
  domain: string,
  now: Date,
  mayReadReport: boolean,
): Promise<ShopAudited> {
  const [result, [newest], fixes, watch, incidents] = await Promise.all([
    findAudit(db, domain, DEFAULT_CHECKS, null),
    listAudits(db, domain, { limit: 1 }),
    mayReadReport ? loadFixChanges(db, domain, now) : [],
    findWatch(db, domain),
    openIncidentsAmong(db, [domain]),
  ])
  const change = result && (await lastChange(db, result, newest?.before ?? null, now))
  // Runs are deleted when their time has come, so that any that is there is young enough.
  const unowned =
    result === null ? await findDoneRun(db, { domain, by: 'stranger' }, new Date(0)) : null
  if (watch === null) return { result, unowned, change, fixes, watch: null }
  const open = incidents.filter((each) => isVisible(each, mayReadReport))
  const broken = open.filter((each) => isAlerting(each, watch.severity))
  return {
    result,
    unowned,
    change,
    fixes,
    watch: {
      status: statusOfWatch(watch, open),
      looked_at: watch.looked_at,
      broken,
      quiet: open.length - broken.length,
    },
  }
}

/** How far back another score is looked for. */
const CHANGE_DAYS = 56

async function lastChange(
  db: Db,
  result: AuditResult,
  last: { id: string; score: number } | null,
  now: Date,
): Promise<ShopAudited['change']> {
  const isOther = ({ score }: { score: number }) => score !== result.score
  const days = {
    checks: DEFAULT_CHECKS,
    since: new Date(now.getTime() - CHANGE_DAYS * DAY_MS),
    zone: 'UTC',
  }
  const other =
    last === null || isOther(last)
      ? last
      : ((await listDailyVerdicts(db, result.domain, days)).findLast(isOther) ?? last)
  const before = other && (await findAuditById(db, other.id, [result.domain]))
  if (before === null) return null
  const { change, fixed } = compareAudits(comparedOf(before), comparedOf(result))
  if (change === null) return null
  return { points: change, since: before.checked_at, closed: fixed.map(({ label }) => label) }
}

async function readSold(db: Db, domain: string, now: Date): Promise<ShopSold> {
  const { query } = readReportQuery({}, domain, await shopDay(db, domain, now))
  const [report, ordered, properties] = await Promise.all([
    loadReport(db, query, now),
    wasOrderReported(db, domain),
    listProperties(db, [domain]),
  ])
  const ids = properties.map(({ id }) => id)
  const visits = await findFirstVisits(db, domain, ids)
  return {
    hasProperty: ids.length > 0,
    visited: [...visits.values()].sort()[0] ?? null,
    hasOrders: ordered,
    report,
  }
}
