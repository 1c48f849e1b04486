import { Hono } from 'hono'
import { aisleFileSchema } from '../../shared/audit/aisle-file.ts'
import type { ServerEnv } from '../http/env.ts'
import { answerKept, KEPT_SHORTLY, keepText } from '../http/kept-text.ts'

/** `GET /schemas/aisle.json`: the JSON Schema of `aisle.json`, which editors complete it by. */
export function schemaRoutes() {
  const schema = keepText(JSON.stringify(aisleFileSchema()))
  return new Hono<ServerEnv>().get('/schemas/aisle.json', (c) =>
    answerKept(c, schema, {
      'Content-Type': 'application/schema+json',
      // Editors that run in a browser read it from their own origin.
      'Access-Control-Allow-Origin': '*',
      ...KEPT_SHORTLY,
    }),
  )
}
