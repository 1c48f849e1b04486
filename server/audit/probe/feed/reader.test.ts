import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noOptIns } from '../../../../shared/audit/checks/feed/opt-ins.ts'
import type { FeedItem } from '../../../../shared/commerce/feed.ts'
import { anyText } from '../../../../shared/testing/any-text.ts'
import { type FeedState, feedOf } from './format.ts'
import { readFeedPart } from './reader.ts'

const NS = 'xmlns:g="http://base.google.com/ns/1.0"'

/** In parts, each of which is copied as between two workers. */
function readWhole(text: string, { size = 1000, cut = false } = {}) {
  let state: FeedState | null = null
  const items: FeedItem[] = []
  for (let at = 0; at === 0 || at < text.length; at += size) {
    const isLast = at + size >= text.length
    const followed = isLast ? (cut ? 'cut' : 'end') : 'more'
    const part = readFeedPart(structuredClone(state), text.slice(at, at + size), followed)
    state = part.state
    items.push(...part.items)
    if (state.done) break
  }
  return feedOf(state!, items, null)
}

/** What the reader says of the text, without what the rules of a vendor say of its rows. */
function read(text: string, options = {}) {
  const { kind, items, problem } = readWhole(text, options)
  return { kind, items, problem }
}

const TENT: FeedItem = {
  row: 1,
  id: 'T-1',
  title: 'Tent & tarp',
  description: 'Two people, three seasons.',
  link: 'https://shop.example/p/tent',
  image_link: 'https://shop.example/tent.jpg',
  availability: 'in_stock',
  price: '249.00 EUR',
  sale_price: '199.00 EUR',
  brand: 'Fjell',
  gtin: '4006381333931',
  mpn: 'FJ-2',
}

const RSS = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" ${NS}><channel><title>Shop</title><link>https://shop.example</link>
<item><title>Tent &amp; tarp</title><description><![CDATA[Two people, three seasons.]]></description>
<link>https://shop.example/p/tent</link><guid>999</guid><g:id>T-1</g:id>
<g:image_link> https://shop.example/tent.jpg </g:image_link><g:availability>in_stock</g:availability>
<g:shipping><g:country>DE</g:country><g:price>4.90 EUR</g:price></g:shipping>
<g:price>249.00 EUR</g:price><g:sale_price>199.00 EUR</g:sale_price><g:brand>Fjell</g:brand>
<g:gtin>4006381333931</g:gtin><g:mpn>FJ-2</g:mpn><g:condition></g:condition></item>
</channel></rss>
`

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom" ${NS}><title>Shop</title>
<entry><title>Tent &amp; tarp</title><link rel="self" href="/x"/><link href="https://shop.example/p/tent"/>
<summary>Two people, three seasons.</summary><id>tag:other</id><g:id>T-1</g:id>
<g:image_link>https://shop.example/tent.jpg</g:image_link><g:availability>in_stock</g:availability>
<g:price>249.00 EUR</g:price><g:sale_price>199.00 EUR</g:sale_price><g:brand>Fjell</g:brand>
<g:gtin>4006381333931</g:gtin><g:mpn>FJ-2</g:mpn></entry></feed>`

const HEADER =
  'id title description link image_link availability price sale_price brand gtin mpn'.split(' ')
const CELLS = [
  'T-1',
  'Tent & tarp',
  'Two people, three seasons.',
  'https://shop.example/p/tent',
  'https://shop.example/tent.jpg',
  'in_stock',
  '249.00 EUR',
  '199.00 EUR',
  'Fjell',
  '4006381333931',
  'FJ-2',
]

