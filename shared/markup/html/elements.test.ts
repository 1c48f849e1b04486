import { expect, test } from 'vitest'
import { walkHtml } from './elements.ts'

/** What a reader is told of a page, in order. */
function told(html: string): string[] {
  const all: string[] = []
  walkHtml(html, {
    start: ({ name }) => all.push(`<${name}>`),
    end: ({ name }) => all.push(`</${name}>`),
    text: (characters) => all.push(characters),
  })
  return all
}

test('words come together, apart from the blanks around them, and before what follows them', () => {
  expect(told('<p> a b<!-- c -->c <i>d  e</i>\n<br>f')).toEqual([
    '<p>',
    ' ',
    'a bc',
    ' ',
    '<i>',
    'd  e',
    '</i>',
    '\n',
    '<br>',
    '</br>',
    'f',
    '</p>',
  ])
  expect(told('a b<template>no <b>never</b></template> c')).toEqual([
    'a b',
    '<template>',
    '</template>',
    ' ',
    'c',
  ])
  expect(told('<title>a b</title> c d')).toEqual(['<title>', '</title>', ' ', 'c d'])
})

test('a blank that is none to the tokenizer stays beside one that is', () => {
  expect(told('a \u00a0b')).toEqual(['a', ' ', '\u00a0b'])
})

test('a long text comes in parts', () => {
  const text = 'word '.repeat(10_000)
  const parts = told(text)
  expect(parts.join('')).toBe(text)
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(5_000)
  expect(parts.length).toBeLessThan(50)
})

test('of scripts and styles the text is kept as it is, and what follows has its place', () => {
  const raw = (html: string) => {
    const all: unknown[] = []
    walkHtml(html, {
      start: ({ name, line, column, offset }) => all.push([name, line, column, offset]),
      end: (_, text, isClosed) => text !== null && all.push([text, isClosed]),
      text: () => undefined,
    })
    return all
  }
  expect(raw('<style>a</styles>\r\n\0</STYLE\n><p>')).toEqual([
    ['style', 1, 8, 7],
    ['a</styles>\n\ufffd', true],
    ['p', 3, 5, 32],
  ])
  expect(raw('<script>1</script><b>')).toEqual([
    ['script', 1, 9, 8],
    ['1', true],
    ['b', 1, 22, 21],
  ])
  expect(raw('<script><!--<script></script>1--></script><b>')).toEqual([
    ['script', 1, 9, 8],
    ['<!--<script></script>1-->', true],
    ['b', 1, 46, 45],
  ])
  expect(raw('<script>1<!--</script></b')).toEqual([
    ['script', 1, 9, 8],
    ['1<!--', true],
  ])
  expect(raw('<iframe>1</iframe')).toEqual([
    ['iframe', 1, 9, 8],
    ['1</iframe', false],
  ])
})
