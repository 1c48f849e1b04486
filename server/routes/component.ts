import '@hono/zod-openapi'
import type { ZodType } from 'zod'

/**
 * The schema as a named component of the OpenAPI document. The copy is what has `openapi`: a schema
 * made before that package extended zod lacks it.
 */
export const component = <S extends ZodType>(name: string, schema: S): S =>
  schema.clone().openapi(name)
