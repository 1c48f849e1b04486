import { describe, expect, test } from 'vitest'
import type { FeedVendor } from '../../commerce/feed.ts'
import { PROFILES } from '../../manifest/ucp/testing/profiles.ts'
import type { Answer, JsonSeen } from '../../web/http/fetched.ts'
import { answerFrom } from '../../web/testing/answer-from.ts'
import { emptyTally } from '../checks/feed/tally.ts'
import { CHECKS, rulesOf } from '../checks/index.ts'
import type { CatalogSeen, Evidence } from '../evidence.ts'
import {
  gap,
  inOtherDialect,
  notApplicable,
  OFFICIAL_PROFILE,
  type Outcome,
  pass,
  type Rule,
  type RuleDialect,
  skip,
  type Verdict,
} from '../rule.ts'
import { CHECK_NAMES, type CheckName } from '../vocabulary.ts'
import { narrowResult } from './narrow.ts'
import { NO_LINKS, NothingJudged, toResult } from './result.ts'

const AT = new Date('2026-11-20T10:00:00Z')

test('a pass that could never have been a gap is no score, as in the result itself', () => {
  const free = CHECKS.feed.filter(({ gap }) => gap === null)
  const outcomes = free.map((rule) => ({ rule, verdict: pass() }))
  const make = (checks: CheckName[], extra: Outcome[]) =>
    toResult('shop.example', checks, [...extra, ...outcomes], AT, NO_LINKS)
  expect(() => make(['feed'], [])).toThrow(NothingJudged)
  const [schema] = CHECKS.schema.map((rule) => ({ rule, verdict: pass() }))
  const both = make(['schema', 'feed'], schema === undefined ? [] : [schema])
  expect(() => narrowResult(both, ['feed'])).toThrow(NothingJudged)
})

test('the name of a pass belongs to one rule, so that it tells the check', () => {
  const passed = CHECK_NAMES.flatMap((check) => CHECKS[check].map((rule) => rule.passed))
  expect(new Set(passed).size).toBe(passed.length)
})

test('a part of a result is what an audit by these checks alone says', () => {
  const outcomes = rulesOf(CHECK_NAMES).map((rule, index) => ({
    rule,
    verdict: [gap('wrong'), pass(), pass(), skip('it timed out'), notApplicable('-')][index % 5]!,
  }))
  const whole = toResult('shop.example', CHECK_NAMES, outcomes, AT, NO_LINKS)
  for (const check of CHECK_NAMES) {
    const alone = outcomes.filter(({ rule }) => rule.check === check)
    const direct = toResult('shop.example', [check], alone, AT, NO_LINKS)
    expect(narrowResult(whole, [check])).toEqual(direct)
  }
})

test.each<[string, RuleDialect]>([
  ['well_known_missing', 'official'],
  ['well_known_invalid', 'specification'],
])('%s hides nothing in a dialect that is not spoken, in a part either', (wrong, elsewhere) => {
  const outcomes = rulesOf(CHECK_NAMES).map((rule) => {
    const verdict =
      rule.dialect === elsewhere ? inOtherDialect('-') : rule.gap === wrong ? gap('wrong') : pass()
    return { rule, verdict }
  })
  const whole = toResult('shop.example', CHECK_NAMES, outcomes, AT, NO_LINKS)
  const checks: CheckName[] = ['well_known', 'checkout']
  const alone = outcomes.filter(({ rule }) => checks.includes(rule.check))
  const direct = toResult('shop.example', checks, alone, AT, NO_LINKS)
  expect(narrowResult(whole, checks)).toEqual(direct)
})

describe('a store with an official profile that nobody can buy from', () => {
  // The refusals of its checkout are judged by a walk, in any dialect; a cart is judged by a
  // session alone.
  test.each<[string, Verdict]>([
    ['not walked', inOtherDialect('-')],
    ['walked', pass()],
  ])('%s: no gap hides what the specification alone has, in a part either', (_, refusals) => {
    const outcomes = rulesOf(CHECK_NAMES).map((rule): Outcome => {
      const isOfWalks = rule.reads.join() === 'walk'
      if (rule.gap === 'ucp_not_shoppable') return { rule, verdict: gap('wrong') }
      if (rule.gap === 'checkout_error_body_invalid') return { rule, verdict: refusals }
      if (rule.dialect === 'specification') return { rule, verdict: inOtherDialect('-') }
      return { rule, verdict: rule.check === 'checkout' && !isOfWalks ? skip('-') : pass() }
    })
    const whole = toResult('shop.example', CHECK_NAMES, outcomes, AT, NO_LINKS)
    const checks: CheckName[] = ['well_known', 'catalog', 'checkout']
    const alone = outcomes.filter(({ rule }) => checks.includes(rule.check))
    const direct = toResult('shop.example', checks, alone, AT, NO_LINKS)
    expect(narrowResult(whole, checks)).toEqual(direct)
  })
})

test('a rule says of which dialect it is, if and only if it is not applicable in another', () => {
  const official = manifestOf(PROFILES['2026-08-25'])
  const elsewhere = { kind: 'not_asked', reason: OFFICIAL_PROFILE } as const
  const unseen = { fetched: elsewhere, json: null }
  const checkout = {
    endpoint: null,
    item: null,
    asked_at: AT.toISOString(),
    create: unseen,
    invalid_address: unseen,
    unknown_variant: unseen,
  }
  const catalog: CatalogSeen = {
    dialect: 'spec',
    endpoint: null,
    first: unseen,
    again: unseen,
    next: [],
    search: null,
    filters: null,
    official: null,
  }
  const ucp = { agent: '', rest: null, mcp: null, a2a: null, versions: [] }
  const evidence: Partial<Evidence>[] = [
    { ...official, checkout },
    { ...manifestOf({}), ucp, catalog: { ...catalog, first: seen({}) } },
    feedOf('google'),
    feedOf('openai'),
  ]
  const silent = rulesOf(CHECK_NAMES).filter(({ judge }) =>
    evidence.map(judge).some((said) => said.kind === 'not_applicable' && !said.hideable),
  )
  const ofDialects = rulesOf(CHECK_NAMES).filter(({ dialect }) => dialect !== undefined)
  const idOf = ({ gap, passed }: Rule) => gap ?? passed
  expect(silent.map(idOf)).toEqual(ofDialects.map(idOf))
})

const URL = 'https://shop.example/.well-known/ucp'
const answered = (value: object): Answer =>
  answerFrom(URL, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
const seen = (value: object): JsonSeen => ({
  fetched: answered(value),
  json: { ok: true, value },
})
const manifestOf = (document: object): Pick<Evidence, 'site' | 'manifest'> => ({
  site: {
    domain: 'shop.example',
    label: 'shop',
    https: answered(document),
    http: answered(document),
  },
  manifest: {
    ...seen(document),
    www: { fetched: { kind: 'not_asked', reason: 'the domain has one' }, json: null },
  },
})
const feedOf = (vendor: FeedVendor): Pick<Evidence, 'feed'> => ({
  feed: {
    url: URL,
    found_by: 'robots.txt',
    kind: 'csv',
    vendor,
    fetched: answered({}),
    items: [],
    tally: { ...emptyTally(), rows: 1 },
    problem: null,
    cut: null,
    tried: [URL],
  },
})
