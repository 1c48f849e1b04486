import { expect, test } from 'vitest'
import { readPage } from '../../../markup/page.ts'
import type { Fetched } from '../../../web/http/fetched.ts'
import { answerFrom } from '../../../web/testing/answer-from.ts'
import { runRules } from '../../rule.ts'
import { attributionRules } from './rules.ts'

const URL_OF_PAGE = 'https://shop.example/'
const TAG = '<script async src="https://cdn.aisle.example/attribution.js?id=prop_1"></script>'

function judge(html: string | null, csp?: string, rendered?: string) {
  const fetched: Fetched = answerFrom(URL_OF_PAGE, {
    status: html === null ? 503 : 200,
    headers: csp === undefined ? {} : { 'content-security-policy': csp },
  })
  return runRules(attributionRules, {
    homePage: {
      fetched,
      page: html === null ? null : readPage(html, URL_OF_PAGE),
      ...(rendered === undefined ? {} : { rendered: readPage(rendered, URL_OF_PAGE) }),
    },
  })
}
const gapsOf = (...args: Parameters<typeof judge>) =>
  judge(...args).flatMap(({ rule, verdict }) =>
    verdict.kind === 'gap' ? [[rule.gap, verdict.detail]] : [],
  )

test.each([
  ['in the head', `<head>${TAG}</head>`],
  [
    'of a pinned version',
    '<head><script src="//cdn.aisle.example/v1/attribution.js?id=a"></script></head>',
  ],
  ['with a policy that allows it', `<head>${TAG}</head>`, 'script-src cdn.aisle.example'],
  [
    'with a nonce',
    `<head>${TAG.replace('async', 'nonce=n1')}</head>`,
    "script-src 'nonce-n1' 'strict-dynamic'",
  ],
  [
    'with a policy that lets it load and report',
    `<head>${TAG}</head>`,
    "default-src 'none'; script-src cdn.aisle.example; connect-src cdn.aisle.example/sessions",
  ],
  [
    'that reports to the shop itself',
    `<head>${TAG.replace('async', 'data-endpoint="/sessions?id=prop_1"')}</head>`,
    "script-src cdn.aisle.example; connect-src 'self'",
  ],
])('%s: every rule passes', (_, html, csp?: string) => {
  expect(judge(html, csp).map(({ verdict }) => verdict.kind)).toEqual(
    attributionRules.map(() => 'pass'),
  )
})

test.each([
  [
    'dark_traffic_untracked',
    '<head><script src="/other-attribution.js"></script></head>',
    undefined,
    'loads no script',
  ],
  [
    'dark_traffic_untracked',
    `<!-- ${TAG} --><noscript>${TAG}</noscript>`,
    undefined,
    'loads no script',
  ],
  ['snippet_without_id', `<head>${TAG.replace('?id=prop_1', '')}`, undefined, 'attribution.js"'],
  [
    'snippet_without_id',
    `<head>${TAG.replace('prop_1', '')}`,
    undefined,
    'expected attribution.js?id=',
  ],
  ...[
    TAG.replace('prop_1', '<property_id>'),
    TAG.replace('prop_1', 'property_id'),
    TAG.replace('prop_1', '%3Cid%3E'),
    TAG.replace('https://cdn.aisle.example', '{cdn_url}'),
    '<script src="{cdn_url}/attribution.js?id=<property_id>"></script>',
  ].map((tag): [string, string, undefined, string] => [
    'snippet_without_id',
    `<head>${tag}`,
    undefined,
    'and the id of your property',
  ]),
  ['snippet_duplicated', `<head>${TAG}${TAG}`, undefined, 'loads it 2 times'],
  ['snippet_not_in_head', `<body>${TAG}`, undefined, 'is in the body'],
  [
    'snippet_blocked_by_csp',
    `<head>${TAG}`,
    "script-src 'self'",
    `the Content-Security-Policy header of https://shop.example/ says "script-src 'self'"`,
  ],
  [
    'snippet_blocked_by_csp',
    `<head><meta http-equiv=content-security-policy content="default-src 'self'">${TAG}`,
    undefined,
    '<meta http-equiv>',
  ],
  ...["connect-src 'self'", "connect-src 'none'"].map(
    (connect): [string, string, string, string] => [
      'snippet_blocked_by_csp',
      `<head>${TAG}`,
      `script-src 'self' https://cdn.aisle.example; ${connect}`,
      `says "${connect}", which does not allow https://cdn.aisle.example.`,
    ],
  ),
  [
    'snippet_blocked_by_csp',
    `<head>${TAG}`,
    "default-src 'self'; script-src https://cdn.aisle.example",
    `says "default-src 'self'", which does not allow https://cdn.aisle.example.`,
  ],
  [
    'snippet_blocked_by_csp',
    `<head>${TAG.replace('async', 'data-endpoint="https://shop-data.example/sessions?id=prop_1"')}`,
    'script-src cdn.aisle.example; connect-src cdn.aisle.example',
    'which does not allow https://shop-data.example.',
  ],
])('%s: %s', (id, html, csp, detail) => {
  const gaps = gapsOf(html, csp)
  expect(gaps.map(([gap]) => gap)).toEqual([id])
  expect(gaps[0]?.[1]).toContain(detail)
})

test('a snippet that another script adds is seen in the rendered page', () => {
  expect(gapsOf('<head></head>', undefined, `<head>${TAG}</head>`)).toEqual([])
})

test('a home page that could not be read is judged by none', () => {
  expect(judge(null).map(({ verdict }) => verdict.kind)).toEqual(attributionRules.map(() => 'skip'))
})

test('a page that could not be read completely passes what it shows, and no more', () => {
  const cut = '<div>'.repeat(600)
  const kindsOf = (html: string) =>
    judge(`${html}${cut}`).flatMap(({ rule, verdict }) =>
      verdict.kind === 'skip' ? [] : [[rule.gap, verdict.kind]],
    )
  expect(kindsOf('')).toEqual([])
  expect(kindsOf(`<head>${TAG}</head>`)).toEqual([
    ['dark_traffic_untracked', 'pass'],
    ['snippet_not_in_head', 'pass'],
  ])
  expect(kindsOf(`<head>${TAG}${TAG}</head>`)).toContainEqual(['snippet_duplicated', 'gap'])
})
