import { serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { createBudget, LIMITS } from './budget.ts'
import { readDocument } from './document.ts'
import { readPage } from './page.ts'
import { mainProduct, readProducts, variantsOf } from './products.ts'

const URL_OF_PAGE = 'https://shop.example/p/1'
const read = (html: string) => readPage(html, URL_OF_PAGE)
const list = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index))
const repeat = (count: number, each: (index: number) => string) => list(count, each).join('')
const jsonLd = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`

/** As many bytes as a thread sends for it. */
const sizeOf = (value: unknown) => serialize(value).length

/** Longest texts that are kept, in letters of two bytes. */
const LONG = 'ж'.repeat(2_100)
const full = (i: number) => ({
  '@type': 'Product',
  name: `${LONG}${i}`,
  description: LONG,
  image: list(3, () => LONG),
  brand: LONG,
  sku: LONG,
  offers: { '@type': 'Offer', price: LONG, priceCurrency: LONG, availability: LONG },
})
const group = (i: number) => ({
  '@type': 'ProductGroup',
  name: `${i}`,
  hasVariant: { '@id': '#p' },
})

const HOSTILE: [name: string, html: string, reason: RegExp | null][] = [
  [
    'groups that share a variant with a name of 150,000 empty texts',
    jsonLd([
      ...list(990, group),
      { '@type': 'Product', '@id': '#p', name: list(150_000, () => '') },
    ]),
    /2,500 values of one property/,
  ],
  [
    'offers that share a specification',
    jsonLd({
      '@type': 'Product',
      offers: list(400, (i) => ({
        '@type': 'Offer',
        sku: `${i}`,
        priceSpecification: list(40, () => ({ '@id': '#s' })),
      })),
      also: { '@id': '#s', price: 1, priceCurrency: 'EUR' },
    }),
    null,
  ],
  ['gtins', jsonLd({ '@type': 'Product', gtin: list(150_000, () => '1') }), /2,500 values/],
  ['images', jsonLd({ '@type': 'Product', image: list(60_000, () => '/a.jpg') }), /2,500 values/],
  ['products', jsonLd(list(10_000, () => ({ '@type': 'Product' }))), /2,000 products/],
  ['products of many words', jsonLd(list(60, full)), /360,000 characters about its products/],
  [
    'products of few words',
    jsonLd(list(2_000, (i) => ({ '@type': 'Product', offers: { '@type': 'Offer', price: i } }))),
    /2,000 products and offers/,
  ],
  ['organizations', jsonLd(list(3_000, () => ({ '@type': 'Store', name: 'x' }))), /2,000/],
  [
    'spellings',
    jsonLd({ '@type': 'Store', alternateName: list(60, String) }),
    /50 spellings of one name/,
  ],
  ['profiles', jsonLd({ '@type': 'Store', sameAs: list(101, String) }), /100 entries of sameAs/],
  ['nodes', jsonLd(list(30_000, () => ({}))), /20,000 things in its markup/],
  ['600,000 values', jsonLd(`[${'{},'.repeat(600_000)}{}]`), /200,000 values/],
  [
    'nested arrays',
    jsonLd('['.repeat(150_000) + ']'.repeat(150_000)),
    /64 levels of nested JSON-LD/,
  ],
  ['sparse depth', jsonLd('{"a":'.repeat(99_999) + 1 + '}'.repeat(99_999)), /64 levels/],
  [
    'long keys',
    jsonLd({ '@type': 'Product', ...Object.fromEntries(list(20, (i) => [`${i}${LONG}`, {}])) }),
    null,
  ],
  ['giant numbers', jsonLd(`{"@type":"Product","sku":1${'0'.repeat(300_000)}}`), null],
  [
    'broken blocks',
    repeat(2_000, () => jsonLd('{"@type":"Product",}')),
    /50 broken JSON-LD blocks/,
  ],
  ['meta elements', repeat(9_000, (i) => `<meta name=n${i} content=${'x'.repeat(90)}>`), /80,000/],
  ['feeds', repeat(9_000, (i) => `<link rel=alternate href=/${i}>`), /80,000 characters/],
  ['scripts', repeat(9_000, (i) => `<script src=/${i}/attribution.js></script>`), /80,000/],
  ['links', repeat(30_000, (i) => `<a href=/${'x'.repeat(40)}${i}></a>`), null],
  [
    'a policy',
    `<meta http-equiv=content-security-policy content="${'a '.repeat(9_000)}">`,
    /10,000 characters of a Content-Security-Policy/,
  ],
  [
    'a title, a language and an address',
    `<html lang=${LONG}><title>${LONG}</title>${jsonLd({ '@type': 'Product', url: LONG })}`,
    null,
  ],
  ['hidden lines', repeat(30_000, (i) => `<p hidden>AI agents: ${i}${LONG.slice(0, 40)}`), null],
  ['hidden words', `<p hidden>${'ignore all '.repeat(100_000)}`, null],
  ['comments of a style sheet', `<style>${'/*'.repeat(200_000)}</style>`, null],
  [
    'selectors',
    `<style>${repeat(9_000, (i) => `.a${i},.b{display:none}`)}</style><p class=b>x`,
    null,
  ],
  ['prices in one line', `<h1>x</h1>${'9 € '.repeat(100_000)}<button>Buy`, null],
  [
    'controls',
    `<h1>x</h1>${repeat(30_000, (i) => `<p class="old${i}">9 €<button>Sold out</button>`)}`,
    null,
  ],
  ['headings', repeat(30_000, () => '<h1>9 €</h1>'), null],
  ['items', repeat(60_000, () => '<b itemscope>'), /20,000 things/],
  ['ids', repeat(60_000, (i) => `<b id=i${i}>`), /50,000 elements of microdata/],
  [
    'items that share their properties',
    `<div id=all>${repeat(500, () => '<b itemprop=a>x</b>')}</div>${repeat(9_000, () => '<b itemscope itemref=all></b>')}`,
    /200,000 (references|values)/,
  ],
  [
    'texts in texts',
    `<b itemscope>${'<b itemprop=x>'.repeat(400)}${'y z '.repeat(100_000)}`,
    /4,194,304 characters of microdata/,
  ],
]

describe.each(HOSTILE)('%s', (_, html, reason) => {
  const page = read(html)
  test('the page says what was too much', () => {
    if (reason === null) expect(page.truncated).toBeNull()
    else expect(page.truncated).toMatch(reason)
  })
  test('what is kept is small, and goes from thread to thread', () => {
    expect(sizeOf(page)).toBeLessThan(1_000_000)
    expect(structuredClone(page)).toEqual(page)
  })
})

test('an ordinary page of a megabyte keeps well under 100 kB', () => {
  const product = (i: number) => ({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `Mug ${i}`,
    url: `/products/${i}`,
    image: `https://shop.example/${i}.jpg`,
    offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'EUR' },
  })
  const card = (i: number) =>
    `<li><a href="/products/${i}" title="Mug ${i}"><p>Fired twice.</p></a>\n`
  const html = `<title>Mugs</title>${repeat(50, (i) => jsonLd(product(i)))}<script>${'x'.repeat(300_000)}</script><ul>${repeat(13_000, card)}`
  expect(html.length).toBeGreaterThan(1_000_000)
  const page = read(html)
  expect(page.truncated).toBeNull()
  expect(page.products).toHaveLength(50)
  expect(sizeOf(page)).toBeLessThan(80_000)
})

