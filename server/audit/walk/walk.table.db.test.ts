import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../../shared/audit/checks/index.ts'
import { narrowResult } from '../../../shared/audit/result/narrow.ts'
import { fewRows } from '../../../shared/testing/few-rows.ts'
import { WALK_DIALECTS, type WalkDialectName } from '../../../shared/walk/dialect.ts'
import {
  EXPECTATIONS,
  type ExpectationId,
  expectationOf,
  type Party,
} from '../../../shared/walk/expectations.ts'
import type { IntentId, WalkMode } from '../../../shared/walk/intents.ts'
import { walkSeenOf } from '../../../shared/walk/seen.ts'
import type { RouteWalk, Transcript } from '../../../shared/walk/transcript.ts'
import { createStore } from '../../store/app.ts'
import { FAULTS } from '../../store/faults/faults.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { auditHere } from '../testing/audit-here.ts'
import { TRUSTING, walkedDeps } from './testing/walked-store.ts'
import { createWalker } from './testing/walker.ts'

/** The dialects that a fault is in, by how its name begins. */
const DIALECTS: readonly (readonly [RegExp, readonly WalkDialectName[]])[] = [
  [/^ucp-/, ['ucp_rest', 'ucp_mcp']],
  [/^acp-/, ['acp']],
  [/^(?:checkout|spec-ucp)-/, ['spec_ucp']],
  [/^spec-acp-/, ['spec_acp']],
]
const protocolOf = (fault: string): readonly WalkDialectName[] =>
  DIALECTS.find(([name]) => name.test(fault))?.[1] ?? []
/** Those in which it shows: over MCP a key of an opening is demanded by nobody. */
const dialectsOf = (fault: string): readonly WalkDialectName[] =>
  fault === 'ucp-idempotency-ignored'
    ? ['ucp_rest']
    : fault === 'ucp-tools-misshapen'
      ? ['ucp_mcp']
      : protocolOf(fault)

/** Purchases that show a gap, or one expectation of those that make it, beside the plainest one. */
const SHOWN_BY: Readonly<Record<string, readonly IntentId[]>> = {
  one_order: ['repeat_same_key', 'repeat_other_key'],
  'ucp-cart-ignored': ['cart_to_checkout'],
  'ucp-cart-not-kept': ['cart_to_checkout'],
  terms_are_signed: ['by_mandate'],
  link_leads_on: ['cart_to_checkout'],
  stays_ended: ['after_the_end'],
  changes_count: ['change_of_mind'],
  coupon_is_answered: ['unknown_coupon'],
  checkout_lines_wrong: ['two_and_one'],
  checkout_accepts_sold_out: ['largest_quantity'],
  checkout_accepts_unknown_variant: ['unknown_variant'],
  checkout_accepts_invalid_address: ['no_such_address'],
  checkout_error_body_invalid: ['unknown_variant'],
  checkout_abroad_fails: ['another_country', 'po_box'],
  checkout_foreign_currency_fails: ['another_currency'],
  checkout_idempotency_ignored: ['repeat_same_key', 'repeat_other_body'],
  checkout_cancel_fails: ['after_the_end'],
  checkout_decline_fails: ['declined_card'],
  checkout_continue_url_missing: ['challenge'],
}
const NEEDS_PAYING = [
  'one_order',
  'charged_as_agreed',
  'credential_is_kept',
  'checkout_complete_fails',
  'checkout_decline_fails',
  'checkout_continue_url_missing',
  'checkout_order_unreadable',
]

/** All faults of checkouts that an expectation of the walk is about. */
const GAPS = new Set(EXPECTATIONS.flatMap(({ gaps }) => [gaps.ucp, gaps.acp]))
const WALKED = FAULTS.flatMap(({ fault, gap, shows = null }) => {
  const about = shows ?? gap
  return about !== null && (shows !== null || isOfCheckout(about)) && dialectsOf(fault).length > 0
    ? [
        {
          fault,
          gap,
          shows,
          mode: (NEEDS_PAYING.includes(about) ? 'sandbox' : 'look') as WalkMode,
          intents: [
            'cheapest_variant',
            'sold_out_variant',
            ...(SHOWN_BY[about] ?? []),
            ...(SHOWN_BY[fault] ?? []),
          ] as readonly IntentId[],
        },
      ]
    : []
})

function isOfCheckout(gap: string): boolean {
  return GAPS.has(gap) && [...CHECKS.checkout, ...CHECKS.acp].some((rule) => rule.gap === gap)
}

/** Whose fault a row is. A store that throttles us is not silent: it wants us to ask less. */
const partyOf = (shows: ExpectationId | null): Party => {
  if (shows === 'answers') return 'agent'
  return shows === null ? 'store' : expectationOf(shows).party
}

