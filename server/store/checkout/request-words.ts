import type * as z from 'zod'
import { describeIssues, fieldErrors } from '../../../shared/web/json/field-errors.ts'
import { withoutNulls } from '../../../shared/web/json/json.ts'
import { ASSISTANT_ERROR } from '../http/refusals.ts'
import type { CheckoutRefusal } from './refusals.ts'

// Quantities are the only numbers in a checkout. Text that Postgres cannot store arrives here as
// NaN (`readJsonBody`), so the words for a string name both of its limits.
const inWords = fieldErrors({
  string: 'must be a string without NUL or unpaired surrogates',
  number: 'must be a whole number',
})

/**
 * The body as the schema reads it; errors are described in plain words. Unspecified: null for an
 * optional field counts as absent, for idempotency too.
 */
export const readRequest = <T extends z.ZodType>(schema: T, body: unknown) =>
  schema.safeParse(withoutNulls(schema, body), { error: inWords })

/** The most fields that an error names. */
const MAX_FIELDS = 20

/** The refusal of a body that `readRequest` could not read: the spec's 422. */
export const unreadable = ({ issues }: z.ZodError): CheckoutRefusal => {
  const wrong = describeIssues(issues, (path, message) =>
    path === '' ? 'the body must be a JSON object' : `${path} ${message}`,
  )
  const paths = issues.map(({ path }) => path.join('.')).filter((path) => path !== '')
  const fields = [...new Set(paths)].slice(0, MAX_FIELDS)
  return {
    code: 'invalid',
    message: ASSISTANT_ERROR,
    ...(fields.length > 0 && { fields }),
    detail: `Fix and send again: ${wrong}.`,
  }
}
