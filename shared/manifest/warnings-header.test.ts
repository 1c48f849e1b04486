import { expect, test } from 'vitest'
import { readWarnings, writeWarnings } from './warnings-header.ts'

test('what is written can be read, in ASCII alone', () => {
  const warnings = ['plain', 'says "no", then \\', 'Ünïcode … 🛒', 'two\r\nlines']
  const header = writeWarnings(warnings)
  expect(header).toMatch(/^[ -~]+$/)
  expect(new Headers({ a: header }).get('a')).toBe(header)
  expect(readWarnings(header)).toEqual(warnings)
})

test('a warning that quotes a very long address is cut', () => {
  expect(writeWarnings(['x'.repeat(100_000)]).length).toBeLessThan(600)
})

test.each([null, '', 'a, b', '{"a":1}', '7', 'null'])('%j holds no warnings', (header) => {
  expect(readWarnings(header)).toEqual([])
})

test('only texts are warnings', () => expect(readWarnings('["a",1,null]')).toEqual(['a']))
