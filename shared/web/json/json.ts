import * as z from 'zod'
import { withoutPassword } from '../address/uri.ts'

/** Readers for untrusted JSON. */

/** A JSON object: neither null nor a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * An own property of an object, undefined for anything else. `__proto__` and `constructor` in
 * hostile JSON are keys like any other.
 */
export function field(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** A list, empty for anything else. */
export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The texts of a list; empty for anything else. */
export const textsIn = (value: unknown): string[] =>
  listIn(value).filter((each) => typeof each === 'string')

/**
 * A JSON body without the nulls of its optional fields, at any depth that the schema describes:
 * many clients write null for what they leave out. A required field, one that may be null, and one
 * that the schema does not name keep theirs. The body itself is not changed.
 */
export function withoutNulls(schema: z.core.$ZodType, body: unknown): unknown {
  if (schema instanceof z.ZodOptional) return withoutNulls(schema.unwrap(), body)
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(body)) return body
    const items = body.map((item) => withoutNulls(schema.element, item))
    return items.every((item, at) => item === body[at]) ? body : items
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(body)) return body
  const { shape } = schema
  const changed = new Map<string, unknown>()
  for (const [name, value] of Object.entries(body)) {
    // Most fields are text and numbers, and nearly every body has no null: neither costs a copy.
    const described: unknown = typeof value === 'object' ? field(shape, name) : undefined
    if (!(described instanceof z.ZodType)) continue
    const kept = value === null && isOptional(described) ? ABSENT : withoutNulls(described, value)
    if (kept !== value) changed.set(name, kept)
  }
  if (changed.size === 0) return body
  // fromEntries keeps a key `__proto__`, which an assignment would lose.
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const kept = changed.has(name) ? changed.get(name) : value
      return kept === ABSENT ? [] : [[name, kept]]
    }),
  )
}

const ABSENT = Symbol('absent')

const isOptional = (field: z.ZodType): boolean =>
  field instanceof z.ZodOptional && !(field.unwrap() instanceof z.ZodNullable)

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

/**
 * The maximum of values in one document, counted before any is created: 5 MB of `{}` are two
 * million objects, some 200 MB. A catalog page of a thousand products with fifty facts each has a
 * quarter of it.
 */
const MAX_JSON_VALUES = 200_000

/**
 * An upper bound for the values of a JSON text, from its commas and brackets, so that a parser's
 * work is limited before it starts. Any text gives a number, in one pass.
 */
export const countJsonValues = (text: string): number => measureJson(text).values

/**
 * The maximum of nested levels. Copying from thread to thread works up to some 4,000, and real
 * documents have a dozen.
 */
const MAX_JSON_DEPTH = 500

/** Why a text is not parsed, as the end of "It …"; null if it may be. */
export function excessOf(text: string): string | null {
  const { values, depth } = measureJson(text)
  if (values > MAX_JSON_VALUES) return `holds more than ${MAX_JSON_VALUES} values`
  return depth > MAX_JSON_DEPTH ? `is nested deeper than ${MAX_JSON_DEPTH} levels` : null
}

/** The values and levels of a text, without parsing it. */
function measureJson(text: string): { values: number; depth: number } {
  let values = 1
  let level = 0
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else inString = code !== QUOTE
    } else if (code === QUOTE) inString = true
    else if (code === COMMA) values += 1
    else if (code === BRACKET || code === BRACE) {
      values += 1
      level += 1
      if (level > depth) depth = level
    } else if (code === BRACKET + 2 || code === BRACE + 2) level -= 1
  }
  return { values, depth }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACE = 0x7b

/** A value as a finding quotes it: JSON on one line, at most 80 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'object' ? shownObject(value) : shownScalar(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** No more of a text than is shown is escaped: it may have megabytes. */
const shownScalar = (value: unknown): string =>
  JSON.stringify(
    typeof value === 'string' ? withoutPassword(value.slice(0, 400)).slice(0, 100) : value,
  ) ?? 'nothing'

/** Objects are quoted by their first keys only: untrusted input may be deep and large. */
function shownObject(value: object | null): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) {
    const items = value.slice(0, 6).map((item) => (typeof item === 'object' ? '…' : shown(item)))
    return `[${items.join(', ')}${value.length > 6 ? ', …' : ''}]`
  }
  return `{ ${Object.keys(value).slice(0, 4).join(', ')} }`
}
