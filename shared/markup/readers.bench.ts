import { expect, test } from 'vitest'
import { CHECKS } from '../audit/checks/index.ts'
import { AI_AGENTS } from '../audit/checks/well-known/ai-agents.ts'
import type { CatalogSeen, Evidence } from '../audit/evidence.ts'
import { runRules } from '../audit/rule.ts'
import { inspectAny } from '../manifest/ucp/profile.ts'
import { median } from '../testing/median.ts'
import { blockingDirective } from '../web/http/csp.ts'
import type { Answer, JsonSeen } from '../web/http/fetched.ts'
import { disallowedBy } from '../web/http/robots.ts'
import { findJsonFault } from '../web/json/json-fault.ts'
import { readPage } from './page.ts'

/** Twice the input may cost twice the time, and a little: a quadratic reader costs four times. */
const MAX_RATIO = 2.3
const ROUNDS = 5

const URL_ = 'https://shop.example/p/1'
const list = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index))
const repeat = (count: number, each: (index: number) => string) => list(count, each).join('')
const jsonLd = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`

const answer = (body: string): Answer => ({
  kind: 'answer',
  method: 'GET',
  url: URL_,
  final_url: URL_,
  redirects: [],
  status: 200,
  headers: { 'content-type': 'application/json' },
  body,
  truncated: false,
  ms: 1,
})
const seen = (value: unknown): JsonSeen => ({
  fetched: answer('{}'),
  json: { ok: true, value },
})

/** A page is read and judged by every rule that reads pages alone. */
function judgePage(html: string): void {
  const page = readPage(html, URL_)
  const home = { fetched: answer(''), page }
  const evidence: Partial<Evidence> = {
    site: {
      domain: 'shop.example',
      label: 'shop',
      https: home.fetched,
      http: { kind: 'not_asked', reason: 'https answers' },
    },
    homePage: home,
    productPages: [{ ...home, found_by: 'catalog' }],
  }
  runRules([...CHECKS.schema, ...CHECKS.entity, ...CHECKS.attribution], evidence)
}

function judgeCatalog(products: unknown[]): void {
  const none: JsonSeen = { fetched: { kind: 'not_asked', reason: 'not needed' }, json: null }
  const first = seen({ products })
  const catalog: CatalogSeen = {
    dialect: 'spec',
    endpoint: { url: URL_, declared: true },
    first,
    again: first,
    next: [],
    search: { q: 'lamp', seen: first },
    filters: { params: { category: 'a', min_price: '1', max_price: '2' }, seen: first },
    official: null,
  }
  const page = readPage(
    jsonLd({ '@type': 'Product', offers: { price: 1, priceCurrency: 'EUR' } }),
    URL_,
  )
  runRules(CHECKS.catalog, {
    catalog,
    productPages: [{ fetched: answer(''), page, found_by: 'catalog' }],
    ...none,
  })
}

const profile = (parts: object) => ({
  ucp: { version: '2026-08-25', services: {}, capabilities: {}, payment_handlers: {}, ...parts },
})
const named = (count: number, value: (index: number) => unknown) =>
  Object.fromEntries(list(count, (index) => [`com.a${index}.b`, value(index)]))

/** Each reader with an input of `n` parts, and the first size to measure. */
const READERS: [name: string, parts: number, read: (n: number) => () => void][] = []
const page = (name: string, parts: number, html: (n: number) => string) =>
  READERS.push([
    `page: ${name}`,
    parts,
    (n) => {
      const text = html(n)
      return () => judgePage(text)
    },
  ])

page('groups of one product', 450, (n) =>
  jsonLd([
    { '@type': 'Product', '@id': '#p', name: list(2_000, () => ''), gtin: list(2_000, String) },
    ...list(n, () => ({ '@type': 'ProductGroup', hasVariant: { '@id': '#p' } })),
  ]),
)
page('products of one brand', 450, (n) =>
  jsonLd([
    { '@type': 'Brand', '@id': '#b', name: list(2_000, () => ({})) },
    ...list(n, () => ({ '@type': 'Product', name: 'a', brand: { '@id': '#b' } })),
  ]),
)
page('offers with one specification', 450, (n) =>
  jsonLd({
    '@type': 'Product',
    name: 'a',
    offers: list(n, () => ({ '@type': 'Offer', priceSpecification: { '@id': '#s' } })),
    also: { '@id': '#s', price: list(2_000, () => ''), priceCurrency: 'EUR' },
  }),
)
page('offers of one aggregate', 450, (n) =>
  jsonLd([
    { '@type': 'AggregateOffer', '@id': '#a', offers: list(2_000, () => ({ '@type': 'Demand' })) },
    ...list(n, () => ({ '@type': 'Product', offers: { '@id': '#a' } })),
  ]),
)
page('prices and buttons', 20_000, (n) => repeat(n, (i) => `<p>$ ${i}<button>Add to cart</button>`))
page('cards', 20_000, (n) =>
  repeat(n, (i) => `<li><a href=/${i}><img></a><h3>${i}</h3>$ ${i}<button>Add to cart</button>`),
)
page('cards in each other', 20_000, (n) =>
  repeat(n, (i) => `<div><li><a href=/${i}>${i}</a>$ ${i}<p class=stock><button>Add to cart`),
)
page(
  'links before a control',
  40_000,
  (n) => `${repeat(n, (i) => `<a href=/${i}>${i}</a>`)}$ 1<button>Buy now`,
)
page('open buttons', 60_000, (n) => `<h1>${repeat(n, () => '<a>')}`)
page('digits', 400_000, (n) => `<p>${repeat(n, () => '1 ')}€`)
page('a long control', 150_000, (n) => `<button>${repeat(n, () => 'buy ')}`)
page('parts of a heading', 60_000, (n) => `<h1>${repeat(n, (i) => `<b>${i}</b>`)}</h1>`)
page('empty names', 60_000, (n) => jsonLd({ '@type': 'Product', name: list(n, () => '') }))
page('gtins', 60_000, (n) => jsonLd({ '@type': 'Product', gtin: list(n, (i) => `x${i}`) }))
page('gtins that are kept', 1_000, (n) =>
  jsonLd({ '@type': 'Product', gtin: list(n, (i) => `${i}`) }),
)
page('images', 60_000, (n) => jsonLd({ '@type': 'Product', image: list(n, (i) => `/${i}.jpg`) }))
page('many nodes', 8_000, (n) => jsonLd(list(n, (i) => ({ '@type': 'Product', name: `a${i}` }))))
page('many organizations', 900, (n) =>
  jsonLd(list(n, (i) => ({ '@type': 'Organization', name: `Shop${i} of words` }))),
)
page('many properties', 4_000, (n) =>
  jsonLd(`{"@type":"Product",${list(n, (i) => `"a${i}":1`).join()}}`),
)
page('properties of one variant', 450, (n) =>
  jsonLd([
    {
      '@type': 'Product',
      '@id': '#p',
      ...Object.fromEntries(list(2_000, (i) => [`a${i}`, 1])),
    },
    ...list(n, () => ({ '@type': 'ProductGroup', hasVariant: { '@id': '#p' } })),
  ]),
)
page('mentions in a deep place', 8_000, (n) => {
  const key = 'k'.repeat(60)
  const open = `{"${key}":`.repeat(60)
  return jsonLd(
    `${open}{"itemListElement":[${list(Math.min(n, 20_000), () => '{"@type":"Product"}').join()}]}${'}'.repeat(60)}`,
  )
})
page('deep nesting', 60_000, (n) => jsonLd(`${'{"a":'.repeat(n)}1${'}'.repeat(n)}`))
page('circles of @id', 4_000, (n) =>
  jsonLd(
    list(n, (i) => ({
      '@id': `#${i}`,
      '@type': 'Product',
      isVariantOf: { '@id': `#${(i * 7) % n}` },
      offers: { '@id': `#${(i + 1) % n}` },
    })),
  ),
)
page('one @id for many', 8_000, (n) =>
  jsonLd(list(n, (i) => ({ '@id': '#a', '@type': 'Thing', [`a${i}`]: i }))),
)
page('broken blocks', 4_000, (n) => repeat(n, () => jsonLd('{"@type":"Product",}')))
page('slashes in an address', 100_000, (n) =>
  jsonLd({ '@type': 'Product', url: `/${'/'.repeat(n)}x` }),
)
page('attributes', 10_000, (n) => `<div itemscope ${list(n, (i) => `a${i}=1`).join(' ')}>`)
page('links and scripts', 10_000, (n) =>
  repeat(n, (i) => `<link rel=alternate href=/f${i}><script src=/${i}/attribution.js></script>`),
)
page(
  'microdata, wide',
  8_000,
  (n) =>
    `<div itemscope itemtype=http://schema.org/Product>${repeat(n, (i) => `<b itemprop=name>${i}</b>`)}</div>`,
)
page('microdata, deep', 8_000, (n) =>
  '<div itemscope itemprop=a itemtype=http://schema.org/Product>'.repeat(n),
)
page(
  'microdata, itemref',
  4_000,
  (n) =>
    `<div id=all>${repeat(20, () => '<b itemprop=name> x </b>')}</div>${repeat(n, () => '<b itemscope itemtype=http://schema.org/Product itemref=all></b>')}`,
)
page(
  'microdata, one long text',
  4_000,
  (n) =>
    `<div id=t itemprop=name>${'a '.repeat(10_000)}</div>${repeat(n, () => '<b itemscope itemtype=http://schema.org/Product itemref=t></b>')}`,
)
page(
  'microdata, names of a property',
  8_000,
  (n) => `<div itemscope>${repeat(n, (i) => `<b itemprop="a${i} b${i} c d">x</b>`)}</div>`,
)

