import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ServerEnv } from '../../http/env.ts'
import { answerKept, KEPT_SHORTLY, keepTextLater } from '../../http/kept-text.ts'
import { errorExamplesOf, sharedExamples } from './error-examples.ts'
import { HEADERS, headerRefs } from './headers.ts'

// Unspecified: every success of the hosted API is 200, but for a walk, which is 202 while it goes
// on. Its paths have no version: fields may be added, and are not renamed or removed.
export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

/** The parts of an operation of the document that are completed here. */
interface Operation {
  security?: unknown[]
  responses: Record<string, Answer>
}

interface Answer {
  description?: string
  headers?: Record<string, unknown>
  content?: Record<string, Record<string, unknown>>
}

/** By name: `POST /api/audit`. Our paths contain only operations: no parameters of their own. */
const operationsOf = ({ paths = {} }: OpenApiDocument): [name: string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(
      ([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation],
    ),
  )

/** A temporary refusal says until when. */
function describeHeaders({ responses }: Operation): void {
  for (const status of ['429', '503']) {
    const response = responses[status]
    if (response !== undefined) {
      response.headers = { ...headerRefs('Retry-After'), ...response.headers }
    }
  }
}

/** Each error has an example of each of its codes. */
function describeErrors(name: string, { responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    const { content, description = '' } = response
    const said = content?.['application/json']
    if (status.startsWith('2') || said === undefined) continue
    const examples = errorExamplesOf(name, status, description)
    response.content = { ...content, 'application/json': { ...said, examples } }
  }
}

/** In the usual order of documents. */
const TAGS = [
  { name: 'Audit', description: 'What keeps agents from buying' },
  { name: 'Walk', description: 'Whole purchases, as an agent makes them' },
  { name: 'Manifest', description: 'The file at /.well-known/ucp' },
  { name: 'Attribution', description: 'Sessions, orders and revenue from AI surfaces' },
  { name: 'Watch', description: 'Domains that are audited regularly, and where alerts go' },
  { name: 'Storefront', description: 'What the pages of a store load and send' },
  { name: 'Health', description: 'For operators' },
]

/**
 * `GET /openapi.json`: OpenAPI 3.1, built from the routes of `app` at the first request, because
 * building it takes longer than creating all routes.
 */
export function serveOpenApi(app: OpenAPIHono<ServerEnv>, baseUrl: string): () => OpenApiDocument {
  let made: OpenApiDocument | undefined
  const document = () => {
    made ??= documentOf(app, baseUrl)
    return made
  }
  const kept = keepTextLater(() => JSON.stringify(document()))
  app.get('/openapi.json', (c) =>
    answerKept(c, kept(), {
      ...KEPT_SHORTLY,
      'Content-Type': 'application/json',
      // Tools on the web read it, like /gaps.json.
      'Access-Control-Allow-Origin': '*',
    }),
  )
  return document
}

function documentOf(app: OpenAPIHono<ServerEnv>, baseUrl: string): OpenApiDocument {
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
  for (const [name, operation] of operationsOf(document)) {
    // Set on each, so that clients do not ask for a key where none is needed.
    operation.security ??= []
    describeHeaders(operation)
    describeErrors(name, operation)
  }
  document.components = { ...document.components, headers: HEADERS, examples: sharedExamples() }
  return document
}
