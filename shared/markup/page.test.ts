import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../testing/any-text.ts'
import { readDocument } from './document.ts'
import { readPage } from './page.ts'

const URL_OF_PAGE = 'https://shop.example/shoes/1?size=40'
const read = (html: string) => readPage(html, URL_OF_PAGE)
const documentOf = (html: string) => readDocument(html, URL_OF_PAGE)

test('reads what a page says beside its markup', () => {
  const html = `\uFEFF<!doctype html><html lang=" de ">
    <head><title> Two
      lines &amp; more </title><title>Second</title>
    <meta charset=utf-8>
    <meta NAME="Description" content="text">
    <meta property="og:title" name="og:title" content="one">
    <meta http-equiv="Content-Security-Policy" content="script-src 'self'">
    <link rel="Alternate  Feed" type="application/rss+xml" href="feed.xml">
    <script src="a.js" Async></script></head>
    <body><a href="#top"></a><a href="/x#y"></a><a href="/x" rel="nofollow"></a><a href="/?add=1" rel="x NoFollow"></a><a href="mailto:a@b"></a>
    <script>var a = "<b>"</script><svg><title>Icon</title></svg><base href="/deep/"><base href="/no/">`
  const page = read(html)
  expect(page).toMatchObject({
    url: URL_OF_PAGE,
    lang: 'de',
    title: 'Two lines & more',
    meta: [
      { key: 'description', content: 'text' },
      { key: 'og:title', content: 'one' },
      { key: 'content-security-policy', content: "script-src 'self'" },
    ],
    links: [
      {
        rel: ['alternate', 'feed'],
        href: 'https://shop.example/deep/feed.xml',
        type: 'application/rss+xml',
      },
    ],
    anchors: ['https://shop.example/x'],
    scripts: [{ src: 'https://shop.example/deep/a.js', in_head: true }],
    truncated: null,
  })
  const { scripts } = documentOf(html)
  expect(scripts).toMatchObject([
    { src: 'https://shop.example/deep/a.js', in_head: true, text: '' },
    { src: null, in_head: false, text: 'var a = "<b>"' },
  ])
  expect(scripts[0]?.attributes.has('async')).toBe(true)
})

test.each([
  ['<script id=s></script>', true],
  ['<title>x</title><link><script id=s></script>', true],
  ['<head></head><script id=s></script>', true],
  ['<head><noscript><img></noscript><script id=s></script>', true],
  ['<head><template><p>x</p></template><script id=s></script>', true],
  ['<head><div></div><script id=s></script></head>', false],
  ['<head>text<script id=s></script>', false],
  ['<head></head><body><script id=s></script>', false],
  ['<p><script id=s></script>', false],
])('%s: the script is in the head: %s', (html, inHead) => {
  expect(documentOf(html).scripts.find(({ attributes }) => attributes.has('id'))?.in_head).toBe(
    inHead,
  )
})

describe('what is text to a browser is no markup', () => {
  const block = '<script type="application/ld+json">{"@type":"Product"}</script>'
  test.each([
    ['nothing around it', block, 1],
    ['a comment', `<!-- ${block} -->`, 0],
    ['a title', `<title>${block}</title>`, 0],
    ['a textarea', `<textarea>${block}</textarea>`, 0],
    ['a style', `<style>${block}</style>`, 0],
    ['an iframe', `<iframe>${block}</iframe>`, 0],
    ['a noembed', `<noembed>${block}</noembed>`, 0],
    ['a noscript', `<noscript>${block}</noscript>`, 0],
    ['a template', `<template><div>${block}</div></template>`, 0],
    ['behind a template', `<template><p></template>${block}`, 1],
    ['a plaintext', `<plaintext>${block}`, 0],
    ['an attribute', `<p title='${block}'>`, 0],
    ['an escaped script', `<script><!--<script>${block}--></script>`, 0],
    ['a CDATA section of a drawing', `<svg><![CDATA[${block}]]></svg>`, 0],
    ['behind the style of a drawing', `<svg><style></svg>${block}`, 1],
    ['a block without an end', block.replace('</script>', ''), 1],
  ])('%s', (_, html, blocks) => {
    const page = read(html)
    expect(page.json_ld_blocks).toBe(blocks)
    expect(documentOf(html).nodes).toHaveLength(blocks)
  })
})

