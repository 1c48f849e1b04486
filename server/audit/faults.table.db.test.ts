import { beforeAll, describe, expect, test } from 'vitest'
import { CHECKS, rulesOf } from '../../shared/audit/checks/index.ts'
import { WITHOUT_MARKUP } from '../../shared/audit/checks/lost-with.ts'
import { accessRules } from '../../shared/audit/checks/well-known/access/rules.ts'
import { narrowResult } from '../../shared/audit/result/narrow.ts'
import type { AuditResult } from '../../shared/audit/result/result.ts'
import { NEEDS_SESSION, type Rule } from '../../shared/audit/rule.ts'
import { CHECK_NAMES, type CheckName, DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { fewRows } from '../../shared/testing/few-rows.ts'
import { TEST_SIGNER } from '../signatures/testing/test-signer.ts'
import { createStore } from '../store/app.ts'
import { FAULTS } from '../store/faults/faults.ts'
import { LEVELS, NO_UCP } from '../store/faults/levels.ts'
import { VARIANTS } from '../store/faults/variants.ts'
import { auditPlatforms } from '../store/testing/platforms.ts'
import { testDeps } from '../store/testing/store.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'
import { auditHere } from './testing/audit-here.ts'

let fetcher: Fetcher

const RULES = rulesOf(CHECK_NAMES)
/** What a browser alone shows is proved in `browser/pages.e2e.ts`. */
const JUDGED = FAULTS.flatMap(({ fault, gap, needsWalk, needsBrowser }) =>
  gap === null || needsWalk || needsBrowser ? [] : [{ fault, gap }],
)
/** What shows in purchases alone is proved in `walk/walk.table.db.test.ts`. */
const IN_WALKS = FAULTS.filter(({ needsWalk }) => needsWalk)
const UNJUDGED = fewRows(
  FAULTS.filter(({ gap, needsWalk, needsBrowser }) => (gap === null || needsWalk) && !needsBrowser),
  ({ fault }) => fault.split('-')[0] ?? '',
  ({ fault }) => [fault],
)

const named = (wanted: (gap: string) => boolean) =>
  JUDGED.flatMap(({ fault, gap }) => (wanted(gap) ? [fault] : []))
const ofCheck = (check: CheckName, ...without: string[]) =>
  named((id) => CHECKS[check].some(({ gap }) => gap === id) && !without.includes(id))

/**
 * What `level-feed.example` has, and ACP; and that with official UCP beside it, wrong in every way.
 */
const ACP_ALONE = 'acp-alone.example'
const ACP_AND_WRONG = 'ucp-wrong-acp.example'
const UCP_WRONG = JUDGED.flatMap(({ fault }) => (fault.startsWith('ucp-') ? [fault] : []))

/**
 * Each thing that a store may lack: the fault that takes it away, and all that can be wrong in it.
 */
const WRONG = [
  {
    missing: 'well-known-missing',
    faults: named((id) =>
      ['well_known_redirected', 'well_known_invalid', 'well_known_domain_mismatch'].includes(id),
    ),
  },
  // Beside a store without any UCP or ACP: one with an official profile has no endpoints of the
  // specification.
  {
    missing: 'level-feed',
    host: 'ucp-wrong.example',
    faults: ['acp-services-missing', ...UCP_WRONG],
  },
  { missing: 'product-schema-missing', faults: ofCheck('schema', ...WITHOUT_MARKUP) },
  { missing: 'product-schema-missing', faults: ['jsonld-broken', 'product-schema-no-offer'] },
  { missing: 'organization-missing', faults: ofCheck('entity', 'organization_missing') },
  { missing: 'feed-missing', faults: ofCheck('feed', 'feed_missing', 'feed_unreadable') },
  { missing: 'feed-missing', faults: ['feed-unreadable'] },
  {
    missing: 'catalog-unreachable',
    faults: ofCheck('catalog', 'catalog_unreachable', 'catalog_not_json', 'catalog_empty').filter(
      (fault) => !fault.startsWith('ucp-'),
    ),
  },
  { missing: 'catalog-unreachable', faults: ['catalog-empty', 'catalog-wrong-content-type'] },
  {
    missing: 'checkout-unreachable',
    faults: named((id) => /^checkout_(accepts|error|expir|slow|price)/.test(id)),
  },
  { missing: 'checkout-unreachable', faults: ['checkout-dry-run-failed'] },
  {
    missing: 'dark-traffic-untracked',
    faults: ofCheck('attribution', 'dark_traffic_untracked'),
  },
].map((each, index) => ({ host: `wrong-${index}.example`, ...each }))

/** One of each kind of evidence: what answers over MCP alone is judged by the same rules. */
const OVER_MCP = JUDGED.filter(({ fault }) =>
  ['ucp-not-shoppable', 'ucp-error-body-invalid', 'ucp-catalog-price-not-integer'].includes(fault),
)
let overMcpFault: string | null = null

/** Requests by host. */
const asked = new Map<string, number>()

// A store is as slow as its faults say, however busy this machine is.
let waited = 0
const pause = async (ms: number) => {
  waited += ms
}

beforeAll(async () => {
  const options = {
    ...(await testDeps({ now: () => new Date() })),
    pause,
    platforms: auditPlatforms,
  }
  const store = createStore({ ...options, faults: [] })
  const overMcp = new Map(
    OVER_MCP.map(({ fault }) => [fault, createStore({ ...options, faults: [fault] })] as const),
  )
  const wrong = new Map([
    ...WRONG.map(({ host, faults }) => [host, createStore({ ...options, faults })] as const),
    [ACP_ALONE, createStore({ ...options, faults: NO_UCP })] as const,
    [ACP_AND_WRONG, createStore({ ...options, faults: UCP_WRONG })] as const,
  ])
  const app = {
    fetch: (request: Request, env: object) => {
      const { hostname } = new URL(request.url)
      asked.set(hostname, (asked.get(hostname) ?? 0) + 1)
      const fault = overMcpFault
      const one = hostname === 'ucp-mcp.example' && fault !== null ? overMcp.get(fault) : undefined
      return (one ?? wrong.get(hostname.replace(/^www\./, '')) ?? store).fetch(request, env)
    },
  }
  fetcher = await fetcherTo(app, { clock: () => waited, signer: TEST_SIGNER })
})

const audit = (domain: string, agents = false): Promise<AuditResult> =>
  auditHere({ domain, checks: CHECK_NAMES, agents }, { fetcher })

/** Their evidence costs two dozen requests for each page. */
const ACCESS_GAPS: string[] = accessRules.map(({ gap }) => gap ?? '')
const faultless = new Map<string, Promise<AuditResult>>()
const right = (domain: string): Promise<AuditResult> => {
  const known = faultless.get(domain) ?? audit(domain)
  faultless.set(domain, known)
  return known
}

const ids = ({ gaps }: AuditResult) => gaps.map(({ id }) => id)

test.each([false, true])(
  'the faultless store has no gap and the full score, agents: %s',
  async (agents) => {
    const result = await audit('shop.example', agents)
    expect(result.gaps).toEqual([])
    expect(result).toMatchObject({
      score: 100,
      grade: 'A',
      breakdown: { discoverability: 100, catalog: 100, checkout: 100, attribution: 100 },
    })
    // What cannot be known from outside is said and not counted.
    expect(result.skipped.map(({ id }) => id)).toEqual(['merchant_center_connected'])
    expect(result.passed).toEqual(expect.arrayContaining(['https_enabled', 'feed_exists']))
  },
)

test('a store with an official UCP profile has no gap, and all points but for the checkout', async () => {
  const result = await audit('ucp.example')
  expect(result.gaps).toEqual([])
  // Its checkout is only seen to answer, so that there is no A yet.
  expect(result).toMatchObject({
    score: 79,
    cap: { reason: 'checkout_not_judged', at: 79, gaps: [] },
    breakdown: { discoverability: 100, catalog: 100, checkout: 100, attribution: 100 },
  })
  // All is judged but for what only a session shows.
  expect(unjudgedIn(result)).toEqual(IN_SESSIONS)
  expect(result.passed).toEqual(
    expect.arrayContaining([
      'ucp_shoppable',
      'ucp_endpoint_reachable',
      'ucp_checkout_tools',
      'ucp_catalog_tools',
      'ucp_supported_versions',
    ]),
  )
})

/** So many requests are enough for any official store, ACP aside. */
const MOST_REQUESTS = 20

test.each(['ucp', ...Object.keys(VARIANTS)])(
  'an audit of %s.example takes few requests',
  async (name) => {
    const domain = `${name}.example`
    const before = asked.get(domain) ?? 0
    await auditHere({ domain, checks: DEFAULT_CHECKS }, { fetcher })
    const requests = (asked.get(domain) ?? 0) - before
    expect(requests).toBeGreaterThan(8)
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS)
  },
)

