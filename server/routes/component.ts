import '@hono/zod-openapi'
import type { ZodType } from 'zod'
import { requestSchema } from '../http/validation.ts'

/**
 * The schema as a named component of the OpenAPI document. A schema that was created before
 * zod-openapi extended zod has no method `openapi`, but its clone has.
 */
export const component = <S extends ZodType>(name: string, schema: S): S =>
  schema.clone().openapi(name)

/** A component that is the body of a request: its errors are in our words. */
export const requestComponent = <S extends ZodType>(name: string, schema: S): S =>
  requestSchema(schema, component(name, schema))