describe('nothing that a stranger writes throws', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(
        ...['<html>', '<head>', '<body>', '</body>', '<div itemscope itemprop=a>', '</div>', '<p>'],
        ...['<b>', '</b>', '<a href=x>', '<table>', '<tr>', '<td>', '</table>', '<svg>', '</svg>'],
        ...['<math>', '<mi>', '<template>', '</template>', '<script>', '</script>', '<title>'],
        ...['<li itemprop=b>', '<meta itemprop=c content=1>', '<i id=x itemscope itemref="x y">'],
        ...['<script type=application/ld+json>', '{"@id":"a","b":', '{"@id":"a"}', '}', '[', ']'],
        ...[
          '"__proto__":',
          '<base href=//[>',
          '<link href=":">',
          '<plaintext>',
          '\0',
          '<!--',
          '-->',
        ],
      ),
      anyText({ maxLength: 8 }),
    ),
    { maxLength: 40 },
  )
  test('mutated markup', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const page = read(parts.join(''))
        expect(page.json_ld_problems.length).toBeLessThanOrEqual(page.json_ld_blocks)
      }),
    )
  })
  test('any text, any address', () => {
    fc.assert(
      fc.property(anyText(), fc.string(), (html, url) => {
        expect(readPage(html, url).url).toBe(url)
      }),
    )
  })
})

const many = (piece: string, length = 500_000) => piece.repeat(Math.ceil(length / piece.length))
const list = (count: number, each: (index: number) => string, between = '') =>
  Array.from({ length: count }, (_, index) => each(index)).join(between)
const jsonLd = (text: string) => `<script type=application/ld+json>${text}</script>`

test.each([
  ['nested formatting', many('<b><i>') + many('x</b>')],
  ['end tags of nothing', `${'<b>'.repeat(511)}${many('</i>')}`],
  ['blocks in links', many('<a href=x><div>')],
  ['paragraphs in a button', `<p><button>${'<div>'.repeat(500)}${many('<p></p>')}`],
  ['tables in cells', many('<table><tr><td>')],
  ['100,000 attributes', `<div ${list(100_000, (i) => `a${i}=${i}`, ' ')}>`],
  ['200,000 arrays', jsonLd('['.repeat(200_000) + ']'.repeat(200_000))],
  ['200,000 objects', jsonLd('{"a":'.repeat(200_000) + 1 + '}'.repeat(200_000))],
  ['200,000 objects without an end', jsonLd('{"a":'.repeat(200_000))],
  [
    'references in circles',
    jsonLd(`[${list(9000, (i) => `{"@id":"#${i}","a":{"@id":"#${(i * 7) % 9000}"}}`, ',')}]`),
  ],
  [
    'items that refer to each other',
    list(30_000, (i) => `<b itemscope itemprop=p id=i${i} itemref=i${(i * 7) % 30_000}></b>`),
  ],
  [
    'items that share many properties',
    `<div id=all>${many('<b itemprop=a></b>')}</div>${many('<b itemscope itemref=all></b>')}`,
  ],
  ['texts in texts', `<b itemscope>${'<b itemprop=x>'.repeat(500)}${many('y z')}`],
  ['many broken blocks', many(jsonLd('{'))],
  ['blanks where a CDATA marker may stand', jsonLd(`${many(' ')}x`)],
])('%s: read in one pass', (_, html) => {
  expect(documentOf(html).nodes.length).toBeLessThanOrEqual(20_000)
  expect(read(html).url).toBe(URL_OF_PAGE)
})

test('limits are said', () => {
  expect(read('<div>'.repeat(600)).truncated).toMatch('512 levels of nested elements')
  expect(read(jsonLd('['.repeat(100) + ']'.repeat(100))).truncated).toMatch('64 levels')
  const late = jsonLd('{"@type":"Product"}')
  const page = read(many(' ', 2 * 1024 * 1024) + late)
  expect(page).toMatchObject({ products: [], truncated: expect.stringMatching('2,097,152') })
})

test('keys that JavaScript knows are keys like any other', () => {
  const [node] = documentOf(
    jsonLd('{"@type":"Thing","__proto__":{"name":"x"},"constructor":1}'),
  ).nodes
  expect([...(node?.props.keys() ?? [])]).toEqual(['__proto__', 'constructor'])
  expect(({} as { name?: string }).name).toBeUndefined()
})
