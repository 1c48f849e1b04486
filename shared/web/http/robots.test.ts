import { expect, test } from 'vitest'
import { disallowedBy, type RobotsAgent } from './robots.ts'

const HOME = 'https://shop.example/'
const PRODUCT = 'https://shop.example/products/lamp'

const agents = (...tokens: string[]): RobotsAgent[] => tokens.map((token) => ({ token }))

const blocked = (text: string, ...tokens: string[]) => [
  ...disallowedBy(text, agents(...tokens), [HOME, PRODUCT]),
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
  ['of two as long, the one that allows', 'User-agent: *\nDisallow: /\nAllow: /', []],
])('%s', (_, text, tokens) => {
  expect(blocked(text, 'OAI-SearchBot', 'Claude-User').map(([token]) => token)).toEqual(tokens)
})

test('the line that blocks is named', () => {
  const [[, found] = []] = blocked('# shop\nUser-agent: *\nDisallow: /products/', 'Claude-User')
  expect(found).toEqual({ url: PRODUCT, line: 3, disputed: null })
})

test.each([
  ['a Crawl-delay', 'User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /', [2, 2]],
  ['a Sitemap', 'User-agent: *\nSitemap: /map.xml\n\nUser-agent: GPTBot\nDisallow: /', [2, 2]],
  [
    'a signal',
    'User-agent: *\nContent-Signal: ai-train=no\nUser-agent: GPTBot\nDisallow: /',
    [2, 2],
  ],
  ['an unknown line', 'User-agent: *\nHost: a\nX: y\nUser-agent: b\nDisallow: /', [3, 3]],
  ['a line without a key', 'User-agent: *\nnoindex\nUser-agent: b\nDisallow: /', [null, null]],
  ['a line above its name', 'User-agent: b\nHost: a\nUser-agent: *\nDisallow: /', [null, null]],
  ['a line below all names', 'User-agent: *\nHost: a\nDisallow: /', [null, null]],
  ['one agent alone', 'User-agent: Claude-User\nX: y\nUser-agent: b\nDisallow: /', [2]],
  ['an empty rule', 'User-agent: *\nDisallow:\nUser-agent: GPTBot\nDisallow: /', []],
])('only a rule ends a list of names: %s', (_, text, lines) => {
  const found = blocked(text, 'OAI-SearchBot', 'Claude-User')
  expect(found.map(([, { disputed }]) => disputed)).toEqual(lines)
})

test.each([
  ['at the end', 'User-agent: *\nDisallow: /\n\nUser-agent: OAI-SearchBot'],
  ['with a Crawl-delay', 'User-agent: *\nDisallow: /\n\nUser-agent: OAI-SearchBot\nCrawl-delay: 5'],
])('an agent that is named without rules may read all: %s', (_, text) => {
  expect(blocked(text, 'OAI-SearchBot', 'Claude-User').map(([token]) => token)).toEqual([
    'Claude-User',
  ])
})

test.each([
  ['OAI-SearchBot 1.0', true],
  ['oai-searchbot/1.0', true],
  ['OAI-SearchBot*', true],
  ['OAI-SearchBot-Extended', false],
  ['*', true],
  ['* # all', true],
  ['*bot', false],
  ['Mozilla OAI-SearchBot', false],
])('%s names the agent: %s', (name, is) => {
  expect(blocked(`User-agent: ${name}\nDisallow: /`, 'OAI-SearchBot')).toHaveLength(is ? 1 : 0)
})

test.each([
  ['/products/*', true],
  ['/*lamp', true],
  ['/*lamp$', true],
  ['/*lam$', false],
  ['/products/lamp$', true],
  ['/products/lam$', false],
  ['/*o*u*t*/l*p$', true],
  ['/*ducts*ducts', false],
  ['/*lamp*amp$', false],
  ['/**$', true],
  ['*', true],
  ['/%70roducts', false],
  ['products', false],
  ['/$', false],
])('%s is about a product: %s', (pattern, isAbout) => {
  const found = disallowedBy(`User-agent: *\nDisallow: ${pattern}`, agents('a'), [PRODUCT])
  expect(found.size).toBe(isAbout ? 1 : 0)
})

test('escapes are one in either case, and as letters', () => {
  const url = ['https://shop.example/s%C3%BC%C3%9F']
  const find = (path: string) =>
    disallowedBy(`User-agent: *\nDisallow: ${path}`, agents('a'), url).size
  expect([find('/süß'), find('/s%c3%bc'), find('/s%C3%BC%C3%9F$'), find('/su')]).toEqual([
    1, 1, 1, 0,
  ])
})

test.each([
  ['Googlebot is closed', 'User-agent: Googlebot\nDisallow: /', true],
  ['Googlebot is let in', 'User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nAllow: /', false],
  [
    'it has its own',
    'User-agent: Googlebot\nDisallow: /\n\nUser-agent: Applebot\nDisallow: /cart',
    false,
  ],
  ['neither is named', 'User-agent: *\nDisallow: /', true],
])('an agent that follows another goes by its groups before those of *: %s', (_, text, is) => {
  const follower = [{ token: 'Applebot', follows: 'Googlebot' }]
  expect(disallowedBy(text, follower, [HOME]).has('Applebot')).toBe(is)
})

test('an agent has the lines of all of its groups', () => {
  const file = 'User-agent: A/1.0\nUser-agent: b\nDisallow: /x\nUser-agent: a\nDisallow: /products'
  expect(blocked(file, 'A', 'B').map(([token]) => token)).toEqual(['A'])
})

test.each([
  ['stars', `Disallow: /${'*a'.repeat(140)}b\n`],
  ['stars alone', `Disallow: /${'*'.repeat(280)}b\n`],
  ['near misses', `Disallow: /*${'p'.repeat(100)}\n`],
  ['other agents', 'User-agent: x\n'],
  ['nothing', '\n'],
])('the line behind many of %s still counts', (_, line) => {
  const many = line.repeat(Math.floor(400_000 / line.length))
  const file = `User-agent: *\n${many}User-agent: *\nDisallow: /products/`
  expect(blocked(file, 'Claude-User', 'OAI-SearchBot')).toHaveLength(2)
})
