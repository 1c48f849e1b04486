import { storableText } from '../../../shared/web/storable.ts'
import { mapTexts } from '../../db/storable.ts'

/** The same value without secrets, as it may be stored. */
export type Withhold = <T>(value: T) => T

const IN_PLACE = '(withheld)'

/**
 * Leaves out these secrets wherever a text holds one, as it is or as URLs and JSON write it: a walk
 * masks what it sends, and this holds whatever a store repeats, and where. Texts become what
 * Postgres can store.
 */
export function withholder(secrets: readonly string[]): Withhold {
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length)
  const clean = (text: string) =>
    storableText(forms.reduce((left, form) => left.replaceAll(form, IN_PLACE), text))
  return (value) => mapTexts(value, clean)
}

/** What is shorter is no secret, and would be found in words. */
const SHORTEST = 4

/** `Bearer x` is a secret because of the x. */
const formsOf = (secret: string): string[] =>
  [secret, ...secret.split(' ').slice(-1)]
    .filter(({ length }) => length >= SHORTEST)
    .flatMap((text) => [text, encodeURIComponent(text), text.replaceAll('/', '\\/')])
