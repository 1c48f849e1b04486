import { expect, test } from 'vitest'
import { wordsOf } from './check-names.ts'

test.each([
  ['product_schema_gtin_valid', 'Product schema GTIN valid'],
  ['https_enabled', 'HTTPS enabled'],
  ['jsonld_valid', 'JSON-LD valid'],
  ['constructor', 'Constructor'],
  ['__proto__', '  proto  '],
  ['', ''],
])('%s is "%s"', (id, words) => {
  expect(wordsOf(id)).toBe(words)
})
