import { expect, test } from 'vitest'
import { codeBlock, codeSpan, isInertLink, plainMarkdown } from './inert-markdown.ts'

test.each([
  ['plain', '`plain`'],
  ['a`b', '`` a`b ``'],
  ['``` fence', '```` ``` fence ````'],
  ['two\nlines\r\n\tmore', '`two lines more`'],
  ['', '`-`'],
  ['\u001b[2J\u202eevil', '`\\x1b[2J\\u202eevil`'],
])('%j is the code span %s', (text, span) => {
  expect(codeSpan(text)).toBe(span)
})

test.each([
  ['a', '```\na\n```'],
  ['a\n```\n# b', '````\na\n```\n# b\n````'],
  ['a\r\nb\rc\u001b', '```\na\nb\nc\\x1b\n```'],
])('%j is the block %j', (text, block) => {
  expect(codeBlock(text)).toBe(block)
})

test('what could be markup is escaped in plain text', () => {
  expect(plainMarkdown('<b> [a](b) *c* @d #1 `e` ~f~ | \n# g')).toBe(
    '\\<b\\> \\[a\\](b) \\*c\\* \\@d \\#1 \\`e\\` \\~f\\~ \\| \\# g',
  )
})

test.each([
  ['https://a.example/x', true],
  ['https://a.example/> <b', false],
  ['javascript:alert(1)', false],
  [null, false],
])('%j is a link: %j', (url, expected) => {
  expect(isInertLink(url)).toBe(expected)
})
