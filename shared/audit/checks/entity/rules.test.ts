import { describe, expect, test } from 'vitest'
import { readPage } from '../../../markup/page.ts'
import type { Fetched } from '../../../web/http/fetched.ts'
import { runRules } from '../../rule.ts'
import { entityRules } from './rules.ts'

const block = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const unasked: Fetched = { kind: 'not_asked', reason: 'not needed' }
const site = {
  domain: 'www.aisle-shop.example',
  label: 'aisle-shop',
  https: unasked,
  http: unasked,
}

const judge = (html: string | null) =>
  runRules(entityRules, {
    site,
    homePage: {
      fetched: unasked,
      page: html === null ? null : readPage(html, 'https://www.aisle-shop.example/'),
    },
  })
const gapsOf = (html: string) =>
  judge(html).flatMap(({ rule, verdict }) =>
    verdict.kind === 'gap' ? [[rule.gap, verdict.detail]] : [],
  )

const shop = {
  '@type': 'OnlineStore',
  '@id': '#shop',
  name: 'Aisle Shop',
  url: 'https://aisle-shop.example/',
  logo: { '@type': 'ImageObject', url: 'https://aisle-shop.example/logo.png' },
  sameAs: ['https://social.example/aisle'],
}
const website = { '@type': 'WebSite', name: 'Aisle Shop', publisher: { '@id': '#shop' } }
const whole = (changes: object = {}, ...more: object[]) =>
  block({ '@graph': [website, { ...shop, ...changes }, ...more] })

test('a consistent home page passes every rule', () => {
  const html = `${whole()}<title>Boots and more | Aisle</title><meta property="og:site_name" content="Aisle">`
  expect(judge(html).map(({ verdict }) => verdict.kind)).toEqual(entityRules.map(() => 'pass'))
})

test.each([
  [
    'brand_name_inconsistent',
    `${whole()}<meta property="og:site_name" content="Borealis">`,
    '"Borealis"',
  ],
  [
    'brand_name_inconsistent',
    whole({ name: 'Borealis' }),
    'WebSite name (JSON-LD block 1, $.@graph[0]) "Aisle Shop"',
  ],
  ['organization_missing', block(website), 'describes no Organization'],
  [
    'organization_missing',
    `${block(website)}<script type=application/ld+json>{"@type":"Organization",}</script>`,
    'JSON-LD block 2 is not valid JSON: trailing comma',
  ],
  [
    'organization_url_mismatch',
    whole({ url: 'https://borealis.example/' }),
    'url is "https://borealis.example/"',
  ],
  [
    'organization_name_missing',
    `<title>Aisle</title>${block({ ...shop, name: '' })}`,
    'name is missing (JSON-LD block 1, $ of https://www.aisle-shop.example/)',
  ],
  [
    'organization_missing',
    // A seller that the template does not call one.
    `<p itemscope itemtype="https://schema.org/Product"><b itemprop=offers itemscope itemtype="https://schema.org/Offer"><i itemscope itemtype="https://schema.org/Organization"><u itemprop=name>Aisle</u></i></b></p>`,
    'describes an Organization only as part of something else',
  ],
  [
    'organization_logo_invalid',
    `<p itemscope itemtype="https://schema.org/Organization"><b itemprop=name>Aisle</b><i itemprop=logo><svg></svg></i></p>`,
    'logo has no address (microdata at line 1, column ',
  ],
  ['organization_logo_invalid', whole({ logo: undefined }), 'logo is missing'],
  ['organization_logo_invalid', whole({ logo: '/logo.png' }), 'logo is "/logo.png"'],
  [
    'organization_logo_invalid',
    whole({ logo: 'http://aisle-shop.example/l.png' }),
    'expected an absolute https URL',
  ],
  [
    'organization_same_as_invalid',
    whole({ sameAs: ['https://social.example/a', ''] }),
    'an empty entry',
  ],
  ['organization_same_as_invalid', whole({ sameAs: [null] }), 'an empty entry'],
  [
    'organization_same_as_invalid',
    whole({ sameAs: 'aisle' }),
    '"aisle", which is not an absolute URL',
  ],
  [
    'organization_same_as_invalid',
    whole({ sameAs: ['https://aisle-shop.example/about'] }),
    "the shop's own site",
  ],
  [
    'organization_names_conflict',
    whole({}, { '@type': 'Organization', name: 'Borealis' }),
    '"Aisle Shop" (JSON-LD block 1, $.@graph[1]) and "Borealis"',
  ],
])('%s: %s', (id, html, detail) => {
  const gaps = gapsOf(html)
  expect(gaps.map(([gap]) => gap)).toEqual([id])
  expect(gaps[0]?.[1]).toContain(detail)
})

