import { expect, test } from 'vitest'
import { countryCodes } from '../../../shared/commerce/iso.ts'
import { alpha2Of } from './country.ts'

test.each([
  ['US', 'US'],
  ['us', 'US'],
  ['USA', 'US'],
  ['U.S.A.', 'US'],
  ['United States', 'US'],
  ['united states of america', 'US'],
  ['sgp', 'SG'],
  ['Singapore', 'SG'],
  ['Germany', 'DE'],
  ['UK', 'GB'],
  ['The Netherlands', 'NL'],
  ['Hong Kong', 'HK'],
  ['Cote d’Ivoire', 'CI'],
  ["Côte d'Ivoire", 'CI'],
  ['Turkey', 'TR'],
  ['Türkiye', 'TR'],
  ['Trinidad and Tobago', 'TT'],
  ['Saint Lucia', 'LC'],
  ['St. Lucia', 'LC'],
  ['Korea, Republic of', 'KR'],
])('%s is %s', (text, code) => {
  expect(alpha2Of(text)).toBe(code)
})

test.each(['ZZ', 'XXX', 'Congo', 'Atlantis', '4242424242424242', '4242 Germany', '', '日本'])(
  '“%s” is the text of no country, and stays',
  (text) => {
    expect(alpha2Of(text)).toBe(text)
  },
)

test('each country has its alpha-2 code and its English name, and one alpha-3 code', () => {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  for (const code of countryCodes()) expect(alpha2Of(names.of(code)!)).toBe(code)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  const alpha3 = letters.flatMap((one) =>
    letters.flatMap((two) => letters.map((three) => one + two + three)),
  )
  const found = alpha3.map(alpha2Of).filter((text) => text.length === 2)
  expect(found.toSorted()).toEqual(countryCodes().toSorted())
})