/** For each dialect that is wrong somewhere, one store with all of that at once. */
const ALL_WRONG = Map.groupBy(WALKED, ({ fault }) => protocolOf(fault))
const othersHost = ([first]: readonly WalkDialectName[]): string =>
  // A host of official UCP begins so.
  first === 'ucp_rest' ? 'ucp-others.example' : `others-${first?.replace('_', '-')}.example`

let fetcher: Fetcher
let walker: ReturnType<typeof createWalker>
let store: Awaited<ReturnType<typeof walkedDeps>>

// A store is as slow as its faults say, however busy this machine is.
let waited = 0

beforeAll(async () => {
  store = await walkedDeps()
  const options = {
    deps: store.deps,
    ...TRUSTING,
    pause: async (ms: number) => {
      waited += ms
    },
  }
  const twins = createStore({ ...options, faults: [] })
  const others = new Map(
    [...ALL_WRONG].map(([wrong, faults]) => [
      othersHost(wrong),
      createStore({ ...options, faults: faults.map(({ fault }) => fault) }),
    ]),
  )
  const app = {
    fetch: (request: Request, env: object) =>
      (others.get(new URL(request.url).hostname) ?? twins).fetch(request, env),
  }
  fetcher = await fetcherTo(
    {
      fetch: (request, env) =>
        ORDER_OF_NONE.test(request.url)
          ? new Response(null, { status: 404 })
          : app.fetch(request, env),
    },
    { clock: () => waited },
  )
  walker = createWalker({ fetcher, judges: JUDGES_HERE })
})

interface Stop {
  dialect: WalkDialectName
  /** Or what the catalog was read for. */
  intent: IntentId | 'browsing'
  step: string
  expectation: string
  party: string
}

const stopsIn = ({ routes }: Transcript): Stop[] =>
  routes.flatMap(({ dialect, browsing, purchases }) =>
    [{ intent: 'browsing' as const, steps: browsing }, ...purchases].flatMap(({ intent, steps }) =>
      steps.flatMap(({ step, failed }) =>
        failed === null
          ? []
          : [{ dialect, intent, step, expectation: failed.expectation, party: failed.party }],
      ),
    ),
  )

const gapOf = ({ dialect, expectation }: Stop): string | null => {
  const found = EXPECTATIONS.find(({ id }) => id === expectation)
  return found?.gaps[dialect === 'acp' || dialect === 'spec_acp' ? 'acp' : 'ucp'] ?? null
}

/** In the order of the table, by fault. */
const stops = new Map<string, Stop[]>()

const dialectName = (fault: string) => protocolOf(fault)[0]?.replace('_rest', '').replace('_', '-')
const FEW = fewRows(
  WALKED,
  ({ fault }) => protocolOf(fault).join(),
  ({ fault, gap, shows }) => [
    fault,
    gap,
    `dialect:${dialectName(fault)}`,
    // What judges purchases names expectations.
    ...EXPECTATIONS.flatMap(({ id, gaps }) =>
      id === shows || (gap !== null && [gaps.ucp, gaps.acp].includes(gap)) ? [id] : [],
    ),
  ],
)

describe.each(FEW)('$fault', ({ fault, gap, shows, mode, intents }) => {
  const domain = `${fault}.example`

  test('stops the walk where it should, and gives its gap', async () => {
    const wrong = dialectsOf(fault)
    const transcript = await walker.walk(domain, mode, intents, wrong)
    const found = stopsIn(transcript)
    stops.set(fault, found)
    // In its dialects, each of them, by nothing but itself, and by the store's fault.
    expect([...new Set(found.map(({ dialect }) => dialect))].sort()).toEqual([...wrong].sort())
    expect(found.map((stop) => [stop.intent, gapOf(stop), stop.party])).toEqual(
      found.map(({ intent }) => [intent, gap, partyOf(shows)]),
    )
    const expectations = new Set(found.map(({ expectation }) => expectation))
    if (shows !== null) expect([...expectations]).toEqual([shows])
    const { gaps, score, ...result } = await auditHere(
      // A walk is evidence of these alone: `faults.db.test.ts` shows that the fault is in no other.
      { domain, checks: ['checkout', 'acp'], walk: walkSeenOf(transcript) },
      { fetcher },
    )
    expect(gaps.map(({ id }) => id)).toEqual(gap === null ? [] : [gap])
    const [shown] = gaps
    if (shown === undefined) return
    expect(shown.detail.length).toBeGreaterThan(20)
    expect(score).toBeLessThan(shown.severity === 'critical' ? 60 : 100)
    const check = CHECKS.acp.some((rule) => rule.gap === gap) ? 'acp' : 'checkout'
    const part = narrowResult({ gaps, score, ...result }, [check])
    expect(part.gaps.map(({ id }) => id)).toEqual([gap])
  })
})

/** Purchases that did not come to their end. */
const endedIn = (routes: readonly RouteWalk[]): string[] =>
  routes.flatMap(({ dialect, purchases }) =>
    purchases.flatMap(({ intent, outcome, steps, why }) =>
      outcome === 'passed' || (outcome === 'not_walked' && steps.length === 0)
        ? []
        : [`${dialect} ${intent}: ${why}`],
    ),
  )

