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
  ['₹1,23,456.00', ['123456.00'], 'INR'],
  ['Rs.1,23,456', ['123456'], null],
  ['Rs.49', ['49'], null],
  ['1,23,45', [], null],
  ['$.99', ['0.99'], null],
  ['.50 €', ['0.50'], 'EUR'],
  ['￥１２，８００', ['12800', '12.800'], null],
  ['12,800円税込', ['12800', '12.800'], 'JPY'],
  ['1.5万円', [], 'JPY'],
  ['١٬٢٣٤٫٥٠ ر.س', ['1234.50'], null],
  ['۱۲۳۴ ریال', ['1234'], null],
  ['๑,๒๙๐.๐๐ ฿', ['1290.00'], 'THB'],
  ['12 990 Ft', ['12990'], 'HUF'],
  ['RM12.90', ['12.90'], 'MYR'],
  ['FORM 12.90', ['12.90'], null],
  ['NT$1,299', ['1299', '1.299'], 'TWD'],
  ['XR$9', ['9'], null],
  ['12,50 руб.', ['12.50'], null],
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
