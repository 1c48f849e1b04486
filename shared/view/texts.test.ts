import { expect, test } from 'vitest'
import { TEXTS, textsFrom } from './texts.ts'

const text = textsFrom(TEXTS)

test('values are taken as they are', () => {
  expect(text('figure_up', '$2', '$1.00')).toBe('up $2, was $1.00')
  expect(text('figure_up', 'x')).toBe('up x, was ')
})

test('keys can be messages of a browser extension', () => {
  expect(Object.keys(TEXTS).filter((key) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([])
})
