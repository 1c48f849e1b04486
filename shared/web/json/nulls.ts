import * as z from 'zod'
import { field, isRecord } from './json.ts'

/**
 * A JSON body without the nulls of its optional fields, at any depth that the schema describes:
 * many clients write null for what they leave out. A required field, one that may be null, and one
 * that the schema does not name keep theirs. The body itself is not changed.
 */
export function withoutNulls(schema: z.core.$ZodType, body: unknown): unknown {
  if (schema instanceof z.ZodOptional) return withoutNulls(schema.unwrap(), body)
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(body)) return body
    const items = body.map((item) => withoutNulls(schema.element, item))
    return items.every((item, at) => item === body[at]) ? body : items
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(body)) return body
  const { shape } = schema
  const changed = new Map<string, unknown>()
  for (const [name, value] of Object.entries(body)) {
    // Most fields are text and numbers, and nearly every body has no null: neither costs a copy.
    const described: unknown = typeof value === 'object' ? field(shape, name) : undefined
    if (!(described instanceof z.ZodType)) continue
    const kept = value === null && isOptional(described) ? ABSENT : withoutNulls(described, value)
    if (kept !== value) changed.set(name, kept)
  }
  if (changed.size === 0) return body
  // fromEntries keeps a key `__proto__`, which an assignment would lose.
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const kept = changed.has(name) ? changed.get(name) : value
      return kept === ABSENT ? [] : [[name, kept]]
    }),
  )
}

const ABSENT = Symbol('absent')

const isOptional = (field: z.ZodType): boolean =>
  field instanceof z.ZodOptional && !(field.unwrap() instanceof z.ZodNullable)
