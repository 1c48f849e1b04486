import { expect, test } from 'vitest'
import { blockingConnection, blockingDirective } from './csp.ts'

const SNIPPET = 'https://cdn.aisle.example/attribution.js?id=prop_1'
const PAGE = 'https://shop.example/'
const script = { url: SNIPPET, nonce: null, integrity: null }

test.each([
  ['', true],
  ["img-src 'none'", true],
  ["default-src 'self'", false],
  ["script-src 'self'", false],
  ["script-src 'none'", false],
  ['script-src', false],
  ['script-src *', true],
  ['script-src https:', true],
  ['script-src http:', true],
  ['script-src wss:', false],
  ['script-src https://cdn.aisle.example', true],
  ['script-src http://cdn.aisle.example', true],
  ['script-src cdn.aisle.example', true],
  ['script-src CDN.Aisle.example', true],
  ['script-src *.aisle.example', true],
  ['script-src *.cdn.aisle.example', false],
  ['script-src aisle.example', false],
  ['script-src cdn.aisle.example:443', true],
  ['script-src cdn.aisle.example:80', true],
  ['script-src cdn.aisle.example:*', true],
  ['script-src cdn.aisle.example:8443', false],
  ['script-src cdn.aisle.example/', true],
  ['script-src cdn.aisle.example/attribution.js', true],
  ['script-src cdn.aisle.example/%61ttribution.js', true],
  ['script-src cdn.aisle.example/js/', false],
  ["SCRIPT-SRC 'self' cdn.aisle.example", true],
  ["script-src 'self'; script-src *", false],
  ["script-src 'none'; script-src-elem cdn.aisle.example", true],
  ["script-src cdn.aisle.example; script-src-elem 'self'", false],
  ["default-src 'none'; script-src cdn.aisle.example", true],
  ["script-src 'strict-dynamic' cdn.aisle.example", false],
  ["script-src 'nonce-abc'", false],
  ["default-src *, script-src 'self'", false],
  ['script-src cdn.aisle.example, default-src https:', true],
  ['script-src :// ][ %%%', false],
])('%s: allowed %s', (policy, allowed) => {
  expect(blockingDirective(policy, script, PAGE) === null).toBe(allowed)
})

test.each([
  ["script-src 'nonce-abc'", { nonce: 'abc' }, true],
  ["script-src 'nonce-abc' 'strict-dynamic'", { nonce: 'abc' }, true],
  ["script-src 'nonce-abc'", { nonce: 'abcd' }, false],
  ["script-src 'nonce-'", { nonce: '' }, false],
  ["script-src 'sha256-a='", { integrity: 'sha256-a=' }, true],
  ["script-src 'sha256-a='", { integrity: 'sha256-a= sha384-b=' }, false],
  ["script-src 'self'", { url: 'https://shop.example/attribution.js' }, true],
  ["script-src 'self'", { url: '/attribution.js' }, true],
  ["script-src 'self'", { url: 'http://shop.example/attribution.js' }, false],
  ["script-src 'self'", { url: 'https://shop.example:8443/attribution.js' }, false],
  ['script-src *', { url: 'data:text/javascript,1' }, false],
  ['script-src data:', { url: 'data:text/javascript,1' }, true],
])('%s with %j: allowed %s', (policy, attributes, allowed) => {
  expect(blockingDirective(policy, { ...script, ...attributes }, PAGE) === null).toBe(allowed)
})

test('names the directive that blocks', () => {
  expect(blockingDirective("img-src *; script-src 'self'", script, PAGE)).toBe("script-src 'self'")
})

test.each([
  ["script-src 'none'", true],
  ["connect-src 'self'", false],
  ["connect-src 'none'", false],
  ['connect-src cdn.aisle.example', true],
  ['connect-src cdn.aisle.example/sessions', true],
  ['connect-src cdn.aisle.example/attribution.js', false],
  ["default-src 'self'", false],
  ["default-src 'self'; connect-src https:", true],
  ["default-src *; connect-src 'self'", false],
  ["default-src 'none'; script-src cdn.aisle.example", false],
  ["default-src 'nonce-abc' 'strict-dynamic' cdn.aisle.example", true],
  ["connect-src *, connect-src 'self'", false],
])('%s: a connection allowed %s', (policy, allowed) => {
  const url = 'https://cdn.aisle.example/sessions?id=prop_1'
  expect(blockingConnection(policy, url, PAGE) === null).toBe(allowed)
})
