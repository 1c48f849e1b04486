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
