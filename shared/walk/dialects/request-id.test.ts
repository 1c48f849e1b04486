import { expect, test } from 'vitest'
import { requestIdOf } from './request-id.ts'

test('a text always has the same UUID, and another text another', () => {
  const texts = ['', 'open 1', 'open 2', 'read 1', 'ü', 'x'.repeat(10_000)]
  const ids = texts.map(requestIdOf)
  expect(texts.map(requestIdOf)).toEqual(ids)
  expect(new Set(ids).size).toBe(texts.length)
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  }
})

test('ids of many calls do not meet', () => {
  const ids = Array.from({ length: 20_000 }, (_, at) => requestIdOf(`open ${at}`))
  expect(new Set(ids).size).toBe(ids.length)
})