describe('the forms of a Merchant Center feed', () => {
  test.each([
    ['RSS', 'rss', RSS],
    ['Atom', 'atom', ATOM],
    ['RSS with another prefix', 'rss', RSS.replaceAll(/\bg([:=])/g, 'gm$1')],
    ['RSS without a declaration', 'rss', RSS.replace(NS, '')],
    [
      'RSS with Google’s namespace as the default one',
      'rss',
      RSS.replace('xmlns:g', 'xmlns').replaceAll('g:', ''),
    ],
    ['TSV', 'tsv', `${HEADER.join('\t')}\r\n${CELLS.join('\t')}\r\n`],
    ['CSV', 'csv', `${HEADER.join(',')}\n${CELLS.map((cell) => `"${cell}"`).join(',')}\n`],
    [
      'TSV with a byte order mark and names as people write them',
      'tsv',
      `\uFEFF${HEADER.map((name) => `"${name.replace('_', ' ').toUpperCase()}"`).join('\t')}\n${CELLS.join('\t')}`,
    ],
    [
      'CSV under OpenAI’s names',
      'csv',
      `${HEADER.map((name) => ({ id: 'item_id', link: 'url', image_link: 'image_url' })[name] ?? name).join(';')}\n${CELLS.join(';')}`,
    ],
  ])('%s', (_, kind, text) => {
    const whole = { kind, items: [TENT], problem: null }
    expect(read(text)).toEqual(whole)
    expect(read(text, { size: 1 })).toEqual(whole)
  })

  test('an absent and an empty value are null', () => {
    const [item] = read(`<rss ${NS}><item><g:id>1</g:id><g:title> </g:title></item></rss>`).items
    expect(item).toMatchObject({ id: '1', title: null, price: null })
  })

  test('a quoted cell holds delimiters, line ends and quotation marks', () => {
    const { items } = read('id,title,price\n1,"a, ""b""\nc",5 EUR\n2,5" pipe,6 EUR\n')
    expect(items.map(({ title }) => title)).toEqual(['a, "b"\nc', '5" pipe'])
  })
})

const SHOPIFY = JSON.stringify({
  products: [
    {
      id: 1,
      title: 'Tent',
      handle: 'tent',
      body_html: '<p>Dry</p>',
      vendor: 'Fjell',
      images: [{ src: 'https://cdn.shopify.com/t.jpg' }],
      variants: [
        { id: 11, title: 'Red', price: '249.00', available: true, sku: 'R' },
        { id: 12, title: 'Blue', price: '259.00', available: false, featured_image: { src: 'b' } },
      ],
    },
    { id: 2, title: 'Mug', handle: 'mug', variants: [{ id: 21, title: 'Default Title' }] },
  ],
})

const woo = (prices: unknown, more: object = {}) =>
  read(JSON.stringify([{ id: 5, name: 'Mug', prices, ...more }])).items[0]

describe('the product lists of platforms', () => {
  test('Shopify: an item per variant', () => {
    const { kind, items } = read(SHOPIFY)
    expect(kind).toBe('shopify')
    const first = { id: '11', title: 'Tent - Red', link: '/products/tent', brand: 'Fjell' }
    expect(items).toMatchObject([
      {
        ...first,
        price: '249.00',
        availability: 'in_stock',
        image_link: expect.stringMatching('t'),
      },
      { id: '12', availability: 'out_of_stock', image_link: 'b', row: 2 },
      { id: '21', title: 'Mug', description: null, price: null, availability: null },
    ])
  })

  test('WooCommerce: prices in units of its own', () => {
    const text = JSON.stringify([
      {
        id: 5,
        name: 'Mug',
        permalink: 'https://w.example/mug/',
        description: '',
        short_description: 'Blue',
        images: [{ src: 'https://w.example/m.jpg' }],
        is_in_stock: true,
        brands: [{ name: 'Fjell' }],
        prices: { price: '995', currency_code: 'EUR', currency_minor_unit: 2 },
      },
    ])
    expect(read(text)).toMatchObject({
      kind: 'woocommerce',
      items: [{ id: '5', price: '9.95 EUR', description: 'Blue', brand: 'Fjell' }],
    })
  })

  test.each([
    [{ price: '5', currency_code: 'EUR', currency_minor_unit: 2 }, '0.05 EUR'],
    [{ price: '20', currency_code: 'EUR', currency_minor_unit: 0 }, '20 EUR'],
    [{ price: '1500', currency_code: 'KWD', currency_minor_unit: 3 }, '1.500 KWD'],
    [{ price: '', currency_code: 'EUR', currency_minor_unit: 2 }, null],
    [{ price: '5', currency_code: 'EUR', currency_minor_unit: 1e9 }, null],
  ])('WooCommerce: %j', (prices, price) => {
    expect(woo(prices)?.price).toBe(price)
  })

  test('WooCommerce: back orders', () => {
    expect(woo({}, { is_in_stock: true, is_on_backorder: true })?.availability).toBe('backorder')
    expect(woo({}, { is_in_stock: false })?.availability).toBe('out_of_stock')
  })
})

