import { field, isRecord } from '../../web/json.ts'

/** Readers for what a store wrote: null or empty for whatever is not of the right form. */

/** Longer texts are cut: nobody reads more, and a transcript holds many. */
const MAX_TEXT = 2000

/** A text that says something. */
export function textAt(holder: unknown, key: string): string | null {
  const value = field(holder, key)
  return typeof value === 'string' && value.trim() !== ''
    ? value.slice(0, MAX_TEXT).toWellFormed()
    : null
}

/**
 * What frameworks say of a request that they refuse before the store has seen it, in forms of their
 * own: a text, or a list of problems, of which the first is told with its place.
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

/** `line_items.0.id`, of a list of names and numbers or of a text. */
const placeOf = (place: unknown): string =>
  (Array.isArray(place) ? place.slice(0, 20) : [place])
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join('.')
    .toWellFormed()

/** An id that a path can hold: dots alone would lead to another path. */
// Unspecified: how long an id may be, and whether it may be blank. It may be as long as a text, and
// one without any visible character names nothing.
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

/** Nobody buys more than this at once. */
const MAX_ENTRIES = 1000

/** The objects of a list, which may be very long. */
export function recordsAt(holder: unknown, key: string): Record<string, unknown>[] {
  const value = field(holder, key)
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES).filter(isRecord) : []
}

/** An address that a buyer may be led to: nothing but a page of the web. */
export function pageAt(holder: unknown, key: string): string | null {
  const text = textAt(holder, key)
  const protocol = text === null ? undefined : URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : null
}

/** The amounts of all `totals`, of whichever type. */
export const amountsAt = (holder: unknown): number[] =>
  recordsAt(holder, 'totals').flatMap((each) => integerAt(each, 'amount') ?? [])

/** The amount of the first of `totals` that is of this type. */
export const totalAt = (holder: unknown, type: string): number | null =>
  integerAt(
    recordsAt(holder, 'totals').find((each) => each.type === type),
    'amount',
  )
