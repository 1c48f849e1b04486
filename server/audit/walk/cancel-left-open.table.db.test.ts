import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { fewRows } from '../../../shared/testing/few-rows.ts'
import type { WalkDialectName } from '../../../shared/walk/dialect.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { cancelLeftOpen } from './cancel-left-open.ts'
import type { Ledger, OpenEntry } from './ledger.ts'
import { walkedStore } from './testing/walked-store.ts'
import { memoryLedger } from './testing/walker.ts'
import { walkDomain } from './walk-domain.ts'

const SPOKEN: [dialect: WalkDialectName, domain: string][] = [
  ['spec_ucp', 'shop.example'],
  ['spec_acp', 'shop.example'],
  ['acp', 'shop.example'],
  ['ucp_rest', 'ucp.example'],
  ['ucp_mcp', 'ucp.example'],
]

let fetcher: Fetcher
let store: Awaited<ReturnType<typeof walkedStore>>

beforeAll(async () => {
  store = await walkedStore()
  fetcher = store.fetcher
})

const openInStore = async () => {
  const [row] = await store.deps.db.execute<{ n: number }>(
    sql`select count(*) as n from store.sessions where status in ('pending_confirmation', 'completing')`,
  )
  return Number(row?.n)
}

class Killed extends Error {}

/** What is left of a process that is killed at its nth request after it opened something. */
function mortal(ledger: Ledger, nth: number, when: 'before it is sent' | 'before it is answered') {
  let sent = 0
  let hasOpened = false
  let isDead = false
  const live = () => {
    if (isDead) throw new Killed()
  }
  const dying: Fetcher = {
    ...fetcher,
    open(options) {
      const session = fetcher.open(options)
      return {
        ...session,
        async request(input) {
          live()
          if (hasOpened) sent += 1
          if (!hasOpened || sent < nth) return session.request(input)
          isDead = true
          if (when === 'before it is answered') await session.request(input)
          throw new Killed()
        },
      }
    },
  }
  const notes: Ledger = {
    ...ledger,
    async opening(entry) {
      live()
      hasOpened = true
      await ledger.opening(entry)
    },
    async opened(key, id) {
      live()
      await ledger.opened(key, id)
    },
    async closed(key) {
      live()
      await ledger.closed(key)
    },
  }
  return { fetcher: dying, ledger: notes }
}

const base = { judges: JUDGES_HERE, now: () => new Date(), newId: () => crypto.randomUUID() }

test.each(
  fewRows(
    SPOKEN,
    () => 'any',
    ([dialect]) => [`dialect:${dialect.replace(/_(?:rest|mcp)$/, '').replace('_', '-')}`],
  ),
)('over %s, whenever a walk is killed, the sweep ends what it left', async (dialect, domain) => {
  const order = {
    domain,
    mode: 'look',
    intents: ['repeat_other_key'],
    dialects: [dialect],
  } as const
  let killed = 0
  let swept = 0
  for (let nth = 1; killed === 2 * (nth - 1); nth += 1) {
    for (const when of ['before it is sent', 'before it is answered'] as const) {
      const { ledger, noted } = memoryLedger()
      const outcome = await walkDomain(order, { ...base, ...mortal(ledger, nth, when) }).catch(
        (error: unknown) => error,
      )
      if (!(outcome instanceof Killed)) {
        expect(outcome, `${nth}`).toMatchObject({ nothing: null, stopped: null })
        continue
      }
      killed += 1
      swept += noted.size
      // As a walk that is read from where it was stored.
      const entries = JSON.parse(JSON.stringify([...noted.values()]))
      await cancelLeftOpen(entries, { ...base, fetcher, ledger })
      expect([...noted.values()], `${when}, request ${nth}`).toEqual([])
      expect(await openInStore(), `${when}, request ${nth}`).toBe(0)
    }
  }
  // It was killed at each of its requests, and mostly with something open.
  expect(killed).toBeGreaterThan(6)
  expect(swept).toBeGreaterThan(killed / 2)
})

