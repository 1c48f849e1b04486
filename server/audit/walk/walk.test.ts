import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { CHECKS } from '../../../shared/audit/checks/index.ts'
import { narrowResult } from '../../../shared/audit/narrow.ts'
import { NO_LINKS } from '../../../shared/audit/result.ts'
import type { WalkDialectName } from '../../../shared/walk/dialect.ts'
import { EXPECTATIONS } from '../../../shared/walk/expectations.ts'
import type { IntentId, WalkMode } from '../../../shared/walk/intents.ts'
import { walkSeenOf } from '../../../shared/walk/seen.ts'
import type { RouteWalk, Transcript } from '../../../shared/walk/transcript.ts'
import { createStore } from '../../store/app.ts'
import { FAULTS } from '../../store/faults/faults.ts'
import { auditPlatforms } from '../../store/testing/platforms.ts'
import { testDeps } from '../../store/testing/store.ts'
import { auditDomain } from '../audit-domain.ts'
import { JUDGES_HERE } from '../judging/testing/judges-here.ts'
import type { Fetcher } from '../probe/fetch/fetch.ts'
import { fetcherTo } from '../probe/testing/fetcher.ts'
import { createWalker } from './testing/walker.ts'

/** The dialects that a fault is in, by the first part of its name. */
const DIALECTS: Readonly<Record<string, readonly WalkDialectName[]>> = {
  ucp: ['ucp_rest', 'ucp_mcp'],
  acp: ['acp'],
  checkout: ['spec_ucp'],
}
const dialectsOf = (fault: string) =>
  // Over MCP a key of an opening is demanded by nobody.
  fault === 'ucp-idempotency-ignored'
    ? (['ucp_rest'] as const)
    : (DIALECTS[fault.split('-')[0] ?? ''] ?? [])

/** Purchases that show a gap beside the plainest one. */
const SHOWN_BY: Readonly<Record<string, readonly IntentId[]>> = {
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
  'checkout_complete_fails',
  'checkout_decline_fails',
  'checkout_continue_url_missing',
  'checkout_order_unreadable',
]

/** All faults of checkouts that an expectation of the walk is about. */
const GAPS = new Set(EXPECTATIONS.flatMap(({ gaps }) => [gaps.ucp, gaps.acp]))
const WALKED = FAULTS.flatMap(({ fault, gap }) =>
  gap !== null && GAPS.has(gap) && dialectsOf(fault).length > 0 && isOfCheckout(gap)
    ? [
        {
          fault,
          gap,
          mode: (NEEDS_PAYING.includes(gap) ? 'sandbox' : 'look') as WalkMode,
          intents: [
            'cheapest_variant',
            'sold_out_variant',
            ...(SHOWN_BY[gap] ?? []),
          ] as readonly IntentId[],
        },
      ]
    : [],
)

function isOfCheckout(gap: string): boolean {
  return [...CHECKS.checkout, ...CHECKS.acp].some((rule) => rule.gap === gap)
}

let fetcher: Fetcher
let walker: ReturnType<typeof createWalker>
let store: Awaited<ReturnType<typeof testDeps>>

// A store is as slow as its faults say, however busy this machine is.
let waited = 0

beforeAll(async () => {
  store = await testDeps({
    now: () => new Date(),
    quota: { requests: 100_000, seconds: 60 },
    platformQuota: { requests: 100_000, seconds: 60 },
  })
  const app = createStore({
    deps: store.deps,
    platforms: auditPlatforms,
    faults: [],
    trustsProfiles: true,
    pause: async (ms) => {
      waited += ms
    },
  })
  fetcher = await fetcherTo({ fetch: app.fetch }, { clock: () => waited })
  walker = createWalker({ fetcher, judges: JUDGES_HERE })
})

interface Stop {
  dialect: WalkDialectName
  intent: IntentId
  step: string
  expectation: string
  party: string
}

const stopsIn = ({ routes }: Transcript): Stop[] =>
  routes.flatMap(({ dialect, purchases }) =>
    purchases.flatMap(({ intent, steps }) =>
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

describe.each(WALKED)('$fault', ({ fault, gap, mode, intents }) => {
  const domain = `${fault}.example`

  test('stops the walk where it should, and gives its gap', async () => {
    const transcript = await walker.walk(domain, mode, intents)
    const found = stopsIn(transcript)
    stops.set(fault, found)
    const wrong = dialectsOf(fault)
    // In its dialects, each of them, by nothing but itself, and by the store's fault.
    expect([...new Set(found.map(({ dialect }) => dialect))].sort()).toEqual([...wrong].sort())
    expect(found.map((stop) => [stop.intent, gapOf(stop), stop.party])).toEqual(
      found.map(({ intent }) => [intent, gap, 'store']),
    )
    expect(othersIn(transcript.routes, wrong)).toEqual([])
    const { gaps, score, ...result } = await auditDomain(
      // A walk is evidence of these alone; that the fault is in no other, `faults.test.ts` shows.
      { domain, checks: ['checkout', 'acp'], walk: walkSeenOf(transcript) },
      { fetcher, judges: JUDGES_HERE, now: () => new Date(), links: NO_LINKS },
    )
    expect(gaps.map(({ id }) => id)).toEqual([gap])
    const [shown] = gaps
    expect(shown?.detail.length).toBeGreaterThan(20)
    expect(score).toBeLessThan(shown?.severity === 'critical' ? 60 : 100)
    const check = CHECKS.acp.some((rule) => rule.gap === gap) ? 'acp' : 'checkout'
    const part = narrowResult({ gaps, score, ...result }, [check])
    expect(part.gaps.map(({ id }) => id)).toEqual([gap])
  })
})

/** Purchases over dialects that are right, and that did not come to their end all the same. */
const othersIn = (routes: readonly RouteWalk[], wrong: readonly WalkDialectName[]): string[] =>
  routes
    .filter(({ dialect }) => !wrong.includes(dialect))
    .flatMap(({ dialect, purchases }) =>
      purchases.flatMap(({ intent, outcome, steps, why }) =>
        outcome === 'passed' || (outcome === 'not_walked' && steps.length === 0)
          ? []
          : [`${dialect} ${intent}: ${why}`],
      ),
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
  const rows = WALKED.flatMap(({ fault, gap, mode }) =>
    (stops.get(fault) ?? []).map(
      ({ dialect, intent, step, expectation, party }) =>
        `| \`${fault}\` | ${dialect} | ${mode} | ${intent} | ${step} | ${expectation} | ${party} | \`${gap}\` |`,
    ),
  )
  const table = [
    '| fault | dialect | mode | purchase | step | what is not met | whose fault | gap |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
  await expect(`${ABOUT_TABLE}\n${table}\n`).toMatchFileSnapshot('../../../docs/walk-by-fault.md')
})

const ABOUT_TABLE = `# Where each fault stops a walk

Written by \`server/audit/walk/walk.test.ts\`, which fails where it is not true any more (\`npx vitest run
server/audit/walk/walk.test.ts -u\` writes it anew).

Each fault of the reference store that a purchase can meet is walked over HTTP: the plainest purchase, one
of something that is sold out, and those that are about the fault. A purchase that is not in the table went
to its end, as all do over the dialects in which the store is right. An audit with that walk gives the gap in
the last column, and no other.
`
