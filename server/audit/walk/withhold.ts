import { mapTexts, storableText } from '../../../shared/web/json/storable.ts'

/** The same value without secrets, ready to be stored. */
export type Withhold = <T>(value: T) => T

const IN_PLACE = '(withheld)'

/**
 * Removes these secrets wherever a string holds one, also URL-encoded or escaped as in JSON. A walk
 * masks what it sends; this also covers everything that a store repeats. Strings become storable in
 * Postgres.
 */
export function withholder(secrets: readonly string[]): Withhold {
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length)
  const clean = (text: string) =>
    storableText(forms.reduce((left, form) => left.replaceAll(form, IN_PLACE), text))
  return (value) => mapTexts(value, clean)
}

/** Shorter strings are not secrets, and would match inside words. */
const SHORTEST = 4

/** The secret in `Bearer x` is x. */
const formsOf = (secret: string): string[] =>
  [secret, ...secret.split(' ').slice(-1)]
    .filter(({ length }) => length >= SHORTEST)
    .flatMap((text) => [text, encodeURIComponent(text), text.replaceAll('/', '\\/')])
