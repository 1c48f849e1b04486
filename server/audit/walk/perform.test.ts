import { beforeAll, expect, test } from 'vitest'
import { specAcp } from '../../../shared/walk/dialects/spec.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { auditSession } from '../probe/session.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import type { Ledger } from './ledger.ts'
import { createPerformer } from './perform.ts'
import { type Sign, signingSession } from './signing.ts'
import { memoryLedger } from './testing/walker.ts'

const TEN = 'Mon, 23 Nov 2026 10:00:00 GMT'
let busy = { status: 503, headers: {} as Record<string, string> }
let asked = 0
let signatures: (string | null)[] = []
let fetcher: Fetcher
beforeAll(async () => {
  const fetch = (request: Request) => {
    asked += 1
    signatures.push(request.headers.get('signature'))
    return new Response('{}', {
      status: busy.status,
      headers: { 'content-type': 'application/json', date: TEN, ...busy.headers },
    })
  }
  fetcher = await fetcherTo({ fetch })
})

/** A buyer in a store that answers as above. `waited`: in milliseconds. */
function performer(ledger: Ledger, sign?: Sign) {
  const opened = fetcher.open()
  const waited: number[] = []
  const session = auditSession(opened, JUDGES_HERE)
  const perform = createPerformer(
    {
      dialect: specAcp({ origin: 'https://shop.example' }),
      taken: () => [],
      ...signingSession(session, sign),
      mcp: null,
      brittle: () => ({ session, close: async () => {} }),
      pause: async (ms) => waited.push(ms),
    },
    {
      ledger,
      walk: 'w',
      domain: 'shop.example',
      route: {
        dialect: 'spec_acp',
        endpoint: 'https://shop.example',
        version: null,
        capabilities: [],
        orders: null,
      },
      now: () => new Date(TEN),
    },
  )
  return { perform, waited, end: () => opened.close() }
}

test.each<[string, number, Record<string, string>, number[]]>([
  ['for seconds', 503, { 'retry-after': '3' }, [3000, 3000]],
  ['until a moment', 503, { 'retry-after': 'Mon, 23 Nov 2026 10:00:03 GMT' }, [3000, 3000]],
  ['until a moment that is far away', 429, { 'retry-after': 'Mon, 23 Nov 2026 11:00:00 GMT' }, []],
  ['for longer than a buyer waits', 429, { 'retry-after': '3600' }, []],
  ['and it does not say for how long', 429, {}, [1000, 1000]],
  ['in words', 503, { 'retry-after': 'soon' }, [1000, 1000]],
  ['not at all', 503, {}, []],
])('a store that wants a buyer to wait: %s', async (_, status, headers, waits) => {
  busy = { status, headers }
  asked = 0
  const { perform, waited, end } = performer(memoryLedger().ledger)
  const { reply } = await perform({ op: 'order', id: 'o1' })
  await end()
  expect(reply).toMatchObject({ is: 'refused', refusal: { status } })
  expect(waited).toEqual(waits)
  expect(asked).toBe(waits.length + 1)
})

test('what may have opened a session stays noted, each opening by itself', async () => {
  const { ledger, noted } = memoryLedger()
  const { perform, end } = performer(ledger)
  const wanted = { lines: [], address: null, option: null, coupon: null, currency: 'USD' }
  for (const status of [500, 422, 500]) {
    busy = { status, headers: {} }
    await perform({ op: 'open', wanted, key: 'k', dryRun: false })
  }
  await end()
  // A refusal opens nothing, and says nothing of the tries before it.
  expect([...noted.keys()]).toEqual(['k', 'k#3'])
})

test.each<[string, number, Record<string, string>, (string | null)[]]>([
  ['by a header of RFC 9421', 401, { 'accept-signature': 'sig1=()' }, [null, 'sig=:QQ==:']],
  ['by a challenge', 403, { 'www-authenticate': 'Signature realm="orders"' }, [null, 'sig=:QQ==:']],
  ['for a password instead', 401, { 'www-authenticate': 'Basic' }, [null]],
  ['for nothing', 404, { 'accept-signature': 'sig1=()' }, [null]],
])('a store that asks for a signature gets one: %s', async (_, status, headers, expected) => {
  busy = { status, headers }
  signatures = []
  const signed: unknown[] = []
  const sign: Sign = async (request) => {
    signed.push(request)
    return { signature: 'sig=:QQ==:' }
  }
  const { perform, end } = performer(memoryLedger().ledger, sign)
  const confirm = { op: 'cancel', id: 'c1', key: 'k1' } as const
  await perform(confirm)
  await end()
  expect(signatures).toEqual(expected)
  expect(signed.length).toBe(expected.length - 1)
})

test('without a key nothing is signed, and nothing is asked again', async () => {
  busy = { status: 401, headers: { 'accept-signature': 'sig1=()' } }
  signatures = []
  const { perform, end } = performer(memoryLedger().ledger)
  await perform({ op: 'order', id: 'o1' })
  await end()
  expect(signatures).toEqual([null])
})
