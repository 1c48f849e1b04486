import { expect, test } from 'vitest'
import { say, TEXTS } from './texts.ts'

test('values are taken as they are', () => {
  expect(say(TEXTS, 'figure_up', '$2', '$1.00')).toBe('up $2, was $1.00')
  expect(say(TEXTS, 'figure_up', 'x')).toBe('up x, was ')
})

test('keys can be messages of a browser extension', () => {
  expect(Object.keys(TEXTS).filter((key) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([])
})
