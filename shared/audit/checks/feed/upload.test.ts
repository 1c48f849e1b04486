import { describe, expect, test } from 'vitest'
import { countUploadRow, startUpload } from './upload.ts'
import { causeText, isReady, uploadResult } from './upload-result.ts'
import { DESTINATION_NAMES, type FeedDestination } from './vendors/destinations.ts'
import { DESTINATIONS } from './vendors/tables.ts'

/** A product that every destination lists, in the names of Google. */
const GOOGLE = {
  id: 'T-1',
  title: 'Tent for two people',
  description: 'Two people, three seasons, pitched in a minute.',
  link: 'https://shop.example/p/tent',
  image_link: 'https://shop.example/tent.jpg',
  availability: 'in_stock',
  price: '249.00 USD',
  brand: 'Fjell',
  gtin: '4006381333931',
  mpn: 'FJ-1',
  condition: 'new',
  google_product_category: '1013',
}
/** The same in the names of OpenAI, with all that PayPal asks of those. */
const { id, link, image_link, google_product_category: _, ...common } = GOOGLE
const OPENAI = {
  ...common,
  item_id: id,
  url: link,
  image_url: image_link,
  seller_name: 'Shop',
  seller_url: 'https://shop.example/',
  seller_privacy_policy: 'https://shop.example/privacy',
  seller_tos: 'https://shop.example/terms',
  return_policy: 'https://shop.example/returns',
  listing_has_variations: 'false',
  target_countries: '["US"]',
  store_country: 'US',
}

type Change = Record<string, string | null>

function checked(
  row: object,
  change: Change = {},
  names: readonly FeedDestination[] = DESTINATION_NAMES,
) {
  const state = startUpload(names, 1000)
  const values = Object.entries({ ...row, ...change }).filter(
    (each): each is [string, string] => each[1] !== null,
  )
  const outcome = countUploadRow(state, new Map(values), null)
  const result = uploadResult({ kind: 'csv', gzip: false, problem: null }, state)
  return { outcome, result }
}

/** `openai: missing brand, …` for each destination that leaves the row out. */
const leftOut = (row: object, change: Change) =>
  checked(row, change).outcome.left_out.map(
    ({ destination, causes }) =>
      `${destination}: ${causes.map(({ kind, field }) => `${kind} ${field}`).join(', ')}`,
  )

/** Faults for which no destination leaves it out. */
const wrong = (row: object, change: Change) =>
  checked(row, change).result.destinations.flatMap(({ destination, causes }) =>
    causes
      .filter(({ leaves_out }) => !leaves_out)
      .map(({ kind, field }) => `${destination}: ${kind} ${field}`),
  )

test('a right row is listed everywhere, and has nothing wrong', () => {
  expect([leftOut(GOOGLE, {}), wrong(GOOGLE, {})]).toEqual([[], []])
  const { result } = checked(OPENAI, {}, ['openai', 'paypal'])
  expect(isReady(result)).toBe(true)
  expect(result.destinations.flatMap(({ causes }) => causes)).toEqual([])
})

