import type { JSX } from 'preact'
import type { DayState, WatchedDay } from '../../watch/days.ts'
import { dateFormat } from '../format.ts'
import { useLanguage } from '../language.ts'

/** The height of a day's bar, so that states differ by more than their colour. */
const STATES: Record<DayState, { height: number; words: string }> = {
  fine: { height: 100, words: 'No serious incident' },
  impaired: { height: 70, words: 'Incidents' },
  blocked: { height: 100, words: 'AI agents were blocked' },
  unseen: { height: 35, words: 'Could not be seen' },
  unknown: { height: 12, words: 'Not audited' },
}
const LEGEND = ['fine', 'impaired', 'blocked', 'unseen', 'unknown'] as const

/** How each day was for agents, as bars, with words for those that were not fine. */
export function DayBars({ days }: { days: readonly WatchedDay[] }): JSX.Element {
  const { dates } = useLanguage()
  const day = dateFormat(dates)
  const countOf = (wanted: DayState) => days.filter(({ state }) => state === wanted).length
  const label = `Of ${days.length} days: ${countOf('fine')} without a serious incident, ${countOf('impaired')} with incidents, ${countOf('blocked')} on which AI agents were blocked, ${countOf('unseen')} on which we could not see the store, ${countOf('unknown')} without an audit.`
  const notFine = days.filter(({ state }) => state !== 'fine' && state !== 'unknown').toReversed()
  return (
    <figure class="day-bars">
      <svg
        width="100%"
        height="48"
        viewBox={`0 0 ${days.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <title>{label}</title>
        {days.map(({ day: date, state }, at) => (
          <rect
            key={date}
            class={`day-bar is-${state}`}
            x={at + 0.15}
            width="0.7"
            y={100 - STATES[state].height}
            height={STATES[state].height}
          />
        ))}
      </svg>
      <p class="day-ends">
        <span>{days.length} days ago</span>
        <span>Today</span>
      </p>
      <ul class="day-legend">
        {LEGEND.filter((state) => countOf(state) > 0).map((state) => (
          <li key={state}>
            <svg width="10" height="14" viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden>
              <rect
                class={`day-bar is-${state}`}
                width="1"
                y={100 - STATES[state].height}
                height={STATES[state].height}
              />
            </svg>
            {STATES[state].words}: {countOf(state)}
          </li>
        ))}
      </ul>
      {notFine.length > 0 && (
        <details class="chart-data">
          <summary>Days with incidents</summary>
          <table>
            <caption class="sr-only">Days with incidents</caption>
            <thead>
              <tr>
                <th scope="col">Date</th>
                <th scope="col">What was seen</th>
              </tr>
            </thead>
            <tbody>
              {notFine.map(({ day: date, state }) => (
                <tr key={date}>
                  <th scope="row">{day(date)}</th>
                  <td>{STATES[state].words}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </figure>
  )
}
