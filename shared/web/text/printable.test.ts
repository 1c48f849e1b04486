import { expect, test } from 'vitest'
import {
  escapeJson,
  Printable,
  printable,
  printableError,
  printableJson,
  printableLines,
} from './printable.ts'

test.each([
  ['\u001b[2J', '\\x1b[2J'],
  ['a\r\b\t\n', 'a\\x0d\\x08\\x09\\x0a'],
  ['\u007f\u0085\u009b', '\\x7f\\x85\\x9b'],
  ['\u061c\u200e\u200f', '\\u061c\\u200e\\u200f'],
  ['\u202a\u202b\u202c\u202d\u202e', '\\u202a\\u202b\\u202c\\u202d\\u202e'],
  ['\u2066\u2067\u2068\u2069', '\\u2066\\u2067\\u2068\\u2069'],
  ['\u2028\u2029', '\\u2028\\u2029'],
  ['Ünïcode, 日本語, עברית, 👩‍👩‍👧 \\ stays', 'Ünïcode, 日本語, עברית, 👩‍👩‍👧 \\ stays'],
])('%j is shown as %s', (text, expected) => {
  expect(String(printable`${text}`)).toBe(expected)
  expect(String(printable`${String(printable`${text}`)}`)).toBe(expected)
  expect(String(printableLines([text, text]))).toBe(`${expected}\n${expected}`)
})

test('our own words keep their line breaks, and shown parts their colours', () => {
  const red = Printable.styled([[31, 39]], 'a\u001b[0m')
  expect(String(red)).toBe('\u001b[31ma\\x1b[0m\u001b[39m')
  expect(String(printable`one\n${red} ${2}`)).toBe(`one\n${red} 2`)
})

test('nothing else makes printable text', () => {
  // @ts-expect-error: a string has to be escaped first.
  const text: Printable = 'text'
  // @ts-expect-error: the constructor is private.
  expect([text, new Printable('text')]).toHaveLength(2)
})

test('JSON keeps its value, whatever it is of', () => {
  const value = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('')
  const json = String(printableJson({ [value]: value }))
  expect(JSON.parse(json)).toEqual({ [value]: value })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/)
  expect(escapeJson('{"a":1}\n')).toBe('{"a":1}\n')
})

test('the lines of an error that is none of ours are marked', () => {
  expect(String(printableError(new Error('one\n::error::two\u001b')))).toBe(
    'one\n  | ::error::two\\x1b',
  )
  expect(String(printableError('text'))).toBe('text')
})