page(
  'RDFa, wide',
  8_000,
  (n) =>
    `<div vocab=https://schema.org/ typeof=Product>${repeat(n, (i) => `<b property=name>${i}</b>`)}</div>`,
)
page('RDFa, deep', 8_000, (n) =>
  '<div vocab=https://schema.org/ property=isRelatedTo typeof=Product>'.repeat(n),
)
page(
  'RDFa, references to one resource',
  8_000,
  (n) =>
    `<div vocab=https://schema.org/ typeof=Product resource=#p>${repeat(n, () => '<b resource=#p><i property=offers resource=#p></i></b>')}</div>`,
)
page('RDFa, prefixes', 8_000, (n) => repeat(n, (i) => `<b prefix="p${i}: https://schema.org/">`))
page('siblings of one name', 600, (n) =>
  jsonLd(list(n, (i) => ({ '@type': 'Product', name: 'Boot', sku: `${i}`, offers: { price: i } }))),
)
page(
  'prices of two voices',
  400,
  (n) =>
    `${repeat(n, (i) => `<meta property=product:price:amount content=${i}.5><meta property=product:ean content=${4006381333931 + i}>`)}${jsonLd({ '@type': 'Product', name: 'Boot', offers: list(n, (i) => ({ price: i, gtin: `${1006381333931 + i}` })) })}`,
)
page('retired vocabularies', 8_000, (n) =>
  repeat(n, () => '<b class="a hproducts b" typeof="gr:Offering" itemtype=x>'),
)

