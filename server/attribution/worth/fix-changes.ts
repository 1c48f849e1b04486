import {
  type DaySpan,
  fixEffects,
  TOLD_DAYS,
  WEEKS_BEFORE_DAYS,
} from '../../../shared/attribution/worth/figures.ts'
import type { FixChange } from '../../../shared/attribution/worth/words.ts'
import { type Fixed, fixesIn } from '../../../shared/audit/result/fixes.ts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { gapWords, isGap } from '../../../shared/audit/words.ts'
import { DAY_MS, dayIn, shiftDay } from '../../../shared/web/moment.ts'
import { readDaySums, readNamedDaySums } from '../../db/attribution/day-sums.ts'
import { findTimeZones } from '../../db/attribution/domain-settings.ts'
import { findAuditById, listDailyVerdicts } from '../../db/audit/audits.ts'
import type { Db } from '../../db/connect.ts'
import { readFirstDays } from '../../db/watch/signals.ts'
import { landingsOf, placesText, WHOLE_STORE } from './gap-worth.ts'

// Unspecified: the three newest fixes of the last eight weeks are told, each by the first 28 days
// after it.
const MOST_FIXES = 3

/** What changed after the latest fixes of a store, the newest first. */
export async function loadFixChanges(db: Db, domain: string, now: Date): Promise<FixChange[]> {
  const zone = (await findTimeZones(db.$client, [domain])).get(domain) ?? 'UTC'
  const yesterday = shiftDay(dayIn(now.getTime(), zone), -1)
  const first = (await readFirstDays(db, [domain])).get(domain)
  if (first === undefined) return []
  const since = new Date(now.getTime() - 2 * WEEKS_BEFORE_DAYS * DAY_MS)
  const audits = await listDailyVerdicts(db, domain, { checks: DEFAULT_CHECKS, since, zone })
  const newest = fixesIn(audits)
    .filter(({ gone }) => gone >= shiftDay(yesterday, -WEEKS_BEFORE_DAYS))
    .slice(0, MOST_FIXES)
  return Promise.all(
    newest.map(async (fix) => {
      const before = beforeOf(fix, first)
      const last = shiftDay(fix.gone, TOLD_DAYS)
      const after = { from: shiftDay(fix.gone, 1), to: last < yesterday ? last : yesterday }
      const pages = await pagesOf(db, domain, fix)
      const whole = { from: before.from, to: after.to > before.to ? after.to : before.to }
      const named =
        pages.length === 0
          ? null
          : await readNamedDaySums(db, domain, whole, { dimension: 'landing', names: pages })
      // Pages that are not counted by name have no figures: then the store's would be others.
      const rows = named === null ? await readDaySums(db, domain, whole) : named.rows
      return {
        labels: fix.gaps.map((gap) => (isGap(gap) ? gapWords(gap).label : gap)),
        gone: fix.gone,
        scores: fix.scores,
        what: named === null ? WHOLE_STORE : placesText(named.counted.size, pages.length, 'page'),
        span: after,
        figures: fixEffects(rows, before, after, newest.length),
      }
    }),
  )
}

/** The days on which it was open, as far back as is compared. */
function beforeOf({ open, wellBefore }: Fixed, first: string): DaySpan {
  const from = [
    first,
    shiftDay(open.day, -WEEKS_BEFORE_DAYS),
    ...(wellBefore === null ? [] : [shiftDay(wellBefore, 1)]),
  ].reduce((latest, day) => (day > latest ? day : latest))
  return { from, to: shiftDay(open.day, -1) }
}

/** The pages that all of these gaps were on; none where one was not of single pages. */
async function pagesOf(db: Db, domain: string, { gaps, open }: Fixed): Promise<string[]> {
  const audit = await findAuditById(db, open.id, [domain])
  const found = (audit?.gaps ?? []).filter(({ id }) => gaps.includes(id))
  const isOfPages = found.every(({ pages }) => pages !== undefined)
  return isOfPages ? [...new Set(found.flatMap(landingsOf))] : []
}
