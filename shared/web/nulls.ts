import * as z from 'zod'
import { isRecord } from './json.ts'

/**
 * A JSON body without the nulls of its optional fields, at any depth that the schema describes: many
 * clients write null for what they leave out. A required field, one that may be null, and one that the
 * schema does not name keep theirs. The body itself is not changed.
 */
export function withoutNulls(schema: z.core.$ZodType, body: unknown): unknown {
  if (schema instanceof z.ZodOptional) return withoutNulls(schema.unwrap(), body)
  if (schema instanceof z.ZodArray) {
    return Array.isArray(body) ? body.map((item) => withoutNulls(schema.element, item)) : body
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(body)) return body
  const { shape } = schema
  // fromEntries keeps a key `__proto__`, which an assignment would lose.
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const described: unknown = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (!(described instanceof z.ZodType)) return [[name, value]]
      const isAbsent = value === null && isOptional(described)
      return isAbsent ? [] : [[name, withoutNulls(described, value)]]
    }),
  )
}

const isOptional = (field: z.ZodType): boolean =>
  field instanceof z.ZodOptional && !(field.unwrap() instanceof z.ZodNullable)
