import { expect, test } from 'vitest'
import { isSameAmount, readPriceText } from './price-text.ts'

test.each([
  ['19.99', ['19.99'], null],
  ['26,00 €', ['26.00'], 'EUR'],
  ['$1,299', ['1299', '1.299'], null],
  ['US$1,299.50', ['1299.50'], 'USD'],
  ['1.299,00', ['1299.00'], null],
  ['1.299', ['1.299', '1299'], null],
  ['0.299', ['0.299'], null],
  ["CHF 1'299.-", ['1299'], 'CHF'],
  ['12 900 kr', ['12900'], null],
  ['1\u202f299,90 €', ['1299.90'], 'EUR'],
  ['1,299,000 ₫', ['1299000'], 'VND'],
  ['1,2,3', [], null],
  ['1.2345,67', [], null],
  ['19.99 eur', ['19.99'], 'EUR'],
  ['10 - 20 €', [], 'EUR'],
  ['-5.00', [], null],
  ['call us', [], null],
  ['', [], null],
  ['9'.repeat(100), [], null],
])('%j may mean %j', (written, decimals, currency) => {
  expect(readPriceText(written)).toEqual({ decimals, currency })
})

test.each([
  ['29.99', '29.989999', 'EUR', true],
  ['29.99', '29.9', 'EUR', false],
  ['1299', '1299.4', 'JPY', true],
  ['1.299', '1.3', 'KWD', false],
  ['1.299', '1.3', null, false],
])('%s and %s in %s', (one, other, currency, isSame) => {
  expect(isSameAmount(one, other, currency)).toBe(isSame)
})