describe('what is no product feed', () => {
  test.each([
    ['nothing', ''],
    ['white space', ' \n'.repeat(10_000)],
    ['a page', '<!doctype html><html><head><title>Not found</title></head></html>'],
    ['a page without doctype', '<html><body><item><g:id>1</g:id></item></body></html>'],
    ['a blog', RSS.replace(NS, '').replaceAll(/<g:.*?>|<\/g:.*?>/g, '')],
    ['a sitemap', '<urlset><url><loc>https://shop.example/</loc></url></urlset>'],
    ['a broken blog', '<rss><channel><item><title>a</item>'],
    ['words', 'Not found'],
    ['a table of something else', 'name,age\nAda,36\n'],
    ['another JSON', '{"products":[{"name":"Tent"}]}'],
    ['an empty Shopify list', '{"products":[]}'],
    ['broken JSON', '{"products":[{"variants":[]'],
    ['a list of nothing', '[null]'],
    ['more values than are read', SHOPIFY.replace('{', `{"more":[${'0,'.repeat(200_000)}0],`)],
  ])('%s', (_, text) => {
    expect(read(text)).toMatchObject({ kind: null, items: [], problem: null })
  })
})

describe('faults', () => {
  const half = RSS.replace('</item>', '</item><item><g:id>T-2</g:id><g:im')

  test('XML that ends within a tag keeps what came before, and says where', () => {
    const { kind, items, problem } = read(half.slice(0, half.lastIndexOf('<g:im') + 5))
    expect({ kind, items }).toEqual({ kind: 'rss', items: [TENT] })
    expect(problem).toMatch(/^line 8, column \d+: unclosed tag: item, which begins in line 8$/)
  })

  test('before its first item ends, its namespace tells what it was', () => {
    expect(read(RSS.slice(0, RSS.indexOf('<g:id>')))).toMatchObject({
      kind: 'rss',
      items: [],
      problem: expect.stringMatching('unclosed tag'),
    })
  })

  test.each([
    [
      'an unescaped ampersand',
      RSS.replace('&amp;', '&'),
      /unclosed tag: title, which begins in line 3$/,
    ],
    ['an entity of HTML', RSS.replace('&amp;', '&nbsp;'), /^line 3, column \d+: undefined entity/],
    [
      'a blank line before the declaration',
      `\n${RSS}`,
      /^line 2, column \d+: an XML declaration must be at the start of the document$/,
    ],
    ['a second root', `${RSS}<b/>`, /root/],
    ['a wrong end tag', RSS.replace('</g:mpn>', '</g:mpm>'), /unexpected close tag/],
  ])('%s is a problem', (_, text, problem) => {
    expect(read(text).problem).toMatch(problem)
  })

  test('a list of products that is spread over lines, in the smallest parts', () => {
    const text = JSON.stringify(JSON.parse(SHOPIFY), null, 2)
    expect(read(text, { size: 1 })).toEqual(read(SHOPIFY))
  })

  test('a list of products that is not closed', () => {
    const { kind, items, problem } = read(SHOPIFY.slice(0, -2))
    expect({ kind, rows: items.length }).toEqual({ kind: 'shopify', rows: 3 })
    expect(problem).toBe('its list of products is not closed after product 2')
  })

  test('a quotation mark that is never closed', () => {
    const { items, problem } = read('id,title\n1,a\n2,"b\n3,c\n')
    expect(items).toHaveLength(1)
    expect(problem).toMatch(/quote/i)
  })

  test('an end that is ours is no fault', () => {
    const csv = 'id,title\n1,a\n2,"b\n3,c\n4,d'
    expect(read(half.slice(0, half.lastIndexOf('<g:im') + 5), { cut: true })).toMatchObject({
      items: [TENT],
      problem: null,
    })
    expect(read(csv, { cut: true })).toMatchObject({ items: [{ id: '1' }], problem: null })
  })
})

