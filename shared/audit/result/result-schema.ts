import * as z from 'zod'
import { SEVERITIES } from '../vocabulary.ts'
import { AuditResult } from './result.ts'

/**
 * Raised when a result may no longer be what this schema said: a field that is gone, renamed,
 * optional where it was not, or of another type. Its file stays in this folder as it was released.
 */
export const RESULT_SCHEMA_VERSION = 1

const PROMISE = `The result of an audit, as POST /api/audit answers it and aisle audit --json prints it. Version ${RESULT_SCHEMA_VERSION}.

What may change without a new version: fields are added, here and in objects within; ids of gaps, passes and checks, and values of reason, id and status, are added, and rules go; texts for people (label, detail, fix, reason, descriptions) are reworded; the score of a store changes with engine_version.

What may not: a field that is described here keeps its name, its type and its meaning; one that is required stays so; an id keeps its meaning and is never given to another gap. Any of this needs a new version, which has another $id. Ignore what you do not know.`

/** Lists to which nothing is added. */
const CLOSED = [['A', 'B', 'C', 'D'], SEVERITIES].map((values) => values.join())

/** JSON Schema 2020-12 of an audit's result. Objects are open: fields may be added. */
export const auditResultSchema = (): Record<string, unknown> => {
  const { $schema, ...schema } = z.toJSONSchema(AuditResult, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      // An id that is added must not make a result invalid: those that are known are examples.
      const { enum: values } = jsonSchema
      if (values === undefined || CLOSED.includes(values.join())) return
      jsonSchema.examples = values
      delete jsonSchema.enum
    },
  })
  return {
    $schema,
    $id: `urn:aisle:schema:audit-result:${RESULT_SCHEMA_VERSION}`,
    title: 'Aisle audit result',
    version: RESULT_SCHEMA_VERSION,
    ...schema,
    description: PROMISE,
  }
}
