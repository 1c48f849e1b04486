import { expect, test } from 'vitest'
import type { Fetched } from '../../../../web/http/fetched.ts'
import type { AccessAnswer, AccessPage } from '../../../evidence.ts'
import { notApplicable, runRules } from '../../../rule.ts'
import { AI_AGENTS, NAMED_AGENTS } from '../ai-agents.ts'
import { challengeOf } from './challenge.ts'
import { readAccessContent } from './read-content.ts'
import { accessRules } from './rules.ts'

test('each User-Agent is of an agent whose operator documents it, and names it', () => {
  expect(NAMED_AGENTS.map(({ token }) => token).toSorted()).toEqual(
    AI_AGENTS.map(({ token }) => token).toSorted(),
  )
  for (const { token, userAgent } of NAMED_AGENTS) expect(userAgent).toContain(token)
})

const HTML = (body: string) => `<!doctype html><title>Shop</title><body>${body}`
const PRODUCT = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",
  "name":"Lamp","offers":{"@type":"Offer","price":"20.00","priceCurrency":"EUR"}}</script>`
const TEXT = `<p>${'word '.repeat(500)}</p>`

const contentOf = (html: string, headers: Record<string, string> = {}, status = 200) =>
  readAccessContent({
    ...{ status, headers, html, url: 'https://shop.example/', truncated: false },
    bytes: html.length,
  })

test.each([
  ['a header of Cloudflare', '', { 'cf-mitigated': 'challenge' }, 'Cloudflare'],
  ['a header of AWS', '', { 'x-amzn-waf-action': 'captcha' }, 'AWS WAF'],
  ['Cloudflare', '<script>window._cf_chl_opt={}</script>', {}, 'Cloudflare'],
  ['DataDome', '<script src="https://ct.captcha-delivery.com/c.js"></script>', {}, 'DataDome'],
  ['a header of SiteGround', '', { 'sg-captcha': 'challenge' }, 'SiteGround'],
  [
    'SiteGround',
    '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F">',
    {},
    'SiteGround',
  ],
  ['AWS', '<script>AwsWafIntegration.checkForceRefresh()</script>', {}, 'AWS WAF'],
  ['Kasada', '<script>KPSDK.now=Date.now;KPSDK.start=KPSDK.now()</script>', {}, 'Kasada'],
  ['HUMAN', '<div id="px-captcha"></div>', {}, 'HUMAN (PerimeterX)'],
  ['Imperva', 'Request unsuccessful. Incapsula incident ID: 1', {}, 'Imperva'],
  ['Akamai', '<div id="sec-if-cpt-container"></div>', {}, 'Akamai'],
  ['a CAPTCHA', '<script src="https://www.google.com/recaptcha/api.js"></script>', {}, 'a CAPTCHA'],
  [
    'a login form with a CAPTCHA',
    `<script src="https://hcaptcha.com/1/api.js"></script>${TEXT}`,
    {},
    null,
  ],
  ['a product beside a CAPTCHA', `<div id="px-captcha"></div>${PRODUCT}`, {}, null],
  [
    'an ordinary page that Cloudflare watches',
    '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
    {},
    null,
  ],
  [
    'an ordinary page that Cloudflare watches by its older script',
    '<script src="/cdn-cgi/challenge-platform/h/g/scripts/jsd/main.js"></script>',
    {},
    null,
  ],
  [
    'an ordinary page with the script of AWS WAF',
    '<script>window.awsWafCookieDomainList=["a.example"];AwsWafIntegration.fetch("/")</script>',
    {},
    null,
  ],
  ['an ordinary page with the script of Kasada', '<script>KPSDK.configure([])</script>', {}, null],
  [
    'an ordinary page that DataDome watches',
    '<script src="https://js.datadome.co/tags.js"></script>',
    {},
    null,
  ],
  ['a page about challenges', `_cf_chl_opt ${TEXT}`, {}, null],
  ['an empty answer', '', {}, null],
])('whose challenge it is: %s', (_, html, headers, by) => {
  expect(contentOf(HTML(html), headers).challenge).toBe(by)
})

test('a long challenge is looked through to a bound', () => {
  const far = `<script>${' '.repeat(300_000)}_cf_chl_opt</script>`
  const { text, product } = contentOf(HTML(far))
  expect(challengeOf({ headers: {}, html: far }, { text, product })).toBeNull()
})

type Seen = 'same' | 'thin' | 'bare' | 'dear' | 'banner' | 'longer' | 'challenge' | number | 'down'
const BODIES: Record<string, string> = {
  same: PRODUCT + TEXT,
  thin: PRODUCT.replace('Product', 'Thing'),
  bare: TEXT,
  dear: PRODUCT.replace('20.00', '25.00') + TEXT,
  banner: PRODUCT + TEXT + TEXT.repeat(9),
  longer: TEXT.repeat(10),
  challenge: '<div id="px-captcha"></div>',
}
const answer = (seen: Seen): AccessAnswer => {
  const url = 'https://shop.example/lamp'
  if (seen === 'down') {
    const fetched = { kind: 'no_answer', method: 'GET', url, why: 'timeout' } as const
    return { fetched: { ...fetched, message: 'late', ms: 1 }, content: null }
  }
  const status = typeof seen === 'number' ? seen : 200
  const fetched: Fetched = {
    ...{ kind: 'answer', method: 'GET', url, final_url: url, redirects: [], status },
    ...{ headers: {}, body: '', truncated: false, ms: 1 },
  }
  return { fetched, content: contentOf(HTML(BODIES[seen] ?? 'No.'), {}, status) }
}

interface Scene {
  browsers?: Seen[]
  robot?: Seen
  agents?: Record<string, Seen[]>
}
const ALL = ['ChatGPT-User', 'Claude-User', 'OAI-SearchBot', 'Googlebot', 'bingbot']
const pageOf = ({
  browsers = ['same', 'same'],
  robot = 'same',
  agents = {},
}: Scene): AccessPage => ({
  url: 'https://shop.example/lamp',
  is: 'product page',
  browsers: browsers.map(answer),
  robot: answer(robot),
  agents: ALL.map((token) => ({ token, answers: (agents[token] ?? ['same']).map(answer) })),
})
const robotsOf = (status: number): Fetched => {
  const { fetched } = answer(status)
  return fetched.kind === 'answer' ? { ...fetched, body: 'User-agent: *\nAllow: /' } : fetched
}
const judge = (scene: Scene, robots = 200) =>
  runRules(accessRules, {
    robots: robotsOf(robots),
    access: { not_asked: null, pages: [pageOf(scene)] },
  })
const open = (scene: Scene, robots = 200) =>
  judge(scene, robots).flatMap(({ rule, verdict }) => (verdict.kind === 'gap' ? [rule.gap] : []))

const USER = 'ChatGPT-User'
const CRAWLER = 'OAI-SearchBot'
test.each<[string, Scene, number, string[]]>([
  ['nothing', {}, 200, []],
  ['a refusal', { agents: { [USER]: [403, 403] } }, 200, ['agents_refused_despite_robots']],
  ['a refusal without robots.txt', { agents: { [USER]: [403, 403] } }, 404, ['agents_refused']],
  ['a refusal where robots.txt fails', { agents: { [USER]: [403, 403] } }, 503, []],
  ['a challenge', { agents: { [USER]: ['challenge', 'challenge'] } }, 200, ['agents_challenged']],
  ['no markup', { agents: { [USER]: ['bare', 'bare'] } }, 200, ['agents_get_less']],
  ['hardly any text', { agents: { [USER]: ['thin', 'thin'] } }, 200, ['agents_get_less']],
  ['another price', { agents: { [USER]: ['dear', 'dear'] } }, 200, ['agents_get_less']],
  ['a crawler refused', { agents: { [CRAWLER]: [403, 403] } }, 200, ['ai_search_kept_out']],
  [
    '429 for the agent alone',
    { agents: { [USER]: [429, 429] } },
    200,
    ['agents_refused_despite_robots'],
  ],
  [
    '503 for the agent alone',
    { agents: { [USER]: [503, 503] } },
    200,
    ['agents_refused_despite_robots'],
  ],
  ['a time-out on its side', { agents: { [USER]: [408, 408] } }, 200, []],
  ['once refused', { agents: { [USER]: [403, 'same'] } }, 200, []],
  ['once dear', { agents: { [USER]: ['dear', 'same'] } }, 200, []],
  [
    'not asked again, while another shows chance',
    { agents: { [USER]: ['dear'], 'Claude-User': ['dear', 'same'] } },
    200,
    [],
  ],
  [
    'a price that browsers see both of',
    { browsers: ['same', 'dear'], agents: { [USER]: ['dear', 'dear'] } },
    200,
    [],
  ],
  ['a banner for browsers', { browsers: ['banner', 'banner'] }, 200, []],
  [
    'a banner on a page without a product',
    {
      browsers: ['longer', 'longer'],
      agents: Object.fromEntries(ALL.map((token) => [token, ['bare', 'bare'] as Seen[]])),
    },
    200,
    [],
  ],
  ['a browser that is refused as well', { browsers: [403], agents: { [USER]: [403] } }, 200, []],
  [
    'a browser that is refused later',
    { browsers: ['same', 429], agents: { [USER]: [429, 429] } },
    200,
    [],
  ],
  ['unknown robots refused as well', { robot: 403, agents: { [USER]: [403, 403] } }, 200, []],
  [
    'unknown robots challenged as well',
    { robot: 'challenge', agents: { [USER]: ['challenge', 'challenge'] } },
    200,
    [],
  ],
  [
    'search engines refused as well',
    { agents: { [USER]: [403, 403], Googlebot: [403, 403] } },
    200,
    [],
  ],
  [
    'a search engine challenged as well',
    { agents: { [USER]: [403, 403], Googlebot: ['challenge', 'challenge'] } },
    200,
    [],
  ],
  [
    'search engines served a decoy as well',
    { agents: { [USER]: ['thin', 'thin'], bingbot: ['thin', 'thin'] } },
    200,
    [],
  ],
  [
    'every robot served less',
    {
      robot: 'thin',
      agents: Object.fromEntries(ALL.map((token) => [token, ['thin', 'thin'] as Seen[]])),
    },
    200,
    ['agents_get_less', 'ai_search_kept_out'],
  ],
  ['a time-out', { agents: { [USER]: ['down'] } }, 200, []],
  ['a 500', { agents: { [USER]: [500] } }, 200, []],
])('%s', (_, scene, robots, gaps) => {
  expect(open(scene, robots)).toEqual(gaps)
})

test('what could not be seen is no pass', () => {
  for (const scene of [
    { agents: { [USER]: ['down'] } },
    { browsers: [403] },
    { robot: 403, agents: { [USER]: [403, 403] } },
  ] as Scene[]) {
    const of = judge(scene).find(({ rule }) => rule.gap === 'agents_refused')
    expect(of?.verdict.kind).toBe('skip')
  }
})

test('a gap names both answers, and says that we are not the agent', () => {
  const [{ verdict } = { verdict: null }] = judge({
    agents: { [USER]: [403, 403], 'Claude-User': [403, 403] },
  })
  expect(verdict).toMatchObject({ kind: 'gap' })
  const { detail } = verdict as { detail: string }
  expect(detail).toContain('a browser with 200 (')
  expect(detail).toContain(
    'title "Shop", product "Lamp", price 20.00 EUR), and ChatGPT-User of OpenAI with 403 (',
  )
  expect(detail).toContain('robots.txt lets it read this page.')
  expect(detail).toContain('Also: Claude-User at https://shop.example/lamp (403).')
  expect(detail).toContain("another network than OpenAI's")
})

test('without a request in their names the rules do not apply, and say how to get it', () => {
  const outcomes = runRules(accessRules, {
    robots: robotsOf(200),
    access: { not_asked: 'send agents: true', pages: [] },
  })
  for (const { verdict } of outcomes) {
    expect(verdict).toEqual(notApplicable('send agents: true'))
  }
})

test.each<Seen>([403, 'challenge', 'bare'])(
  'an agent that comes in spite of robots.txt and gets %s gets what the store wants',
  (seen) => {
    const robots = { ...robotsOf(200), body: `User-agent: ${USER}\nDisallow: /lamp` } as Fetched
    const pages = [pageOf({ agents: { [USER]: [seen, seen] } })]
    const judged = runRules(accessRules, { robots, access: { not_asked: null, pages } })
    expect(judged.filter(({ verdict }) => verdict.kind === 'gap')).toEqual([])
  },
)
