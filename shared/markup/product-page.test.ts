import { expect, test } from 'vitest'
import { readPage } from './page.ts'
import { judgeKind } from './product-page.ts'

const kindOf = (html: string, url = 'https://shop.example/tables') => judgeKind(readPage(html, url))

const product = (offers: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', name: 'Tables', offers })}</script>`

const cards = '<a href="/x">Oak</a> <b>€ 90.00</b> <button>Add to cart</button>'.repeat(5)

test('of an unclear page, what spoke against a product comes first', () => {
  const range = product({ '@type': 'AggregateOffer', lowPrice: 90, priceCurrency: 'EUR' })
  const list = kindOf(`<title>Tables</title>${range}<h1>Tables</h1>${cards}`)
  expect([list.is, ...list.because]).toEqual([
    'other',
    'it lists 5 things with a price and a button each',
  ])
  const story = `<meta property="og:type" content="product"><p>${'Of oak. '.repeat(200)}</p>`
  const told = kindOf(story)
  expect([told.is, ...told.because]).toEqual([
    'unclear',
    'nothing on it can be bought',
    'og:type is "product"',
  ])
})

test('a page that was cut before its text says so', () => {
  const state = `<script>${' '.repeat(2_000)}`
  const cut = judgeKind(
    readPage(state, 'https://shop.example/product/oak-stool', { isWhole: false }),
  )
  expect(cut).toEqual({
    is: 'unclear',
    because: [expect.stringMatching(/^it could not be read completely: /)],
  })
})

test('a page of an app is a product where the shop lists it as one', () => {
  const at = (html: string, of_shell: boolean) =>
    judgeKind(readPage(html, 'https://shop.example/product/oak-stool'), {
      by: 'a sitemap lists it',
      points: 3,
      of_shell,
    }).is
  const shell = '<div id="root"></div><script src="/app.js"></script>'
  const story = `<h1>Oak</h1><p>${'Of oak. '.repeat(200)}</p><script src="/app.js"></script>`
  expect(at(shell, true)).toBe('product')
  expect(at(story, true)).toBe('other')
  expect(at('<div id="root"></div>', true)).toBe('unclear')
  expect(at(story.replaceAll('<h1>Oak</h1>', ''), true)).toBe('other')
})

test('without a heading, a title and an address that agree speak for a product', () => {
  const html = (title: string) =>
    `<title>${title}</title><h2>Details</h2><b>€ 19.00</b> <button>Add to cart</button>`
  const at = (title: string) => kindOf(html(title), 'https://shop.example/oak-stool')
  expect(at('Oak stool | Kiln').because).toContain('its title and address agree')
  expect(at('Kiln').because).not.toContain('its title and address agree')
})
