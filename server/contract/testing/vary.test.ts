import { expect, test } from 'vitest'
import { type Exchange, startExchange } from './steps.ts'
import { vary } from './vary.ts'

const BODY = '{"items":[{"id":"tent"}],"city":"Albany"}'

/** A request whose answer is a page. */
const exchange: Exchange = {
  ...startExchange('POST /orders?page=1&sort=up as another agent', BODY)!,
  headers: { 'idempotency-key': 'one' },
  status: 200,
  expectedHeaders: { allow: 'GET' },
  expected: '{ "id": 1 }',
}

test.each<[string, Partial<Exchange>]>([
  ['—', {}],
  ['`city: "Paris"`', { body: '{"items":[{"id":"tent"}],"city":"Paris"}' }],
  ['`zip: 7`', { body: '{"items":[{"id":"tent"}],"city":"Albany","zip":7}' }],
  ['`items.0.id: null`', { body: '{"items":[{"id":null}],"city":"Albany"}' }],
  ['`items.1: {"id":"mat"}`', { body: '{"items":[{"id":"tent"},{"id":"mat"}],"city":"Albany"}' }],
  ['no `city`', { body: '{"items":[{"id":"tent"}]}' }],
  ['no `city` no `items.0.id`', { body: '{"items":[{}]}' }],
  ['`body: {"items":`', { body: '{"items":' }],
  ['no `body`', { body: null }],
  ['`?page=2`', { target: '/orders?sort=up&page=2' }],
  ['no `?sort`', { target: '/orders?page=1' }],
  ['no `?sort` no `?page`', { target: '/orders' }],
  ['`/orders/7`', { target: '/orders/7' }],
  ['`https://b.example/orders`', { target: 'https://b.example/orders' }],
  ['`as a stranger`', { caller: 'a stranger' }],
  ['`PUT /orders`', { method: 'PUT', target: '/orders' }],
  ['`GET /x as a stranger`', { method: 'GET', target: '/x', caller: 'a stranger' }],
  ['`Accept: text/plain`', { headers: { 'idempotency-key': 'one', accept: 'text/plain' } }],
  ['no `Idempotency-Key`', { headers: {} }],
])('%s', (request, change) => {
  const answer = { status: 422, expectedHeaders: {}, expected: null }
  expect(vary(exchange, request, '422')).toEqual({ ...exchange, ...answer, ...change })
})

test.each<[string, Partial<Exchange>]>([
  ['200', { status: 200, expectedHeaders: {}, expected: null }],
  ['409 `{ "code": "a b" }`', { status: 409, expected: '{ "code": "a b" }' }],
  ['405 `Allow: POST` `{}`', { expectedHeaders: { allow: 'POST' }, expected: '{}' }],
  ['404 `text/html`', { status: 404, type: 'text/html' }],
])('an answer is %s', (answer, change) => {
  expect(vary(exchange, '—', answer)).toMatchObject(change)
})

test.each([
  ['more', '200', '"more" changes nothing.'],
  ['—', 'refused', '"refused" has no status.'],
  ['no `zip`', '200', 'The body has no zip to take away.'],
  ['`address.zip: 7`', '200', 'The body has no address.zip.'],
  ['`city = 7`', '200', '"city = 7" is not a change.'],
])('%s → %s cannot be read', (request, answer, message) => {
  expect(() => vary(exchange, request, answer)).toThrow(message)
})
