import { describe, expect, test } from 'vitest'
import { readDocument } from './document.ts'
import type { MarkupNode, MarkupValue } from './node.ts'

const items = (html: string) => readDocument(html, 'https://shop.example/p/').nodes
const plain = (value: MarkupValue): unknown => (typeof value === 'object' ? outline(value) : value)

/** Types and properties as nested literals. */
const outline = (node: MarkupNode): unknown => ({
  [node.types.join()]: Object.fromEntries(
    [...node.props].map(([name, all]) => [name, all.map(plain)]),
  ),
})
const outlines = (html: string) => items(html).map(outline)

describe('the value of a property', () => {
  test.each([
    ['<meta itemprop=x content=" a ">', ' a '],
    ['<meta itemprop=x>', ''],
    ['<span itemprop=x content=19.99>20</span>', '19.99'],
    ['<a itemprop=x href="../y">z</a>', 'https://shop.example/y'],
    ['<link itemprop=x href=http://schema.org/InStock>', 'http://schema.org/InStock'],
    ['<area itemprop=x href=y>', 'https://shop.example/p/y'],
    ['<img itemprop=x src=//cdn.example/i.png>', 'https://cdn.example/i.png'],
    ['<video itemprop=x src=v></video>', 'https://shop.example/p/v'],
    ['<object itemprop=x data=o></object>', 'https://shop.example/p/o'],
    ['<a itemprop=x>z</a>', ''],
    ['<data itemprop=x value=1>one</data>', '1'],
    ['<meter itemprop=x value=2></meter>', '2'],
    ['<time itemprop=x datetime=2026-01-01>New year</time>', '2026-01-01'],
    ['<time itemprop=x>2026</time>', '2026'],
    ['<p itemprop=x>a <b>b<!-- c --></b>&amp;</p>d', 'a b&'],
    ['<p itemprop=x>a<script>no</script><style>no</style></p>', 'a'],
    ['<textarea itemprop=x>a<b></textarea>', 'a<b>'],
    ['<p itemprop=x></p>', ''],
    ['<p itemprop=x>a', 'a'],
  ])('%s', (html, value) => {
    expect(outlines(`<div itemscope>${html}</div>`)).toEqual([{ '': { x: [value] } }])
  })
})

describe('items', () => {
  test.each([
    ['no item', '<p itemprop=x>1</p>', []],
    [
      'type',
      '<p itemscope itemtype="http://schema.org/Product  https://schema.org/Car">',
      [{ 'Product,Car': {} }],
    ],
    [
      'one value, two names',
      '<p itemscope><b itemprop="x y">1</b>',
      [{ '': { x: ['1'], y: ['1'] } }],
    ],
    [
      'one name, two values',
      '<p itemscope><b itemprop=x>1</b><b itemprop=x>2</b>',
      [{ '': { x: ['1', '2'] } }],
    ],
    [
      'nested',
      '<div itemscope itemtype=http://schema.org/Product><div itemprop=offers itemscope itemtype=http://schema.org/Offer><b itemprop=price>1</b></div><b itemprop=name>n</b></div>',
      [
        { Product: { offers: [{ Offer: { price: ['1'] } }], name: ['n'] } },
        { Offer: { price: ['1'] } },
      ],
    ],
    [
      'an item that is no property',
      '<div itemscope><p itemscope><b itemprop=x>1</b></p></div>',
      [{ '': {} }, { '': { x: ['1'] } }],
    ],
    [
      'on the root',
      '<html itemscope itemtype=http://schema.org/Product><title itemprop=name>n</title>',
      [{ Product: { name: ['n'] } }],
    ],
    ['in a template', '<template><p itemscope></p></template>', []],
  ])('%s', (_, html, expected) => {
    expect(outlines(html)).toEqual(expected)
  })
  test('know where they stand', () => {
    expect(items('\n\n  <p itemscope itemid="#me">')).toMatchObject([
      {
        where: 'microdata at line 3, column 29',
        id: 'https://shop.example/p/#me',
        syntax: 'microdata',
      },
    ])
  })
})

