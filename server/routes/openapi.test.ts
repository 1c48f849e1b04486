import { expect, test } from 'vitest'
import { AGENT_VERSIONS, agentProfilePath } from '../../shared/manifest/ucp/agent-profile.ts'
import { testApp } from '../testing/app.ts'

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
  const others = [...snippet, ...agent, 'GET /livez', 'GET /readyz']
  expect(documented.toSorted()).toEqual([...api, ...others].toSorted())
  expect(documented.filter((route) => !served.has(route))).toEqual([])
})

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

test.each(['AuditedDomains', 'AuditHistory', 'StoredAudit', 'AuditChanges'])(
  'every field of %s is described',
  (name) => {
    expect(withoutWords(document.components.schemas[name], name)).toEqual([])
  },
)

/** The paths of the fields of a schema that nothing describes. */
function withoutWords(schema: Record<string, unknown>, path: string): string[] {
  const { properties = {}, items, anyOf = [] } = schema
  const fields = Object.entries(properties as Record<string, Record<string, unknown>>)
  return [
    ...fields.flatMap(([name, field]) => [
      ...(typeof field.description === 'string' ? [] : [`${path}.${name}`]),
      ...withoutWords(field, `${path}.${name}`),
    ]),
    ...[items, ...(anyOf as unknown[])].flatMap((part) =>
      typeof part === 'object' && part !== null
        ? withoutWords(part as Record<string, unknown>, path)
        : [],
    ),
  ]
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
