import { field, isRecord, shown } from '../../web/json/json.ts'
import type { FieldFault } from '../fields.ts'
import { mustBe, type Path } from './findings.ts'

/**
 * Unspecified: a constraint is read to 32 levels. Real ones have two; the limit bounds hostile
 * input.
 */
const MAX_DEPTH = 32

/** A fault with its path from the expression. */
interface Found {
  path: Path
  fault: FieldFault
}

const wrong = (path: Path, message: string): Found => ({
  path,
  fault: { code: 'invalid_value', message },
})

/**
 * The first fault of a Constraint Expression, with its path from the expression; null for a valid
 * one. Follows the JSON Schema of UCP 2026-08-25, which closes each object to a few keywords.
 */
export function constraintFault(value: unknown, path: Path = []): Found | null {
  if (path.length > MAX_DEPTH) return wrong(path, `Must not nest deeper than ${MAX_DEPTH} levels.`)
  if (!isRecord(value)) return { path, fault: mustBe('an object', value) }
  return (
    closed(value, ['required', 'properties', 'anyOf'], path) ??
    requiredFault(value.required, [...path, 'required']) ??
    propertiesFault(value.properties, [...path, 'properties']) ??
    alternativesFault(value.anyOf, [...path, 'anyOf'])
  )
}

/**
 * A keyword that the schema does not allow here: agents would ignore JSON Schema's other keywords,
 * such as `pattern`.
 */
function closed(value: Record<string, unknown>, known: string[], path: Path): Found | null {
  const stray = Object.keys(value).find((key) => !known.includes(key))
  return stray === undefined
    ? null
    : wrong([...path, stray], `Is not allowed here: only ${known.join(', ')} are.`)
}

/** Names of required members. */
function requiredFault(names: unknown, path: Path): Found | null {
  if (names === undefined) return null
  if (!Array.isArray(names)) return { path, fault: mustBe('a list of names', names) }
  if (!names.every((name) => typeof name === 'string'))
    return wrong(path, 'Must contain only names.')
  return distinctFault(names, path)
}

/** Constraints of single members; the schema demands at least one. */
function propertiesFault(properties: unknown, path: Path): Found | null {
  if (properties === undefined) return null
  if (!isRecord(properties)) return { path, fault: mustBe('an object', properties) }
  const names = Object.keys(properties)
  if (names.length === 0)
    return wrong(path, 'Must name at least one property: empty properties have no effect.')
  return firstOf(names, (name) => propertyFault(properties[name], [...path, name]))
}

/** Constrains a property to values, or by its own expression. */
const propertyFault = (value: unknown, path: Path): Found | null =>
  isRecord(value) && ('enum' in value || 'const' in value)
    ? valueFault(value, path)
    : constraintFault(value, path)

/** Allowed values, by `enum` or `const`. */
function valueFault(value: Record<string, unknown>, path: Path): Found | null {
  const stray = closed(value, ['enum', 'const'], path)
  const allowed = field(value, 'enum')
  if (stray !== null || allowed === undefined) return stray
  if (!Array.isArray(allowed)) {
    return { path: [...path, 'enum'], fault: mustBe('a list of values', allowed) }
  }
  return distinctFault(allowed, [...path, 'enum'])
}

/** One of several expressions; an empty one would allow everything. */
function alternativesFault(alternatives: unknown, path: Path): Found | null {
  if (alternatives === undefined) return null
  if (!Array.isArray(alternatives)) return { path, fault: mustBe('a list', alternatives) }
  if (alternatives.length === 0) return wrong(path, 'Must contain at least one alternative.')
  return firstOf([...alternatives.keys()], (index) => {
    const each: unknown = alternatives[index]
    return isRecord(each) && Object.keys(each).length === 0
      ? wrong([...path, index], 'Must not be empty: any value would satisfy it.')
      : constraintFault(each, [...path, index])
  })
}

/** The first fault ends the search, because only one is listed per expression. */
function firstOf<T>(items: readonly T[], faultOf: (item: T) => Found | null): Found | null {
  for (const item of items) {
    const found = faultOf(item)
    if (found !== null) return found
  }
  return null
}

/**
 * JSON Schema's `uniqueItems`: no two values are equal. Values deeper than the limit are not
 * compared.
 */
function distinctFault(values: readonly unknown[], path: Path): Found | null {
  if (values.length === 0) return wrong(path, 'Must not be empty.')
  const seen = new Set<string>()
  for (const value of values) {
    const text = canonical(value, 0)
    if (text.includes(TOO_DEEP)) continue
    if (seen.has(text)) return wrong(path, `Must not repeat a value, repeats ${shown(value)}.`)
    seen.add(text)
  }
  return null
}

/** JSON escapes control characters, so this one never occurs in the text of a value. */
const TOO_DEEP = '\u0000'

/** The same text for equal JSON values, independent of the order of their keys. */
function canonical(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return TOO_DEEP
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'undefined'
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`).join()}}`
}
