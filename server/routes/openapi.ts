import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ServerEnv } from '../app.ts'

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

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
      description: 'Tells whether AI agents can find, understand and buy from a store.',
    },
    servers: [{ url: baseUrl }],
  })
  app.get('/openapi.json', (c) => c.json(document))
  return document
}