const robots = (name: string, parts: number, line: (index: number) => string) =>
  READERS.push([
    `robots: ${name}`,
    parts,
    (n) => {
      const text = `User-agent: *\n${repeat(n, line)}`
      const urls = list(5, (i) => `https://shop.example/${'a/'.repeat(100)}${i}`)
      return () => disallowedBy(text, AI_AGENTS, urls)
    },
  ])
robots('wildcards', 800, (i) => `Disallow: /${'*a'.repeat(120)}b${i}\n`)
robots('long wildcards', 800, (i) => `Disallow: /*${'a/'.repeat(100)}x${i}\n`)
robots('many agents', 10_000, () => 'User-agent: a\nAllow: /a\n')
robots(
  'agents that share their lines',
  2_000,
  (i) =>
    `${AI_AGENTS.map(({ token }) => `User-agent: ${token}\n`)
      .join('')
      .slice(0, 100)}\nDisallow: /${i}\n`,
)

const manifest = (name: string, parts: number, document: (n: number) => unknown) =>
  READERS.push([
    `manifest: ${name}`,
    parts,
    (n) => {
      const read = document(n)
      return () => inspectAny(read, { domain: 'shop.example' })
    },
  ])
manifest('capabilities', 4_000, (n) =>
  profile({
    capabilities: named(n, (i) => [
      { version: '2026-08-25', schema: 'https://x', extends: `com.a${i + 1}.b` },
    ]),
  }),
)
manifest('services', 4_000, (n) =>
  profile({ services: named(n, () => [{ transport: 'rest', endpoint: 'http://x' }]) }),
)
manifest('one list of bad values', 20_000, (n) =>
  profile({ capabilities: { 'com.a.b': [{ extends: list(n, () => 1) }] } }),
)
manifest('equal values', 10_000, (n) =>
  profile({
    payment_handlers: {
      'com.a.b': [
        {
          id: 'a',
          version: '2026-08-25',
          available_instruments: [
            {
              type: 'card',
              constraints: { properties: { a: { enum: list(n, (i) => ({ b: i })) } } },
            },
          ],
        },
      ],
    },
  }),
)
manifest('methods of payment', 20_000, (n) => ({
  version: '1.0',
  capabilities: { checkout: { supported_payment_methods: list(n, (i) => `method ${i}`) } },
}))