describe('in the names of Google', () => {
  const all = (text: string) => DESTINATION_NAMES.map((name) => `${name}: ${text}`)
  test.each<[string, Change, string[], string[]]>([
    ['no title', { title: null }, all('missing title'), []],
    ['no price', { price: null }, all('missing price'), []],
    ['a price without a currency', { price: '249.00' }, all('invalid price'), []],
    [
      'no brand',
      { brand: null },
      ['openai: missing brand', 'meta: missing brand', 'stripe: missing brand'],
      ['microsoft: identifiers identifier_exists'],
    ],
    [
      'no brand of a book',
      { brand: null, google_product_category: 'Media > Books' },
      ['openai: missing brand', 'meta: missing brand'],
      ['microsoft: identifiers identifier_exists'],
    ],
    [
      'no number',
      { gtin: null, mpn: null },
      ['openai: missing mpn', 'stripe: missing mpn'],
      ['microsoft: identifiers identifier_exists'],
    ],
    [
      'no number, and none exists',
      { gtin: null, mpn: null, identifier_exists: 'no' },
      ['stripe: missing mpn'],
      [],
    ],
    ['no condition', { condition: null }, ['meta: missing condition'], []],
    [
      'a backorder with its day',
      { availability: 'backorder', availability_date: '2027-03-01' },
      ['meta: invalid availability'],
      ['microsoft: invalid availability'],
    ],
    [
      'a preorder without its day',
      { availability: 'preorder' },
      ['openai: missing availability_date', 'stripe: missing availability_date'],
      ['google: dates availability_date'],
    ],
    [
      'a short description',
      { description: 'A tent for two people.' },
      ['paypal: invalid description'],
      [],
    ],
    [
      'a long description',
      { description: 'x'.repeat(5001) },
      [],
      [
        'openai: too_long description',
        'google: too_long description',
        'stripe: too_long description',
      ],
    ],
    [
      'a title of 151',
      { title: 'x'.repeat(151) },
      [],
      [
        'openai: too_long title',
        'google: too_long title',
        'microsoft: too_long title',
        'stripe: too_long title',
      ],
    ],
    [
      'a sale that is dearer',
      { sale_price: '300.00 USD', sale_price_effective_date: '2027-01-01/2027-01-31' },
      ['openai: sale sale_price'],
      ['google', 'microsoft', 'meta', 'stripe', 'paypal'].map((name) => `${name}: sale sale_price`),
    ],
    [
      'a sale without dates',
      { sale_price: '200.00 USD' },
      ['stripe: missing sale_price_effective_date'],
      [],
    ],
    ['for adults', { adult: 'TRUE' }, ['microsoft: invalid adult'], []],
    ['no category', { google_product_category: null }, ['stripe: missing product_category'], []],
    [
      'tracked without a number',
      { inventory_not_tracked: 'false' },
      ['stripe: missing inventory_quantity'],
      [],
    ],
    [
      'reviews without a rating',
      { product_review_count: '3' },
      ['stripe: missing product_review_rating'],
      [],
    ],
    [
      'one flag of two',
      { is_eligible_search: 'true' },
      ['paypal: missing is_eligible_checkout'],
      [],
    ],
    [
      'a gtin that is none',
      { gtin: '123' },
      ['google: gtin gtin'],
      [
        'openai: gtin gtin',
        'microsoft: invalid gtin',
        'meta: gtin gtin',
        'stripe: gtin gtin',
        'paypal: gtin gtin',
      ],
    ],
    [
      'an ISBN of ten digits',
      { gtin: '0-306-40615-2' },
      [],
      ['openai', 'google', 'meta', 'stripe', 'paypal'].map((name) => `${name}: gtin gtin`),
    ],
    [
      'a number of what is not counted',
      { inventory_not_tracked: 'true', inventory_quantity: '3' },
      [],
      ['stripe: invalid inventory_quantity'],
    ],
  ])('%s', (_name, change, out, listed) => {
    expect([leftOut(GOOGLE, change), wrong(GOOGLE, change)]).toEqual([out, listed])
  })

  test('a product that Stripe is to remove needs its id alone', () => {
    expect(checked({ id: 'T-1', delete: 'true' }, {}, ['stripe']).outcome.left_out).toEqual([])
    expect(checked({ id: 'T-1', delete: 'false' }, {}, ['stripe']).outcome.left_out).toHaveLength(1)
  })
})