const ALL_INTENTS = [...new Set(WALKED.flatMap(({ intents }) => intents))]

test.each([...ALL_WRONG.keys()].map((wrong) => ({ wrong })))(
  'whatever is wrong in $wrong stops no purchase over the other dialects',
  async ({ wrong }) => {
    const right = WALK_DIALECTS.filter((name) => !wrong.includes(name))
    const { routes } = await walker.walk(othersHost(wrong), 'sandbox', ALL_INTENTS, right)
    // A store of official UCP has no other ACP than the official one.
    expect(routes.length).toBe(wrong.includes('ucp_rest') ? 1 : 2)
    expect(endedIn(routes)).toEqual([])
  },
)

// Orders are optional in the specification's ACP.
const ORDER_OF_NONE = /^http:\/\/no-orders\.example\/acp\/orders/

test('a store of the ACP of the specification may show no orders', async () => {
  const { routes } = await walker.walk(
    'no-orders.example',
    'sandbox',
    ['lost_answer'],
    ['spec_acp'],
  )
  const [purchase] = routes.flatMap(({ purchases }) => purchases)
  expect(purchase?.outcome).toBe('passed')
  const order = purchase?.steps.find(({ step }) => step === 'order')
  expect(order?.concluded[0]?.text).toMatch(/^The store shows no orders to agents/)
})

test.each(WALK_DIALECTS.map((dialect) => ({ dialect })))(
  'what was paid in a sandbox is asked to be cancelled, and what came of it is told: $dialect',
  async ({ dialect }) => {
    const host = dialect.startsWith('spec_') ? 'no-orders.example' : 'ucp-undo.example'
    const { routes } = await walker.walk(host, 'sandbox', ['cheapest_variant'], [dialect])
    const [purchase] = routes.flatMap(({ purchases }) => purchases)
    expect([purchase?.outcome, purchase?.orders.length]).toEqual(['passed', 1])
    expect(purchase?.orders[0]?.cancelled).toBe(false)
    const undo = purchase?.steps.at(-1)
    expect(undo?.title).toBe(`Asks the store to cancel the order ${purchase?.orders[0]?.id}`)
    expect(undo?.concluded).toEqual([
      { text: expect.stringMatching(/^The store does not take it back/), field: expect.anything() },
    ])
    expect([undo?.held, undo?.failed]).toEqual([[], null])
  },
)

test.each(['ucp_rest', 'ucp_mcp'] as const)(
  'where mandates were agreed on, the store signs what it shows: %s',
  async (dialect) => {
    const { routes } = await walker.walk('ucp-undo.example', 'look', ['by_mandate'], [dialect])
    const [purchase] = routes.flatMap(({ purchases }) => purchases)
    expect(purchase?.outcome).toBe('passed')
    expect(purchase?.steps[0]?.held).toContain('terms_are_signed')
  },
)

test('what only looks places no order, and takes no money', async () => {
  const [row] = await store.deps.db.execute<{ n: number }>(
    sql.raw(
      `select count(*) as n from store.orders where host in (${WALKED.filter(
        ({ mode }) => mode === 'look',
      )
        .map(({ fault }) => `'${fault}.example'`)
        .join(', ')})`,
    ),
  )
  expect(Number(row?.n)).toBe(0)
})

test('each fault stops the walk as the table says', async () => {
  const rows = FEW.flatMap(({ fault, gap, mode }) =>
    (stops.get(fault) ?? []).map(
      ({ dialect, intent, step, expectation, party }) =>
        `| \`${fault}\` | ${dialect} | ${mode} | ${intent} | ${step} | ${expectation} | ${party} | ${gap === null ? 'none' : `\`${gap}\``} |`,
    ),
  )
  if (FEW.length < WALKED.length) {
    const written = readFileSync('docs/contributor/walk-by-fault.md', 'utf8').split('\n')
    expect(rows.filter((row) => !written.includes(row))).toEqual([])
    return
  }
  const table = [
    '| fault | dialect | mode | purchase | step | what is not met | whose fault | gap |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
  await expect(`${ABOUT_TABLE}\n${table}\n`).toMatchFileSnapshot(
    '../../../docs/contributor/walk-by-fault.md',
  )
})

const ABOUT_TABLE = `# Where each fault stops a walk

Written by \`server/audit/walk/walk.table.db.test.ts\`, which fails where it is not true any more (\`npx vitest run
server/audit/walk/walk.table.db.test.ts -u\` writes it anew).

Each fault of the reference store that a purchase can meet is walked over HTTP: the plainest purchase, one
of something that is sold out, and those that are about the fault. A purchase that is not in the table went
to its end, as all do over the dialects in which the store is right. An audit with that walk gives the gap in
the last column, and no other.
`
