import { field, isRecord } from '../../web/json/json.ts'

/** Readers for a store's values: null or empty for a value of the wrong form. */

/** Longer texts are cut: a transcript holds many. */
const MAX_TEXT = 2000

/** A non-empty string. */
export function textAt(holder: unknown, key: string): string | null {
  const value = field(holder, key)
  return typeof value === 'string' && value.trim() !== ''
    ? value.slice(0, MAX_TEXT).toWellFormed()
    : null
}

/**
 * The message of a framework that refuses a request before the store sees it: a string, or a list
 * of problems, of which the first is returned with its place.
 */
export function problemAt(body: unknown): string | null {
  for (const key of ['detail', 'details', 'errors']) {
    const said = textAt(body, key)
    if (said !== null) return said
    const [first] = recordsAt(body, key)
    const text = textAt(first, 'msg') ?? textAt(first, 'message')
    if (text === null) continue
    const place = placeOf(field(first, 'loc') ?? field(first, 'path'))
    return (place === '' ? text : `${place}: ${text}`).slice(0, MAX_TEXT)
  }
  return null
}

/** `line_items.0.id`, from a list of names and numbers or from a string. */
const placeOf = (place: unknown): string =>
  (Array.isArray(place) ? place.slice(0, 20) : [place])
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join('.')
    .toWellFormed()

/**
 * An id that fits into a path: an id of dots would lead to another path. Unspecified: the length of
 * an id is open, and whether it may be blank. It may be as long as a text, but needs at least one
 * visible character.
 */
export function idAt(holder: unknown, key: string): string | null {
  const value = field(holder, key)
  const isId = typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT
  return isId && value.isWellFormed() && !/^\.{1,2}$/.test(value) ? value : null
}

/** An integer that a number holds exactly. */
export function integerAt(holder: unknown, key: string): number | null {
  const value = field(holder, key)
  return Number.isSafeInteger(value) ? Number(value) : null
}

/** More than any purchase has. */
const MAX_ENTRIES = 1000

/** The objects of a list; it may be very long. */
export function recordsAt(holder: unknown, key: string): Record<string, unknown>[] {
  const value = field(holder, key)
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES).filter(isRecord) : []
}

/** An address that a buyer may be led to: a web page. */
export function pageAt(holder: unknown, key: string): string | null {
  const text = textAt(holder, key)
  const protocol = text === null ? undefined : URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : null
}

/** The amounts of all `totals`, of any type. */
export const amountsAt = (holder: unknown): number[] =>
  recordsAt(holder, 'totals').flatMap((each) => integerAt(each, 'amount') ?? [])

/** The amount of the first of `totals` with this type. */
export const totalAt = (holder: unknown, type: string): number | null =>
  integerAt(
    recordsAt(holder, 'totals').find((each) => each.type === type),
    'amount',
  )
