import type * as z from 'zod'
import { fieldErrors } from '../../web/json/field-errors.ts'
import { isRecord } from '../../web/json/json.ts'
import type { RefusalFault, ShapeFault } from '../session.ts'

/** Further faults add nothing. */
const MAX_FAULTS = 10

/**
 * The most entries that are checked in a list or a map: each wrong entry costs as much as a whole
 * right answer.
 */
const MAX_ENTRIES = 200
const MAX_DEPTH = 9

/** Where an answer departs from the shape that its dialect requires. */
export function shapeFaults(shape: z.ZodType, answer: unknown): ShapeFault[] {
  const read = shape.safeParse(beginningOf(answer), { error: fieldErrors() })
  if (read.success) return []
  return read.error.issues.slice(0, MAX_FAULTS).map((issue) => ({
    field: fieldName(issue.path),
    problem: issue.message,
    ...aboutOf(issue),
  }))
}

/** A fault of a whole refusal. */
export const wholeFault = (problem: string): RefusalFault => ({ problem, field: null })

/** What is wrong with how a refusal is sent; null if it is JSON. */
export function sendingFault(body: unknown, isTyped: boolean): RefusalFault | null {
  if (body === undefined) return wholeFault('is not JSON')
  return isTyped ? null : wholeFault('is not sent as application/json')
}

/** Where a refusal departs from the form of its dialect; null if nowhere. */
export function refusalFault(shape: z.ZodType, body: unknown): RefusalFault | null {
  const [first] = shapeFaults(shape, body)
  if (first === undefined) return null
  const { field, problem } = first
  return field === ''
    ? wholeFault('is not a JSON object')
    : { problem: `is malformed: ${field} ${problem}`, field }
}

/** The answer, cut to the entries and the depth that shapes check. */
function beginningOf(value: unknown, depth = 0): unknown {
  if (depth === MAX_DEPTH) return null
  if (Array.isArray(value)) {
    return value.slice(0, MAX_ENTRIES).map((entry) => beginningOf(entry, depth + 1))
  }
  if (!isRecord(value)) return value
  const entries = Object.entries(value).slice(0, MAX_ENTRIES)
  return Object.fromEntries(entries.map(([key, inner]) => [key, beginningOf(inner, depth + 1)]))
}

/** `totals[0].amount` */
const fieldName = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`
    return name === '' ? String(step) : `${name}.${String(step)}`
  }, '')

/**
 * These have their own gaps: a currency that is a string but written wrong, and all faults of a
 * session's lifetime.
 */
function aboutOf({ path, code }: z.core.$ZodIssue): Pick<ShapeFault, 'about'> {
  if (path[0] === 'expires_at') return { about: 'expiry' }
  return path.at(-1) === 'currency' && code !== 'invalid_type' ? { about: 'currency' } : {}
}
