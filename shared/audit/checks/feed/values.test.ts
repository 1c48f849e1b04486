import { expect, test } from 'vitest'
import { parseFeedPrice } from './values.ts'

test.each([
  ['79.95 AUD', '79.95', 'AUD'],
  ['79.95AUD', '79.95', 'AUD'],
  ['aud 79.95', '79.95', 'AUD'],
  [' 1,299.00 USD ', '1299.00', 'USD'],
  ['12,345,678 USD', '12345678', 'USD'],
  ['1,299 USD', '1299', 'USD'],
  ['79,95 EUR', '79.95', 'EUR'],
  ['5000 JPY', '5000', 'JPY'],
  ['79.95', '79.95', null],
  ['$79.95', '79.95', null],
  ['79,95 €', '79.95', null],
])('%j is a price', (written, decimal, currency) => {
  expect(parseFeedPrice(written)).toEqual({ decimal, currency })
})

test.each([
  'call us',
  '',
  'EUR',
  '-5 EUR',
  '5 EUR 6',
  '1.299,00 EUR',
  '12,34,56 EUR',
  '5 EURO',
  `${'9'.repeat(50)} EUR`,
])('%j is none', (written) => {
  expect(parseFeedPrice(written)).toBeNull()
})
