import type * as z from 'zod'
import { describeIssues, fieldErrors } from '../../../shared/web/field-errors.ts'
import type { CheckoutRefusal } from './answers.ts'

// Quantities are the only numbers in a checkout. Text that Postgres cannot store arrives here as
// null (`readJsonBody`), so the words for a string name both of its limits.
const inWords = fieldErrors({
  string: 'must be a string without NUL or unpaired surrogates',
  number: 'must be a whole number',
})

/** The body as the schema reads it; errors are described in plain words. */
export const readRequest = <T extends z.ZodType>(schema: T, body: unknown) =>
  schema.safeParse(body, { error: inWords })

/** The refusal of a body that `readRequest` could not read: the spec's 422. */
export const unreadable = ({ issues }: z.ZodError): CheckoutRefusal => {
  const wrong = describeIssues(issues, (path, message) =>
    path === '' ? 'the body must be a JSON object' : `${path} ${message}`,
  )
  return { code: 'invalid', message: `Fix and send again: ${wrong}.` }
}
