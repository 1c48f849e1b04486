import { expect, test } from 'vitest'
import { judgeCall, judgeListed } from './judge-tools.ts'
import { factsOf, type ListedGood } from './page-facts.ts'

test('two tools of one name are named, which Chromium itself refuses', () => {
  const tool = { name: 'search', title: '', description: 'Finds.', schema: '{}', isReadOnly: true }
  const ids = (...names: string[]) =>
    judgeListed(names.map((name) => ({ ...tool, name }))).map(({ id }) => id)
  expect(ids('search', 'search')).toEqual(['name_repeated'])
  expect(ids('search', 'find')).toEqual([])
})

const PAGE = 'https://shop.example/products/boot'
const STATE = { url: PAGE, basketLink: '', basket: '', stored: '' }
const good = (change: Partial<ListedGood>): ListedGood => ({
  id: 'b-1',
  name: 'Fell Boot',
  price: { amount: 17900, currency: 'USD' },
  page: PAGE,
  ...change,
})

test.each([
  ['that catalog', [good({})], '', ['price_differs']],
  ['a catalog of other pages', [good({ page: 'https://shop.example/products/hat' })], '', []],
  ['a catalog without pages, by the name', [good({ page: null })], '', ['price_differs']],
  ['the page, whatever the catalog says', [good({})], '$169.00', []],
])('a price is compared with %s', (_, listed, text, found) => {
  const facts = factsOf({ heading: 'Fell Boot', text, jsonLd: [] }, `${PAGE}?ref=1`, listed)
  const answer = JSON.stringify({ id: 'boot', title: 'Fell Boot', price: '169.00 USD' })
  const call = { name: 'read', input: '{}', answer, failed: null, before: STATE, after: STATE }
  expect(judgeCall(call, facts).map(({ id }) => id)).toEqual(found)
})
