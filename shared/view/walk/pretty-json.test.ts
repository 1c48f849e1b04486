import { expect, test } from 'vitest'
import { prettyJson } from './pretty-json.ts'

test.each([
  '{"a":[1,{"b":"x"}],"c":null}',
  '[]',
  '{}',
  '"a"',
  '[[],{},[{}]]',
  '{"a":"x, {y}: \\"z\\" [","b":"\\\\"}',
])('%s has a line for each member, as other tools write it', (json) => {
  expect(prettyJson(json)).toBe(JSON.stringify(JSON.parse(json), null, 2))
  expect(prettyJson(JSON.stringify(JSON.parse(json), null, 1))).toBe(prettyJson(json))
})

test('numbers and members stay as they were sent', () => {
  expect(prettyJson('{"a":1.0,"a":12345678901234567890,"b":1e2}')).toBe(
    '{\n  "a": 1.0,\n  "a": 12345678901234567890,\n  "b": 1e2\n}',
  )
})

test.each(['', '<p>{"a":1}</p>', '{"a":1', 'data: {"a":1}\n\n', "{'a':1}"])(
  '%j is no JSON and stays as it is',
  (text) => {
    expect(prettyJson(text)).toBe(text)
  },
)

test.each([
  ['deep', `${'['.repeat(10_000)}1${']'.repeat(10_000)}`],
  ['wide below twenty levels', `${'['.repeat(20)}${'0,'.repeat(30_000)}0${']'.repeat(20)}`],
])('what is %s and would become many times as long stays as it is', (_, text) => {
  expect(prettyJson(text) === text).toBe(true)
})

test('what is short may become much longer', () => {
  const text = `${'['.repeat(20)}1${']'.repeat(20)}`
  expect(prettyJson(text)).toMatch(/^\[\n {2}\[\n/)
})
