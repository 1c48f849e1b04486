import type * as z from 'zod'
import { AisleFile, aisleFileSchema } from '../../../shared/watch/aisle-file.ts'
import { isRecord } from '../../../shared/web/json/json.ts'
import { nameMeant } from '../../../shared/web/text/near-names.ts'
import { printable } from '../../../shared/web/text/printable.ts'
import type { ErrorLine } from '../formats/report.ts'
import { CommandError } from '../terminal/command-error.ts'
import { type JsonPath, NotJson, type PlacedJson, type Position, readPlaced } from './positions.ts'

/** The file, and the positions of its parts. */
export interface ConfigFile {
  /** Relative to the working folder, with slashes. */
  file: string
  /** As it was named; paths in it are relative to its folder. */
  path: string
  config: AisleFile
  /** The line that names a store, counted from 1; that of the list if none does. */
  lineOf: (domain: string) => number
}

/** The configuration in a text. `file` is its name in messages. */
export function configOf(text: string, file: string, path = file): ConfigFile {
  const fail = (details: ErrorLine[]): never => {
    throw wrongFile(file, details)
  }
  const line = (field: string, code: string, message: string, at: Position): ErrorLine => ({
    field,
    code,
    message,
    file,
    ...at,
  })
  let placed: PlacedJson
  try {
    placed = readPlaced(text)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return fail([line('', 'not_json', `${error.message}.`, error.at)])
  }
  const repeated = placed.repeated.map(({ path: within, key, at, first }) =>
    line(
      dotted([...within, key]),
      'repeated',
      `${key} is here twice: line ${first.line} has it already. Keep one of them.`,
      at,
    ),
  )
  const read = AisleFile.safeParse(placed.value)
  const wrong = read.success
    ? []
    : read.error.issues
        .flatMap((issue) => problemsOf(issue, placed.value))
        .map(({ path: within, key, code, message }) =>
          line(
            dotted(key === undefined ? within : [...within, key]),
            code,
            message,
            key === undefined ? placed.at(within) : placed.atKey(within, key),
          ),
        )
  const details = [...repeated, ...wrong].toSorted(
    (one, other) => one.line - other.line || one.column - other.column,
  )
  if (!read.success || details.length > 0) return fail(details)
  const { data } = read
  return {
    file,
    path,
    config: data,
    lineOf: (domain) => {
      const index = data.domains?.indexOf(domain) ?? -1
      return placed.at(index < 0 ? ['domains'] : ['domains', index]).line
    },
  }
}

/** The maximum of errors to list; an entirely different file has hundreds. */
const MOST_ERRORS = 20

function wrongFile(file: string, details: readonly ErrorLine[]): CommandError {
  const listed = details.slice(0, MOST_ERRORS)
  const rest = details.length - listed.length
  const problems = details.length === 1 ? 'one problem' : `${details.length} problems`
  return new CommandError(
    printable`${file} has ${problems}.${rest > 0 ? ` The first ${MOST_ERRORS} are listed.` : ''}`,
    { code: 'invalid_config', details: listed },
  )
}

const dotted = (path: JsonPath): string => path.map(String).join('.')

interface Problem {
  path: JsonPath
  /** A key of the object at `path`, if the key itself is wrong. */
  key?: string
  code: string
  message: string
}

