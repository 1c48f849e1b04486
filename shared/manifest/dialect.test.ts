import { expect, test } from 'vitest'
import { UCP } from '../protocols/ucp/versions.ts'
import { nearMiss, recogniseDialect } from './dialect.ts'

const DOCUMENTS: [document: unknown, dialect: string][] = [
  ...UCP.all.map((version): [unknown, string] => [{ ucp: { version } }, version]),
  [{ version: '1.0', domain: 'shop.example', capabilities: {} }, '1.0'],
  [{ capabilities: { checkout: {} } }, '1.0'],
  [{ version: '1.0', ucp: { version: '2026-04-08' } }, '2026-04-08'],
  [{ version: '1.0', ucp: {} }, '1.0'],
  [{ version: '1.1', capabilities: { checkout: {} } }, 'unknown'],
  [{ version: 1, capabilities: { checkout: {} } }, 'unknown'],
  [{ ucp: { version: '1.0' } }, 'unknown'],
  [{ ucp: { version: 'draft' } }, 'unknown'],
  [{ ucp: { version: '2026-04-07' } }, 'unknown'],
  [{ ucp: { version: ['2026-04-08'] } }, 'unknown'],
  [{ ucp: [] }, 'unknown'],
  [{ ucp: null, capabilities: { checkout: {} } }, 'unknown'],
  [{ version: '2026-04-08', services: {} }, 'unknown'],
  [{}, 'unknown'],
  [[], 'unknown'],
  ['1.0', 'unknown'],
  [null, 'unknown'],
  [undefined, 'unknown'],
  [JSON.parse('{"__proto__":{"version":"1.0"}}'), 'unknown'],
]

test.each(DOCUMENTS)('%j is %s', (document, dialect) => {
  expect(recogniseDialect(document)).toBe(dialect)
})

test.each([
  [{ ucp: { version: '2026-04-10' } }, '"2026-04-10"', '"2026-04-08"'],
  [{ ucp: { version: '2031-01-01' } }, '"2031-01-01"', '"2026-08-25"'],
  [{ ucp: { version: 'v2026-01-12' } }, '"v2026-01-12"', '"2026-01-11"'],
  [{ ucp: { version: '2026-99-99' } }, '"2026-99-99"', '"2026-08-25"'],
  [{ ucp: { version: '1.0', capabilities: [] } }, '"1.0"', '"2026-01-11"'],
  [{ ucp: { version: '1.0' }, signing_keys: [] }, '"1.0"', '"2026-04-08"'],
  [{ ucp: {} }, 'ucp.version is missing', '"2026-08-25"'],
  [{ version: '2026-04-08', services: {} }, 'ucp is missing', '"2026-04-08"'],
  [{ version: '2.0' }, '"2.0"', 'version "1.0"'],
])('the near miss %j is shown as %s, nearest %s', (document, seen, nearest) => {
  const text = nearMiss(document)
  expect(text).toContain(seen)
  expect(text).toContain(
    `Did you mean ${nearest.startsWith('v') ? nearest : `ucp.version ${nearest}`}`,
  )
})
