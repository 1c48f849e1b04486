import type { JSX } from 'preact'
import { formatAge, formatDateTime } from './format.ts'
import { useLanguage } from './language.ts'

interface MomentProps {
  /** ISO 8601. */
  at: string
  /** If given, the age is shown, and the time is in the tooltip. */
  now?: Date | undefined
}

/** A time for people, with the exact one for machines. */
export function Moment({ at, now }: MomentProps): JSX.Element {
  const { dates } = useLanguage()
  const moment = formatDateTime(at, dates)
  return (
    <time dateTime={at} {...(now === undefined ? {} : { title: moment })}>
      {now === undefined ? moment : formatAge(at, now, dates)}
    </time>
  )
}
