import { expect, test } from 'vitest'
import { answerFrom } from '../../../shared/web/testing/answer-from.ts'
import { middlePage } from './catalog.ts'

const URL_OF_PAGE = 'https://shop.example/ucp/products?lang=en'

const first = (pagination: unknown) => ({
  fetched: answerFrom(URL_OF_PAGE),
  json: { ok: true as const, value: { products: [], pagination } },
})

const LARGE = { page: 1, per_page: 100, total: 10_080 }

test.each([
  ['it counts pages', '/ucp/products?lang=en&page=2', '/ucp/products?lang=en&page=51'],
  ['it has another name', '?p=2', '/ucp/products?p=51'],
  ['its size is two as well', '?page=2&per_page=2', '/ucp/products?page=51&per_page=2'],
  ['a cursor', '?after=x2', null],
  ['an offset', '?offset=100', null],
  ['a cursor that looks like a number', '?cursor=2', null],
  ['another count', '?page=3', null],
  ['two counts', '?page=2&p=2', null],
  ['a path', '/ucp/products/page/2', null],
  ['no text', 2, null],
  ['nothing', null, null],
])('%s: next %j', (_, next, expected) => {
  expect(middlePage(first({ ...LARGE, next }), 3)).toBe(
    expected === null ? null : `https://shop.example${expected}`,
  )
})

test.each([
  [{ ...LARGE, total: 301 }, 'page=4'],
  [{ ...LARGE, total: 300 }, null],
  [{ ...LARGE, total: -1 }, null],
  [{ ...LARGE, total: '10080' }, null],
  [{ ...LARGE, total: 1e300 }, null],
  [{ ...LARGE, per_page: 0 }, null],
  [{ ...LARGE, page: 2 }, null],
  [undefined, null],
])('%j', (said, expected) => {
  const url = middlePage(first(said && { ...said, next: '?page=2' }), 3)
  if (expected === null) expect(url).toBe(null)
  else expect(url).toContain(expected)
})