describe('every row of a feed is judged, whatever its length', () => {
  const ROWS = 3_000
  const numbers = Array.from({ length: ROWS }, (_, index) => index + 1)
  const availability = (n: number) => (n % 10 === 0 ? 'sold out' : 'in_stock')
  const values = (n: number): Record<string, string> => ({
    id: `T-${n}`,
    title: `Tent ${n} & "tarp"`,
    description: 'Two people, three seasons.\nDry.',
    link: `https://shop.example/p/${n}`,
    image_link: 'https://shop.example/tent.jpg',
    availability: availability(n),
    price: '249.00 EUR',
    brand: 'Fjell',
    mpn: `FJ-${n}`,
  })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const escaped = (text: string) => text.replaceAll('&', '&amp;')
  const NAMES = Object.keys(values(1))
  const table = (by: string) =>
    `${NAMES.join(by)}\r\n${numbers.map((n) => `${Object.values(values(n)).map(quoted).join(by)}\r\n`).join('')}`
  const openai = (n: number) => {
    const { id, link, image_link, ...rest } = values(n)
    return { item_id: id, url: link, image_url: image_link, seller_name: 'Fjell', ...rest }
  }
  const element = ([name, value]: [string, string]) => `<g:${name}>${escaped(value)}</g:${name}>`
  const items = (tag: string) =>
    numbers.map((n) => `<${tag}>${Object.entries(values(n)).map(element).join('\n')}</${tag}>\n`)

  test.each([
    ['RSS', 'google', `<rss ${NS}><channel>${items('item').join('')}</channel></rss>`],
    ['Atom', 'google', `<feed ${NS}>${items('entry').join('')}</feed>`],
    ['TSV', 'google', table('\t')],
    ['CSV', 'google', table(',')],
    ['JSON Lines', 'openai', numbers.map((n) => `${JSON.stringify(openai(n))}\n`).join('')],
    ['a JSON list', 'openai', JSON.stringify(numbers.map(openai))],
  ])('%s', (_, vendor, text) => {
    for (const size of [7_001, text.length]) {
      const feed = readWhole(text, { size })
      expect(feed).toMatchObject({ vendor, problem: null, cut: null })
      expect(feed.tally).toEqual({
        rows: ROWS,
        incomplete: 0,
        with_gtin: 0,
        with_id: ROWS,
        faults: [
          {
            field: 'availability',
            kind: 'invalid',
            expected: expect.stringMatching('in_stock'),
            count: ROWS / 10,
            examples: [10, 20, 30].map((n) => ({ row: n, id: `T-${n}`, value: 'sold out' })),
          },
        ],
        opt_ins: {
          ...noOptIns(),
          ...(vendor === 'openai' && { search: ROWS, search_ready: ROWS - ROWS / 10 }),
        },
      })
    }
  })

  test('what is kept between two parts does not grow with the feed', () => {
    const sizes = [1, 10].map((times) => {
      const rows = numbers.flatMap((n) =>
        Array.from({ length: times }, (_, k) => openai(n * 100 + k)),
      )
      const part = readFeedPart(null, JSON.stringify(rows), 'more')
      const { ids, variants, ...tally } = part.state.tally
      expect(part.items).toHaveLength(200)
      for (const { size, tables } of [ids, variants]) {
        expect(size).toBeLessThanOrEqual(16_384)
        const bytes = tables.reduce((sum, { byteLength }) => sum + byteLength, 0)
        expect(bytes).toBeLessThan(16_384 * 16)
      }
      return JSON.stringify({ ...part.state, tally }).length
    })
    expect(sizes[1]! - sizes[0]!).toBeLessThan(100)
  })

  test('the same id far behind is found, and two ids of many never are one', () => {
    const rows = Array.from({ length: 16_000 }, (_, n) => ({ ...openai(10), item_id: `T-${n}` }))
    rows.push({ ...openai(1), item_id: 'T-77' })
    const { tally } = readWhole(JSON.stringify(rows), { size: 500_000 })
    expect(tally.faults.find(({ kind }) => kind === 'duplicate')).toMatchObject({
      count: 1,
      examples: [{ row: 16_001, id: 'T-77', value: 'the id of row 78' }],
    })
  })

  test('the parts of an attribute have names of their own', () => {
    const text = RSS.replace('<g:price>4.90 EUR', '<g:price>4,90')
    expect(readWhole(RSS).tally.faults).toEqual([])
    expect(readWhole(text).tally.faults).toMatchObject([
      { field: 'shipping(price)', kind: 'invalid', examples: [{ row: 1, value: '4,90' }] },
    ])
  })
})

describe('limits', () => {
  const item = (index: number) => `<item><g:id>${index}</g:id></item>`
  const many = Array.from({ length: 500 }, (_, index) => index)

  test.each([
    ['RSS', `<rss ${NS}><channel>${many.map(item).join('')}</channel></rss>`],
    ['TSV', `id\ttitle\n${many.map((index) => `${index}\tx`).join('\n')}`],
    [
      'Shopify',
      JSON.stringify({ products: many.map((id) => ({ variants: [{ id, price: '1' }] })) }),
    ],
  ])('%s: 200 items', (_, text) => {
    const { items, problem } = read(text)
    expect(items.map(({ row, id }) => [row, id])).toEqual(
      many.slice(0, 200).map((index) => [index + 1, String(index)]),
    )
    expect(problem).toBeNull()
  })

  test('a value is cut', () => {
    const long = 'x'.repeat(100_000)
    expect(read(`<rss><item><g:title>${long}</g:title></item></rss>`).items[0]?.title).toHaveLength(
      300,
    )
  })
})

