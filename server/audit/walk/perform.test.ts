import { beforeAll, expect, test } from 'vitest'
import { specAcp } from '../../../shared/walk/dialects/spec.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { auditSession } from '../probe/session.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import type { Ledger } from './ledger.ts'
import { createPerformer } from './perform.ts'
import { memoryLedger } from './testing/walker.ts'

const TEN = 'Mon, 23 Nov 2026 10:00:00 GMT'
let busy = { status: 503, headers: {} as Record<string, string> }
let asked = 0
let signatures: (string | null)[] = []
/** The signature that is refused with 403, or `all`. */
let refusing: string | null = null
const SIGNATURE = 'sig=:QQ==:'
let fetcher: Fetcher
let signing: Fetcher
beforeAll(async () => {
  const fetch = (request: Request) => {
    asked += 1
    const signature = request.headers.get('signature')
    signatures.push(signature)
    const isRefused = refusing === 'all' || (refusing !== null && refusing === signature)
    return new Response('{}', {
      status: isRefused ? 403 : busy.status,
      headers: { 'content-type': 'application/json', date: TEN, ...busy.headers },
    })
  }
  fetcher = await fetcherTo({ fetch })
  const signer = { origin: 'https://aisle.example', sign: async () => ({ signature: SIGNATURE }) }
  signing = await fetcherTo({ fetch }, { signer })
})

/** A buyer in a store that answers as above. `waited`: in milliseconds. */
function performer(ledger: Ledger, from = fetcher) {
  const opened = from.open()
  const waited: number[] = []
  const refused: string[] = []
  const session = auditSession(opened, JUDGES_HERE)
  const perform = createPerformer(
    {
      dialect: specAcp({ origin: 'https://shop.example' }),
      taken: () => [],
      session,
      onRefusedSigned: () => void refused.push('signed'),
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
  return { perform, waited, refused, end: () => opened.close() }
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

test.each<[string, string | null, (string | null)[], string[]]>([
  ['what is signed', SIGNATURE, [SIGNATURE, null, null], ['signed']],
  ['everyone', 'all', [SIGNATURE, null, SIGNATURE], []],
  ['no caller', null, [SIGNATURE, SIGNATURE], []],
])('a store that refuses %s', async (_, refuses, expected, refused) => {
  busy = { status: 404, headers: {} }
  refusing = refuses
  signatures = []
  const made = performer(memoryLedger().ledger, signing)
  await made.perform({ op: 'order', id: 'o1' })
  await made.perform({ op: 'order', id: 'o1' })
  await made.end()
  refusing = null
  expect(signatures).toEqual(expected)
  expect(made.refused).toEqual(refused)
})
