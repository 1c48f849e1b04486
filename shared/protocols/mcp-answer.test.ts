import { expect, test } from 'vitest'
import type { JsonSeen } from '../web/http/fetched.ts'
import { answerFrom } from '../web/testing/answer-from.ts'
import { isRpc, mcpBody } from './mcp-answer.ts'

const answered = (json: JsonSeen['json'], status = 200): JsonSeen => ({
  fetched: answerFrom('https://shop.example/mcp', { method: 'POST', status }),
  json,
})
const result = (value: unknown) =>
  answered({ ok: true, value: { jsonrpc: '2.0', id: 1, result: value } })
const text = (...texts: unknown[]) => texts.map((each) => ({ type: 'text', text: each }))

test.each([
  ['structured', result({ structuredContent: { a: 1 }, content: text('no') }), { a: 1 }],
  ['text alone', result({ content: text('{"a":1}') }), { a: 1 }],
  ['a picture first', result({ content: [{ type: 'image' }, ...text('{"a":1}')] }), { a: 1 }],
  ['as until 2026-01-23', result({ ucp: {}, id: 'c' }), { ucp: {}, id: 'c' }],
  ['a failed tool with a payload', result({ isError: true, content: text('{"a":1}') }), { a: 1 }],
])('the payload of %s', (_, seen, body) => {
  expect(mcpBody(seen)).toEqual({ body })
})

test.each([
  [
    { code: -32001, message: 'No.', data: { code: 'x' } },
    { code: -32001, message: 'No.', data: { code: 'x' } },
  ],
  [{ code: 'x' }, { code: null, message: '', data: undefined }],
])('the error %j', (error, read) => {
  const seen = answered({ ok: true, value: { jsonrpc: '2.0', id: null, error } }, 400)
  expect(mcpBody(seen)).toEqual({ error: read })
  expect(isRpc(seen)).toBe(true)
})

test.each([
  [
    'no answer',
    { fetched: { kind: 'not_asked', reason: 'time was up' }, json: null },
    'time was up',
  ],
  ['no JSON', answered({ ok: false, problem: 'it is empty.' }), 'it is empty.'],
  ['another document', answered({ ok: true, value: { hello: 1 } }), 'without a result'],
  ['a list', answered({ ok: true, value: [] }), 'without a result'],
  ['prose', result({ content: text('Sorry, that failed.') }), '"Sorry, that failed."'],
  ['a list as text', result({ content: text('[]') }), '"[]"'],
  [
    'too many values',
    result({ content: text(`[${'{},'.repeat(200_001)}{}]`) }),
    'JSON was expected',
  ],
  ['nothing', result({}), 'no structuredContent'],
] satisfies [string, JsonSeen, string][])('%s is a problem in words', (_, seen, words) => {
  expect(mcpBody(seen)).toEqual({ problem: expect.stringContaining(words) })
})