const catalog = (name: string, parts: number, products: (n: number) => unknown[]) =>
  READERS.push([
    `catalog: ${name}`,
    parts,
    (n) => {
      const read = products(n)
      return () => judgeCatalog(read)
    },
  ])
catalog('{}', 500, (n) => list(n, () => ({})))
catalog('{}, beyond what is judged', 50_000, (n) => list(n, () => ({})))
catalog('variants', 20_000, (n) => [{ id: 'a', name: 'a', variants: list(n, (i) => ({ id: i })) }])
catalog('products of one page', 400, (n) =>
  list(n, (i) => ({
    id: `${i}`,
    name: 'a',
    url: URL_,
    price: { amount: i + 1000, currency: 'EUR' },
  })),
)
catalog('keys', 5_000, (n) => [Object.fromEntries(list(n, (i) => [`k${i}`, 1]))])

READERS.push([
  'json: what is wrong',
  200_000,
  (n) => {
    const text = `[${'1,'.repeat(n)}]`
    return () => findJsonFault(text)
  },
])
READERS.push([
  'csp: sources',
  20_000,
  (n) => {
    const policy = `script-src ${repeat(n, (i) => `h${i}.example `)}`
    return () => blockingDirective(policy, { url: '/a.js', nonce: null, integrity: null }, URL_)
  },
])

/** How much work is measured in one go: the clock of CPU time is coarse. */
const LEAST_MS = 80

/** Milliseconds of this thread's work, as other programs may share the machine. */
function cpuOf(work: () => void, times: number): number {
  const before = process.threadCpuUsage()
  for (let round = 0; round < times; round++) work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / times
}

test.each(READERS)('%s: twice the input costs at most 2.3 times', (name, parts, read) => {
  const [once, twice] = [read(parts), read(parts * 2)]
  cpuOf(twice, 2)
  const times = Math.ceil(LEAST_MS / Math.max(cpuOf(once, 3), 0.05))
  // The minimum of each: the rest was the compiler's work, or the collector's. What still looks too
  // steep is measured again: a reader that is steep always is.
  let [half, whole, ratio] = [0, 0, Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < 3 && !(ratio < MAX_RATIO); attempt += 1) {
    const rounds = list(ROUNDS, () => [cpuOf(once, times), cpuOf(twice, times)] as const)
    half = Math.min(...rounds.map(([each]) => each))
    whole = Math.min(...rounds.map(([, each]) => each))
    ratio = whole / half
  }
  process.stdout.write(
    `${name}: ${whole.toFixed(1)} ms for ${parts * 2}, ${ratio.toFixed(2)} of half\n`,
  )
  expect(ratio).toBeLessThan(MAX_RATIO)
})

test('a page of 2 MB costs no more by the kilobyte than one of 30 kB', () => {
  const card = (n: number) =>
    `<li class="card" data-id="${n}"><a href="/about/${n}" title="Mug &amp; saucer"><img src="/${n}.jpg" alt="Mug" width="300" height="300"><h3>Mug ${n}</h3><p>Fired twice, glazed by hand.</p></a></li>\n`
  const costs = [30, 120, 500, 2_000].map((kB) => {
    const html = `<title>Mugs</title><ul>${repeat(Math.round((kB * 1000) / card(1000).length), card)}</ul>`
    const runs = list(Math.max(5, Math.round(2_000 / kB)), () => {
      const { user, system } = process.cpuUsage()
      judgePage(html)
      const used = process.cpuUsage()
      return (used.user + used.system - user - system) / (html.length / 1000)
    })
    const micros = median(runs)
    process.stdout.write(`${kB} kB: ${micros.toFixed(0)} µs of processor per kB\n`)
    return micros
  })
  expect(costs.at(-1)! / costs[0]!).toBeLessThan(1.5)
})
