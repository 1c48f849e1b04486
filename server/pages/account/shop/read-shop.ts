import type { Report } from '../../../../shared/attribution/report.ts'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { isAlerting, statusOfWatch, type WatchStatus } from '../../../../shared/watch/status.ts'
import { loadReport } from '../../../attribution/report/build-report.ts'
import { findFirstVisits } from '../../../db/attribution/beacon-days.ts'
import { shopDay } from '../../../db/attribution/domain-settings.ts'
import { listProperties } from '../../../db/attribution/properties.ts'
import { findAudit } from '../../../db/audit/audits.ts'
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
  /** Null where it is not watched. */
  watch: { status: WatchStatus; looked_at: Date | null; broken: OpenIncident[] } | null
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
    mayAudit ? readAudited(db, domain, mayReadReport) : null,
    mayReadReport ? readSold(db, domain, now) : null,
  ])
  return { audited, sold }
}

async function readAudited(db: Db, domain: string, mayReadReport: boolean): Promise<ShopAudited> {
  const [result, watch, incidents] = await Promise.all([
    findAudit(db, domain, DEFAULT_CHECKS, null),
    findWatch(db, domain),
    openIncidentsAmong(db, [domain]),
  ])
  // Runs are deleted when their time has come, so that any that is there is young enough.
  const unowned =
    result === null ? await findDoneRun(db, { domain, by: 'stranger' }, new Date(0)) : null
  if (watch === null) return { result, unowned, watch: null }
  const open = incidents.filter((each) => isVisible(each, mayReadReport))
  return {
    result,
    unowned,
    watch: {
      status: statusOfWatch(watch, open),
      looked_at: watch.looked_at,
      broken: open.filter((each) => isAlerting(each, watch.severity)),
    },
  }
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
