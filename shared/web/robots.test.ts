import { expect, test } from 'vitest'
import { disallowedBy } from './robots.ts'

const HOME = 'https://shop.example/'
const PRODUCT = 'https://shop.example/products/lamp'

const blocked = (text: string, ...tokens: string[]) => [
  ...disallowedBy(text, `${HOME}robots.txt`, tokens, [HOME, PRODUCT]),
]

test.each([
  ['no rules', '', []],
  ['all closed', 'User-agent: *\nDisallow: /', ['OAI-SearchBot', 'Claude-User']],
  ['one named', 'User-agent: oai-searchbot\nDisallow: /', ['OAI-SearchBot']],
  [
    'its own group goes before *',
    'User-agent: *\nDisallow: /\n\nUser-agent: OAI-SearchBot\nAllow: /',
    ['Claude-User'],
  ],
  ['training crawlers are a policy', 'User-agent: GPTBot\nDisallow: /', []],
  ['only the cart', 'User-agent: *\nDisallow: /cart\nDisallow: /*?sort=', []],
  ['the products', 'User-agent: *\nDisallow: /products/', ['OAI-SearchBot', 'Claude-User']],
  ['the longest rule wins', 'User-agent: *\nDisallow: /\nAllow: /products/\nAllow: /$', []],
])('%s', (_, text, tokens) => {
  expect(blocked(text, 'OAI-SearchBot', 'Claude-User').map(([token]) => token)).toEqual(tokens)
})

test('the line that blocks is named', () => {
  const [[, found] = []] = blocked('# shop\nUser-agent: *\nDisallow: /products/', 'Claude-User')
  expect(found).toEqual({ url: PRODUCT, line: 3 })
})

test('a file made of wildcards is passed over where it goes too far', () => {
  const star = `Disallow: /${'*a'.repeat(140)}b`
  const file = `User-agent: *\n${`${star}\n`.repeat(900)}Disallow: /products/`
  expect(blocked(file, 'Claude-User')).toHaveLength(1)
  expect(blocked('\n'.repeat(250_000), 'Claude-User')).toEqual([])
})
