import { TrieRouter } from 'hono/router/trie-router'
import { expect, test } from 'vitest'
import { RememberingRouter } from './router.ts'

const ROUTES: [string, string][] = [
  ['POST', '/api/report'],
  ['GET', '/api/report'],
  ['ALL', '/*'],
  ['GET', '/api/audits/:id'],
  ['GET', '/api/audits/shared/:token'],
  ['GET', '/api/audits/latest'],
]
const ASKED: [string, string][] = [
  ['POST', '/api/report'],
  ['GET', '/api/report'],
  ['PUT', '/api/report'],
  ['GET', '/api/audits/1'],
  ['GET', '/api/audits/2'],
  ['GET', '/api/audits/latest'],
  ['GET', '/api/audits/shared/x'],
  ['GET', '/constructor'],
]

test('it finds what the router beneath it finds, the first time and the next', () => {
  const beneath = new TrieRouter<string>()
  const remembering = new RememberingRouter<string>()
  for (const router of [beneath, remembering]) {
    for (const [method, path] of ROUTES) router.add(method, path, `${method} ${path}`)
  }
  for (const [method, path] of [...ASKED, ...ASKED]) {
    expect(remembering.match(method, path)).toEqual(beneath.match(method, path))
  }
})

test('a route that is added later is found', () => {
  const router = new RememberingRouter<string>()
  router.add('GET', '/a', 'first')
  router.match('GET', '/a')
  router.add('GET', '/a', 'second')
  expect(router.match('GET', '/a')[0].map(([handler]) => handler)).toEqual(['first', 'second'])
})
