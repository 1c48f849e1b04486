import type { JSX } from 'preact'
import type { SetAside } from '../../attribution/report.ts'
import { formatDate, formatNumber } from '../format.ts'
import { useLanguage } from '../language.ts'
import { Notice } from '../Notice.tsx'

/** How many days are named, those with the most first; the API has all of them. */
const MOST_DAYS = 5

const BOUNDS = ['by_address', 'by_network', 'by_property'] as const

/** Warns on which days more sessions arrived than visitors send. Nothing without such days. */
export function SetAsideNotice({ days }: { days: readonly SetAside[] }): JSX.Element | null {
  const { text, locale, dates } = useLanguage()
  if (days.length === 0) return null
  const all = days.reduce((sum, { sessions }) => sum + sessions, 0)
  const named = days
    .toSorted((one, other) => other.sessions - one.sessions)
    .slice(0, MOST_DAYS)
    .toSorted((one, other) => one.date.localeCompare(other.date))
  return (
    <Notice kind="warning" title={text('set_aside_title', formatNumber(all, locale))}>
      <p>{text('set_aside_why')}</p>
      <ul>
        {named.map((day) => {
          const parts = BOUNDS.filter((bound) => day[bound] > 0).map((bound) =>
            text(`set_aside_${bound}`, formatNumber(day[bound], locale)),
          )
          return (
            <li key={day.date}>
              {text('set_aside_day', formatDate(day.date, dates), parts.join(', '))}
            </li>
          )
        })}
        {days.length > MOST_DAYS && (
          <li>{text('set_aside_more', formatNumber(days.length - MOST_DAYS, locale))}</li>
        )}
      </ul>
    </Notice>
  )
}