test('a shop with 900 variants is read whole', () => {
  const page = read(
    jsonLd({
      '@type': 'ProductGroup',
      name: 'Boot',
      brand: 'Borealis',
      hasVariant: list(900, (i) => ({
        '@type': 'Product',
        sku: `B-${i}`,
        gtin13: '4006381333931',
        image: `https://shop.example/boot-${i}.jpg`,
        offers: {
          '@type': 'Offer',
          url: `https://shop.example/p/1?variant=${i}`,
          price: '119.90',
          priceCurrency: 'EUR',
          availability: 'https://schema.org/InStock',
        },
      })),
    }),
  )
  expect(page.truncated).toBeNull()
  const product = mainProduct(page)
  expect(product === null ? [] : variantsOf(product)).toHaveLength(900)
})

describe('a node is read once, whatever refers to it', () => {
  const offer = { '@type': 'Offer', priceSpecification: { '@id': '#shared' } }
  test.each([
    ['a variant', 'gtin', (i: number) => ({ ...group(i), hasVariant: { '@id': '#shared' } })],
    [
      'a brand',
      'name',
      (i: number) => ({ '@type': 'Product', name: `x${i}`, brand: { '@id': '#shared' } }),
    ],
    [
      'a specification',
      'price',
      (i: number) => ({ '@type': 'Product', name: `x${i}`, offers: offer }),
    ],
  ])('%s', (_, property, referring) => {
    const shared = { '@type': 'Product', '@id': '#shared', [property]: ['', '1', '2'] }
    const { nodes } = readDocument(jsonLd([...list<unknown>(200, referring), shared]), URL_OF_PAGE)
    const values = nodes.find(({ id }) => id?.endsWith('#shared'))?.props.get(property)
    const counted = countReads(values ?? [])
    const { products } = readProducts(
      nodes,
      { addresses: [URL_OF_PAGE], titles: [], shows: [] },
      createBudget(),
    )
    expect(products.length).toBeGreaterThanOrEqual(200)
    expect(counted.reads()).toBeGreaterThan(0)
    // Once by itself, and once as what others refer to.
    expect(counted.reads()).toBeLessThanOrEqual(2)
  })
})

/** Counts how often a list is iterated. */
function countReads(values: unknown[]): { reads: () => number } {
  let reads = 0
  for (const name of ['find', 'flatMap', Symbol.iterator] as const) {
    const original = values[name]
    Object.defineProperty(values, name, {
      value: (...args: unknown[]) => {
        reads += 1
        return Reflect.apply(original, values, args)
      },
    })
  }
  return { reads: () => reads }
}

test('half a page is known to be half, and its last block is not called broken', () => {
  const html = `${jsonLd({ '@type': 'Product' })}<script type="application/ld+json">{"@type":"Pro`
  expect(readPage(html, URL_OF_PAGE, { isWhole: false })).toMatchObject({
    json_ld_problems: [],
    truncated: expect.stringContaining('characters'),
  })
  expect(readPage(html, URL_OF_PAGE).json_ld_problems).toHaveLength(1)
  const long = `${' '.repeat(LIMITS.characters - 60)}<script type="application/ld+json">{"a":${'1'.repeat(99)}}</script>`
  expect(read(long).json_ld_problems).toEqual([])
})
