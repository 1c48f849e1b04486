import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { CHECK_NAMES } from '../../shared/audit/vocabulary.ts'
import type { WalkDialectName } from '../../shared/walk/dialect.ts'
import { EXPECTATIONS } from '../../shared/walk/expectations.ts'
import { INTENTS, type IntentId, type WalkMode } from '../../shared/walk/intents.ts'
import { type WalkSeen, walkSeenOf } from '../../shared/walk/seen.ts'
import type { Transcript } from '../../shared/walk/transcript.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { auditHere } from './testing/audit-here.ts'
import { walkedStore } from './walk/testing/walked-store.ts'
import { createWalker, outcomesOf } from './walk/testing/walker.ts'

const ALL = INTENTS.map(({ id }) => id)

/** The purchases that only a sandbox has, and those that end otherwise in one. */
const ABOUT_PAYING: readonly IntentId[] = [
  'cheapest_variant',
  'repeat_same_key',
  'repeat_other_key',
  'lost_answer',
  'declined_card',
  'challenge',
]
const PAYING: readonly string[] = EXPECTATIONS.flatMap(({ id, mode }) =>
  mode === 'sandbox' ? [id] : [],
)

/** What official ACP is walked beside, once for all: it is the same in each of these stores. */
const OFFICIAL_UCP: readonly WalkDialectName[] = ['ucp_rest', 'ucp_mcp']

let fetcher: Fetcher
let walker: ReturnType<typeof createWalker>
let store: Awaited<ReturnType<typeof walkedStore>>

beforeAll(async () => {
  store = await walkedStore()
  fetcher = store.fetcher
  walker = createWalker({ fetcher, judges: JUDGES_HERE })
})

const audit = (domain: string, walk: WalkSeen | null): Promise<AuditResult> =>
  auditHere({ domain, checks: CHECK_NAMES, walk }, { fetcher })

const countOf = async (query: ReturnType<typeof sql>): Promise<number> => {
  const [row] = await store.deps.db.execute<{ n: number }>(query)
  return Number(row?.n)
}

/** Not what the page of a permalink opens for a visitor: it ends by itself, and holds no stock. */
const isOfAgents = sql`official ->> 'platform' is distinct from 'permalink'`

/**
 * What is left in the store's database, and what money was taken for. A payment that was given up
 * bought nothing.
 */
const leftInStore = async () => ({
  orders: await countOf(
    sql`select count(*) as n from store.orders where status <> 'payment_failed'`,
  ),
  open: await countOf(
    sql`select count(*) as n from store.sessions where status in ('pending_confirmation', 'completing') and ${isOfAgents}`,
  ),
  pieces: await countOf(sql`select sum(quantity) as n from store.stock`),
  charges: store.bank.paid().length,
  noted: walker.noted.size,
})

const failuresIn = ({ routes }: Transcript) =>
  routes.flatMap(({ browsing, purchases }) => [
    ...browsing.flatMap(({ failed }) => failed?.found ?? []),
    ...purchases.flatMap(({ intent, outcome, steps, why }) =>
      outcome === 'passed' || (outcome === 'not_walked' && steps.length === 0)
        ? []
        : `${intent}: ${outcome}, ${why}`,
    ),
  ])

/** Where what differs from the others is how it is paid: all else was looked at. */
const PAID_ROUTES: Readonly<Record<string, object>> = {
  'ucp-older.example': {
    'UCP over REST, 2026-04-08': PAYING,
    'UCP over MCP, 2026-04-08': PAYING,
  },
}
const PAID_IN_PART = Object.keys(PAID_ROUTES)

/** Of what only a payment shows, what was met over each route. */
function heldIn(transcript: Transcript) {
  const { judged } = walkSeenOf(transcript)
  const heldOver = (route: string) =>
    judged
      .filter(({ label, held }) => label === route && held)
      .map(({ expectation }) => expectation)
      .filter((id) => PAYING.includes(id))
  return Object.fromEntries(transcript.routes.map(({ label }) => [label, heldOver(label)]))
}

