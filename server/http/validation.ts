import * as z from 'zod'
import { REQUIRED } from '../../shared/web/json/required.ts'

/**
 * What is wrong with one field of a request. `code` is for programs: `required`, `invalid`,
 * `unknown_field`, or zod's own.
 */
export const ErrorDetail = z.object({
  field: z.string().describe('Dotted path, such as `checks.0`'),
  code: z
    .string()
    .describe(
      'What is wrong, for programs: `required`, `invalid`, `unknown_field`, or a finer one such as `too_big`',
    ),
  message: z.string().describe('What to send instead, for people'),
})
export type ErrorDetail = z.infer<typeof ErrorDetail>

/** Limits the details, so that an error response is not larger than the request. */
const MOST = 20

/**
 * zod's issues as details, one per field and twenty of a kind at most. `target` names the input
 * itself, such as `json`, where an issue has no path.
 */
export function detailsOf(issues: readonly z.core.$ZodIssue[], target: string): ErrorDetail[] {
  return issues.slice(0, MOST).flatMap((issue) => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, MOST).map((key) => ({
        field: [...path, key.slice(0, 100)].join('.'),
        code: 'unknown_field',
        message: 'This field does not exist. Leave it out, or check its spelling.',
      }))
    }
    const field = path.join('.') || (target === 'json' ? 'body' : target)
    return [{ field, code: codeOf(issue), message: issue.message }]
  })
}

/** zod's names of types, as a sentence needs them. */
const A_TYPE: Record<string, string> = {
  array: 'an array',
  object: 'a JSON object',
  int: 'an integer',
}

/**
 * What zod says in its default words, in ours: those are made for developers. A message that a
 * schema brings comes first.
 */
export const inRequestWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') {
    const expected = A_TYPE[issue.expected] ?? `a ${issue.expected}`
    return issue.input === undefined ? `${REQUIRED} Send ${expected}.` : `Send ${expected}.`
  }
  if (issue.code === 'too_small') return `Send ${sizeOf(issue, 'least', issue.minimum)}.`
  if (issue.code === 'too_big') return `Send ${sizeOf(issue, 'most', issue.maximum)}.`
  if (issue.code === 'invalid_value') return `Use one of ${issue.values.map(String).join(', ')}.`
  return undefined
}

/** What is counted of a value that is too small or too large, by zod's names of types. */
const COUNTED: Record<string, [one: string, more: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
}

/** What may be sent: `at most 200 characters`, `a number of at least 0`. */
function sizeOf({ origin }: { origin: string }, bound: 'least' | 'most', limit: number | bigint) {
  const words = COUNTED[origin]
  if (words === undefined) return `a number of at ${bound} ${limit}`
  return `at ${bound} ${limit} ${words[Number(limit) === 1 ? 0 : 1]}`
}

/** A copy that is parsed `inRequestWords` by routes as well: they pass no options to zod. */
export function requestSchema<S extends z.ZodType>(schema: S, copy: S = schema.clone()): S {
  copy.safeParseAsync = (value) => schema.safeParseAsync(value, { error: inRequestWords })
  return copy
}

function codeOf({ code, message }: z.core.$ZodIssue): string {
  if (message.startsWith(REQUIRED)) return 'required'
  return code === 'custom' ? 'invalid' : code
}
