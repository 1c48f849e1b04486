import { describe, expect, test } from 'vitest'
import { isJsonLdType, readJsonLd } from './json-ld.ts'
import type { MarkupNode, MarkupValue } from './node.ts'

const read = (...texts: string[]) =>
  readJsonLd(
    texts.map((text, index) => ({ text, offset: index * 100 })),
    (id) => new URL(id, 'https://shop.example/p').href,
  )
const nodes = (value: unknown) => read(JSON.stringify(value)).nodes
const types = (value: unknown) => nodes(value).map((node) => node.types.join())
const first = (node: MarkupNode | undefined, name: string): MarkupValue | undefined =>
  node?.props.get(name)?.[0]

test.each([
  ['application/ld+json', true],
  [' Application/LD+JSON; charset=utf-8', true],
  ['application/ld+json;', true],
  ['application/json', false],
  ['application/ld+jsonp', false],
  ['text/application/ld+json', false],
])('%s is JSON-LD: %s', (type, isJsonLd) => {
  expect(isJsonLdType(type)).toBe(isJsonLd)
})

describe('shapes', () => {
  test.each([
    ['one object', { '@type': 'Product' }, ['Product']],
    ['a list', [{ '@type': 'A' }, { '@type': 'B' }], ['A', 'B']],
    ['a graph', { '@context': {}, '@graph': [{ '@type': 'A' }] }, ['', 'A']],
    ['several types', { '@type': ['Product', 'Car'] }, ['Product,Car']],
    [
      'namespaces',
      { '@type': ['http://schema.org/A', 'https://www.schema.org/B', 'schema:C'] },
      ['A,B,C'],
    ],
    [
      'a foreign vocabulary',
      { '@type': 'http://example.org/Product' },
      ['http://example.org/Product'],
    ],
    ['small letters', { '@type': 'product' }, ['Product']],
    ["another name of it in schema.org's context", { type: 'Product' }, ['Product']],
    ['both names', { '@type': 'Product', type: 'simple' }, ['Product']],
    ['nested', { '@type': 'WebPage', mainEntity: { '@type': 'Product' } }, ['WebPage', 'Product']],
    ['an object without a type', { name: 'x' }, ['']],
    ['nothing', null, []],
    ['an empty list', [], []],
    ['a bare reference', { '@id': '#x' }, []],
  ])('%s', (_, value, expected) => {
    expect(types(value)).toEqual(expected)
  })
  test('values keep their order and their kind, null is empty text', () => {
    const [node] = nodes({
      a: ['x', 1, true, null],
      b: { '@value': '2', '@type': 'T' },
      'schema:c': { '@list': [1, 2] },
    })
    expect(node?.props).toEqual(
      new Map<string, MarkupValue[]>([
        ['a', ['x', 1, true, '']],
        ['b', ['2']],
        ['c', [1, 2]],
      ]),
    )
  })
  test('each node knows where it stands', () => {
    const { nodes: found } = read('{}', '{"@graph":[{},{"offers":[{"@type":"Offer"}]}]}')
    expect(found.at(-1)?.where).toBe('JSON-LD block 2, $.@graph[1].offers[0]')
  })
})

describe('@id', () => {
  test('a reference is the node it names, wherever that stands', () => {
    const { nodes: found } = read(
      '{"@type":"Product","offers":{"@id":"#offer"}}',
      '{"@type":"Offer","@id":"https://shop.example/p#offer","price":1}',
    )
    expect(found).toHaveLength(2)
    expect(first(found[0], 'offers')).toBe(found[1])
  })
  test("`id` names a node too, as schema.org's context says", () => {
    const { nodes: found } = read(
      '{"type":"Product","id":"#boot","brand":{"id":"#b"}}',
      '{"@type":"Brand","@id":"#b","name":"Borealis"}',
    )
    expect(found).toHaveLength(2)
    expect(found[0]?.id).toBe('https://shop.example/p#boot')
    expect(first(found[0], 'brand')).toBe(found[1])
    expect([...(found[0]?.props.keys() ?? [])]).toEqual(['brand'])
  })
  test('a cycle stays a cycle', () => {
    const found = nodes([
      { '@id': '#a', '@type': 'A', b: { '@id': '#b' } },
      { '@id': '#b', '@type': 'B', a: { '@id': '#a' } },
    ])
    expect(first(found[0], 'b')).toBe(found[1])
    expect(first(found[1], 'a')).toBe(found[0])
  })
  test('a reference out of the page keeps its id', () => {
    const [node] = nodes({
      '@type': 'Offer',
      availability: { '@id': 'https://schema.org/InStock' },
    })
    expect(first(node, 'availability')).toMatchObject({
      id: 'https://schema.org/InStock',
      types: [],
    })
  })
  test('two halves of one node are one node', () => {
    const found = nodes([
      { '@id': '#p', '@type': 'Product', name: 'x' },
      { '@id': '#p', '@type': 'Product', name: 'x', sku: '1' },
    ])
    expect(found).toHaveLength(1)
    expect([...(found[0]?.props.keys() ?? [])]).toEqual(['name', 'sku'])
  })
  test.each([
    ['other values', { '@type': 'Offer', price: 1 }, { '@type': 'Offer', price: 2 }],
    ['other types', { '@type': 'WebPage', name: 'x' }, { '@type': 'Product', name: 'x' }],
  ])('one id for two things, by %s, makes them no one thing', (_, a, b) => {
    expect(
      nodes([
        { '@id': '#x', ...a },
        { '@id': '#x', ...b },
      ]),
    ).toHaveLength(2)
  })
})

test.each([
  '/*<![CDATA[*/ {"@type":"A"} /*]]>*/',
  '//<![CDATA[\n{"@type":"A"}\n//]]>',
  '<![CDATA[{"@type":"A"}]]>',
  '\uFEFF{"@type":"A"}\n',
])('%j is read without its wrapping', (text) => {
  expect(read(text)).toMatchObject({ nodes: [{ types: ['A'] }], problems: [] })
})

describe('broken blocks', () => {
  test('are named by number, offset, place and reason, and give no node', () => {
    const { nodes: found, problems } = read(
      '{"@type":"A"}',
      ' ',
      '{\n  "@type": "Product",\n  "name": "x",\n}',
    )
    expect(found).toHaveLength(1)
    expect(problems).toEqual([
      {
        block: 3,
        offset: 200,
        message: 'trailing comma at line 3, column 14',
        excerpt: '{ "@type": "Product", "name": "x", }',
        types: ['Product'],
      },
    ])
  })
  test.each([
    ['{&quot;@type&quot;:&quot;Product&quot;}', ['Product'], /HTML-escaped/],
    ['{"@type":"Product"};', ['Product'], /after the end/],
    ['{"@type":["Product","Car"] "x"}', ['Product'], /missing comma/],
    ['{"@type":"https://schema.org/Product",}', ['Product'], /trailing comma/],
    ['{"a":1}<!-- x -->', [], /HTML comment/],
    ['//<![CDATA[\n{"a":1,}\n//]]>', [], /trailing comma at line 2, column 7/],
  ])('%s', (text, mentioned, message) => {
    const { nodes: found, problems } = read(text)
    expect(found).toEqual([])
    expect(problems).toMatchObject([{ types: mentioned }])
    expect(problems[0]?.message).toMatch(message)
  })
})
