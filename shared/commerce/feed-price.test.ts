import { expect, test } from 'vitest'
import { readFeedPrice } from './feed-price.ts'

test.each([
  ['79.95 AUD', ['79.95'], 'AUD'],
  ['79.95AUD', ['79.95'], 'AUD'],
  ['aud 79.95', ['79.95'], 'AUD'],
  [' 1,299.00 USD ', ['1299.00'], 'USD'],
  ['12,345,678 USD', ['12345678'], 'USD'],
  ['1.299 USD', ['1.299'], 'USD'],
  ['1,299 USD', ['1299', '1.299'], 'USD'],
  ['Rp 169.000', ['169.000', '169000'], 'IDR'],
  ['1.299,00 EUR', ['1299.00'], 'EUR'],
  ['79,95 EUR', ['79.95'], 'EUR'],
  ['5000 JPY', ['5000'], 'JPY'],
  ['4.250 KWD', ['4.250'], 'KWD'],
  ['79.95', ['79.95'], null],
  ['$79.95', ['79.95'], null],
  ['79,95 €', ['79.95'], 'EUR'],
  ['5 EURO', ['5'], null],
])('%j is a price', (written, decimals, currency) => {
  expect(readFeedPrice(written)).toEqual({ decimals, currency })
})

test.each(['call us', '', 'EUR', '-5 EUR', '5 EUR 6', '12,34,56 EUR', `${'9'.repeat(90)} EUR`])(
  '%j is none',
  (written) => {
    expect(readFeedPrice(written).decimals).toEqual([])
  },
)
