import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ServerEnv } from '../http/env.ts'
import { answerKept, KEPT_SHORTLY, keepText } from '../http/kept-text.ts'

// Unspecified: every success of the hosted API is 200, but for a walk, which is 202 while it goes on.
// Its paths have no version: fields may be added, and are not renamed or removed.
export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

/** In the order in which documents list them. */
const TAGS = [
  { name: 'Audit', description: 'What keeps agents from buying' },
  { name: 'Walk', description: 'Whole purchases, as an agent makes them' },
  { name: 'Manifest', description: 'The file at /.well-known/ucp' },
  { name: 'Attribution', description: 'Sessions, orders and revenue from AI surfaces' },
  { name: 'Storefront', description: 'What the pages of a store load and send' },
  { name: 'Health', description: 'For operators' },
]

/** `GET /openapi.json`: OpenAPI 3.1, made of the routes that `app` has by now. */
export function serveOpenApi(app: OpenAPIHono<ServerEnv>, baseUrl: string): OpenApiDocument {
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'aisle_live_<id>_<secret>',
    description: 'An API key, obtained from the operator of the service.',
  })
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Aisle',
      version: '1.0',
      description:
        'Checks whether AI agents can find, understand and buy from a store. In a request body, null for an optional field counts as absent.',
    },
    servers: [{ url: baseUrl }],
    tags: TAGS,
  })
  const kept = keepText(JSON.stringify(document))
  app.get('/openapi.json', (c) =>
    answerKept(c, kept, { ...KEPT_SHORTLY, 'Content-Type': 'application/json' }),
  )
  return document
}
