import { describe, expect, test } from 'vitest'
import { readDocument } from './document.ts'
import type { MarkupNode, MarkupValue } from './node.ts'
import { readPage } from './page.ts'
import { mainProduct } from './products.ts'

const URL_OF_PAGE = 'https://shop.example/p/'
const plain = (value: MarkupValue): unknown => (typeof value === 'object' ? outline(value) : value)
const outline = (node: MarkupNode): unknown => ({
  [node.types.join()]: Object.fromEntries(
    [...node.props].map(([name, all]) => [name, all.map(plain)]),
  ),
})
const outlines = (html: string) => readDocument(html, URL_OF_PAGE).nodes.map(outline)

test('a product of RDFa Lite is read as one of microdata', () => {
  const html = `<div vocab="https://schema.org/" typeof="Product" resource="#boot">
  <h1 property="name">Fell <b>Boot</b></h1><img property="image" src="a.jpg">
  <span property="brand" typeof="Brand"><meta property="name" content="Borealis"></span>
  <div property="offers" typeof="Offer"><span property="price" content="189.00">$189</span>
  <meta property="priceCurrency" content="USD"><link property="availability" href="https://schema.org/InStock">
  <time property="priceValidUntil" datetime="2027-12-31">next year</time></div></div>`
  const page = readPage(html, URL_OF_PAGE)
  expect(mainProduct(page)).toMatchObject({
    where: 'RDFa at line 1, column 68',
    syntax: 'rdfa',
    name: 'Fell Boot',
    images: ['https://shop.example/p/a.jpg'],
    brand: 'Borealis',
    offers: [{ minor: 18900, currency: 'USD', stock: 'in_stock', valid_until: '2027-12-31' }],
  })
  const lines = html
    .replace(/vocab="[^"]*" typeof="(\w+)"/, 'itemscope itemtype="https://schema.org/$1"')
    .replace(/ typeof="(\w+)"/g, ' itemscope itemtype="https://schema.org/$1"')
    .replaceAll('property=', 'itemprop=')
  const same = mainProduct(readPage(lines, URL_OF_PAGE))
  const { where, syntax, offers, ...rest } = mainProduct(page)!
  expect(same).toMatchObject({
    ...rest,
    offers: offers.map(({ where: _, ...offer }) => offer),
  })
})

test('the address of a product that is named by it is that address', () => {
  const html = `<div vocab="https://schema.org/" typeof="Product" resource="/p/boot">
  <a property="url" href="/p/boot"><b property="name">Fell Boot</b></a></div>`
  expect(mainProduct(readPage(html, URL_OF_PAGE))).toMatchObject({
    name: 'Fell Boot',
    url: 'https://shop.example/p/boot',
  })
})

test('an image with a type is its file', () => {
  const html =
    '<p vocab="https://schema.org/" typeof=Product><img property=image typeof=ImageObject src="a.jpg">'
  expect(mainProduct(readPage(html, URL_OF_PAGE))?.images).toEqual(['https://shop.example/p/a.jpg'])
})

describe('what is read', () => {
  test.each([
    ['the prefix that every page has', '<p typeof="schema:Product">', [{ Product: {} }]],
    [
      'a prefix of its own',
      '<html prefix="og: http://ogp.me/ns# s: http://schema.org/"><p typeof="s:Product"><b property="s:name og:title">x</b>',
      [{ Product: { name: ['x'] } }],
    ],
    ['whole addresses', '<p typeof="http://schema.org/Product">', [{ Product: {} }]],
    ['a vocabulary without a slash', '<p vocab="http://schema.org" typeof=Car>', [{ Car: {} }]],
    ['terms without a vocabulary', '<p typeof=Product><b property=name>x</b>', []],
    ['another vocabulary', '<p vocab="http://xmlns.com/foaf/0.1/" typeof=Person>', []],
    [
      'a vocabulary within another',
      '<p vocab="https://schema.org/"><b vocab="urn:x"><i typeof=Product></i></b><u typeof=Product></u>',
      [{ Product: {} }],
    ],
    ['Open Graph', '<meta property="og:title" content="x"><meta property=name content=x>', []],
    [
      'a thing of another vocabulary keeps its own',
      '<p vocab="https://schema.org/" typeof=Product><b typeof="foaf:Person"><i property=name>x</i></b>',
      [{ Product: {} }, { '': { name: ['x'] } }],
    ],
    [
      'properties apart, by resource',
      '<body vocab="https://schema.org/"><p typeof=Product resource="#a"></p><p resource="#a"><b property=sku>7</b></p>',
      [{ Product: { sku: ['7'] } }],
    ],
    [
      'a reference to a resource',
      '<body vocab="https://schema.org/"><p typeof=Product><b property=brand resource="#b"></b></p><p typeof=Brand resource="#b"></p>',
      [{ Product: { brand: [{ Brand: {} }] } }, { Brand: {} }],
    ],
    [
      'a file or a link with a type of its own, named by its address',
      '<body vocab="https://schema.org/"><p typeof=Product><img property=image typeof=ImageObject src="a.jpg"><b property=brand resource="/b">x</b></p><a typeof=Brand href="/b"></a>',
      [
        { Product: { image: [{ ImageObject: {} }], brand: [{ Brand: {} }] } },
        { ImageObject: {} },
        { Brand: {} },
      ],
    ],
    [
      'an address that leads elsewhere',
      '<p vocab="https://schema.org/" typeof=Product><a property=url href="x">y</a>',
      [{ Product: { url: ['https://shop.example/p/x'] } }],
    ],
  ])('%s', (_, html, nodes) => {
    expect(outlines(html)).toEqual(nodes)
  })
})

describe('a product that others name', () => {
  const product = (more: string, name: string) =>
    `<div typeof="Product" ${more}><b property="name">${name}</b><p property="offers" typeof="Offer"><meta property="price" content="9"><meta property="priceCurrency" content="EUR"></p></div>`
  const page = (...parts: string[]) =>
    readPage(`<body vocab="https://schema.org/">${parts.join('')}</body>`, URL_OF_PAGE)
  const review = (inside: string, attribute = '') =>
    `<div typeof="Review"><p property="itemReviewed" ${attribute}>${inside}</p></div>`

  test("is the page's own where a review names it by its resource alone", () => {
    const seen = page(
      product('resource="#p"', 'Boot'),
      review('', 'resource="#p"'),
      product('', 'Laces'),
    )
    expect(mainProduct(seen)?.name).toBe('Boot')
    expect(seen.subjects.own_products).toHaveLength(2)
  })

  test('is mentioned where it is described in the review', () => {
    const seen = page(review(product('', 'Boot').replace('<div', '<div property="itemReviewed"')))
    expect(seen.subjects.own_products).toEqual([])
  })

  test('is mentioned where a part of the list that stands apart describes it', () => {
    const entry = product('', 'Laces').replace('<div', '<div property="itemListElement"')
    const seen = page(
      '<div typeof="ItemList" resource="#l"></div>',
      `<div resource="#l">${entry}</div>`,
      product('', 'Boot'),
    )
    expect(mainProduct(seen)?.name).toBe('Boot')
    expect(seen.subjects.own_products).toHaveLength(1)
  })
})
