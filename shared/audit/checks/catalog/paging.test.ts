import { expect, test } from 'vitest'
import type { JsonSeen } from '../../../web/http/fetched.ts'
import { missingPagination } from './paging.ts'

const pageWith = (count: number): JsonSeen => {
  const url = 'https://shop.example/ucp/products'
  return {
    fetched: {
      ...{ kind: 'answer', method: 'GET', url, final_url: url, redirects: [], status: 200 },
      ...{ headers: {}, body: '', truncated: false, ms: 1 },
    },
    json: { ok: true, value: { products: Array.from({ length: count }, () => ({})) } },
  }
}

test.each([
  [100, null],
  [101, expect.stringContaining('101 products on one page')],
])('%i products on one page', (count, said) => {
  const none = { fetched: { kind: 'not_asked' as const, reason: '' }, json: null }
  const catalog = {
    ...{ dialect: 'spec' as const, endpoint: null, first: pageWith(count), again: none, next: [] },
    ...{ search: null, filters: null, official: null },
  }
  expect(missingPagination(catalog)).toEqual(said)
})
