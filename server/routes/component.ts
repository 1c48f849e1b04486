import '@hono/zod-openapi'
import type { ZodType } from 'zod'
import { withoutNulls } from '../../shared/web/nulls.ts'
import { requestSchema } from '../http/validation.ts'

/**
 * The schema as a named component of the OpenAPI document. A schema that was created before
 * zod-openapi extended zod has no method `openapi`, but its clone has.
 */
export const component = <S extends ZodType>(name: string, schema: S): S =>
  schema.clone().openapi(name)

/** A component that is the body of a request: its errors are in our words. */
// Unspecified: null for an optional field of a body. It counts as absent.
export function requestComponent<S extends ZodType>(name: string, schema: S): S {
  const body = requestSchema(schema, component(name, schema))
  const parse = body.safeParseAsync
  body.safeParseAsync = (value) => parse(withoutNulls(schema, value))
  return body
}
