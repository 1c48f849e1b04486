/** What a hostile store serves: documents by where an audit reads them. */
export interface HostileInput {
  name: string
  /** `page` is served at every address that is not one of the others. */
  page?: () => string
  manifest?: () => string
  catalog?: () => string
  feed?: () => string
  robots?: () => string
}

const KIB = 1024
const times = (count: number, make: (n: number) => string, by = ','): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(by)
const jsonLd = (json: string): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title><script type="application/ld+json">${json}</script></head><body></body></html>`
const html = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body>${body}</body></html>`
const product = (more: string): string => jsonLd(`{"@type":"Product","name":"Mug",${more}}`)
const manifest = (more: string): string => `{"version":"1.0","domain":"evil.example",${more}}`
const official = (more: string): string =>
  `{"ucp":{"version":"2026-08-25","services":{},"capabilities":{},"payment_handlers":{},${more}}}`
const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth)
const catalog = (products: string): string => `{"products":[${products}]}`
const rss = (items: string): string =>
  `<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel>${items}</channel></rss>`

const PAGES: Record<string, () => string> = {
  'groups that share one node of empty names': () =>
    jsonLd(
      `{"@graph":[${times(990, (n) => `{"@type":"ProductGroup","@id":"#g${n}","hasVariant":{"@id":"#p"}}`)},{"@type":"Product","@id":"#p","name":[${times(150_000, () => '""')}]}]}`,
    ),
  'offers that share one specification': () =>
    jsonLd(
      `{"@graph":[{"@type":"Product","name":"Mug","offers":[${times(400, () => '{"@type":"Offer","priceSpecification":{"@id":"#s"}}')}]},{"@id":"#s","@type":"PriceSpecification","price":[${times(30_000, () => '""')}]}]}`,
    ),
  'offers that share many specifications': () =>
    jsonLd(
      `{"@graph":[{"@type":"Product","name":"Mug","offers":[${times(400, (n) => `{"@type":"Offer","sku":"${n}","priceSpecification":[${times(60, (s) => `{"@id":"#s${s}"}`)}]}`)}]},${times(60, (s) => `{"@id":"#s${s}","@type":"PriceSpecification","priceType":"ListPrice","price":"1"}`)}]}`,
    ),
  '150,000 values of gtin': () => product(`"gtin":[${times(150_000, () => '"1"')}]`),
  '60,000 images': () => product(`"image":[${times(60_000, (n) => `"/i/${n}.jpg"`)}]`),
  '100,000 numbers': () => product(`"image":[${times(100_000, () => '1e999')}]`),
  '200,000 empty objects': () => jsonLd(`[${times(200_000, () => '{}')}]`),
  '19,000 products': () =>
    jsonLd(`[${times(19_000, (n) => `{"@type":"Product","name":"M${n}"}`)}]`),
  'products of one address': () =>
    jsonLd(
      `[${times(15_000, (n) => `{"@type":"Product","name":"M${n}","url":"https://evil.example/products/1"}`)}]`,
    ),
  'organizations, 15,000': () =>
    jsonLd(`[${times(15_000, (n) => `{"@type":"Organization","name":"M${n}","url":"/"}`)}]`),
  'cyclic @id': () =>
    jsonLd(
      `{"@graph":[${times(9_000, (n) => `{"@type":"Product","@id":"#${n}","isRelatedTo":{"@id":"#${(n + 1) % 9_000}"},"offers":{"@id":"#${(n + 1) % 9_000}"}}`)}]}`,
    ),
  'one @id many times': () =>
    jsonLd(`{"@graph":[${times(15_000, (n) => `{"@type":"Product","@id":"#p","p${n}":"${n}"}`)}]}`),
  'all nodes refer to all': () =>
    jsonLd(
      `{"@graph":[${times(400, (n) => `{"@type":"Product","@id":"#${n}","isSimilarTo":[${times(400, (m) => `{"@id":"#${m}"}`)}]}`)}]}`,
    ),
  'lists in lists, 400,000 deep': () => jsonLd(nested('[', '', ']', 400_000)),
  'objects in objects, 100,000 deep': () => jsonLd(nested('{"a":', '1', '}', 100_000)),
  'a broken block of a megabyte': () => jsonLd(`{"a":"${'x'.repeat(KIB * KIB)}",}`),
  '5,000 broken blocks': () =>
    html(
      times(5_000, () => '<script type="application/ld+json">{"@type":"Product",}</script>', ''),
    ),
  '20,000 small blocks': () =>
    html(
      times(
        20_000,
        (n) => `<script type="application/ld+json">{"@type":"Product","name":"${n}"}</script>`,
        '',
      ),
    ),
  '20,000 types': () => jsonLd(`{"@type":[${times(20_000, (n) => `"T${n}"`)}]}`),
  '50,000 property names': () =>
    jsonLd(`{"@type":"Product",${times(50_000, (n) => `"p${n}":"1"`)}}`),
  'a property name of a megabyte': () => product(`"${'x'.repeat(KIB * KIB)}":1`),
  'a name of two megabytes': () => product(`"description":"${'x '.repeat(KIB * KIB - 500)}"`),
  'names in every case': () => product(times(30_000, (n) => `"OFFERS${n}":[{"PRICE":"1"}]`)),
  'microdata, wide': () =>
    html(
      `<div itemscope itemtype="https://schema.org/Product">${times(40_000, (n) => `<i itemprop="name">${n}</i>`, '')}</div>`,
    ),
  'microdata, deep': () =>
    html(
      nested(
        '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">',
        'x',
        '</div>',
        15_000,
      ),
    ),
  'microdata, itemref of all by all': () =>
    html(
      times(
        1_000,
        (n) =>
          `<p itemscope itemtype="https://schema.org/Product" itemref="${times(1_000, (m) => `r${m}`, ' ')}" id="r${n}"></p>`.slice(
            0,
            1_900,
          ),
        '',
      ),
    ),
  'microdata, many properties of one element': () =>
    html(
      `<div itemscope itemtype="https://schema.org/Product"><i itemprop="${times(100_000, (n) => `p${n}`, ' ')}">x</i></div>`,
    ),
  'microdata, nested text': () =>
    html(
      `<div itemscope itemtype="https://schema.org/Product">${nested('<b itemprop="name">x', 'y', '</b>', 20_000)}</div>`,
    ),
  'elements, 600,000': () => html('<b>'.repeat(600_000)),
  'attributes, 200,000': () => html(`<a ${times(200_000, (n) => `a${n}=1`, ' ')}>x</a>`),
  'links, 60,000': () => html(times(60_000, (n) => `<a href="/products/${n}">x</a>`, '')),
  'meta, 60,000': () => html(times(60_000, (n) => `<meta name="m${n}" content="1">`, '')),
  'alternates in 30,000 languages': () =>
    html(times(30_000, (n) => `<link rel="alternate" hreflang="l${n}" href="/${n}">`, '')),
  'scripts, 60,000': () => html(times(60_000, () => '<script>Product</script>', '')),
  'misnested tables': () => html(times(60_000, () => '<table><td><b><p>', '')),
  'entities, 400,000': () => html('&amp;'.repeat(400_000)),
  'an unclosed comment': () => html(`<!--${'-'.repeat(2 * KIB * KIB)}`),
}