describe('itemref', () => {
  test('of a repeated id, the first element counts', () => {
    expect(
      outlines('<p itemscope itemref=a></p><b id=a itemprop=x>1</b><b id=a itemprop=x>2</b>'),
    ).toEqual([{ '': { x: ['1'] } }])
  })

  test('brings properties from elsewhere, in document order', () => {
    expect(
      outlines(
        '<b id=a><i itemprop=x>1</i></b><p itemscope itemref="c a a none"><b itemprop=x>2</b></p><b id=c itemprop=x>3</b>',
      ),
    ).toEqual([{ '': { x: ['1', '2', '3'] } }])
  })
  test('goes through ids within ids, and counts nothing twice', () => {
    expect(outlines('<p itemscope itemref="a b"></p><b id=a><i id=b itemprop=x>1</i></b>')).toEqual(
      [{ '': { x: ['1'] } }],
    )
  })
  test('in circles ends', () => {
    const [a, b] = items(
      '<p itemscope id=a itemref=b itemprop=p></p><p itemscope id=b itemref=a itemprop=q></p>',
    )
    expect(a?.props.get('q')).toEqual([b])
    expect(b?.props.get('p')).toEqual([a])
  })
  test('to itself is nothing', () => {
    expect(outlines('<p itemscope id=a itemref=a itemprop=p></p>')).toEqual([{ '': {} }])
  })
})

describe('unclosed and misnested elements end where browsers end them', () => {
  const offer = (html: string) => outlines(html).map((item) => JSON.stringify(item))
  test.each([
    ['list items', '<ul><li itemscope><b itemprop=x>1</b><li itemscope><b itemprop=x>2</b></ul>'],
    [
      'list items around a block',
      '<ul><li itemscope><div><b itemprop=x>1</b><li itemscope><b itemprop=x>2</b></ul>',
    ],
    ['paragraphs', '<p itemscope><b itemprop=x>1</b><p itemscope><b itemprop=x>2</b>'],
    [
      'a paragraph before a block',
      '<p itemscope><b itemprop=x>1</b><div itemscope><b itemprop=x>2</b></div>',
    ],
    [
      'cells',
      '<table><tr><td itemscope><b itemprop=x>1</b><td itemscope><b itemprop=x>2</b></table>',
    ],
    ['rows', '<table><tr itemscope><td itemprop=x>1<tr itemscope><td itemprop=x>2</table>'],
    ['terms', '<dl><dt itemscope><b itemprop=x>1</b><dd itemscope><b itemprop=x>2</b></dl>'],
    ['links', '<a itemscope><b itemprop=x>1</b><a itemscope><b itemprop=x>2</b></a>'],
    [
      'a link that a block outlives',
      '<a itemscope><div><b itemprop=x>1</b></a><p itemscope><b itemprop=x>2</b></p></div>',
    ],
    [
      'an end tag of nothing',
      '<div itemscope></span></p></li><b itemprop=x>1</b></div><p itemscope><b itemprop=x>2</b>',
    ],
    [
      'a drawing',
      '<div itemscope><svg><path/><g></svg><b itemprop=x>1</b></div><p itemscope><b itemprop=x>2</b>',
    ],
    [
      'HTML in a drawing',
      '<div itemscope><svg><p><b itemprop=x>1</b></p></div><p itemscope><b itemprop=x>2</b>',
    ],
    [
      'void elements',
      '<div itemscope><br><img><input><b itemprop=x>1</b></div><p itemscope><b itemprop=x>2</b>',
    ],
    [
      'a self-closing div, which is none',
      '<div itemscope/><b itemprop=x>1</b></div><p itemscope><b itemprop=x>2</b>',
    ],
  ])('%s', (_, html) => {
    expect(offer(html)).toEqual(['{"":{"x":["1"]}}', '{"":{"x":["2"]}}'])
  })
  test.each([
    ['the next list item', '<ul><li itemscope><b itemprop=x>1</b><li><b itemprop=y>2</b></ul>'],
    [
      'one that a block hides',
      '<ul><li itemscope><div><b itemprop=x>1</b><li><b itemprop=y>2</b></ul>',
    ],
    ['the end of a link', '<a itemscope><div><b itemprop=x>1</b></a><b itemprop=y>2</b></div>'],
    ['the next cell', '<table><td itemscope><b itemprop=x>1</b><td><b itemprop=y>2</b></table>'],
    ['the next row', '<table><tr itemscope><td itemprop=x>1<tr><td itemprop=y>2</table>'],
    ['a block', '<p itemscope><b itemprop=x>1</b><div><b itemprop=y>2</b></div>'],
    [
      'the end of an outer block',
      '<div><span itemscope><b itemprop=x>1</b></div><b itemprop=y>2</b>',
    ],
  ])('%s ends an item', (_, html) => {
    expect(outlines(html)).toEqual([{ '': { x: ['1'] } }])
  })
  test('a block goes on behind the end tag of the link around it', () => {
    const html = '<a><div itemscope><b itemprop=x>1</b></a><b itemprop=y>2</b></div>'
    expect(outlines(html)).toEqual([{ '': { x: ['1'], y: ['2'] } }])
  })
  test('a cell does not end the row around its table', () => {
    const html = '<table><tr itemscope><td><table><tr><td>a</table><b itemprop=x>1</b></table>'
    expect(outlines(html)).toEqual([{ '': { x: ['1'] } }])
  })
})
