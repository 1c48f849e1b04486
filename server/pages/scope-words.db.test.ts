import { expect, test } from 'vitest'
import { SCOPES, type Scope } from '../db/access/scopes.ts'
import { testApp } from '../testing/app.ts'
import { SCOPE_WORDS } from './scope-words.ts'

/** The subjects of routes, and the words for them in the texts of their scopes. */
const SUBJECTS: readonly (readonly [RegExp, string])[] = [
  [/^POST \/api\/audit$/, 'Audit domains'],
  [/^GET \/api\/audits\b/, 'read their audits'],
  [/^POST \/api\/proposals\//, 'draft files'],
  [/ \/api\/access\b/, 'give what opens a domain'],
  [/ \/api\/watches\b/, 'watch domains'],
  [/ \/api\/watches\/.*\/channels\b/, 'channels'],
  [/ \/api\/watches\/.*\/incidents\b/, 'incidents'],
  [/ \/api\/walk\b/, 'walk purchases'],
  [/ \/api\/walk\/.*\/links\b/, 'links to audits and walks'],
  [/^POST \/api\/manifest$/, 'Create and validate manifests'],
  [/^POST \/api\/manifest\/validate$/, 'Create and validate manifests'],
  [/^GET \/api\/report$/, 'Read the report'],
  [/^GET \/api\/fetches$/, 'what agents read'],
  [/^GET \/api\/properties$/, 'list properties'],
  [/^POST \/api\/report$/, 'Report orders, refunds'],
  [/^PUT \/api\/totals$/, 'totals'],
  [/^POST \/api\/fetches$/, 'lines of logs'],
  [/^(?:POST|PATCH|DELETE) \/api\/properties\b/, 'create, change and delete properties'],
]

interface Operation {
  security: { key: Scope[] }[]
}

// Calling each route shows that it asks for the scopes in the document.
const { app } = await testApp()
const { paths } = await (await app.request('/openapi.json')).json()
const routes = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security }]) => ({
    route: `${method.toUpperCase()} ${path}`,
    scopes: [...new Set(security.flatMap(({ key }) => key))],
  })),
)
const asking = routes.filter(({ scopes }) => scopes.length > 0)

test.each(asking)('$route is named in the words of $scopes', ({ route, scopes }) => {
  const named = SUBJECTS.flatMap(([about, words]) => (about.test(route) ? words : []))
  expect(named).not.toEqual([])
  for (const scope of scopes) {
    for (const words of named) expect(SCOPE_WORDS[scope]).toContain(words)
  }
})

test('each scope is asked for by a route, and each subject is that of one', () => {
  expect(SCOPES.filter((scope) => !asking.some(({ scopes }) => scopes.includes(scope)))).toEqual([])
  expect(SUBJECTS.filter(([about]) => !asking.some(({ route }) => about.test(route)))).toEqual([])
})
