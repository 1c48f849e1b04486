import { beforeAll, describe, expect, test } from 'vitest'
import { accessRules } from '../../shared/audit/checks/well-known/access/rules.ts'
import { narrowResult } from '../../shared/audit/narrow.ts'
import { type AuditResult, NO_LINKS } from '../../shared/audit/result.ts'
import { CHECK_NAMES } from '../../shared/audit/vocabulary.ts'
import { createStore } from '../store/app.ts'
import { FAULTS } from '../store/faults/faults.ts'
import { testDeps } from '../store/testing/store.ts'
import { auditDomain } from './audit-domain.ts'
import { JUDGES_HERE } from './judging/testing/judges-here.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { fetcherTo } from './probe/testing/fetcher.ts'

let fetcher: Fetcher

// A store is as slow as its faults say, however busy this machine is.
let waited = 0
const pause = async (ms: number) => {
  waited += ms
}

beforeAll(async () => {
  const store = createStore({ ...(await testDeps({ now: () => new Date() })), faults: [], pause })
  fetcher = await fetcherTo(store, { clock: () => waited })
})

const audit = (domain: string, agents = false): Promise<AuditResult> =>
  auditDomain(
    { domain, checks: CHECK_NAMES, agents },
    { fetcher, judges: JUDGES_HERE, now: () => new Date(), links: NO_LINKS },
  )

/** Their evidence costs two dozen requests for each page. */
const ACCESS_GAPS = accessRules.map(({ gap }) => gap ?? '')

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

test('a store with an official UCP profile has no gap and the full score', async () => {
  const result = await audit('ucp.example')
  expect(result.gaps).toEqual([])
  expect(result.score).toBe(100)
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

describe('each fault gives its gap, and no other', () => {
  test.each(FAULTS)('$fault', async ({ fault, gap }) => {
    const result = await audit(`${fault}.example`, ACCESS_GAPS.includes(gap))
    expect(ids(result)).toEqual([gap])
    const [found] = result.gaps
    expect(found?.detail.length).toBeGreaterThan(20)
    expect(found?.fix).toMatch(/\.$/)
    expect(result.score).toBeLessThan(found?.severity === 'critical' ? 60 : 100)
    expect(result.passed).not.toContain(gap)
    expect(narrowResult(result, result.checks)).toEqual(result)
  })
})
