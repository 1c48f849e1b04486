import { expect, test } from 'vitest'
import { OLDEST_DAYS } from '../../../shared/attribution/events.ts'
import { MAX_DAYS } from '../../../shared/attribution/report.ts'
import { AGENT_VERSIONS, agentProfilePath } from '../../../shared/manifest/ucp/agent-profile.ts'
import { DIRECTORY_PATH } from '../../../shared/protocols/web-bot-auth.ts'
import { testApp } from '../../testing/app.ts'

const { app } = await testApp()
const answer = await app.request('/openapi.json')
const document = await answer.json()

test('is OpenAPI 3.1 of this server', () => {
  expect(answer.status).toBe(200)
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toEqual([{ url: 'https://aisle.example' }])
  expect(document.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' })
})

test('has every route that is no page, and no route that is not served', () => {
  const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = new Set(
    app.routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  )
  const api = [...served].filter((route) => /^(?!ALL )\w+ \/api\//.test(route))
  const snippet = ['GET /attribution.js', 'GET /{version}/attribution.js', 'POST /sessions']
  const agent = AGENT_VERSIONS.map((version) => `GET ${agentProfilePath(version)}`)
  const others = [...snippet, ...agent, `GET ${DIRECTORY_PATH}`, 'GET /livez', 'GET /readyz']
  expect(documented.toSorted()).toEqual([...api, ...others].toSorted())
  expect(documented.filter((route) => !served.has(route))).toEqual([])
})

test('a preflight allows every method that the API has', async () => {
  const methods = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    path.startsWith('/api/') ? Object.keys(methods).map((method) => method.toUpperCase()) : [],
  )
  const preflight = await app.request('/api/totals', {
    method: 'OPTIONS',
    headers: { Origin: 'https://tool.example', 'Access-Control-Request-Method': 'PUT' },
  })
  const allowed = preflight.headers.get('Access-Control-Allow-Methods')?.split(', ') ?? []
  expect(new Set(allowed)).toEqual(new Set(methods))
})

test('a new watch says what is so without a setting, a change that the setting stays', () => {
  const { NewWatch: made, WatchChange: changed } = document.components.schemas
  const { domain: _, ...settings } = made.properties as Described
  for (const [name, { description }] of Object.entries(settings)) {
    expect(description, name).toMatch(/\. Left out: (?!it stays)/)
  }
  for (const [name, { description }] of Object.entries(changed.properties as Described)) {
    expect(description, name).toMatch(/\. Left out: it stays$/)
  }
})

type Described = Record<string, { description: string }>

test('describes the audit: what goes in, what comes out, every refusal', () => {
  const { post } = document.paths['/api/audit']
  expect(post.security).toEqual([{ key: ['audit'] }])
  expect(post.requestBody.required).toBe(true)
  const { AuditRequest: body, AuditResult: result, Error: error } = document.components.schemas
  expect(post.requestBody.content['application/json'].schema).toEqual(refTo('AuditRequest'))
  expect(body.required).toEqual(['domain'])
  expect(body.properties.domain).toMatchObject({ type: 'string' })
  expect(body.properties.checks.items.enum).toContain('well_known')
  expect(Object.keys(post.responses)).toEqual([
    '200',
    ...[400, 401, 403, 404, 405, 413, 415, 422, 429, 500, 503].map(String),
  ])
  expect(post.responses[200].content['application/json'].schema).toEqual(refTo('AuditResult'))
  expect(result.required).toContain('breakdown')
  for (const status of [400, 422, 503]) {
    expect(post.responses[status].content['application/json'].schema).toEqual(refTo('Error'))
  }
  expect(error.properties.error.required).toEqual(['code', 'message', 'request_id'])
})

test('names the header that stands beside a generated manifest', () => {
  const { headers } = document.paths['/api/manifest'].post.responses[200]
  expect(headers['Aisle-Warnings'].schema).toEqual({ type: 'string' })
})

type Node = Record<string, unknown>

/** Operations by name: `POST /api/audit`. */
const operations = Object.entries<Record<string, Node>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
)

test('describes every field of every component', () => {
  const components = Object.entries<Node>(document.components.schemas)
  expect(components.flatMap(([name, schema]) => withoutWords(schema, name))).toEqual([])
})

test.each(operations)('describes what goes in and out of $name', ({ operation }) => {
  const { parameters = [], requestBody, responses } = operation
  const unsaid = (parameters as Node[]).filter(
    ({ description, schema }) => !isText(description) && !isText((schema as Node).description),
  )
  expect(unsaid.map(({ name }) => name)).toEqual([])
  expect([requestBody, responses].flatMap((part) => schemasIn(part))).toEqual([])
})

/** The fields without words of all schemas that stand in an operation itself. */
const schemasIn = (part: unknown): string[] =>
  typeof part !== 'object' || part === null
    ? []
    : Object.entries(part).flatMap(([name, value]) =>
        name === 'schema' ? withoutWords(value as Node, name) : schemasIn(value),
      )

/**
 * The paths of the fields of a schema that nothing describes; a `$ref` is described where it leads.
 */
function withoutWords(schema: Node, path: string): string[] {
  const { properties = {}, items, additionalProperties, anyOf, oneOf, allOf } = schema
  const fields = Object.entries(properties as Record<string, Node>)
  const parts = [items, additionalProperties, anyOf, oneOf, allOf].flat().filter(isSchema)
  return [
    ...fields.flatMap(([name, field]) => [
      ...(isText(field.description) || field.$ref !== undefined ? [] : [`${path}.${name}`]),
      ...withoutWords(field, `${path}.${name}`),
    ]),
    ...parts.flatMap((part) => withoutWords(part, path)),
  ]
}

test('a number in a query is an integer and nothing else', () => {
  const numbers = operations.flatMap(({ name, operation: { parameters = [] } }) =>
    (parameters as { name: string; schema: Node }[])
      .filter(({ schema }) => [schema.type].flat().some((type) => type !== 'string'))
      .map((each) => `${name} ${each.name} ${each.schema.type}`),
  )
  expect(numbers).toEqual([
    'GET /api/report limit integer',
    'GET /api/report offset integer',
    'GET /api/audits limit integer',
    'GET /api/audits/history limit integer',
  ])
})

test('says how long the range of a report is, and how late an event may come', () => {
  const { parameters } = document.paths['/api/report'].get
  const end = parameters.find(({ name }: Node) => name === 'end')
  expect(end.description).toContain(`at most ${MAX_DAYS.day} days`)
  const { timestamp } = document.components.schemas.AttributionEvent.properties
  expect(timestamp.description).toContain(`over ${OLDEST_DAYS} days ago`)
})

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isSchema = (value: unknown): value is Node => typeof value === 'object' && value !== null

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('lists every tag that operations have, and no other', () => {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags as string[]))
  expect(document.tags.map(({ name }: Node) => name).toSorted()).toEqual([...used].toSorted())
})

test('tools of every origin may read the document', async () => {
  const answer = await app.request('/openapi.json')
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
})
