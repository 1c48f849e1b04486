import { expect, test } from 'vitest'
import { GAP_IDS, gapWords } from '../words.ts'
import { termsIn } from './terms.ts'

/** Known to anyone who runs a store, or names and values that are copied as they stand. */
const KNOWN = /^(?:AI|ID|URL|URLs|HTML|USD|EUR|AUD|OpenAI|JavaScript|WebSite|API-Version)$/

const said = GAP_IDS.map((id) => [id, gapWords(id)] as const)

test.each(said)('%s: each abbreviation is explained', (_, { label, fix }) => {
  const text = `${label} ${fix}`
  const terms = termsIn(text).flatMap(({ word }) => word.split(', '))
  const short = (text.match(/\b[A-Za-z]*[A-Z]{2,}[A-Za-z-]*\b/g) ?? []).filter(
    (word) => !KNOWN.test(word),
  )
  const unexplained = short.filter((word) => !terms.some((term) => word.startsWith(term)))
  expect(unexplained.filter((word) => !(word === 'ISO' && terms.includes('ISO 4217')))).toEqual([])
})

test('a plain text needs no explanation', () => {
  expect(termsIn('Everything is sold out. Put products back in stock.')).toEqual([])
  expect(termsIn('A GTIN in the markup is invalid').map(({ word }) => word)).toEqual([
    'Product markup',
    'GTIN',
  ])
  // An address or a file is no part of the data.
  expect(termsIn('Link /feeds/google.xml at shop.example')).toEqual([])
  expect(termsIn('Send price.amount').map(({ word }) => word)).toEqual([
    'Names such as price.amount',
  ])
})
