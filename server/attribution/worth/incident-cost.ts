import {
  daysOf,
  lossOf,
  TOLD_DAYS,
  WEEKS_BEFORE_DAYS,
} from '../../../shared/attribution/worth/figures.ts'
import type { IncidentCost } from '../../../shared/attribution/worth/words.ts'
import { findGapRule } from '../../../shared/audit/checks/index.ts'
import type { Incident } from '../../../shared/watch/incident.ts'
import { dayIn, shiftDay } from '../../../shared/web/moment.ts'
import { readDaySums } from '../../db/attribution/day-sums.ts'
import { findTimeZones } from '../../db/attribution/domain-settings.ts'
import type { Db } from '../../db/connect.ts'
import { listSpans } from '../../db/watch/history.ts'
import { readFirstDays } from '../../db/watch/signals.ts'

type Judged = Pick<
  Incident,
  'domain' | 'id' | 'kind' | 'subject' | 'known' | 'well_at' | 'first_seen_at' | 'closed_at'
>

/**
 * What AI brought while an incident lasted, and what the weeks before led one to expect. Days count
 * whole, in the zone of the store, so that a part of a day weighs little.
 */
export async function loadIncidentCost(
  db: Db,
  incident: Judged,
  now: Date,
): Promise<IncidentCost | null> {
  const { domain, id, kind, subject, known, well_at, first_seen_at, closed_at } = incident
  // It was opened because of these figures, which would then show a loss where chance made one.
  if (kind === 'signal') return null
  if (known) {
    return { unknown: 'It was there at the first audit: there are no weeks before it to compare.' }
  }
  if (findGapRule(subject)?.check === 'attribution') {
    return { unknown: 'Visits were counted otherwise meanwhile, so what it cost cannot be told.' }
  }
  const zone = (await findTimeZones(db.$client, [domain])).get(domain)
  const dayAt = (moment: string) => dayIn(Date.parse(moment), zone)
  const yesterday = shiftDay(dayIn(now.getTime(), zone), -1)
  const from = dayAt(first_seen_at)
  const [to = yesterday] = [
    yesterday,
    closed_at === null ? yesterday : dayAt(closed_at),
    shiftDay(from, TOLD_DAYS - 1),
  ].toSorted()
  if (to < from) return { unknown: 'What it cost can be told once its first day is over.' }
  const well = dayAt(well_at ?? first_seen_at)
  const first = (await readFirstDays(db, [domain])).get(domain) ?? well
  const longest = shiftDay(well, -WEEKS_BEFORE_DAYS)
  const since = first > longest ? first : longest
  const spans = await listSpans(db, domain, new Date(since))
  const wasOpen = (day: string) =>
    spans.some(
      (span) =>
        span.subject === subject &&
        span.id !== id &&
        dayIn(span.first_seen_at.getTime(), zone) <= day &&
        (span.closed_at === null || dayIn(span.closed_at.getTime(), zone) >= day),
    )
  const before = daysOf({ from: since, to: shiftDay(well, -1) }).filter((day) => !wasOpen(day))
  const span = { from, to }
  const rows = await readDaySums(db, domain, { from: since, to })
  return { span, figures: lossOf(rows, before, daysOf(span)) }
}