const MANIFESTS: Record<string, () => string> = {
  '60,000 payment methods': () => manifest(`"payment_methods":[${times(40_000, () => '"x"')}]`),
  '15,000 capabilities': () =>
    manifest(`"capabilities":{${times(9_000, (n) => `"c${n}":{"endpoint":"x"}`)}}`),
  'depth of 100,000': () => manifest(`"x":${nested('[', '', ']', 100_000)}`),
  'official, 8,000 services': () =>
    official(
      `"x":0},"ucp":{"version":"2026-08-25","services":{${times(5_000, (n) => `"a.b.s${n}":[{"version":"1"}]`)}},"capabilities":{},"payment_handlers":{}`,
    ),
  'official, 5,000 signing keys': () =>
    official(`"signing_keys":[${times(10_000, () => '{"kty":"EC"}')}]`),
  'official, extensions in a circle': () =>
    official(
      `"x":0},"ucp":{"version":"2026-08-25","services":{},"payment_handlers":{},"capabilities":{${times(2_000, (n) => `"a.b.c${n}":[{"version":"2026-08-25","extends":"a.b.c${(n + 1) % 2_000}"}]`)}}`,
    ),
  'long keys': () => manifest(`"${'k'.repeat(200_000)}":1`),
  'giant numbers': () => manifest(`"n":[${times(20_000, () => '1e400')}]`),
}

