import { expect, test } from 'vitest'
import type { Fetched, JsonSeen } from '../../../shared/web/http/fetched.ts'
import { answerFrom } from '../../../shared/web/testing/answer-from.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import { type CatalogReader, readWhole, type WholeLimits } from './whole-catalog.ts'

const URL_OF_SEARCH = 'https://shop.example/api/catalog/search'

const answer = (status: number, headers: Record<string, string> = {}): Fetched =>
  answerFrom(URL_OF_SEARCH, { method: 'POST', status, headers, ms: 20 })

/** Products that no page before had, and a cursor that no page before had. */
const pageOf = (number: number, size = 10): JsonSeen => ({
  fetched: answer(200),
  json: {
    ok: true,
    value: {
      products: Array.from({ length: size }, (_, n) => ({ id: `p-${number}-${n}`, title: 'x' })),
      pagination: { has_next_page: true, cursor: `c${number + 1}` },
    },
  },
})

const MANY: WholeLimits = { pages: 1_000, products: 100_000, ms: 1_000_000 }

/** Reads a catalog that never ends, with a clock that goes on only by waiting. */
async function read(limits: WholeLimits, instead: Record<number, Fetched> = {}) {
  let now = 0
  let asked = 0
  const waited: number[] = []
  const next = async (key: string): Promise<JsonSeen> => {
    asked += 1
    const fetched = instead[asked]
    return fetched === undefined ? pageOf(Number(key.slice(1))) : { fetched, json: null }
  }
  const reader: CatalogReader = { first: () => next('c1'), next, close: async () => {} }
  const pause = async (ms: number) => {
    waited.push(ms)
    now += ms
  }
  const reading = { run: JUDGES_HERE.run, limits, pause, clock: () => now }
  return { whole: await readWhole({ dialect: 'ucp' }, reader, reading), waited, asked }
}

test.each([
  ['pages', { ...MANY, pages: 7 }, 7, '7 pages are the most that are read'],
  ['products', { ...MANY, products: 45 }, 5, '45 products are the most that are read'],
  ['time', { ...MANY, ms: 90 }, 5, 'the time that it was given was over'],
])('a catalog that never ends is left: %s', async (_, limits, pages, stopped) => {
  const { whole } = await read(limits)
  expect(whole).toMatchObject({ pages, stopped, of: null, next_fault: null })
})

test.each([
  ['seconds', answer(429, { 'retry-after': '30' }), 30_000],
  [
    'a date',
    answer(503, {
      date: 'Mon, 23 Nov 2026 10:00:00 GMT',
      'retry-after': 'Mon, 23 Nov 2026 10:01:00 GMT',
    }),
    60_000,
  ],
  [
    'a date that is over',
    answer(429, {
      date: 'Mon, 23 Nov 2026 10:00:00 GMT',
      'retry-after': 'Mon, 23 Nov 2026 09:00:00 GMT',
    }),
    0,
  ],
  ['nothing', answer(429), 2_000],
  ['nonsense', answer(429, { 'retry-after': '-1; soon' }), 2_000],
  [
    'no answer in time',
    {
      kind: 'no_answer',
      method: 'POST',
      url: URL_OF_SEARCH,
      why: 'timeout',
      message: 'late',
      ms: 9,
    } as const,
    2_000,
  ],
])('a store that is busy is waited for: %s', async (_, fetched, ms) => {
  const { whole, waited } = await read({ ...MANY, pages: 4 }, { 3: fetched })
  expect(whole.pages).toBe(4)
  expect(waited).toEqual([20, 20, ms, 20])
})

test('a store that stays busy is left after a few times', async () => {
  const busy = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [n + 3, answer(429)]))
  const { whole, waited, asked } = await read(MANY, busy)
  expect(whole).toMatchObject({ pages: 2, next_fault: null })
  expect(whole.stopped).toMatch(/answered 429: it blocks our requests/)
  expect(waited).toEqual([20, 20, 2_000, 4_000, 8_000, 16_000])
  expect(asked).toBe(7)
})
