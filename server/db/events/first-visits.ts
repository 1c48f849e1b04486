import { type SQL, sql } from 'drizzle-orm'
import { UNATTRIBUTED } from '../../../shared/attribution/classify/visit.ts'
import { shortKeyIn, visitOf } from './ids.ts'
import {
  DAILY,
  eachFigure,
  NAMED,
  nameSaid,
  type Rollup,
  sumEvents,
  sumNamed,
  sumSaid,
} from './rollup-changes.ts'

// Totals count what a store reports for the last visit. Few events name two, so a report by the
// first looks for these, and moves them. None moves into what AI brought, or out of it: both
// reports have the same sums.

/** Days are text such as `2026-11-30`, in the zone of the domain, both included. */
interface Days {
  domain: string
  from: string
  end: string
}

const FIRST_VISIT = sql.raw(shortKeyIn(`'${visitOf('')}' || (kept.properties->>'first_visit_id')`))

/** The events of two visits, as they count for the last or for the first of them. */
const ofVisit = (visit: 'kept' | 'first', { domain, from, end }: Days): SQL => {
  const of = sql.raw(visit)
  return sql`(
    select kept.domain, ts, event, kept.source, false as opens_session, value, currency, properties,
      kept.day, ${of}.surface, ${of}.kind, ${of}.landing
    from events kept join ai_sessions first
      on first.domain = kept.domain and first.session_id = ${FIRST_VISIT}
    where kept.domain = ${domain} and jsonb_exists(kept.properties, 'first_visit_id')
      -- A day of any zone, by which the index is read.
      and ts between ${from}::date - interval '2 days' and ${end}::date + interval '3 days'
      and ${IS_OF_AI}
  ) as of_two_visits`
}
const IS_OF_AI = sql.raw(`'${UNATTRIBUTED}' not in (kept.kind, first.kind)`)

/** What the first visits gain, and the last ones lose. */
const moved = ({ key }: Rollup, days: Days, sumsOf: (events: SQL) => SQL): SQL => sql`
  select * from (
    select ${key}, ${eachFigure((figure) => figure)} from (${sumsOf(ofVisit('first', days))}) as gained
    union all
    select ${key}, ${eachFigure((figure) => sql`-${figure}`)}
    from (${sumsOf(ofVisit('kept', days))}) as lost
  ) as moved where day between ${days.from}::date and ${days.end}::date`

/** Rows like those of `DAILY`: added to them, these are of the first visits. */
export const movedDaily = (days: Days): SQL => moved(DAILY, days, sumEvents)

/** The same for `NAMED`. */
export const movedNamed = (days: Days): SQL =>
  moved(NAMED, days, (events) => {
    const names = sql`(select * from rollup_names where domain = ${days.domain})`
    return sumNamed(sql`(${nameSaid(sql`(${sumSaid(events)})`, names)}) as named`)
  })
