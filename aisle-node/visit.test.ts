import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { visitIdOf } from './visit.ts'

const ID = '1804289383-846930886-1681692777-1714636915'
const OTHER = '11111111-22222222-33333333-44444444'

const incoming = (headers: Record<string, string>) =>
  Object.assign(new IncomingMessage(new Socket()), { headers })
const form = new FormData()
form.set('aisle_visit', ID)

test.each<[string, unknown]>([
  ['the header of a Request', new Request('https://a.example', { headers: { 'Aisle-Visit': ID } })],
  ['the header in Node', incoming({ 'aisle-visit': ID })],
  ['a cookie alone', incoming({ cookie: `aisle_visit=${ID}` })],
  ['a cookie among others', incoming({ cookie: `a=1; aisle_visit=${ID}; not_aisle_visit=x` })],
  ['the cookie of a Request', { headers: new Headers({ cookie: `b=2;aisle_visit=${ID}` }) }],
  ['headers and a form', [incoming({}), form]],
  ['search parameters', new URLSearchParams({ aisle_visit: ID })],
  ['a body that was parsed', { aisle_visit: ID, total: 1 }],
  ['metadata without a prototype', Object.assign(Object.create(null), { aisle_visit: ID })],
])('%s', (_, source) => {
  expect(visitIdOf(...(Array.isArray(source) ? source : [source]))).toBe(ID)
})

test.each([
  ['aisle-visit', ID],
  ['cookie', `aisle_visit=${ID}`],
])('Hono: %s of its request and of its context', async (name, value) => {
  const found: unknown[] = []
  const app = new Hono().post('/', (c) => {
    found.push(visitIdOf(c.req), visitIdOf(c), visitIdOf(c.req.raw))
    return c.body(null)
  })
  await app.request('/', { method: 'POST', headers: { [name]: value } })
  expect(found).toEqual([ID, ID, ID])
})

const throws = () => {
  throw new Error('No.')
}

test.each<[string, unknown]>([
  ['every property', new Proxy({}, { has: () => true, get: throws })],
  ['the question for one', new Proxy({}, { has: throws })],
  ['headers', { headers: { get: throws } }],
  ['the request in it', Object.defineProperty({}, 'raw', { get: throws })],
  ['the field', { get: throws }],
  ['a cookie that is not a text', { headers: { cookie: { toString: throws } } }],
])('what throws throws nothing in a checkout: %s', (_, source) => {
  expect(visitIdOf(source)).toBeUndefined()
  expect(visitIdOf(source, { aisle_visit: ID })).toBe(ID)
})

test('the first source that has one counts, and the header before the cookie', () => {
  const request = incoming({ 'aisle-visit': ID, cookie: `aisle_visit=${OTHER}` })
  expect(visitIdOf(request, { aisle_visit: OTHER })).toBe(ID)
  expect(visitIdOf({ aisle_visit: OTHER }, request)).toBe(OTHER)
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', `aisle_visit=${ID}`],
  ['a visitor of no surface', incoming({})],
  ['an empty field', { aisle_visit: '' }],
  ['too much', { aisle_visit: 'x'.repeat(65) }],
  ['markup', { aisle_visit: `<b>${ID}</b>` }],
  ['a line break', { aisle_visit: `${ID}\nX: y` }],
  ['a list', { aisle_visit: [ID] }],
  ['a cookie with another name', incoming({ cookie: `not_aisle_visit=${ID}` })],
  ['a cookie with more in it', incoming({ cookie: `aisle_visit=${ID}"` })],
  ['a prototype', { __proto__: { constructor: ID } }],
])('%s has no visit', (_, source) => {
  expect(visitIdOf(source)).toBeUndefined()
})