describe('in the names of OpenAI', () => {
  test.each<[string, Change, string[]]>([
    ['no target', { target_countries: null }, ['missing target_countries']],
    ['no home', { store_country: null }, ['missing store_country']],
    ['a target that is no country', { target_countries: 'USA' }, ['invalid target_countries']],
    ['several targets', { target_countries: 'US,CA' }, []],
    ['no seller', { seller_name: null }, ['missing seller_name']],
    ['no number', { gtin: null, mpn: null }, []],
    ['unknown stock', { availability: 'unknown' }, []],
    ['a flag in capitals', { is_eligible_search: 'TRUE' }, ['invalid is_eligible_search']],
  ])('%s', (_name, change, out) => {
    const [found] = checked(OPENAI, change, ['openai']).outcome.left_out
    expect((found?.causes ?? []).map(({ kind, field }) => `${kind} ${field}`)).toEqual(out)
  })

  test('what only the newer page asks for is told apart from the rest', () => {
    const without = { target_countries: null, store_country: null }
    const [to] = checked(OPENAI, without, ['openai']).result.destinations
    expect(to).toMatchObject({
      left_out: 1,
      by_older_page: { left_out: 0, page: expect.stringContaining('/file-upload/products') },
      page: expect.stringContaining('/commerce/specs/feed'),
    })
    expect(to?.causes.map(({ newer }) => newer)).toEqual([true, true])
    const [also] = checked(OPENAI, { ...without, brand: null }, ['openai']).result.destinations
    expect(also).toMatchObject({ left_out: 1, by_older_page: { left_out: 1 } })
  })

  test('a value under the name of another vendor is named', () => {
    const [cause] = checked(OPENAI, {}, ['google']).result.destinations[0]?.causes ?? []
    expect(cause).toMatchObject({ field: 'id', expected: 'a value; the feed has it as item_id' })
  })
})

test('faults are summed by cause, with the first products and their addresses', () => {
  const state = startUpload(['google'], 1000)
  for (let n = 1; n <= 25; n += 1) {
    const link = `https://shop.example/p/${n}`
    countUploadRow(
      state,
      new Map(Object.entries({ ...GOOGLE, id: `T-${n}`, link, price: '1' })),
      null,
    )
  }
  const result = uploadResult({ kind: 'tsv', gzip: true, problem: null }, state)
  expect(result).toMatchObject({ products: 25, left_out: 25, gzip: true })
  const [cause] = result.destinations[0]?.causes ?? []
  expect(cause).toMatchObject({ field: 'price', kind: 'invalid', count: 25, leaves_out: true })
  expect(cause?.examples).toHaveLength(10)
  expect(cause?.examples[1]).toEqual({
    row: 2,
    id: 'T-2',
    link: 'https://shop.example/p/2',
    value: '1',
  })
  expect(causeText(cause ?? { field: '', kind: 'missing' })).toBe('price is not valid')
})

test('the second product with an id is left out everywhere, as long as ids are kept', () => {
  const count = (mostIds: number) => {
    const state = startUpload(['google', 'meta'], mostIds)
    for (const id of ['A', 'B', 'B'])
      countUploadRow(state, new Map(Object.entries({ ...GOOGLE, id })), null)
    return state.destinations.map(({ left_out }) => left_out)
  }
  expect(count(10)).toEqual([1, 1])
  expect(count(1)).toEqual([0, 0])
})

test.each([
  ['stripe', 'csv', true],
  ['stripe', 'rss', false],
  ['paypal', 'jsonl', false],
  ['openai', 'rss', false],
  ['meta', 'atom', true],
  ['google', 'rss', true],
] as const)('%s takes %s: %s', (name, kind, fits) => {
  const state = startUpload([name], 10)
  countUploadRow(state, new Map(Object.entries(GOOGLE)), null)
  const result = uploadResult({ kind, gzip: false, problem: null }, state)
  expect([result.destinations[0]?.format_fits, isReady(result)]).toEqual([fits, fits])
})

test('each rule names the page of its vendor, and each table the day on which it was read', () => {
  for (const name of DESTINATION_NAMES) {
    for (const { fields, read } of Object.values(DESTINATIONS[name])) {
      expect(read).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      for (const { source } of fields) expect(source).toMatch(/^https:\/\//)
      const names = fields.map((each) => each.name)
      expect(new Set(names).size).toBe(names.length)
    }
  }
})
