import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import { CHECK_NAMES, type CheckName, DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import type { Fetcher } from '../../audit/probe/fetch/fetch.ts'
import { fetcherTo } from '../../audit/probe/testing/fetcher.ts'
import { auditHere } from '../../audit/testing/audit-here.ts'
import { audits } from '../../db/audit/tables.ts'
import { createStore } from '../../store/app.ts'
import type { Env } from '../../store/http/routing.ts'
import { testDeps } from '../../store/testing/store.ts'
import { auditWith, testApp } from '../../testing/app.ts'

/** One gap or more in each check, of every severity. */
const FAULTS = [
  'well-known-not-cacheable',
  'catalog-description-brief',
  'checkout-price-mismatch',
  'acp-create-unreachable',
  'product-schema-brand-missing',
  'feed-gtin-invalid',
  'dark-traffic-untracked',
  'brand-name-inconsistent',
]

// The stores' clock too: what they say must not depend on how busy this machine is.
let clock = Date.UTC(2026, 10, 20)
const now = () => new Date(clock)

const right = createStore({ ...(await testDeps({ now })), faults: [] })
const wrong = createStore({ ...(await testDeps({ now })), faults: FAULTS })
let asked = 0
const front = new Hono<Env>().all('*', (c) => {
  asked += 1
  const isWrong = c.req.header('host')?.includes('wrong')
  return (isWrong ? wrong : right).fetch(c.req.raw, c.env)
})

let fetcher: Fetcher
const audit = (domain: string, checks: readonly CheckName[]) =>
  auditHere({ domain, checks }, { fetcher, now })

const { post, db } = await testApp({
  audit: async ({ domain, checks }) => auditWith(await audit(domain, checks)),
})

beforeAll(async () => {
  // How long an answer takes depends on this machine.
  fetcher = await fetcherTo(front, { clock: () => 0 })
})

const full: Record<string, AuditResult> = {}
beforeAll(async () => {
  for (const domain of ['right.example', 'wrong.example']) {
    full[domain] = await (await post({ domain, checks: CHECK_NAMES })).json()
  }
})

const SUBSETS: CheckName[][] = [
  ...CHECK_NAMES.map((check) => [check]),
  ['catalog', 'schema'],
  ['schema', 'attribution', 'acp'],
  ['well_known', 'checkout', 'feed', 'entity'],
  [...DEFAULT_CHECKS],
]
const CASES = SUBSETS.flatMap((checks) =>
  ['right.example', 'wrong.example'].map((domain) => ({ domain, checks })),
)

test.each(CASES)(
  'the full audit of $domain answers for $checks as an audit of these',
  async ({ domain, checks }) => {
    const before = asked
    const rows = await db.$count(audits)
    const answer = await post({ domain, checks, dry_run: true })
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(asked).toBe(before)
    expect(await db.$count(audits)).toBe(rows)

    const { checked_at } = full[domain]!
    clock += 60_000
    const fresh = await audit(domain, checks)
    expect(fresh.checked_at).not.toBe(checked_at)
    expect(text).toBe(JSON.stringify({ ...fresh, checked_at }))
  },
)

test('without checks a dry run is of the seven', async () => {
  const body = { domain: 'wrong.example', dry_run: true }
  const all = await (await post(body)).text()
  expect(all).toBe(await (await post({ ...body, checks: DEFAULT_CHECKS })).text())
  expect(JSON.parse(all).checks).toEqual(DEFAULT_CHECKS)
})

test('what is wrong elsewhere changes no score of the checks asked for', async () => {
  const score = async (checks: CheckName[]) =>
    (await (await post({ domain: 'wrong.example', checks, dry_run: true })).json()).score
  expect(full['wrong.example']!.score).toBeLessThan(60)
  expect(await score(['acp'])).toBeLessThan(60)
  expect(await score(['schema'])).toBeGreaterThan(80)
})

test('a result of fewer checks does not answer for more', async () => {
  await post({ domain: 'few.example', checks: ['feed', 'entity'] })
  const status = async (checks?: CheckName[]) =>
    (await post({ domain: 'few.example', checks, dry_run: true })).status
  expect(await status(['entity'])).toBe(200)
  expect(await status(['entity', 'schema'])).toBe(404)
  expect(await status()).toBe(404)
})