const CATALOGS: Record<string, () => string> = {
  '5 MB of {}': () => catalog(times(1_700_000, () => '{}')),
  '5 MB of []': () => `{"products":${nested('[', '', ']', 2_500_000)}}`,
  '5 MB of one text': () => catalog(`{"id":"1","name":"${'x'.repeat(5_000_000)}"}`),
  '65,000 products': () => catalog(times(45_000, (n) => `{"id":"${n}","name":"Mug ${n}"}`)),
  '100,000 variants': () =>
    catalog(`{"id":"1","name":"Mug","variants":[${times(90_000, (n) => `{"id":"${n}"}`)}]}`),
  '100,000 images': () =>
    catalog(`{"id":"1","name":"Mug","images":[${times(150_000, (n) => `"/${n}.jpg"`)}]}`),
  '1,000 products of 1,000 words': () =>
    catalog(times(1_000, (n) => `{"id":"${n}","name":"${times(700, (w) => `word${w}`, ' ')}"}`)),
  'one id a thousand times': () =>
    catalog(times(1_000, () => '{"id":"1","name":"Mug","url":"https://evil.example/products/1"}')),
  'a filter for everything': () =>
    catalog(times(1_000, (n) => `{"id":"${n}","category":"${'c'.repeat(4_000)}"}`)),
}

const FEEDS: Record<string, () => string> = {
  'XML without an end': () => rss('<item><g:id>1</g:id>'.repeat(250_000)),
  'XML, deep': () => rss('<a>'.repeat(900_000)),
  'XML of one text': () => rss(`<item><g:title>${'x'.repeat(5_000_000)}`),
  'XML, attributes': () => rss(`<item ${times(300_000, (n) => `a${n}="1"`, ' ')}>`),
  'CSV with an open quotation mark': () => `id,title,price\n"${'x'.repeat(5_000_000)}`,
  'CSV of 500,000 columns': () => `id,title,price${',x'.repeat(500_000)}\n${',1'.repeat(500_000)}`,
  'CSV of empty rows': () => `id,title,price\n${',\n'.repeat(2_000_000)}`,
  'JSON of {}': () => `{"products":[{"variants":[]},${times(1_600_000, () => '{}')}]}`,
}

const ROBOTS: Record<string, () => string> = {
  '100 lines of wildcards': () =>
    `User-agent: *\n${times(100, () => `Disallow: /${'*a'.repeat(1_000)}$`, '\n')}`,
  '20,000 rules': () => `User-agent: *\n${times(15_000, (n) => `Disallow: /*${n}*`, '\n')}`,
  '20,000 agents': () => times(15_000, (n) => `User-agent: a${n}\nDisallow: /`, '\n'),
  'one line': () => `User-agent: *\nDisallow: /${'*'.repeat(250_000)}`,
  'sitemaps, 10,000': () =>
    times(6_000, (n) => `Sitemap: https://evil.example/feed-${n}.xml`, '\n'),
}

const named = (where: keyof HostileInput, all: Record<string, () => string>): HostileInput[] =>
  Object.entries(all).map(([name, make]) => ({ name: `${where}: ${name}`, [where]: make }))

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...named('page', PAGES),
  ...named('manifest', MANIFESTS),
  ...named('catalog', CATALOGS),
  ...named('feed', FEEDS),
  ...named('robots', ROBOTS),
]