// Each would take hours, or the machine's memory, if it were read in more than linear time.
const repeat = (text: string) => text.repeat(Math.floor(10_000_000 / text.length))
const ENTITIES = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY ${'abcdefghij'[index + 1]} "${`&${'abcdefghij'[index]};`.repeat(10)}">`,
).join('')}]>`
const HOSTILE: [string, string][] = [
  ['nesting', `<rss>${repeat('<a>')}`],
  ['nested namespaces', `<rss>${repeat('<a:b xmlns:a="u">')}`],
  ['nesting within an item', `<rss ${NS}><item>${repeat('<g:a>')}`],
  ['an endless attribute', `<rss a="${repeat('a')}`],
  ['endless attributes', `<rss ${repeat('aaaa="" ')}`],
  [
    'different attributes',
    `<rss ${Array.from({ length: 700_000 }, (_, i) => `a${i}=""`).join(' ')}`,
  ],
  ['an endless name', `<${repeat('a')}`],
  ['an endless text', `<rss ${NS}><item><g:id>${repeat('a')}`],
  ['an endless comment', `<rss ${NS}><!--${repeat('-a')}`],
  ['an endless CDATA section', `<rss ${NS}><item><g:id><![CDATA[${repeat(']')}`],
  ['an endless entity', `<rss ${NS}><item><g:id>&${repeat('a')}`],
  ['entities', `<rss ${NS}><item><g:id>${repeat('&amp;')}`],
  ['nothing but less-than signs', repeat('<')],
  ['end tags', `<rss ${NS}>${repeat('</a>')}`],
  ['a document type', `<!DOCTYPE rss [${repeat('<!ENTITY a "b">')}`],
  ['a table without line ends', `id,title\n${repeat('a')}`],
  ['a row of cells', `id,title\n${','.repeat(1_900_000)}\n`],
  ['a row of quoted cells', `id,title\n${'"",'.repeat(600_000)}\n`],
  ['a row of quotation marks', `id,title\na${'"'.repeat(1_900_000)}\n`],
  ['a table of commas', `id,title\n${repeat(',')}`],
  ['a table of quotation marks', `id,title\n${repeat('"')}`],
  ['a table of quoted cells', `id,title\n${repeat('"",')}`],
  ['a table of line ends', `id,title\n${repeat('\n')}`],
  ['a header without end', repeat('id,title,')],
  ['white space', repeat(' ')],
  ['nested JSON', repeat('[')],
  ['nested objects', repeat('{"products":')],
]

describe('10 MB of hostile text', () => {
  test.each(HOSTILE)('%s', (_, text) => {
    for (const size of [65_536, text.length]) {
      const { items } = read(text, { size })
      expect(items.length).toBeLessThanOrEqual(200)
    }
  })

  test('entities that double are not expanded', () => {
    const text = `${ENTITIES}<rss ${NS}><channel><item><g:id>&j;</g:id></item></channel></rss>`
    expect(read(text)).toMatchObject({ items: [], problem: expect.stringMatching('entity') })
  })
})

test('no text throws, and pieces do not matter', () => {
  const pieces = fc.constantFrom(
    ...['<rss>', `<rss ${NS}>`, '<item>', '</item>', '<g:id>', '</g:id>', '&amp;', '&', '<', '>'],
    ...['<![CDATA[', ']]>', '<!--', '-->', 'id,title\n', 'id\tprice\n', '"', ',', '\t', '\r', '\n'],
    ...[
      '{"products":[',
      '{"variants":[{}]}',
      '[{"prices":{}}',
      ']',
      '}',
      '\u{1F3D5}',
      '\uFEFF',
      '\0',
    ],
  )
  const text = fc.array(fc.oneof(pieces, anyText()), { maxLength: 24 })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), fc.boolean(), (parts, size, cut) => {
      const whole = parts.join('')
      expect(read(whole, { size, cut })).toEqual(read(whole, { size: whole.length || 1, cut }))
    }),
    {
      // The root stands in what is read again.
      examples: [[['</item>', '<rss>', `<rss ${NS}>`], 1, false]],
    },
  )
})