/** An issue of the schema in words: what is wrong, and what is allowed. */
function problemsOf(issue: z.core.$ZodIssue, document: unknown): Problem[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
  const value = valueAt(document, path)
  const name = path.length === 0 ? 'The file' : dotted(path)
  const one = (code: string, message: string): Problem[] => [{ path, code, message }]
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysAt(path)
      return issue.keys.map((key) => ({
        path,
        key,
        code: 'unknown_key',
        message: unknown(key, known),
      }))
    }
    case 'invalid_key': {
      const key = String(path.at(-1))
      const within = path.slice(0, -1)
      return [{ path: within, key, code: 'unknown_key', message: unknown(key, keysAt(within)) }]
    }
    case 'invalid_type':
      return value === undefined
        ? one('missing', `${name} is missing. ${exampleOf(path)}`)
        : one(
            'wrong_type',
            `${name} takes ${TYPES[issue.expected] ?? issue.expected}, not ${typeName(value)}.`,
          )
    case 'invalid_value': {
      if (value === undefined) return one('missing', `${name} is missing. ${exampleOf(path)}`)
      const known = issue.values.map(String)
      return one(
        'unknown_value',
        unknown(typeof value === 'string' ? value : JSON.stringify(value), known),
      )
    }
    case 'too_small':
      return issue.origin === 'array'
        ? one('empty', `${name} is empty. Name at least one, or leave it out.`)
        : issue.origin === 'string'
          ? one('empty', `${name} is empty. ${exampleOf(path)}`)
          : one('out_of_range', `${name} is ${String(value)}. ${rangeOf(path)}`)
    case 'too_big':
      if (issue.origin === 'string' || issue.origin === 'array') {
        return one('too_long', `${name}: ${issue.message}`)
      }
      return one('out_of_range', `${name} is ${String(value)}. ${rangeOf(path)}`)
    case 'invalid_format':
      if (issue.format === 'regex') {
        return one('invalid', `${JSON.stringify(value)} is not valid. ${issue.message}`)
      }
      return one(
        'no_such_date',
        `${JSON.stringify(value)} is not a date. Write the year, month and day of a day that exists, such as 2027-01-31.`,
      )
    case 'invalid_union': {
      // Of several forms, report the one that fits best.
      const [nearest = []] = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))
      if (depthOf(nearest) === 0) return one('wrong_type', `${name} takes ${anyOf(issue.errors)}.`)
      return nearest.flatMap((inner) =>
        problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, document),
      )
    }
    case 'custom':
      return one('invalid', `${name}: ${issue.message}`)
    default:
      return one('invalid', `${name} is wrong: ${issue.message}.`)
  }
}

/** How deep the first error is within a value. */
const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)),
  )

/** What is allowed, if there are several forms. */
const anyOf = (forms: readonly (readonly z.core.$ZodIssue[])[]): string =>
  forms
    .map(([issue]) =>
      issue?.code === 'invalid_type'
        ? (TYPES[issue.expected] ?? issue.expected)
        : issue?.code === 'invalid_value'
          ? issue.values.map((value) => JSON.stringify(value)).join(' or ')
          : 'another value',
    )
    .join(', or ')

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list, such as ["…"]',
  object: 'an object, such as { … }',
  record: 'an object, such as { … }',
  string: 'text in double quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

const typeName = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? `the text ${JSON.stringify(value)}` : String(value)
}

/** The maximum of listed names; there are too many gaps to read. */
const MAX_LISTED = 12

function unknown(typed: string, known: readonly string[]): string {
  const meant = nameMeant(typed, known)
  if (meant !== null) return `"${typed}" is not known. Did you mean "${meant}"?`
  return known.length <= MAX_LISTED
    ? `"${typed}" is not known. Write one of ${known.join(', ')}.`
    : `"${typed}" is not known. List them all with: aisle explain`
}

function exampleOf(path: JsonPath): string {
  switch (path.at(-1)) {
    case 'reason':
      return 'Say why it is ignored, such as "The feed moves to the new store in March".'
    case 'until':
      return 'Say until which day it is ignored, such as "2027-01-31".'
    case 'gap':
      return 'Name the gap, such as "feed_missing".'
    default:
      return 'Write it, or leave out what it belongs to.'
  }
}

const rangeOf = (path: JsonPath): string =>
  path.at(-1) === 'deadline'
    ? 'Minutes are from 1 to 1440.'
    : 'Scores are from 0 to 100, as whole numbers.'

function valueAt(document: unknown, path: JsonPath): unknown {
  let value = document
  for (const step of path) {
    value = Array.isArray(value)
      ? value[Number(step)]
      : isRecord(value) && Object.hasOwn(value, step)
        ? value[String(step)]
        : undefined
  }
  return value
}

/** The keys that the schema allows there. */
function keysAt(path: JsonPath): string[] {
  let schema: unknown = aisleFileSchema()
  for (const step of path) {
    if (!isRecord(schema)) return []
    const { properties, items } = schema
    schema = typeof step === 'number' ? items : isRecord(properties) ? properties[step] : undefined
    if (isRecord(schema) && Array.isArray(schema.anyOf)) {
      schema = schema.anyOf.find((form) => isRecord(form) && isRecord(form.properties))
    }
  }
  if (!isRecord(schema)) return []
  if (isRecord(schema.properties))
    return Object.keys(schema.properties).filter((key) => key !== '$schema')
  const names = schema.propertyNames
  return isRecord(names) && Array.isArray(names.enum) ? names.enum.map(String) : []
}
