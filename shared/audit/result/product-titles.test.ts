import { expect, test } from 'vitest'
import { answerFrom } from '../../web/testing/answer-from.ts'
import type { Evidence } from '../evidence.ts'
import { MAX_TITLES, type ProductTitle, titlesOf } from './product-titles.ts'

const catalogOf = (products: unknown[]): Evidence['catalog'] => {
  const none = { fetched: { kind: 'not_asked' as const, reason: 'not asked' }, json: null }
  return {
    dialect: 'spec',
    endpoint: null,
    first: {
      fetched: answerFrom('https://shop.example/ucp/products'),
      json: { ok: true, value: { products } },
    },
    again: none,
    next: [],
    search: null,
    filters: null,
    official: null,
  } as unknown as Evidence['catalog']
}

const feedOf = (items: ProductTitle[]) =>
  ({
    items: items.map(({ product_id, title }, n) => ({ row: n + 1, id: product_id, title })),
  }) as unknown as Evidence['feed']

const titles = (products: unknown[], items: ProductTitle[] = []) =>
  Object.fromEntries(
    titlesOf({ catalog: catalogOf(products), feed: feedOf(items) }).map((each) => [
      each.product_id,
      each.title,
    ]),
  )

test('products, their variants and the rows of a feed are named, the catalog first', () => {
  const boot = {
    id: 'boot',
    name: 'Winter boot',
    variants: [
      { id: 'boot-42', attributes: { size: '42', color: 'black' } },
      { id: 'boot-43', attributes: { size: '43', color: 7 } },
    ],
  }
  const hat = { id: 17, name: 'Hat', variants: [{ id: 'hat-1', attributes: { title: 'Default' } }] }
  const rows = [
    { product_id: 'boot', title: 'BOOT!!! buy now' },
    { product_id: 'sock', title: 'Sock' },
    { product_id: 'boot-43', title: 'Winter boot, size 43' },
  ]
  expect(titles([boot, hat], rows)).toEqual({
    boot: 'Winter boot',
    17: 'Hat',
    sock: 'Sock',
    'boot-43': 'Winter boot, size 43',
    'boot-42': 'Winter boot (42, black)',
    'hat-1': 'Hat',
  })
})

test.each([
  ['a\u202eb\u0000c\u001b[31m\u2028d', 'abc[31m d'],
  ['Boot\u200b\u2060\ufeff s', 'Boot s'],
  [`Boot${String.fromCodePoint(0xe0041, 0xe0042, 0xe0043)}`, 'Boot'],
  ['\u06a9\u062a\u0627\u0628\u200c\u0647\u0627', '\u06a9\u062a\u0627\u0628\u200c\u0647\u0627'],
  ['\u{1f469}\u200d\u{1f33e} boots', '\u{1f469}\u200d\u{1f33e} boots'],
  ['  two \n\t lines  ', 'two lines'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['half \ud800 a character', 'half \ufffd a character'],
  ['x'.repeat(5_000_000), `${'x'.repeat(119)}…`],
  ['👞'.repeat(200), `${'👞'.repeat(119)}…`],
  ['\u200e \u0007', undefined],
  ['', undefined],
  [{ toString: 'x' }, undefined],
  [null, undefined],
])('titles are cleaned, %#', (name, expected) => {
  expect(titles([{ id: 'a', name }]).a).toBe(expected)
})

test.each(['', 'x'.repeat(201), 'nul\0', 'half \udc00', null, {}, ['a']])(
  'a product with the id %j has no name to keep',
  (id) => {
    expect(titles([{ id, name: 'Boot' }])).toEqual({})
  },
)

test('as many are named as a domain may have, products before variants', () => {
  const variants = Array.from({ length: 90 }, (_, n) => ({ id: `v${n}` }))
  const products = Array.from({ length: 900 }, (_, n) => ({
    id: `p${n}`,
    name: 'Boot',
    variants: variants.map(({ id }) => ({ id: `p${n}-${id}` })),
  }))
  const found = titlesOf({ catalog: catalogOf(products) })
  expect(found).toHaveLength(MAX_TITLES)
  expect(found.slice(0, 900).map(({ product_id }) => product_id)).toEqual(
    products.map(({ id }) => id),
  )
})

test('without a catalog and a feed nothing is named', () => {
  expect(titlesOf({})).toEqual([])
})
