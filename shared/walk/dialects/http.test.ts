import { describe, expect, test } from 'vitest'
import type { BuyerOperation } from '../operation.ts'
import { httpReply, reasonOfStatus } from './http.ts'
import { answered, unanswered, unasked } from './testing/answered.ts'

const HTML = '<!doctype html><title>Oops</title>'
const cut = answered(200, '{"checkout_id":')

describe('httpReply', () => {
  test.each([
    ['JSON', answered(200, {}), { is: 'taken', status: 200, value: {} }],
    [
      'JSON of a kind',
      answered(201, [1], { type: 'application/problem+json; charset=utf-8' }),
      { is: 'taken', status: 201, value: [1] },
    ],
    [
      'an error',
      answered(409, { code: 'x' }),
      { is: 'declined', status: 409, value: { code: 'x' }, isTyped: true },
    ],
    [
      'an error page',
      answered(500, HTML, { type: 'text/html' }),
      { is: 'declined', status: 500, value: undefined, isTyped: false },
    ],
    [
      'an empty error',
      answered(404, '', { type: '' }),
      { is: 'declined', status: 404, value: undefined, isTyped: false },
    ],
  ])('%s', (_, seen, reply) => {
    expect(httpReply(seen)).toEqual(reply)
  })

  test.each([
    ['a page', answered(200, HTML, { type: 'text/html' }), / as text\/html instead of/],
    ['JSON as text', answered(200, {}, { type: 'text/plain' }), /as text\/plain instead of/],
    ['nothing said of its type', answered(200, {}, { type: '' }), /without a content type/],
    ['no JSON', cut, /with a body that is not JSON: it is not JSON$/],
    ['nothing', answered(204, ''), /not JSON/],
    [
      'a redirect',
      answered(308, '', { location: 'https://a.example/' }),
      /answered 308, leading to/,
    ],
    ['not modified', answered(304, ''), /answered 304/],
    ['too many redirects', unanswered('redirect'), /gave no answer/],
    ['too much', unanswered('too_large'), /gave no answer/],
  ])('%s is unreadable', (_, seen, why) => {
    expect(httpReply(seen)).toEqual({ is: 'unreadable', why: expect.stringMatching(why) })
  })

  test.each([
    ['too late', unanswered('timeout'), /did not answer in time/],
    ['nobody there', unanswered('unreachable'), /gave no answer/],
    ['no certificate', unanswered('certificate'), /gave no answer/],
    ['broken off', unanswered('protocol'), /gave no answer/],
    ['not asked', unasked('60 requests were made'), /^60 requests were made$/],
  ])('%s is silent', (_, seen, why) => {
    expect(httpReply(seen)).toEqual({ is: 'silent', why: expect.stringMatching(why) })
  })
})

const ended: BuyerOperation = { op: 'cancel', id: 'c1', key: 'k1' }
const order: BuyerOperation = { op: 'order', id: 'o1' }

test.each([
  [400, ended, 'invalid'],
  [422, ended, 'invalid'],
  [401, ended, 'caller'],
  [403, ended, 'caller'],
  [402, ended, 'payment'],
  [404, ended, 'ended'],
  [410, ended, 'ended'],
  [404, order, 'other'],
  [405, ended, 'failed'],
  [501, order, 'failed'],
  [409, ended, 'other'],
  [429, ended, 'too_many'],
  [500, ended, 'failed'],
  [503, order, 'failed'],
] as const)('a bare %i is about: %j → %s', (status, operation, reason) => {
  expect(reasonOfStatus(status, operation)).toBe(reason)
})
