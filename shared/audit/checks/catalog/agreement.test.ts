import { expect, test } from 'vitest'
import { readPage } from '../../../markup/page.ts'
import type { Answer } from '../../../web/http/fetched.ts'
import type { CatalogSeen } from '../../evidence.ts'
import { compareCatalog, comparePrices } from './agreement.ts'

const URL_OF_PAGE = 'https://shop.example/p/1'
const answer = (url: string): Answer => ({
  ...{ kind: 'answer', method: 'GET', url, final_url: url, redirects: [], status: 200 },
  ...{ headers: {}, body: '', truncated: false, ms: 1 },
})

/** One product of the catalog, at so many cents and the address that it writes. */
const catalogOf = (amount: number, url = URL_OF_PAGE): CatalogSeen => catalogWith([[amount, url]])

function catalogWith(listed: [amount: number, url: string][]): CatalogSeen {
  const none = { fetched: { kind: 'not_asked' as const, reason: '' }, json: null }
  const products = listed.map(([amount, url], n) => ({
    ...{ id: `${n + 1}`, url, price: { amount, currency: 'EUR' } },
  }))
  const first = {
    fetched: answer('https://shop.example/ucp/products'),
    json: { ok: true as const, value: { products } },
  }
  return {
    ...{ dialect: 'spec', endpoint: null, first, again: none, next: [] },
    ...{ search: null, filters: null, official: null },
  }
}

test.each([
  ['the same', 10_000, {}, 0],
  ['another', 12_000, {}, 1],
  ['the price with a tax', 12_000, { valueAddedTaxIncluded: false }, 0],
  ['the price without a tax', 8_403, { valueAddedTaxIncluded: true }, 0],
  ['more than any tax', 12_800, { valueAddedTaxIncluded: false }, 1],
])('the page says 100.00, and the catalog %s', (_, amount, tax, mismatches) => {
  const priceSpecification = { '@type': 'UnitPriceSpecification', price: '100.00', ...tax }
  const product = {
    ...{ '@context': 'https://schema.org', '@type': 'Product', name: 'Lamp' },
    offers: { '@type': 'Offer', priceCurrency: 'EUR', priceSpecification },
  }
  const html = `<script type="application/ld+json">${JSON.stringify(product)}</script>`
  const page = readPage(html, URL_OF_PAGE)
  const seen = [{ fetched: answer(URL_OF_PAGE), page, found_by: 'catalog' as const }]
  const { compared, mismatch } = comparePrices(catalogOf(amount), seen)
  expect([compared, mismatch.length]).toEqual([1, mismatches])
})

const lamp = (sku: string) =>
  `<script type="application/ld+json">${JSON.stringify({
    ...{ '@context': 'https://schema.org', '@type': 'Product', name: 'Lamp', sku },
    offers: { '@type': 'Offer', price: '100.00', priceCurrency: 'EUR' },
  })}</script>`

const seenAt = (url: string, canonical = url) => {
  const html = `<link rel="canonical" href="${canonical}">${lamp('A-1')}`
  return [{ fetched: answer(url), page: readPage(html, url), found_by: 'catalog' as const }]
}

test.each([
  ['with what follows a visit', `${URL_OF_PAGE}?utm_source=ucp`, URL_OF_PAGE],
  ['with a fragment', `${URL_OF_PAGE}#red`, URL_OF_PAGE],
  ['with the choice of a variant', `${URL_OF_PAGE}?variant=3`, `${URL_OF_PAGE}?variant=3`],
  ['over http', 'http://shop.example/p/1', URL_OF_PAGE],
  ['with a host in capitals', 'https://Shop.example/p/1', URL_OF_PAGE],
  ['with a space', 'https://shop.example/p/a lamp', 'https://shop.example/p/a%20lamp'],
])('a page is compared that the catalog writes %s', (_, written, asked) => {
  const catalog = catalogOf(12_000, written)
  expect(comparePrices(catalog, seenAt(asked)).mismatch).toHaveLength(1)
  expect(compareCatalog(catalog, seenAt(asked), 'currency').compared).toBe(1)
})

test.each([
  ['another page', 'https://shop.example/p/2'],
  ['a page of another shop', 'https://other.example/p/1'],
  ['another choice of the page', `${URL_OF_PAGE}?color=red`],
  ['a path alone, which leads nowhere', '/p/1'],
])('a page is not compared with %s', (_, written) => {
  expect(comparePrices(catalogOf(12_000, written), seenAt(URL_OF_PAGE)).compared).toBe(0)
})

test.each([
  ['of the page that it names as its address', URL_OF_PAGE, 1],
  ['of a page that it does not name', 'https://shop.example/p/2', 0],
  ['of a page that it names at another shop', 'https://other.example/p/1', 0],
])('the home page is compared with the product %s', (_, canonical, compared) => {
  const seen = seenAt('https://shop.example/', canonical)
  expect(comparePrices(catalogOf(12_000), seen).compared).toBe(compared)
})

// The page says 100.00.
test.each<[string, [amount: number, url: string][], RegExp | null]>([
  [
    'its own price, which another variant has',
    [
      [12_000, `${URL_OF_PAGE}?variant=1`],
      [10_000, `${URL_OF_PAGE}?variant=2`],
    ],
    /^products\[0\] .* costs 120\.00 EUR/,
  ],
  [
    'its own price, over http and with what follows a visit',
    [
      [10_000, `${URL_OF_PAGE}?variant=2`],
      [12_000, 'http://shop.example/p/1?utm_source=ucp&variant=1#red'],
    ],
    /^products\[1\] .* costs 120\.00 EUR/,
  ],
  [
    'prices of other variants alone',
    [
      [12_000, `${URL_OF_PAGE}?variant=2`],
      [10_000, `${URL_OF_PAGE}?variant=3`],
    ],
    null,
  ],
])('the page of a variant is compared with %s', (_, listed, mismatch) => {
  const found = comparePrices(catalogWith(listed), seenAt(`${URL_OF_PAGE}?variant=1`))
  expect(found).toMatchObject({
    compared: 1,
    mismatch:
      mismatch === null
        ? []
        : [expect.objectContaining({ sentence: expect.stringMatching(mismatch) })],
  })
})
