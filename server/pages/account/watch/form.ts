import { CHECK_NAMES, SEVERITIES } from '../../../../shared/audit/vocabulary.ts'
import { CHECK_PERIODS } from '../../../../shared/watch/period.ts'
import { WatchChange } from '../../../../shared/watch/watch.ts'
import { readCommaList } from '../../../../shared/web/text/comma-list.ts'
import type { WatchRow } from '../../../db/watch/watches.ts'
import { inRequestWords } from '../../../http/validation.ts'
import { type FormState, readValues } from '../../tools/form-fields.tsx'

const CHECK_FIELDS = CHECK_NAMES.map((name) => `check_${name}` as const)
export const WATCH_FIELDS = [
  'period',
  'severity',
  'quiet_from',
  'quiet_to',
  'time_zone',
  'tags',
  'walk',
  'with_report',
  ...CHECK_FIELDS,
] as const
type WatchField = (typeof WATCH_FIELDS)[number]

/**
 * The values of a watch's settings, and their errors; that of `checks` is shown at the first one.
 */
export type WatchSettingsForm = FormState<WatchField>

/** The form of a watch as it is. */
export function watchFormOf(watch: WatchRow): WatchSettingsForm {
  const isChecked = (name: (typeof CHECK_NAMES)[number]) => watch.checks.includes(name)
  const values = readValues(WATCH_FIELDS, (name) => {
    switch (name) {
      case 'period':
      case 'severity':
      case 'time_zone':
        return watch[name]
      case 'quiet_from':
        return watch.quiet_hours?.from
      case 'quiet_to':
        return watch.quiet_hours?.to
      case 'tags':
        return watch.tags.join(', ')
      case 'walk':
      case 'with_report':
        return watch[name] ? 'yes' : ''
      default:
        return CHECK_NAMES.some((each) => name === `check_${each}` && isChecked(each)) ? 'yes' : ''
    }
  })
  return { values, errors: {} }
}

/**
 * The change that the form makes, or the form with errors. Empty quiet hours are removed. Without
 * `mayReadReport` the form lacks that field, and its setting stays.
 */
export function readWatchChange(get: (name: string) => string | null, mayReadReport: boolean) {
  const values = readValues(WATCH_FIELDS, get)
  const { quiet_from: from, quiet_to: to } = values
  const read = WatchChange.safeParse(
    {
      period: CHECK_PERIODS.find((each) => each === values.period) ?? values.period,
      severity: SEVERITIES.find((each) => each === values.severity) ?? values.severity,
      checks: CHECK_NAMES.filter((name) => values[`check_${name}`] === 'yes'),
      quiet_hours: from === '' && to === '' ? 'none' : { from, to },
      ...(values.time_zone !== '' && { time_zone: values.time_zone }),
      tags: readCommaList(values.tags),
      walk: values.walk === 'yes',
      ...(mayReadReport && { with_report: values.with_report === 'yes' }),
    },
    { error: inRequestWords },
  )
  if (read.success) return { change: read.data }
  const errors: Partial<Record<WatchField, string>> = {}
  for (const { path, message } of read.error.issues) {
    const [name, part] = path
    const field: WatchField =
      name === 'quiet_hours'
        ? part === 'to'
          ? 'quiet_to'
          : 'quiet_from'
        : name === 'checks'
          ? 'check_well_known'
          : (WATCH_FIELDS.find((each) => each === name) ?? 'period')
    errors[field] ??= name === 'quiet_hours' ? QUIET_WRONG : message
  }
  return { form: { values, errors } }
}

const QUIET_WRONG = 'Enter two different times of day such as 22:00 and 07:00, or leave both empty.'