/** What no audit sees where there is no dry run. */
const IN_SESSIONS = [
  'checkout_dry_run_failed',
  'checkout_invalid_shape',
  'checkout_slow',
  'checkout_currency_mismatch',
  'checkout_price_mismatch',
  'checkout_shipping_options_missing',
  'checkout_accepts_invalid_address',
  'checkout_accepts_unknown_variant',
  'checkout_expiry_invalid',
]

/** What could be judged and was not, but for what can never be seen from outside. */
function unjudgedIn({ skipped, coverage }: AuditResult): string[] {
  const unjudged = skipped.filter(({ id }) => id !== 'merchant_center_connected')
  expect((coverage?.applicable ?? 0) - (coverage?.judged ?? 0)).toBe(unjudged.length)
  return unjudged.map(({ id }) => id)
}

/** Whether a rule names the gap, or one that itself does. */
const isHiddenBy = (gap: string, { lostWith = [] }: Rule, seen: readonly string[] = []): boolean =>
  lostWith.some((id) => {
    if (id === gap) return true
    const hidden = RULES.find((rule) => rule.gap === id)
    return hidden !== undefined && !seen.includes(id) && isHiddenBy(gap, hidden, [...seen, id])
  })

describe('what is missing scores at most what is there and wrong', () => {
  test.each(WRONG)('$missing, and $faults', async ({ missing, host, faults }) => {
    const [without, wrong] = [await right(`${missing}.example`), await audit(host)]
    expect(faults.length).toBeGreaterThan(0)
    expect(wrong.gaps.length).toBeGreaterThan(0)
    expect(wrong.score).toBeGreaterThanOrEqual(without.score)
    for (const [category, part = 0] of Object.entries(without.breakdown)) {
      const now = wrong.breakdown[category as keyof AuditResult['breakdown']]
      expect([category, now ?? 100]).toEqual([category, Math.max(now ?? 100, part)])
    }
  })
})