/** What nobody can see from outside. */
const UNSEEN = ['merchant_center_connected']

async function expectWhole(domain: string, transcript: Transcript): Promise<void> {
  const walk = walkSeenOf(transcript)
  expect(walk.whole).toBe(true)
  const { score, gaps, skipped, coverage, passed } = await audit(domain, walk)
  expect(gaps).toEqual([])
  expect(skipped.map(({ id }) => id)).toEqual(UNSEEN)
  expect({ score, judged: coverage?.judged }).toEqual({ score: 100, judged: coverage?.applicable })
  expect(passed).toEqual(expect.arrayContaining(['checkout_dry_run', 'checkout_idempotency']))
  expect(passed.includes('checkout_complete')).toBe(transcript.mode === 'sandbox')
}

/** Sessions that are open at a host. */
const openAt = (host: string): Promise<number> =>
  countOf(
    sql`select count(*) as n from store.sessions where host = ${host} and status in ('pending_confirmation', 'completing') and ${isOfAgents}`,
  )

/** Stock is seeded at the first request. */
const awaken = async (domain: string) => void (await audit(domain, null))

/** How the purchases of the first walks ended. */
const looks = new Map<string, string[]>()

describe.each([
  ['shop.example', undefined],
  ['ucp.example', undefined],
  ['ucp-older.example', OFFICIAL_UCP],
] as const)('%s, walked', (domain, dialects) => {
  const walked = (mode: WalkMode) => walker.walk(domain, mode, ALL, dialects)

  test('to look, is whole, and nothing is left in it', async () => {
    await awaken(domain)
    const before = await leftInStore()
    const transcript = await walked('look')
    looks.set(domain, outcomesOf(transcript))
    expect(failuresIn(transcript)).toEqual([])
    expect(
      transcript.routes
        .flatMap(({ purchases }) => purchases.map(({ left_open }) => left_open))
        .flat(),
    ).toEqual([])
    expect(await leftInStore()).toEqual(before)
    expect(await openAt(domain)).toBe(0)
    await expectWhole(domain, transcript)
  })

  test('to pay, each purchase is one order, and the walk is whole where all were made', async () => {
    const isWhole = !PAID_IN_PART.includes(domain)
    const before = await leftInStore()
    const transcript = await walker.walk(domain, 'sandbox', isWhole ? ALL : ABOUT_PAYING, dialects)
    expect(failuresIn(transcript)).toEqual([])
    const purchases = transcript.routes.flatMap((route) => route.purchases)
    for (const { intent, orders, outcome } of purchases) {
      const moves = INTENTS.find(({ id }) => id === intent)?.moves ?? []
      const paid = moves.filter((move) => move.do === 'pay' && move.with === 'good').length
      expect([intent, orders.length]).toEqual([intent, outcome === 'passed' ? paid : 0])
    }
    const after = await leftInStore()
    const orders = purchases.flatMap((purchase) => purchase.orders).length
    // A payment that waits for the bank has an order that waits as well.
    const waiting = purchases.filter(({ left_open }) => left_open.length > 0).length
    expect(orders).toBeGreaterThan(0)
    expect(after.orders - before.orders).toBe(orders + waiting)
    expect(after.charges - before.charges).toBe(orders + waiting)
    expect(after.noted - before.noted).toBe(waiting)
    if (isWhole) await expectWhole(domain, transcript)
    else expect(heldIn(transcript)).toEqual(PAID_ROUTES[domain])
  })
})

test('the same walk twice says the same', async () => {
  const first = looks.get('ucp.example') ?? []
  expect(first.length).toBeGreaterThan(50)
  expect(outcomesOf(await walker.walk('ucp.example', 'look', ALL))).toEqual(first)
})

test('without a walk nothing of it is asked', async () => {
  const { score, skipped } = await audit('ucp.example', null)
  expect(score).toBe(79)
  expect(skipped.length).toBeGreaterThan(UNSEEN.length)
  expect((await audit('shop.example', null)).score).toBe(100)
})
