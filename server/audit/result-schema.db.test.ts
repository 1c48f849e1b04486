import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { linksTo } from '../../shared/audit/gap/links.ts'
import { AuditResult } from '../../shared/audit/result/result.ts'
import {
  auditResultSchema,
  RESULT_SCHEMA_VERSION,
} from '../../shared/audit/result/result-schema.ts'
import { CHECK_NAMES } from '../../shared/audit/vocabulary.ts'
import { createStore } from '../store/app.ts'
import { testDeps } from '../store/testing/store.ts'
import { testApp } from '../testing/app.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'

const { app } = await testApp()
const served = await app.request('/schemas/audit-result.json')
const schema = await served.json()
const ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false })
formats.default(ajv)
ajv.addKeyword('version')
const validate = ajv.compile(schema)

const fetcher = await fetcherTo(createStore({ ...(await testDeps()), faults: [] }))
const auditOf = (domain: string) =>
  auditHere(
    { domain, checks: CHECK_NAMES },
    {
      fetcher,
      links: linksTo('https://aisle.example'),
    },
  )

test('is served to anyone, as JSON Schema 2020-12 with a version of its own', () => {
  expect(served.headers.get('content-type')).toBe('application/schema+json')
  expect(served.headers.get('cache-control')).toContain('public')
  expect(served.headers.get('access-control-allow-origin')).toBe('*')
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:aisle:schema:audit-result:${RESULT_SCHEMA_VERSION}`,
    description: expect.stringContaining('What may change'),
  })
})

test.each([
  'shop.example',
  'ucp.example',
  'catalog-empty.example',
  'product-schema-missing.example',
  'feed-gtin-invalid.example',
])('the result of %s is as it says', async (domain) => {
  const result = JSON.parse(JSON.stringify(await auditOf(domain)))
  expect(validate(result), ajv.errorsText(validate.errors)).toBe(true)
  // A later version has more.
  const more = { ...result, later: 1, checks: [...result.checks, 'later_check'] }
  expect(validate(more), ajv.errorsText(validate.errors)).toBe(true)
  for (const wrong of [
    { ...result, score: '100' },
    { ...result, grade: 'E' },
    { ...result, gaps: [{ id: 'x' }] },
    { ...result, checked_at: 'today' },
  ]) {
    expect(validate(wrong)).toBe(false)
  }
})

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** What of the released schema a result of the current one may break, by path. */
function broken(released: unknown, current: unknown, path = ''): string[] {
  if (!isNode(released)) return []
  if (!isNode(current)) return [`${path} is gone`]
  const own: string[] = []
  const known = (node: Node, key: string) => (Array.isArray(node[key]) ? node[key] : [])
  for (const name of known(released, 'required')) {
    if (!known(current, 'required').includes(name)) own.push(`${path}.${name} is optional`)
  }
  for (const key of ['type', 'format', 'enum', 'const', 'minimum', 'maximum']) {
    if (key in released && JSON.stringify(released[key]) !== JSON.stringify(current[key])) {
      own.push(`${path} has another ${key}`)
    }
  }
  const before = isNode(released.properties) ? released.properties : {}
  const after = isNode(current.properties) ? current.properties : {}
  const fields = Object.entries(before).flatMap(([name, field]) =>
    broken(field, after[name], `${path}.${name}`),
  )
  const parts = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const [was, is] = [released[key], current[key]]
    if (!Array.isArray(was)) return broken(was, is, `${path} ${key}`)
    return was.flatMap((each, at) =>
      broken(each, Array.isArray(is) ? is[at] : undefined, `${path} ${key} ${at}`),
    )
  })
  return [...own, ...fields, ...parts]
}

const file = new URL(
  `../../shared/audit/result/result-schema.${RESULT_SCHEMA_VERSION}.json`,
  import.meta.url,
)
const released = JSON.parse(readFileSync(file, 'utf8'))

test('it keeps the promise of the version that was released', () => {
  expect(
    broken(released, auditResultSchema()),
    'Keep these fields as they were, or raise RESULT_SCHEMA_VERSION and add the file of the new version beside the old one.',
  ).toEqual([])
})

test('a break of the promise is seen, and an addition is none', () => {
  const { gaps: _, ...others } = AuditResult.shape
  const brokenBy = (change: (schema: Node & { properties: Record<string, Node> }) => void) => {
    const copy = structuredClone(auditResultSchema()) as Node & { properties: Record<string, Node> }
    change(copy)
    return broken(released, copy)
  }
  expect(Object.keys(others)).not.toContain('gaps')
  expect(brokenBy(({ properties }) => delete properties.gaps)).toEqual(['.gaps is gone'])
  expect(
    brokenBy(({ properties }) => Object.assign(properties.score ?? {}, { type: 'number' })),
  ).toEqual(['.score has another type'])
  expect(brokenBy((schema) => Object.assign(schema, { required: ['domain'] }))).toContain(
    '.score is optional',
  )
  expect(
    brokenBy(({ properties }) => {
      const items = properties.gaps?.items as { properties: Node }
      delete items.properties.detail
    }),
  ).toEqual(['.gaps items.detail is gone'])
  expect(
    brokenBy(({ properties }) => Object.assign(properties, { later: { type: 'string' } })),
  ).toEqual([])
})
