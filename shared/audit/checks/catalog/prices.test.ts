import { expect, test } from 'vitest'
import { readPage } from '../../../markup/page.ts'
import type { Answer } from '../../../web/fetched.ts'
import type { CatalogSeen } from '../../evidence.ts'
import { comparePrices } from './prices.ts'

const URL_OF_PAGE = 'https://shop.example/p/1'
const answer = (url: string): Answer => ({
  ...{ kind: 'answer', method: 'GET', url, final_url: url, redirects: [], status: 200 },
  ...{ headers: {}, body: '', truncated: false, ms: 1 },
})

/** One product of the catalog, at so many cents. */
function catalogOf(amount: number): CatalogSeen {
  const none = { fetched: { kind: 'not_asked' as const, reason: '' }, json: null }
  const products = [{ id: '1', url: URL_OF_PAGE, price: { amount, currency: 'EUR' } }]
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
