import type { JSX } from 'preact'
import { formatDateTime, knownLocale } from '../../../../shared/view/format.ts'
import { useLanguage } from '../../../../shared/view/language.ts'

interface ComingMomentProps {
  /** ISO 8601. */
  at: string
  now: Date
}

/** How soon something is due: "in 20 minutes". If it is due already: "now". */
export function ComingMoment({ at, now }: ComingMomentProps): JSX.Element {
  const { dates } = useLanguage()
  const minutes = Math.max(0, Math.round((Date.parse(at) - now.getTime()) / 60_000))
  const format = new Intl.RelativeTimeFormat(knownLocale(dates), { numeric: 'auto' })
  const words =
    minutes === 0
      ? format.format(0, 'second')
      : minutes < 90
        ? format.format(minutes, 'minute')
        : minutes < 36 * 60
          ? format.format(Math.round(minutes / 60), 'hour')
          : format.format(Math.round(minutes / 1440), 'day')
  return (
    <time dateTime={at} title={formatDateTime(at, dates)}>
      {words}
    </time>
  )
}
