import '@hono/zod-openapi'
import type { ZodType, z } from 'zod'
import { withoutNulls } from '../../../shared/web/json/json.ts'
import { requestSchema } from '../../http/validation.ts'

/**
 * The schema as a named component of the OpenAPI document. A schema that was created before
 * zod-openapi extended zod has no method `openapi`, but its clone has.
 */
export const component = <S extends ZodType>(name: string, schema: S): S =>
  schema.clone().openapi(name)

/** A component for the body of a request: its errors are in our words. */
// Unspecified: null for an optional field of a body. It counts as absent.
function requestComponent<S extends ZodType>(name: string, schema: S): S {
  const body = requestSchema(schema, component(name, schema))
  const parse = body.safeParseAsync
  body.safeParseAsync = (value) => parse(withoutNulls(schema, value))
  return body
}

/** A body of JSON in the document, with an example that its schema allows. */
export const jsonContent = <S extends ZodType>(schema: S, example: z.input<S>) => ({
  'application/json': { schema, example },
})

/**
 * The body of a request, with an example that `calls.db.test.ts` sends. Without `required` one that
 * is not declared as JSON would pass unvalidated, and without `limitJsonBody` any would.
 */
export const jsonBody = <S extends ZodType>(name: string, schema: S, example: z.input<S>) => ({
  required: true as const,
  content: jsonContent(requestComponent(name, schema), example),
})