/** A note of a walk that is dead, and what is asked of a store that says yes to all. */
function noteOf(change: Partial<OpenEntry>) {
  const { ledger, noted } = memoryLedger()
  const asked: string[] = []
  let live = 0
  const counting: Fetcher = {
    ...fetcher,
    open(options) {
      live += 1
      const session = fetcher.open(options)
      return {
        ...session,
        request(input) {
          asked.push(`${input.method} ${input.url}`)
          return session.request(input)
        },
        close() {
          live -= 1
          return session.close()
        },
      }
    },
  }
  const sweep = async () => {
    await ledger.opening({ ...NOTE, ...change })
    await cancelLeftOpen([...noted.values()], { ...base, fetcher: counting, ledger })
    return { asked, noted: noted.size, live }
  }
  return { sweep }
}

const NOTE: OpenEntry = {
  walk: 'a walk',
  domain: 'shop.example',
  key: 'a key',
  opening: {
    op: 'open',
    wanted: { lines: [], address: null, option: null, coupon: null, currency: 'USD' },
    key: 'a key',
    dryRun: false,
  },
  route: {
    dialect: 'spec_ucp',
    endpoint: 'https://shop.example/ucp/checkout',
    version: null,
    capabilities: [],
    orders: null,
  },
  session: null,
  since: new Date(Date.now() - 86_400_000).toISOString(),
}

test('a store that hangs does not keep the others waiting', async () => {
  const { ledger, noted } = memoryLedger()
  const others = Promise.withResolvers<void>()
  const hanging: Fetcher = {
    ...fetcher,
    open(options) {
      const session = fetcher.open(options)
      return {
        ...session,
        async request(input) {
          if (input.url.includes('hangs.example')) await others.promise
          else others.resolve()
          return session.request(input)
        },
      }
    },
  }
  const since = new Date().toISOString()
  for (const host of ['hangs.example', 'shop.example']) {
    const route = { ...NOTE.route, endpoint: `https://${host}/ucp/checkout` }
    await ledger.opening({ ...NOTE, key: host, route, session: 'gone', since })
  }
  const sweep = (signal: AbortSignal) =>
    cancelLeftOpen([...noted.values()], { ...base, fetcher: hanging, ledger, signal })
  expect(await sweep(AbortSignal.abort())).toBe(0)
  expect(await sweep(new AbortController().signal)).toBe(2)
})

test('after a day an opening is not sent again: its key is forgotten', async () => {
  expect(await noteOf({}).sweep()).toEqual({ asked: [], noted: 0, live: 0 })
})

test('a session whose id is known is still tried once, and given up', async () => {
  const swept = await noteOf({ session: 'gone' }).sweep()
  expect(swept).toMatchObject({ noted: 0, live: 0 })
  expect(swept.asked.length).toBeGreaterThan(0)
})

test.each([
  [429, 'rate_limited', 1],
  [500, 'internal', 1],
  [422, 'invalid_address', 0],
])('an opening that is sent again and answered %i, %s', async (status, code, left) => {
  const { ledger, noted } = memoryLedger()
  await ledger.opening({ ...NOTE, since: new Date().toISOString() })
  const error = { code, message: 'Please try later.', retryable: true }
  const refusing = await fetcherTo({ fetch: () => Response.json({ error }, { status }) })
  await cancelLeftOpen([...noted.values()], { ...base, fetcher: refusing, ledger })
  expect(noted.size).toBe(left)
})

test('a note of a dialect that Aisle no longer speaks is closed, and leaves no connection open', async () => {
  const route = { ...NOTE.route, dialect: 'ucp_rest', version: '2020-01-01' } as const
  const since = new Date().toISOString()
  expect(await noteOf({ route, since }).sweep()).toEqual({ asked: [], noted: 0, live: 0 })
})
