import type { JSX } from 'preact'
import type { DayState, WatchedDay } from '../../watch/days.ts'
import { dateFormat } from '../format.ts'
import { useLanguage } from '../language.ts'

/** The height of a day's bar, so that states differ by more than their colour. */
const HEIGHTS: Record<DayState, number> = {
  fine: 100,
  impaired: 70,
  blocked: 100,
  unseen: 35,
  unknown: 12,
}

const STATES = ['fine', 'impaired', 'blocked', 'unseen', 'unknown'] as const

/** How each day was for agents, as bars, with words for those that were not fine. */
export function DayBars({ days }: { days: readonly WatchedDay[] }): JSX.Element {
  const { text, dates } = useLanguage()
  const day = dateFormat(dates)
  const countOf = (wanted: DayState) => days.filter(({ state }) => state === wanted).length
  const label = text(
    'days_about',
    days.length,
    countOf('fine'),
    countOf('impaired'),
    countOf('blocked'),
    countOf('unseen'),
    countOf('unknown'),
  )
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
            y={100 - HEIGHTS[state]}
            height={HEIGHTS[state]}
          />
        ))}
      </svg>
      <p class="day-ends">
        <span>{text('days_ago', days.length)}</span>
        <span>{text('today')}</span>
      </p>
      <ul class="day-legend">
        {STATES.filter((state) => countOf(state) > 0).map((state) => (
          <li key={state}>
            <svg width="10" height="14" viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden>
              <rect
                class={`day-bar is-${state}`}
                width="1"
                y={100 - HEIGHTS[state]}
                height={HEIGHTS[state]}
              />
            </svg>
            {text(`day_${state}`)}: {countOf(state)}
          </li>
        ))}
      </ul>
      {notFine.length > 0 && (
        <details class="chart-data">
          <summary>{text('days_table')}</summary>
          <table>
            <caption class="sr-only">{text('days_table')}</caption>
            <thead>
              <tr>
                <th scope="col">{text('date')}</th>
                <th scope="col">{text('days_state')}</th>
              </tr>
            </thead>
            <tbody>
              {notFine.map(({ day: date, state }) => (
                <tr key={date}>
                  <th scope="row">{day(date)}</th>
                  <td>{text(`day_${state}`)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </figure>
  )
}
