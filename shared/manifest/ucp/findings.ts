import type * as z from 'zod'
import { field, shown } from '../../web/json/json.ts'
import { type FieldFault, ManifestErrorCode } from '../fields.ts'
import type { Inspection } from '../inspect.ts'

/**
 * The most errors of one document that are listed, and likewise warnings: a hostile document could
 * have millions.
 */
export const MAX_FINDINGS = 100

/** The keys from the document to a value; numbers are positions in a list. */
export type Path = readonly (string | number)[]

/** Collects the findings of an inspection, up to the limit. */
export interface Findings extends Inspection {
  /** Nothing more will be listed: a reader of long lists may stop. */
  full: () => boolean
  /** Only the first fault of a field is listed. */
  add: (path: Path, fault: FieldFault, ours?: 'ours') => void
  warn: (text: string) => void
  /** A warning that agents drop a part of the profile. */
  warnOfDrop: (text: string) => void
  drops: string[]
}

/**
 * An empty collection. It keeps one error per field, because further ones would only follow from
 * the first.
 */
export function collectFindings(): Findings {
  const errors: Inspection['errors'] = []
  const warnings: string[] = []
  const drops: string[] = []
  const fields = new Set<string>()
  const full = () => errors.length >= MAX_FINDINGS
  const warn = (text: string) => {
    if (warnings.length < MAX_FINDINGS) warnings.push(text)
    else warnings[MAX_FINDINGS] = 'Further warnings are omitted.'
  }
  return {
    errors,
    warnings,
    full,
    add: (path, fault, ours) => {
      const name = dotted(path)
      // A missing field may break several rules: one finding is enough.
      if (full() || fields.has(name)) return
      fields.add(name)
      errors.push({ field: name, ...fault, ...(ours && { ours: true }) })
      if (full()) warnings.unshift(`Only the first ${MAX_FINDINGS} errors are listed.`)
    },
    drops,
    warn,
    warnOfDrop: (text) => {
      if (drops.length < MAX_FINDINGS) drops.push(text)
      warn(text)
    },
  }
}

/**
 * A key in a form that is safe to print in a terminal: no control characters, at most 80
 * characters.
 */
const plain = (key: string) =>
  (key.length > 80 ? `${key.slice(0, 79)}…` : key).replace(/\p{C}/gu, '\uFFFD')

/** The dotted path of a field; `$` is the document. */
export const dotted = (path: Path): string => path.map((key) => plain(String(key))).join('.') || '$'

/** Lists what a zod schema finds wrong with a value of the document. `path` leads to the value. */
export function addSchemaFindings(
  schema: z.ZodType,
  value: unknown,
  path: Path,
  findings: Findings,
): void {
  if (findings.full()) return
  for (const issue of schema.safeParse(value).error?.issues ?? []) {
    const keys = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
    findings.add([...path, ...keys], faultOf(issue, valueAt(value, keys)))
    if (findings.full()) return
  }
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, key) => (Array.isArray(found) ? found[Number(key)] : field(found, String(key))),
    value,
  )
}

/** zod's types, as JSON calls them. */
const NOUNS: Record<string, string> = {
  array: 'a list',
  object: 'an object',
  string: 'a string',
}

/** A missing value, or one of the wrong type. `expected` follows "must be". */
export const mustBe = (expected: string, value: unknown): FieldFault => ({
  code: value === undefined ? 'required' : 'invalid_type',
  message:
    value === undefined
      ? `Is missing: must be ${expected}.`
      : `Must be ${expected}, is ${shown(value)}.`,
})

/**
 * zod's issues in our codes and words: its own messages do not name the value and are written for
 * developers.
 */
function faultOf(issue: z.core.$ZodIssue, value: unknown): FieldFault {
  switch (issue.code) {
    // Our own refinements carry their code.
    case 'custom':
      return {
        code: ManifestErrorCode.catch('invalid_value').parse(issue.params?.code),
        message: issue.message,
      }
    case 'invalid_type':
      return mustBe(NOUNS[issue.expected] ?? issue.expected, value)
    case 'invalid_value': {
      const expected = `one of ${issue.values.map((each) => shown(each)).join(', ')}`
      return {
        ...mustBe(expected, value),
        code: value === undefined ? 'required' : 'invalid_value',
      }
    }
    case 'invalid_union':
      return value === undefined
        ? { code: 'required', message: issue.message }
        : { code: 'invalid_value', message: issue.message }
    case 'too_small':
      return { code: 'invalid_value', message: 'Must not be empty: fill it or remove it.' }
    default:
      return { code: 'invalid_value', message: issue.message }
  }
}
