import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { createProperty } from '../../attribution/properties.ts'
import { SCOPES, type Scope } from '../../db/access/scopes.ts'
import { testApp } from '../../testing/app.ts'
import { watchedChannel } from '../../watch/channels/testing/world.ts'
import { HEADERS } from './headers.ts'

/** What `/openapi.json` promises is asked of the app: its examples, and what needs a key. */

const { app, db, key, createTestKey } = await testApp()
const document = await (await app.request('/openapi.json')).json()

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'openapi')

type Content = Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
interface Operation {
  method: string
  path: string
  security: { key: Scope[] }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content; headers?: object }>
}

const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
)

const examplesIn = (content: Content, type: string): unknown[] => {
  const { example, examples = {} } = content[type] ?? {}
  return [example, ...Object.values(examples).map(({ value }) => value)].filter(
    (value) => value !== undefined,
  )
}

/** What a value lacks to be an answer of the operation; nothing where it is one. */
function faultsOf({ method, path }: Operation, status: string, value: unknown): string {
  const at = ['paths', path, method.toLowerCase(), 'responses', status, 'content']
  const steps = [...at, 'application/json', 'schema'].map((step) =>
    encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  const schema = { $ref: `openapi#/${steps.join('/')}` }
  return ajv.validate(schema, value) ? '' : ajv.errorsText()
}

// What the paths of examples name. The walk is of another domain, which has one at a time.
const property = await createProperty(db, { domain: 'shop.example' }, new Date())
const walk = await send('POST', '/api/walk', { domain: 'walked.example' })
const walkId: string = (await walk.json()).id

const channel = await watchedChannel(db, 'told.example')

const addressOf = (path: string): string =>
  path
    .replace('{domain}/channels', 'told.example/channels')
    .replace('/channels/{id}', `/channels/${channel.id}`)
    .replace('/api/properties/{id}', `/api/properties/${property.id}`)
    .replace('/api/walk/{id}', `/api/walk/${walkId}`)
    // Created by the example of POST /api/watches, which comes before.
    .replace('{domain}', 'shop.example')
    .replace(/^\/api\/fetches$/, '/api/fetches?domain=shop.example')
    .replace(/^\/sessions$/, `/sessions?id=${property.id}`)

function send(method: string, path: string, body: unknown, type = 'application/json') {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': type,
    Origin: 'https://shop.example',
  }
  const text = type === 'application/json' ? JSON.stringify(body) : String(body)
  return app.request(path, { method, headers, body: text })
}

const isSuccess = (status: string): boolean => status.startsWith('2')
const NAMED = '$method $path'

test.each(operations.filter(({ path }) => path.endsWith('}')))(
  `${NAMED} answers as documented where the last id holds U+0000`,
  async ({ method, path, responses }) => {
    const of = addressOf(path.replace(/\{\w+\}$/, '%00'))
    const answer = await send(method, of, method === 'GET' ? undefined : {})
    expect(Object.keys(responses)).toContain(String(answer.status))
    expect(answer.status).toBeLessThan(500)
  },
)

describe('examples', () => {
  const withBody = operations.filter(({ requestBody }) => requestBody !== undefined)

  test.each(withBody)(`${NAMED} answers those of its requests as documented`, async (operation) => {
    const { method, path, requestBody: { content = {} } = {}, responses } = operation
    const success = Object.keys(responses).find(isSuccess)
    for (const type of Object.keys(content)) {
      const examples = examplesIn(content, type)
      expect(examples, type).not.toEqual([])
      for (const example of examples) {
        const answer = await send(method, addressOf(path), example, type)
        const value = await answer.json()
        expect(String(answer.status), JSON.stringify(value)).toBe(success)
        expect(faultsOf(operation, String(answer.status), value)).toBe('')
      }
    }
  })

  const answers = operations.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) =>
      isSuccess(status) && content?.['application/json'] !== undefined
        ? [{ ...operation, status, content }]
        : [],
    ),
  )

  test.each(answers)(`${NAMED} has one of its answer $status, which its schema allows`, (each) => {
    const examples = examplesIn(each.content, 'application/json')
    expect(examples).not.toEqual([])
    expect(examples.map((example) => faultsOf(each, each.status, example))).toEqual(
      examples.map(() => ''),
    )
  })
})

