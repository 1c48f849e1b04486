/**
 * Whether every service can keep and send a text: Postgres keeps no U+0000, as text or in JSON
 * (https://www.postgresql.org/docs/current/datatype-json.html), and UTF-8 has no unpaired
 * surrogate.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The text with U+FFFD for what is not storable; no id contains it, so a search finds nothing. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** A value with every text in it made storable, and the names of its fields. */
export const storableValue = <T>(value: T): T => mapTexts(value, storableText)

/** A value with every text in it changed, and the names of its fields. */
export const mapTexts = <T>(value: T, change: (text: string) => string): T =>
  asSame<T>(mapped(value, change))

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [change(name), mapped(each, change)]),
  )
}

/** Texts stay texts, and everything else what it was. */
const asSame = <T>(value: unknown) => value as T

/** What to send instead. */
export const NOT_STORABLE = 'Leave out U+0000 and unpaired surrogates.'
