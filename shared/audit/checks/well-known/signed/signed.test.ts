import { expect, test } from 'vitest'
import { answerFrom } from '../../../../web/testing/answer-from.ts'
import { asksForSignature } from './compare.ts'
import { howToLetIn } from './edges.ts'

const answer = (headers: Record<string, string>, body = '') =>
  answerFrom('https://shop.example/', { status: 403, headers, body })

test.each([
  ['Cloudflare', { server: 'cloudflare' }],
  ['Cloudflare', { 'cf-ray': '8f0-FRA', server: 'nginx' }],
  ['AWS WAF', { 'x-amz-cf-id': 'abc' }],
  ['AWS WAF', { server: 'awselb/2.0' }],
  ['Akamai', { server: 'AkamaiGHost' }],
  ['Fastly', { 'x-served-by': 'cache-fra-etou8220123-FRA' }],
  ['nginx', { server: 'nginx/1.27.0' }],
])('%s is known by its headers, and how it lets agents in is said', (name, headers) => {
  expect(howToLetIn(answer(headers))).toMatch(
    new RegExp(`^It answers through ${name}\\. .*https://.*2026-11-30`),
  )
})

test('of what is not known nothing is said', () => {
  expect(howToLetIn(answer({ server: 'Apache' }))).toBe('')
})

test.each<[boolean, Record<string, string>, string]>([
  [true, { 'accept-signature': 'sig1=()' }, ''],
  [true, { 'www-authenticate': 'Signature realm="checkout"' }, ''],
  [true, {}, '{"code":"signature_missing"}'],
  [true, {}, '{"content":"Sign the request."}'],
  [false, { 'www-authenticate': 'Basic' }, '{"content":"Please sign in."}'],
  [false, {}, '{"continue_url":"https://signature.example/"}'],
])('a refusal asks for a signature, %s: %o %s', (expected, headers, body) => {
  expect(asksForSignature(answer(headers, body))).toBe(expected)
})
