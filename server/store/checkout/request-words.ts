import type * as z from 'zod'
import type { CheckoutRefusal } from './answers.ts'

/** The body as the schema reads it; errors are described in plain words. */
export const readRequest = <T extends z.ZodType>(schema: T, body: unknown) =>
  schema.safeParse(body, { error: inWords })

/** A body that `readRequest` could not read, in a sentence. */
export const unreadable = ({ issues }: z.ZodError): CheckoutRefusal => {
  const said = issues.slice(0, 4).map(({ path, message }) => {
    return path.length === 0 ? 'the body must be a JSON object' : `${path.join('.')} ${message}`
  })
  return { code: 'invalid', message: `Fix and send again: ${said.join('; ')}.` }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be a string without NUL or unpaired surrogates',
  number: 'must be a whole number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

/** What a field must be, to follow its name. Quantities are the only numbers that are asked for. */
const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is missing'
  const isNumber = typeof issue.input === 'number'
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? 'is not valid'
    case 'too_small':
      return isNumber ? `must be a whole number of at least ${issue.minimum}` : 'must not be empty'
    case 'too_big':
      return isNumber
        ? `must be a whole number of at most ${issue.maximum}`
        : `must have at most ${issue.maximum} characters`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    default:
      return 'is not valid'
  }
}