/** What home pages show of other organizations, each of which has made it. */
const others = [
  { '@type': 'Review', author: { '@type': 'Organization', name: 'Borealis' } },
  { '@type': 'VideoObject', publisher: { '@type': 'Organization', name: 'Borealis' } },
  { '@type': 'SoftwareApplication', creator: { '@type': 'Organization', name: 'Borealis' } },
  { '@type': 'ImageObject', copyrightHolder: { '@type': 'Organization', name: 'Borealis' } },
]

test.each(others)('the organization of another thing is not the shop: %j', (other) => {
  const [first, ...more] = gapsOf(block({ '@graph': [website, other] }))
  expect(first).toEqual(['organization_missing', expect.stringContaining('part of something else')])
  expect(more).toEqual([])
})

describe('no gap', () => {
  test.each([
    [
      'an alternate name',
      `${whole({ alternateName: 'Borealis' })}<meta property=og:site_name content=Borealis>`.replace(
        '"WebSite"',
        '"Thing"',
      ),
    ],
    ['a slogan as title', `${whole()}<title>Everything for mountains</title>`],
    ['another script', `${whole()}<meta property=og:site_name content=Айсл>`],
    ['another country', whole({ url: 'https://aisle-shop.test/' })],
    ['a subdomain', whole({ url: 'https://de.aisle-shop.example/' })],
    [
      'the maker of a product',
      whole({}, { '@type': 'Product', brand: { '@type': 'Organization', name: 'Borealis' } }),
    ],
    ['the parent', whole({ parentOrganization: { '@type': 'Organization', name: 'Borealis' } })],
    ['a branch', whole({}, { '@type': 'ShoeStore', name: 'Borealis Berlin' })],
    ['no sameAs', whole({ sameAs: undefined })],
    ...others.map((other): [string, string] => [`another's ${other['@type']}`, whole({}, other)]),
    ['a review of the shop', whole({ review: others[0] })],
    [
      'a review in microdata',
      `${whole()}<q itemscope itemtype="https://schema.org/Review"><i itemprop=author itemscope itemtype="https://schema.org/Organization"><b itemprop=name>Borealis</b></i></q>`,
    ],
    [
      'a shop that its page and an article name',
      whole(
        { '@id': '#other' },
        { '@type': 'BlogPosting', publisher: { '@id': '#other' } },
        { '@type': 'WebPage', about: { '@id': '#other' } },
      ),
    ],
    [
      'a shop that an article alone names',
      block({
        '@graph': [{ '@type': 'BlogPosting', publisher: { '@id': '#shop' } }, shop],
      }),
    ],
  ])('%s', (_, html) => {
    expect(gapsOf(html)).toEqual([])
  })
})

test.each(
  'HobbyShop TireShop CafeOrCoffeeShop BarOrPub Distillery Hotel AutoRepair MusicGroup NGO OnlineMarketplace'.split(
    ' ',
  ),
)('a %s is an Organization', (type) => {
  expect(gapsOf(whole({ '@type': type }))).toEqual([])
})

test('a place that nobody runs is none', () => {
  // A Museum is a building in schema.org: https://schema.org/Museum.
  expect(gapsOf(whole({ '@type': 'Museum' })).map(([gap]) => gap)).toEqual(['organization_missing'])
})

test('a home page that could not be read is judged by none', () => {
  for (const { verdict } of judge(null)) {
    expect(verdict).toMatchObject({
      kind: 'skip',
      reason: 'the home page could not be read: not needed',
    })
  }
})

test.each([
  ['an organization', whole(), ['organization_missing']],
  ['nothing', '', []],
  ['two names', whole({}, { '@type': 'Organization', name: 'Borealis' }), ['organization_missing']],
])('a page with %s that could not be read completely has no gap', (_, html, passed) => {
  const verdicts = judge(`${html}${'<div>'.repeat(600)}`)
  for (const { rule, verdict } of verdicts) {
    if (rule.gap !== null && passed.includes(rule.gap)) expect(verdict.kind).toBe('pass')
    else {
      expect(verdict).toMatchObject({
        kind: 'skip',
        reason: expect.stringMatching(/could not be read completely: it has more than 512/),
      })
    }
  }
})
