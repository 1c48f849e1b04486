import { expect, test } from 'vitest'
import { MAX_ROBOTS_CHARACTERS } from '../../../web/http/robots.ts'
import { runRules } from '../../rule.ts'
import { wellKnownRules } from './rules.ts'

const judge = (
  body: string,
  truncated = false,
  { gap = 'robots_blocks_ai_agents', status = 200, final = 'shop.example', page = '' } = {},
) => {
  const answer = (url: string, final_url: string, text: string) => ({
    ...{ kind: 'answer' as const, method: 'GET', url, final_url, redirects: [] },
    ...{ status: 200, headers: {}, body: text, truncated, ms: 1 },
  })
  const rule = wellKnownRules.filter((each) => each.gap === gap)
  const file = answer('https://shop.example/robots.txt', `https://${final}/robots.txt`, body)
  const robots = { ...file, status }
  const https = { kind: 'not_asked' as const, reason: 'not needed' }
  const site = { domain: 'shop.example', label: 'shop', https, http: https }
  const home = { fetched: answer('https://shop.example/', `https://${final}/`, ''), page: null }
  const productPages =
    page === ''
      ? []
      : [{ fetched: answer(page, page, ''), page: null, found_by: 'sitemap' as const }]
  return runRules(rule, { site, robots, homePage: home, productPages })[0]?.verdict
}

const kindOf = (...args: Parameters<typeof judge>) => judge(...args)?.kind

test.each([
  ['an open file', '', false, 'pass'],
  ['a closed one', 'User-agent: *\nDisallow: /', false, 'gap'],
  ['the beginning of one', 'User-agent: *\nDisallow: /', true, 'skip'],
  ['one without an end', '#'.repeat(MAX_ROBOTS_CHARACTERS + 1), false, 'skip'],
])('%s', (_, body, truncated, kind) => {
  expect(kindOf(body, truncated)).toBe(kind)
})

const PRODUCTS = 'User-agent: *\nDisallow: /products/\nContent-Usage: /products/ ai-use=n'

test.each([
  ['shop.example', 'https://shop.example/products/a', true],
  ['www.shop.example', 'https://www.shop.example/products/a', true],
  ['shop.example', 'https://www.shop.example/products/a', true],
  ['cdn.example', 'https://shop.example/products/a', true],
  ['shop.example', 'https://blog.shop.example/products/a', false],
  ['www.shop.example', 'https://www.shop.example/lamps/a', false],
])('the robots.txt of %s speaks for %s: %s', (final, page, is) => {
  for (const gap of ['robots_blocks_ai_agents', 'content_signal_refuses_agents']) {
    expect([gap, kindOf(PRODUCTS, false, { gap, final, page })]).toEqual([gap, is ? 'gap' : 'pass'])
  }
})

test('a gap that rests on a line where crawlers differ names the line', () => {
  const detail = (text: string) => {
    const verdict = judge(text)
    return verdict?.kind === 'gap' ? verdict.detail : ''
  }
  const text = 'User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /'
  expect(detail(text)).toContain('Googlebot may not read https://shop.example/ (line 5)')
  expect(detail(text).match(/Line 2 ends no group/g)).toHaveLength(1)
  expect(detail(text.replace('Crawl-delay: 10', ''))).not.toContain('ends no group')
})

const MAY_COME = ['ChatGPT-User', 'Perplexity-User', 'Google-Agent', 'meta-externalfetcher']

test('agents that may ignore robots.txt are named, and are a gap beside others alone', () => {
  const names = MAY_COME.map((token) => `User-agent: ${token}\n`).join('')
  const verdict = judge(`${names}Disallow: /`)
  const note = verdict?.kind === 'pass' ? (verdict.note ?? '') : ''
  for (const token of MAY_COME) expect(note).toContain(`${token} may not read`)
  expect(note).toContain('may come all the same')
  const beside = judge(`${names}User-agent: Claude-User\nDisallow: /`)
  expect(beside).toMatchObject({
    kind: 'gap',
    detail: expect.stringMatching(
      /^robots\.txt: Claude-User may not read \S+ \(line 6\)\. By robots\.txt, ChatGPT-User/,
    ),
  })
})

test('a pass says that Gemini does not ground answers where Google-Extended is disallowed', () => {
  expect(judge('User-agent: Google-Extended\nDisallow: /')).toMatchObject({
    kind: 'pass',
    note: expect.stringMatching(/^Google-Extended may not read .* Gemini .* ground its answers/),
  })
  expect(judge('User-agent: Google-Extended\nDisallow: /cart')).toEqual({ kind: 'pass' })
})

test.each([
  [503, '', true],
  [500, '', true],
  [408, '', false],
  [403, '', false],
  [503, '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>', false],
])('%d says that crawlers stay away meanwhile, unless it is a challenge', (status, body, is) => {
  const verdict = judge(body, false, { status })
  expect(verdict).toMatchObject({ kind: 'skip', reason: expect.stringContaining(String(status)) })
  expect(JSON.stringify(verdict).includes('stay away from the whole store')).toBe(is)
})
