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
  expect([list.is, ...list.because.slice(0, 2)]).toEqual([
    'unclear',
    'it lists 5 things with a price and a button each',
    'its markup describes "Tables" with an offer',
  ])
  const story = `<meta property="og:type" content="product"><p>${'Of oak. '.repeat(200)}</p>`
  const told = kindOf(story)
  expect([told.is, ...told.because]).toEqual([
    'unclear',
    'nothing on it can be bought',
    'og:type is "product"',
  ])
})
