import { columnsOf, NewProperty, PropertyChange } from '../../../attribution/properties.ts'
import { inRequestWords } from '../../../http/validation.ts'
import { type FormState, readValues } from '../../tools/form-fields.tsx'

export const PROPERTY_FIELDS = ['origins', 'currency', 'time_zone', 'lookback_days'] as const
type PropertyField = (typeof PROPERTY_FIELDS)[number]

/** The values of a property's form, and its errors. */
export type PropertyForm = FormState<PropertyField>

export const EMPTY_FORM: PropertyForm = {
  values: { origins: '', currency: '', time_zone: '', lookback_days: '' },
  errors: {},
}

/**
 * The property that a form creates, or the form with errors. One origin per line; none means the
 * default ones.
 */
export function readNewProperty(get: (name: string) => string | null, domain: string) {
  const form = readValues(PROPERTY_FIELDS, get)
  const origins = linesOf(form.origins)
  const read = NewProperty.safeParse(
    {
      domain,
      ...(origins.length > 0 && { origins }),
      ...(form.currency !== '' && { currency: currencyOf(form) }),
      ...settingsOf(form),
    },
    { error: inRequestWords },
  )
  return read.success
    ? { wanted: read.data }
    : { form: withErrors(form, origins, read.error.issues) }
}

/**
 * The change that a form makes, or the form with errors. An empty currency removes it; another
 * empty field changes nothing.
 */
export function readPropertyChange(get: (name: string) => string | null) {
  const form = readValues(PROPERTY_FIELDS, get)
  const origins = linesOf(form.origins)
  const read = PropertyChange.safeParse(
    {
      origins,
      currency: form.currency === '' ? 'none' : currencyOf(form),
      ...settingsOf(form),
    },
    { error: inRequestWords },
  )
  return read.success
    ? { change: columnsOf(read.data) }
    : { form: withErrors(form, origins, read.error.issues) }
}

type Values = PropertyForm['values']

/** The currency as typed, in capitals. */
const currencyOf = ({ currency }: Values): string => currency.toUpperCase()

const settingsOf = ({ time_zone, lookback_days }: Values) => ({
  ...(time_zone !== '' && { time_zone }),
  ...(lookback_days !== '' && { lookback_days: Number(lookback_days) }),
})

const linesOf = (text: string): string[] => text.split(/[\s,]+/).filter((line) => line !== '')

function withErrors(
  values: Values,
  origins: readonly string[],
  issues: readonly { path: PropertyKey[]; message: string }[],
): PropertyForm {
  const errors: Partial<Record<PropertyField, string>> = {}
  for (const { path, message } of issues) {
    const [field, at] = path
    const line = field === 'origins' && at !== undefined ? origins[Number(at)] : undefined
    const name = PROPERTY_FIELDS.find((each) => each === field) ?? 'origins'
    errors[name] ??= line === undefined ? message : `${line}: ${message}`
  }
  return { values, errors }
}
