import { expect, test } from 'vitest'
import { localeOf } from './accept-language.ts'

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
  ['en;q=0.5, fr-CA', 'fr-CA'],
  ['en', 'en'],
  ['en-GB', 'en-GB'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['xx-klingon, de', 'de'],
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de;q=nonsense', 'en'],
  ['de-u-nu-arab', 'en'],
  ['<script>', 'en'],
  ['__proto__', 'en'],
  [`${'a-'.repeat(100_000)}`, 'en'],
  [',;,;q=,,', 'en'],
])('%j is written in %s', (header, locale) => {
  expect(localeOf(header)).toBe(locale)
})