// The checkout's own part falls: a profile that promises one is no longer judged by ACP's.
test('a store that sells over ACP alone scores at most what it does with UCP that is wrong', async () => {
  const [alone, wrong] = [await audit(ACP_ALONE), await audit(ACP_AND_WRONG)]
  expect(alone.gaps.map(({ id }) => id)).toEqual(['well_known_missing'])
  expect(wrong.gaps.length).toBeGreaterThan(3)
  expect(wrong.score).toBeGreaterThanOrEqual(alone.score)
})

const checkOf = (id: string) => RULES.find(({ gap }) => gap === id)?.check
const FEW = fewRows(
  JUDGED,
  ({ fault, gap }) => `${checkOf(gap)} ${fault.startsWith('ucp-')}`,
  ({ fault, gap }) => [fault, gap],
)

describe('each fault gives its gap, and no other', () => {
  test.each(FEW)('$fault', async ({ fault, gap }) => {
    const result = await audit(`${fault}.example`, ACCESS_GAPS.includes(gap))
    expect(ids(result)).toEqual([gap])
    const [found] = result.gaps
    expect(found?.detail.length).toBeGreaterThan(20)
    expect(found?.fix).toMatch(/\.$/)
    expect(result.score).toBeLessThan(found?.severity === 'critical' ? 60 : 100)
    expect(result.passed).not.toContain(gap)
    // Alone, and with nothing that it hides, each is worth a whole point.
    const hides = RULES.some(({ lostWith = [] }) => lostWith.some((each) => each === gap))
    expect(found?.points).toBeGreaterThanOrEqual(hides ? 0 : 1)
    // What this gap hides comes back at least as high when it is closed.
    const { score, passed } = await right(fault.startsWith('ucp-') ? 'ucp.example' : 'shop.example')
    // What no longer passes is hidden by this gap, as its rule declares.
    const silent = RULES.filter(
      (rule) =>
        rule.gap !== gap &&
        passed.includes(rule.passed) &&
        !result.passed.includes(rule.passed) &&
        // A feed has the names of one vendor.
        !(gap.startsWith('feed_openai') && rule.gap?.startsWith('feed_google')) &&
        // The feed is not compared with a catalog that contradicts its own pages.
        !(fault.startsWith('ucp-catalog-page') && rule.check === 'feed') &&
        rule.gap !== null,
    )
    expect(silent.filter((rule) => !isHiddenBy(gap, rule)).map((rule) => rule.gap)).toEqual([])
    expect(result.score + (found?.held_back ? 0 : (found?.points ?? 0))).toBeLessThanOrEqual(score)
    expect(narrowResult(result, result.checks)).toEqual(result)
  })
})

