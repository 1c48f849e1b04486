import type { JSX } from 'preact'
import type { SetAside } from '../../attribution/report.ts'
import { formatDate, formatNumber } from '../format.ts'
import { useLanguage } from '../language.ts'
import { Notice } from '../Notice.tsx'

/** How many days are named, those with the most first; the API has all of them. */
const MOST_DAYS = 5

const BOUNDS = ['address', 'network', 'property'] as const

/** Warns on which days more sessions arrived than visitors send. Nothing without such days. */
export function SetAsideNotice({ days }: { days: readonly SetAside[] }): JSX.Element | null {
  const { locale, dates } = useLanguage()
  if (days.length === 0) return null
  const all = days.reduce((sum, { sessions }) => sum + sessions, 0)
  const named = days
    .toSorted((one, other) => other.sessions - one.sessions)
    .slice(0, MOST_DAYS)
    .toSorted((one, other) => one.date.localeCompare(other.date))
  return (
    <Notice kind="warning" title={`Sessions set aside: ${formatNumber(all, locale)}`}>
      <p>
        More arrived than visitors of a store send, so they are probably not real. No figure below
        includes them. Orders and revenue come from your server and always count.
      </p>
      <ul>
        {named.map((day) => {
          const parts = BOUNDS.filter((bound) => day[`by_${bound}`] > 0).map(
            (bound) =>
              `${formatNumber(day[`by_${bound}`], locale)} over the limit for one ${bound}`,
          )
          return (
            <li key={day.date}>
              {formatDate(day.date, dates)}: {parts.join(', ')}
            </li>
          )
        })}
        {days.length > MOST_DAYS && (
          <li>Days with fewer: {formatNumber(days.length - MOST_DAYS, locale)}</li>
        )}
      </ul>
    </Notice>
  )
}
