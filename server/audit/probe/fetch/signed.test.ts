import { beforeAll, expect, test } from 'vitest'
import { TEST_SIGNER } from '../../../signatures/testing/test-signer.ts'
import { fetcherTo } from '../testing/fetcher.ts'
import { type Fetcher, fetchOnce } from './fetch.ts'
import type { FetchRequest } from './request.ts'

let asked: { host: string; signature: string | null; input: string | null }[] = []
let fetcher: Fetcher
beforeAll(async () => {
  const fetch = ({ url, headers }: Request) => {
    const { hostname, pathname } = new URL(url)
    asked.push({
      host: hostname,
      signature: headers.get('signature'),
      input: headers.get('signature-input'),
    })
    return pathname === '/away'
      ? new Response(null, { status: 302, headers: { location: 'https://other.example/here' } })
      : new Response('{}')
  }
  fetcher = await fetcherTo({ fetch }, { signer: TEST_SIGNER })
})

const ask = async (request: Partial<FetchRequest>) => {
  asked = []
  await fetchOnce(fetcher, { url: 'https://shop.example/', maxBytes: 1000, ...request })
  return asked
}

test('a redirect to another host gets a signature of its own', async () => {
  const [first, second] = await ask({ url: 'https://shop.example/away' })
  expect([first?.host, second?.host]).toEqual(['shop.example', 'other.example'])
  expect(second?.signature).toMatch(/^aisle=:/)
  expect(second?.signature).not.toBe(first?.signature)
  expect(second?.input).not.toBe(first?.input)
})

test.each<[string, Partial<FetchRequest>]>([
  ['in the name of a browser', { userAgent: 'Mozilla/5.0' }],
  ['unsigned on purpose', { unsigned: true }],
  ['over http, where others can read it', { url: 'http://shop.example/' }],
])('what is asked %s has no signature', async (_, request) => {
  expect((await ask(request)).map(({ signature }) => signature)).toEqual([null])
})