describe('each fault gives its gap over MCP alone', () => {
  test.each(OVER_MCP)('$fault', async ({ fault, gap }) => {
    overMcpFault = fault
    try {
      expect(ids(await audit('ucp-mcp.example'))).toEqual([gap])
    } finally {
      overMcpFault = null
    }
  })
})

test.each(Object.keys(VARIANTS))('%s.example has no gap', async (variant) => {
  const result = await audit(`${variant}.example`)
  expect(result.gaps).toEqual([])
  expect(result.score).toBe(79)
  // A version that nobody knows is judged by the profile that agents of today use.
  const own = variant === 'ucp-later' ? ['well_known_invalid'] : []
  expect(unjudgedIn(result)).toEqual([...own, ...IN_SESSIONS])
})

describe('a fault that no rule judges yet, or only in a walk, gives no gap', () => {
  test.each(UNJUDGED)('$fault', async ({ fault }) => {
    const { gaps, score, passed } = await audit(`${fault}.example`)
    const whole = await right(fault.startsWith('ucp-') ? 'ucp.example' : 'shop.example')
    expect({ gaps, score, passed }).toEqual({ gaps: [], score: whole.score, passed: whole.passed })
  })
})

/** The stores by whose columns the table shows what is judged and proved. */
const DIALECTS = {
  "the specification's": 'shop.example',
  'official UCP': 'ucp.example',
} as const
type Dialect = keyof typeof DIALECTS

/** What is judged before it is known which dialect a manifest is in. */
const BEFORE_DIALECT = [
  'well_known_missing',
  'well_known_not_json',
  'well_known_requires_auth',
  'well_known_only_on_subdomain',
]
/** Evidence that is the same in all dialects. */
const OF_ANY = [
  ...['site', 'robots', 'homePage', 'productPages', 'feed', 'access', 'acp'],
  'signatureDirectory',
]

/** By which fault a rule is proved in a dialect, or why it is not. */
function cellOf({ gap, passed, reads }: Rule, dialect: Dialect, result: AuditResult): string {
  if (reads.includes('pagesWalk')) return dialect === "the specification's" ? 'browser' : '〃'
  const isOfAny = reads.every((key) => OF_ANY.includes(key)) || BEFORE_DIALECT.includes(gap ?? '')
  const isOfPages = /^feed_/.test(gap ?? '')
  if (isOfAny || isOfPages) return dialect === "the specification's" ? 'any' : '〃'
  const isOfSessions =
    reads.includes('walk') ||
    result.skipped.some(({ id, reason }) => id === gap && reason === NEEDS_SESSION)
  if (isOfSessions) return walkCellOf(gap, dialect)
  if (!result.passed.includes(passed)) return '–'
  const faults = JUDGED.filter((each) => each.gap === gap).map(({ fault }) => fault)
  const proof = faults.find((fault) =>
    dialect === "the specification's" ? !fault.startsWith('ucp-') : fault.startsWith('ucp-'),
  )
  return proof === undefined ? 'NOT PROVED' : 'proved'
}

