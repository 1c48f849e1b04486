import { OpenAPIHono } from '@hono/zod-openapi'
import { auditResultSchema } from '../../shared/audit/result/result-schema.ts'
import { aisleFileSchema } from '../../shared/watch/aisle-file.ts'
import type { ServerEnv } from '../http/env.ts'
import { answerKept, KEPT_SHORTLY, keepText } from '../http/kept-text.ts'

const SCHEMAS = { aisle: aisleFileSchema, 'audit-result': auditResultSchema }

/** `/schemas/<name>.json`: JSON Schemas of files and messages, for anyone and any cache. */
export function schemaRoutes() {
  const app = new OpenAPIHono<ServerEnv>()
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const kept = keepText(`${JSON.stringify(schema(), null, 2)}\n`)
    app.get(`/schemas/${name}.json`, (c) =>
      answerKept(c, kept, {
        ...KEPT_SHORTLY,
        'Content-Type': 'application/schema+json',
        'Access-Control-Allow-Origin': '*',
      }),
    )
  }
  return app
}
