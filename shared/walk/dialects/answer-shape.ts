import * as z from 'zod'
import { fieldErrors } from '../../web/field-errors.ts'
import { isRecord } from '../../web/json.ts'
import { readMoment } from '../../web/moment.ts'
import type { ShapeFault } from '../session.ts'

/** More of them say nothing new. */
const MAX_FAULTS = 10

/**
 * Of a list or a map so much is looked at: each wrong entry costs as much as a whole right answer.
 */
const MAX_ENTRIES = 200
const MAX_DEPTH = 8

/** What an answer lacks of the shape that its dialect requires. */
export function shapeFaults(shape: z.ZodType, answer: unknown): ShapeFault[] {
  const read = shape.safeParse(beginningOf(answer), { error: fieldErrors() })
  if (read.success) return []
  return read.error.issues.slice(0, MAX_FAULTS).map((issue) => ({
    field: fieldName(issue.path),
    problem: issue.message,
    ...aboutOf(issue),
  }))
}

/** How a refusal is not sent as JSON, to follow "The refusal"; null: nothing is wrong with that. */
export function sendingFault(body: unknown, isTyped: boolean): string | null {
  if (body === undefined) return 'is not JSON'
  return isTyped ? null : 'is not sent as application/json'
}

/** What a refusal lacks of the form of its dialect, to follow "The refusal"; null: nothing. */
export function refusalFault(shape: z.ZodType, body: unknown): string | null {
  const [first] = shapeFaults(shape, body)
  if (first === undefined) return null
  return first.field === ''
    ? 'is not a JSON object'
    : `is malformed: ${first.field} ${first.problem}`
}

/** An answer without what comes late in its lists, and without what no shape looks at. */
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
 * These have gaps of their own: a currency that is written wrong, which is a string all the same,
 * and anything that is wrong with how long a session lives.
 */
function aboutOf({ path, code }: z.core.$ZodIssue): Pick<ShapeFault, 'about'> {
  if (path[0] === 'expires_at') return { about: 'expiry' }
  return path.at(-1) === 'currency' && code !== 'invalid_type' ? { about: 'currency' } : {}
}

// The shapes of which both official protocols make their answers. Optional members that are null
// count as absent: many servers write them so, and no agent minds.

export const Filled = z.string().min(1)

export const Time = z
  .string()
  .refine((text) => readMoment(text) !== null, 'must be a time such as "2026-04-08T12:00:00Z"')

export const WebAddress = z
  .string()
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be an absolute https URL',
  )

/** `totals` with exactly one entry of each of these types. */
export const totalsWithOne = <Entry extends z.ZodType<{ type: string }>>(
  entry: Entry,
  types: readonly string[],
) =>
  z.array(entry).superRefine((entries, context) => {
    for (const type of types) {
      const { length } = entries.filter((each) => each.type === type)
      if (length === 1) continue
      context.addIssue({
        code: 'custom',
        message: `must have exactly one entry of the type "${type}", and has ${length}`,
      })
    }
  })
