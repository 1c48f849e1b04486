import '@hono/zod-openapi'
import type { ZodType } from 'zod'

/**
 * The schema as a named component of the OpenAPI document. A schema that was created before
 * zod-openapi extended zod has no method `openapi`, but its clone has.
 */
export const component = <S extends ZodType>(name: string, schema: S): S =>
  schema.clone().openapi(name)
