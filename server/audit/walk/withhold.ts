/** The same value without secrets, as it may be stored. */
export type Withhold = <T>(value: T) => T

const IN_PLACE = '(withheld)'

/**
 * Leaves out these secrets wherever a text holds one, as it is or as URLs and JSON write it: a walk
 * masks what it sends, and this holds whatever a store repeats, and where. Texts become what Postgres
 * can store: no U+0000, no unpaired surrogate (https://www.postgresql.org/docs/current/datatype-json.html).
 */
export function withholder(secrets: readonly string[]): Withhold {
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length)
  const clean = (text: string) =>
    forms
      .reduce((left, form) => left.replaceAll(form, IN_PLACE), text)
      .replaceAll('\u0000', '\ufffd')
      .toWellFormed()
  return <T>(value: T) => asSame<T>(mapTexts(value, clean))
}

/** What is shorter is no secret, and would be found in words. */
const SHORTEST = 4

/** `Bearer x` is a secret because of the x. */
const formsOf = (secret: string): string[] =>
  [secret, ...secret.split(' ').slice(-1)]
    .filter(({ length }) => length >= SHORTEST)
    .flatMap((text) => [text, encodeURIComponent(text), text.replaceAll('/', '\\/')])

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [change(name), mapTexts(each, change)]),
  )
}

/** Texts stay texts, and everything else what it was. */
const asSame = <T>(value: unknown) => value as T