test.each(['2026-11-20T10:00:00Z', '2026-11-20T10:00+01:00', '2026-11-20T10:00:00', '2026-11-20'])(
  'the schema of an event allows the timestamp %s',
  (timestamp) => {
    const event = { event: 'ai_checkout_completed', domain: 'shop.example', session_id: 'o1' }
    const schema = { $ref: 'openapi#/components/schemas/AttributionEvent' }
    expect(ajv.validate(schema, { ...event, source: 'acp', timestamp }), ajv.errorsText()).toBe(
      true,
    )
  },
)

test.each(operations.filter(({ requestBody }) => requestBody !== undefined))(
  `${NAMED} refuses a request without a body`,
  async ({ method, path }) => {
    const headers = { Authorization: `Bearer ${key}`, Origin: 'https://shop.example' }
    const answer = await app.request(addressOf(path), { method, headers })
    expect(answer.status).toBe(415)
  },
)

/** What the answer needs in its address besides. */
const QUERIES: Record<string, string> = {
  '/api/report': '?domain=shop.example&start=2026-11-01&end=2026-11-20&format=csv',
  '/api/audits/history': '?domain=shop.example',
  '/api/walk': '?domain=shop.example',
}

describe('headers', () => {
  const known = Object.keys(HEADERS)
  const rates = known.filter((name) => name.includes('RateLimit'))

  test.each(operations)(`${NAMED} sends those that are documented`, async (operation) => {
    const { method, path, requestBody: { content = {} } = {}, responses } = operation
    const [type = 'application/json'] = Object.keys(content)
    const [example] = examplesIn(content, type)
    // A manifest is counted where it is fetched.
    const body = path.endsWith('/validate') ? { url: 'https://shop.example/x' } : example
    const address = addressOf(path) + (method === 'GET' ? (QUERIES[path] ?? '') : '')
    const { status, headers } = await send(method, address, body, type)
    const said = Object.keys(responses[status]?.headers ?? {})
    const sent = known.filter((name) => headers.has(name))
    expect(sent.filter((name) => !said.includes(name))).toEqual([])
    // A refusal may come before it is counted: `errors.db.test.ts` has those of after.
    if (status < 300) {
      expect(rates.filter((name) => said.includes(name))).toEqual(
        rates.filter((name) => sent.includes(name)),
      )
    }
  })
})

describe('keys', () => {
  const ask = (path: string, method: string, given?: string) =>
    app.request(path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'), {
      method,
      headers: given === undefined ? {} : { Authorization: `Bearer ${given}` },
    })
  const codeOf = async (answer: Response): Promise<string | undefined> =>
    answer.ok ? undefined : (await answer.json()).error.code

  test.each(operations)(`${NAMED} asks for one where it says so`, async (operation) => {
    const answer = await ask(operation.path, operation.method)
    expect(answer.status === 401).toBe(operation.security.length > 0)
    expect(answer.status).toBeLessThan(500)
  })

  const secured = operations.filter(({ security }) => security.length > 0)

  test.each(secured)(
    `${NAMED} needs the scopes that it names, and no others`,
    async (operation) => {
      const { method, path, security } = operation
      const scopes = security[0]?.key ?? []
      expect(scopes).not.toEqual([])
      const enough = await createTestKey({ scopes: [...scopes] })
      expect(await codeOf(await ask(path, method, enough.key))).not.toBe('insufficient_scope')
      for (const missing of scopes) {
        const others = SCOPES.filter((scope) => scope !== missing)
        const { key: less } = await createTestKey({ scopes: others })
        expect(await codeOf(await ask(path, method, less))).toBe('insufficient_scope')
      }
    },
  )
})
