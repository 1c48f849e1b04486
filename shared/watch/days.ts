import type { Severity } from '../audit/vocabulary.ts'
import { DAY_MS, dayOf, shiftDay } from '../web/moment.ts'
import type { IncidentKind } from './incident.ts'

/** The checks of one day. Days are text such as `2026-11-30`, in UTC. */
export interface DayChecks {
  day: string
  /** Checks that saw the domain. */
  seen: number
  /** Checks that the domain did not answer, or blocked. */
  unseen: number
  /** The score of the day's last check that saw the domain. */
  score: number | null
}

/** A period in which a gap was open. */
export interface Span {
  kind: IncidentKind
  severity: Severity
  first_seen_at: Date
  closed_at: Date | null
}

/**
 * A day for agents. `blocked`: a critical gap was open. `impaired`: a high one was. `unseen`: no
 * check saw the domain. `unknown`: there was no check.
 */
export type DayState = 'fine' | 'impaired' | 'blocked' | 'unseen' | 'unknown'

export interface WatchedDay {
  day: string
  state: DayState
  /** Null if no check saw the domain on this day or in the week before. */
  score: number | null
}

/** A score holds until the next check: as many days as the longest period has. */
const SCORE_DAYS = 7

/** The last `count` days up to that of `now`, the oldest first. */
export function daysUpTo(
  now: Date,
  count: number,
  looks: readonly DayChecks[],
  spans: readonly Span[],
): WatchedDay[] {
  const byDay = new Map(looks.map((each) => [each.day, each]))
  const today = dayOf(now.getTime())
  const blocking = spans.filter(({ kind, severity }) => kind === 'gap' && severity === 'critical')
  const impairing = spans.filter(({ kind, severity }) => kind === 'gap' && severity === 'high')
  let score: number | null = null
  let age = 0
  return Array.from({ length: count }, (_, at): WatchedDay => {
    const day = shiftDay(today, at - count + 1)
    const looked = byDay.get(day)
    age += 1
    if (looked !== undefined && looked.score !== null) {
      score = looked.score
      age = 0
    }
    const isUnseen = looked !== undefined && looked.seen === 0 && looked.unseen > 0
    if (isUnseen || age >= SCORE_DAYS) score = null
    return { day, score, state: stateOf() }

    function stateOf(): DayState {
      if (isUnseen) return 'unseen'
      const isKnown = looked !== undefined && looked.seen > 0
      if (!isKnown && score === null) return 'unknown'
      if (isIn(blocking, day)) return 'blocked'
      return isIn(impairing, day) ? 'impaired' : 'fine'
    }
  })
}

const isIn = (spans: readonly Span[], day: string): boolean => {
  const start = Date.parse(day)
  return spans.some(
    ({ first_seen_at, closed_at }) =>
      first_seen_at.getTime() < start + DAY_MS &&
      (closed_at === null || closed_at.getTime() > start),
  )
}
