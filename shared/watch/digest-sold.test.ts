import { expect, test } from 'vitest'
import { digestSold } from './digest-sold.ts'

const sold = (orders: number, revenue_cents: number) => ({ orders, revenue_cents })

test('a digest names what sold, the most money first, each with its report', () => {
  const report = {
    currency: 'USD',
    by_surface: {
      chatgpt: sold(2, 20_000),
      perplexity: sold(3, 9900),
      gemini: sold(0, 0),
    },
    by_landing: { rows: [{ landing: '/boots?a=1', ...sold(1, 9900) }] },
    by_product: {
      rows: [{ product_id: 'b 1', name: 'Fell Boot', ...sold(1, 0) }],
    },
  }
  const url = 'https://aisle.example/report?domain=shop.example'
  expect(digestSold(report, url)).toEqual({
    surfaces: [
      { label: 'ChatGPT', text: '2 orders, 200.00 USD', url: `${url}&surface=chatgpt` },
      { label: 'Perplexity', text: '3 orders, 99.00 USD', url: `${url}&surface=perplexity` },
    ],
    converts: [
      { label: '/boots?a=1', text: '1 order, 99.00 USD', url: `${url}&landing=%2Fboots%3Fa%3D1` },
      { label: 'Fell Boot', text: '1 order', url: `${url}&product_id=b%201` },
    ],
  })
  const nothing = { currency: null, by_surface: {}, by_landing: null, by_product: null }
  expect(digestSold(nothing, url)).toEqual({ surfaces: [], converts: [] })
})
