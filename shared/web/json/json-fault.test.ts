import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonFault, positionIn } from './json-fault.ts'

test.each([
  ['{"a": 1,}', 'trailing comma', 7],
  ['{"a": [1, 2, ]}', 'trailing comma', 11],
  ['{"a": 1 "b": 2}', 'missing comma', 8],
  ['{"a" 1}', 'missing colon after a key', 5],
  ['{"a": }', 'a key without a value', 6],
  ['{"a"}', 'a key without a value', 4],
  ['{a: 1}', 'a key without double quotes', 1],
  ["{'a': 1}", 'single quotes instead of double quotes', 1],
  ['{“a”: 1}', 'typographic quotes instead of straight quotes', 1],
  ['{"a": "b\nc"}', 'a line break inside a string', 8],
  ['{"a": "b\tc"}', 'a tab inside a string', 8],
  ['{"a": "b\\xc"}', '"\\\\x" is not a valid JSON escape', 8],
  ['{"a": "b}', 'an unterminated string', 6],
  ['{"a": 1', 'ends early, "}" is missing', 7],
  ['[1', 'ends early, "]" is missing', 2],
  ['{"a": [1}', '"}" instead of "]"', 8],
  ['{"a": 1};', '";" after the end of the JSON', 8],
  ['{"a": 1}}', '"}" after the end of the JSON', 8],
  ['{"a": 1 /* b */}', 'a comment, which JSON does not allow', 8],
  ['// a\n{}', 'a comment, which JSON does not allow', 0],
  ['<!-- {} -->', 'an HTML comment around the JSON', 0],
  ['<p>', 'HTML instead of JSON', 0],
  ['{"a": {{ title }} }', 'a key without double quotes', 7],
  ['{"a": undefined}', '"u" is not a valid JSON value', 6],
  ['{"a": 01}', 'missing comma', 7],
  ['', 'empty', 0],
  [
    '{&quot;a&quot;: 1}',
    'HTML-escaped quotes: write plain quotes, a script element does not decode entities',
    1,
  ],
])('%s: %s', (text, reason, offset) => {
  expect(findJsonFault(text)).toEqual({ reason, offset })
})

const pieces = fc.array(
  fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u00e',
      '1',
      '-',
      '0',
      '.5',
      'e1',
      'true',
    ],
    ...['null', ' ', '\n', '\u00a0', 'x', '/'],
  ),
  { maxLength: 12 },
)

test('finds a fault exactly where JSON.parse refuses', () => {
  const accepts = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const agrees = (text: string) => {
    expect(findJsonFault(text) === null).toBe(accepts(text))
  }
  fc.assert(fc.property(pieces, (parts) => agrees(parts.join(''))))
  fc.assert(fc.property(fc.json(), agrees))
  fc.assert(fc.property(fc.string(), agrees))
})

test('lines end as editors end them', () => {
  expect(positionIn('a\r\nb\nc', 5)).toEqual({ line: 3, column: 1 })
  expect(positionIn('abc', 2)).toEqual({ line: 1, column: 3 })
})
