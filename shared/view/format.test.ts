import { expect, test } from 'vitest'
import {
  formatAge,
  formatAmount,
  formatChange,
  formatDate,
  formatDateTime,
  formatNumber,
  formatPercent,
  knownLocale,
  moneyFormat,
} from './format.ts'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test.each([
  [123456, 'USD', 'en', '$1,234.56'],
  [123456, 'USD', 'de', '1.234,56 $'],
  [1500, 'JPY', 'en', '¥1,500'],
  [1500, 'KWD', 'en', 'KWD 1.500'],
  // Intl writes no decimals for these, and ISO 4217 gives them two.
  [123450, 'HUF', 'en', 'HUF 1,234.50'],
  [99, 'IDR', 'en', 'IDR 0.99'],
  [0, 'EUR', 'en', '€0.00'],
  [7, null, 'en', '7'],
  [100, 'not a code', 'en', '1.00 not a code'],
  [100, 'USD', 'no locale!', '$1.00'],
])('%d of %s in %s is %s', (amount, currency, locale, text) => {
  expect(plain(formatAmount(amount, currency, locale))).toBe(text)
})

test.each([
  [0, '$0'],
  [50, '$0.50'],
  [2000, '$20'],
  [150_000_000, '$1.5M'],
])('an axis writes %d cents as %s', (amount, text) => {
  expect(moneyFormat('USD', 'en', true)(amount)).toBe(text)
})

test('numbers, rates and changes', () => {
  expect(formatNumber(12345)).toBe('12,345')
  expect(formatNumber(12345, 'de')).toBe('12.345')
  expect(formatPercent(0.0312)).toBe('3.1%')
  expect(formatPercent(1)).toBe('100%')
  expect(formatChange(0.254)).toBe('25%')
  expect(formatChange(-0.031)).toBe('3.1%')
})

test.each([
  ['2026-11-01', 'en', 'Nov 1, 2026'],
  ['2026-11-01', 'en-GB', '1 Nov 2026'],
  ['2026-11-01', 'de', '1. Nov. 2026'],
  ['2026-11-01', 'th', '1 พ.ย. 2026'],
  ['<b>', 'en', '<b>'],
])('the day %s in %s is %s', (day, locale, text) => {
  expect(formatDate(day, locale)).toBe(text)
})

test('moments are in UTC unless another zone is given', () => {
  expect(plain(formatDateTime('2026-11-21T23:30:00Z'))).toBe('Nov 21, 2026, 11:30 PM UTC')
  expect(plain(formatDateTime('2026-11-21T23:30:00Z', 'en', 'Asia/Tokyo'))).toContain('Nov 22')
  expect(formatDateTime('soon')).toBe('soon')
})

const NOW = new Date('2026-11-21T12:00:00Z')
test.each([
  ['2026-11-21T11:59:30Z', 'now'],
  ['2026-11-21T11:59:00Z', '1 minute ago'],
  ['2026-11-21T09:30:00Z', '2 hours ago'],
  ['2026-11-20T11:00:00Z', 'yesterday'],
  ['2026-08-01T00:00:00Z', '3 months ago'],
  ['2024-08-01T00:00:00Z', '2 years ago'],
  ['2026-11-22T00:00:00Z', 'now'],
  ['soon', 'soon'],
])('%s was %s', (from, text) => {
  expect(formatAge(from, NOW)).toBe(text)
})

test.each([
  ['de-AT', 'de-AT'],
  ['xx-not-real-locale', 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['en_US', 'en'],
])('the locale %s counts as %s', (locale, known) => {
  expect(knownLocale(locale)).toBe(known)
})
