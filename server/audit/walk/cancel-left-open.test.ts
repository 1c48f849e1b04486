import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { WalkDialectName } from '../../../shared/walk/dialect.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { cancelLeftOpen } from './cancel-left-open.ts'
import type { Ledger } from './ledger.ts'
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

test.each(SPOKEN)(
  'over %s, whenever a walk is killed, the sweep ends what it left',
  async (dialect, domain) => {
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
  },
)