/** By what a session rule is proved, where an audit opens no session. */
function walkCellOf(gap: string | null, dialect: Dialect): string {
  // Beside the specification's, each of these stores speaks official ACP.
  const [protocol, cell] =
    dialect === "the specification's" ? (['acp', 'walk: ACP'] as const) : (['ucp', 'walk'] as const)
  if (IN_WALKS.some((each) => each.gap === gap && each.fault.startsWith(protocol))) return cell
  return OF_ONE_PROTOCOL[protocol].includes(gap ?? '') ? '–' : 'NOT PROVED'
}

/** ACP has no call for an order, and UCP writes currencies and handlers in places of its own. */
const OF_ONE_PROTOCOL: Record<'acp' | 'ucp', readonly string[]> = {
  acp: ['checkout_order_unreadable'],
  ucp: ['acp_currency_invalid', 'acp_payment_handlers_missing'],
}

test('each rule is proved in every dialect that it applies to', async () => {
  const results = await Promise.all(
    Object.values(DIALECTS).map(async (domain) => await right(domain)),
  )
  const dialects = Object.keys(DIALECTS) as Dialect[]
  const rows = RULES.flatMap((rule) => {
    if (rule.gap === null || ACCESS_GAPS.includes(rule.gap)) return []
    const cells = dialects.map((dialect, n) => cellOf(rule, dialect, results[n] as AuditResult))
    return [`| ${rule.check} | \`${rule.gap}\` | ${cells.join(' | ')} |`]
  })
  const table = [
    `| check | gap | ${dialects.join(' | ')} |`,
    `|---|---|${dialects.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n')
  await expect(`${ABOUT_TABLE}\n${table}\n`).toMatchFileSnapshot(
    '../../docs/contributor/rules-by-dialect.md',
  )
  expect(rows.filter((row) => row.includes('NOT PROVED'))).toEqual([])
})

const ABOUT_TABLE = `# Which rules are proved in which dialect

Written by \`server/audit/faults.table.db.test.ts\`, which fails where it is not true any more (\`npx vitest run
server/audit/faults.table.db.test.ts -u\` writes it anew).

- **proved**: the rule passes in the faultless store of that dialect, and a fault of the reference
  store gives this gap and no other, over HTTP.
- **any** and **〃**: the rule reads pages, feeds, robots.txt, ACP or the manifest before its dialect is known;
  one fault proves it for all.
- **walk**: it shows only in a checkout session, which an audit alone does not open: a walk of a store with
  that fault shows it, over REST and over MCP (\`docs/contributor/walk-by-fault.md\`). **walk: ACP**: the fault is in the
  official ACP that the store speaks beside it.
- **browser**: a walk through pages shows it, in each dialect (\`server/audit/browser/pages.e2e.ts\`).
- **–**: the dialect has nothing of the kind.

ACP has two dialects of its own, which \`server/audit/acp-shops.test.ts\` proves side by side. Over REST
alone, over MCP alone, and in UCP 2026-04-08 alone, the faultless store is audited as well and has no gap.
`

test('each level of the ladder is clearly above the last', async () => {
  const ladder = await Promise.all(
    [...Object.keys(LEVELS), 'shop'].map(async (name) => {
      const { score } = await auditHere(
        { domain: `${name}.example`, checks: DEFAULT_CHECKS },
        { fetcher },
      )
      return { name, score }
    }),
  )
  // docs/merchant/score.md shows this table.
  expect(ladder.map(({ name, score }) => [name, score])).toEqual([
    ['level-nothing', 8],
    ['level-pages', 31],
    ['level-feed', 42],
    ['level-catalog', 52],
    ['shop', 100],
  ])
})
