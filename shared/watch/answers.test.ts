import { expect, test } from 'vitest'
import type { Evidence } from '../audit/evidence.ts'
import { answerFrom } from '../web/testing/answer-from.ts'
import { answersOf, keepAnswers, type SeenAnswers } from './answers.ts'
import { changesOf } from './changes.ts'

const SHOP = 'https://shop.example/ucp/products'

function answer(body: unknown, more: object = {}) {
  const fetched = answerFrom(SHOP, {
    headers: { 'content-type': 'application/json', date: 'Wed, 25 Nov 2026 10:00:00 GMT' },
    body: JSON.stringify(body),
    ms: 12,
    ...more,
  })
  return { fetched, json: { ok: true, value: body } }
}
/** The evidence of a catalog whose first page is this answer. */
const seen = (first: unknown): SeenAnswers =>
  answersOf({ catalog: { first } } as unknown as Partial<Evidence>)
const changes = (before: unknown, after: unknown, detail = '') =>
  changesOf(seen(before), seen(after), { reads: ['catalog'], detail }).map(
    ({ what, name, before: was, after: is }) => `${what} ${name}: ${was} → ${is}`,
  )

const LIST = { products: [{ id: '1', price: { amount: 5 } }], pagination: { total: 1 } }

test.each([
  ['nothing', answer(LIST), answer(LIST), []],
  ['a status', answer(LIST), answer(LIST, { status: 503 }), ['status null: 200 → 503']],
  [
    'no answer',
    answer(LIST),
    {
      fetched: { kind: 'no_answer', method: 'GET', url: SHOP, why: 'timeout', message: '', ms: 1 },
    },
    ['status null: 200 → no answer (timeout)'],
  ],
  [
    'a header',
    answer(LIST),
    answer(LIST, { headers: { 'content-type': 'text/html', date: 'later' } }),
    ['header content-type: application/json → text/html'],
  ],
  [
    'a redirect',
    answer(LIST),
    answer(LIST, { redirects: [{ status: 302, location: 'https://x.example/' }] }),
    ['header location: null → 302 https://x.example/'],
  ],
  [
    'a value',
    answer(LIST),
    answer({ ...LIST, products: [{ id: '1', price: { amount: 6 } }] }),
    ['field /products/0/price/amount: 5 → 6'],
  ],
  [
    'a part that is gone, once',
    answer(LIST),
    answer({ products: LIST.products }),
    ['field /pagination: an object → null'],
  ],
  [
    'a list that is empty, once',
    answer({ products: LIST.products }),
    answer({ products: [] }),
    ['field /products: a list of 1 → a list of 0'],
  ],
  [
    'names with slashes and tildes',
    answer({ 'a/b~c': 1 }),
    answer({ 'a/b~c': 2 }),
    ['field /a~1b~0c: 1 → 2'],
  ],
])('what changed: %s', (_, before, after, expected) => {
  expect(changes(before, after)).toEqual(expected)
})

test('what the gap quotes comes first, and no more than five are told', () => {
  const many = (n: number) =>
    answer(Object.fromEntries([...'abcdefgh'].map((name) => [`fact_${name}`, n])))
  const told = changes(many(1), many(2), 'The member fact_h is wrong.')
  expect(told).toHaveLength(5)
  expect(told[0]).toBe('field /fact_h: 1 → 2')
})

test('what differs while all is well is no change, and is not kept', () => {
  const looks = ['a', 'b', 'c'].map((id) => seen(answer({ session: id, total: 1 })))
  const calm = { held: new Set<keyof Evidence>(), changed: new Set<keyof Evidence>() }
  const kept = looks.reduce((before, now) => keepAnswers(before, now, calm), {} as SeenAnswers)
  expect(kept.catalog?.[0]).toMatchObject({ fields: { '/total': '1' }, unsteady: ['/session'] })
  const broken = seen(answer({ session: 'd', total: 2 }))
  expect(changesOf(kept, broken, { reads: ['catalog'], detail: '' })).toMatchObject([
    { name: '/total', before: '1', after: '2' },
  ])
  // The next look that is as calm has nothing new to keep.
  expect(keepAnswers(kept, seen(answer({ session: 'e', total: 1 })), calm)).toEqual(kept)
})

test('while something is suspected, what it looked like before is kept', () => {
  const before = seen(answer({ total: 1 }))
  const held = { held: new Set(['catalog'] as const), changed: new Set(['catalog'] as const) }
  expect(keepAnswers(before, seen(answer({ total: 2 })), held)).toEqual(before)
})

test('what is kept of hostile answers is bounded', () => {
  const deep = { start: {} as Record<string, unknown> }
  let at = deep.start
  for (let n = 0; n < 10_000; n += 1) {
    at.inner = {}
    at = at.inner as Record<string, unknown>
  }
  const wide = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 'x'.repeat(99)]),
  )
  const long = { text: 'y'.repeat(1_000_000), ['n'.repeat(100_000)]: 1 }
  for (const body of [deep, wide, long, [wide, wide, wide], null, 'text', 5]) {
    const kept = answersOf({
      catalog: { first: answer(body), next: Array(500).fill(answer(body)) },
    } as unknown as Partial<Evidence>)
    expect(kept.catalog?.length).toBeLessThanOrEqual(60)
    expect(JSON.stringify(kept).length).toBeLessThan(500_000)
  }
  const usual = answersOf({ catalog: { first: answer(wide) } } as unknown as Partial<Evidence>)
  expect(JSON.stringify(usual).length).toBeLessThan(100_000)
})
