import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { CHECKS } from '../../../shared/audit/checks/index.ts'
import { AuditResult, ENGINE_VERSION } from '../../../shared/audit/result/result.ts'
import { type CheckName, DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { createEngine } from '../../audit/engine.ts'
import { JUDGES_HERE } from '../../audit/judging/testing/judges-here.ts'
import { rate_limits } from '../../db/access/tables.ts'
import { audits } from '../../db/audit/tables.ts'
import { ApiError } from '../../http/api-error.ts'
import { auditWith, cleanResult, testApp } from '../../testing/app.ts'

const { post, audited, db, createTestKey } = await testApp()

const storedOf = (domain: string) => db.select().from(audits).where(eq(audits.domain, domain))

test('an audit is answered and stored', async () => {
  const answer = await post({ domain: 'Shop.Example.' })
  expect(answer.status).toBe(200)
  const result = AuditResult.strict().parse(await answer.json())
  expect(result.domain).toBe('shop.example')
  expect(result.checks).toEqual(DEFAULT_CHECKS)
  const order = { domain: 'shop.example', checks: [...DEFAULT_CHECKS], agents: false }
  expect(audited).toEqual([order])
  const [row] = await storedOf('shop.example')
  expect(row?.result).toEqual(result)
  expect(row?.checks).toEqual(DEFAULT_CHECKS)
})

test('checks run once each, in their order', async () => {
  await post({ domain: 'order.example', checks: ['feed', 'acp', 'catalog', 'feed'] })
  expect(audited.at(-1)?.checks).toEqual(['catalog', 'feed', 'acp'])
})

test('null for an optional field is the same as no field', async () => {
  const optional = { checks: null, dry_run: null, agents: null }
  const answer = await post({ domain: 'null.example', ...optional })
  expect(answer.status).toBe(200)
  const expected = { domain: 'null.example', checks: [...DEFAULT_CHECKS], agents: false }
  expect(audited.at(-1)).toEqual(expected)
  expect((await post({ domain: null })).status).toBe(422)
})

test.each([
  ['the owner', ['own.example'], undefined, true],
  ['the owner, with www.', ['www.own.example'], undefined, true],
  ['the owner who does not want it', ['own.example'], false, false],
  ['the operator', ['*'], undefined, false],
  ['the operator who wants it', ['*'], true, true],
  ['a key of another domain', ['other.example'], undefined, false],
  ['a key of no domain', [], undefined, false],
  ['a key of another domain that wants it', ['other.example'], true, 403],
  ['a key of no domain that wants it', [], true, 403],
])(
  'pages are asked for in the names of AI agents for %s: %j, agents %s',
  async (_, domains, agents, expected) => {
    const { key } = await createTestKey({ domains })
    const calls = audited.length
    const answer = await post({ domain: 'own.example', agents }, { key })
    if (expected === 403) {
      expect(answer.status).toBe(403)
      expect((await answer.json()).error.code).toBe('domain_not_allowed')
      expect(audited).toHaveLength(calls)
      return
    }
    expect(answer.status).toBe(200)
    expect(audited.at(-1)).toMatchObject({ domain: 'own.example', agents: expected })
  },
)

test('a dry run answers the stored result unchanged and asks nobody', async () => {
  const first = await (await post({ domain: 'dry.example' })).text()
  const calls = audited.length
  const answer = await post({ domain: 'dry.example', dry_run: true })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(first)
  expect(audited).toHaveLength(calls)
  expect(await storedOf('dry.example')).toHaveLength(1)
})

test('what the key of another domain has audited is its own, and the owner sees none of it', async () => {
  const bearer = async (domains: string[]) => {
    const { key } = await createTestKey({ domains })
    return { key }
  }
  const domain = 'shared.example'
  const [owner, stranger] = [await bearer([domain]), await bearer(['other.example'])]
  const dry = { domain, checks: ['feed'], dry_run: true }
  const code = async (body: unknown, as: { key: string }) =>
    (await (await post(body, as)).json()).error?.code
  const foreign = await (await post({ domain }, stranger)).json()
  expect(await storedOf(domain)).toEqual([])
  expect(await code(dry, owner)).toBe('no_cached_audit')
  expect(await (await post({ domain, dry_run: true }, stranger)).json()).toEqual(foreign)
  expect(await (await post(dry, stranger)).json()).toMatchObject({ checks: ['feed'] })
  expect(await code({ ...dry, checks: ['acp'] }, stranger)).toBe('no_cached_audit')

  await post({ domain: 'owned.example' }, await bearer(['owned.example']))
  expect(await code({ domain: 'owned.example', dry_run: true }, stranger)).toBe('no_cached_audit')
})

const stored = (checks: CheckName[], day: number, engine_version = ENGINE_VERSION) => ({
  ...cleanResult('cached.example', checks, new Date(Date.UTC(2026, 0, day))),
  engine_version,
})
const CACHED = [
  stored(['feed', 'catalog'], 1),
  stored(['feed'], 2),
  stored([...DEFAULT_CHECKS], 3, '0'),
]

test.each([
  { checks: ['feed'] as CheckName[], day: 2 },
  { checks: ['catalog'] as CheckName[], day: 1 },
  { checks: ['catalog', 'feed'] as CheckName[], day: 1 },
  { checks: ['schema'] as CheckName[], day: null },
  { checks: undefined, day: null },
])('a dry run for $checks finds the newest that covers them: $day', async ({ checks, day }) => {
  await db.delete(audits).where(eq(audits.domain, 'cached.example'))
  await db.insert(audits).values(
    CACHED.map((result) => ({
      domain: result.domain,
      checks: result.checks,
      engine_version: result.engine_version,
      result,
      checked_at: new Date(result.checked_at),
    })),
  )
  const answer = await post({ domain: 'cached.example', checks, dry_run: true })
  expect(answer.status).toBe(day === null ? 404 : 200)
  const body = await answer.json()
  if (day === null) expect(body.error.code).toBe('no_cached_audit')
  else expect(body).toEqual(stored(checks ?? [], day))
})

test('the same request twice at once is one audit', async () => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let calls = 0
  const slow = await testApp({
    audit: async ({ domain, checks }) => {
      calls += 1
      await finished
      return auditWith(cleanResult(domain, checks, new Date()))
    },
  })
  const asked = ['feed', 'feed', 'catalog'].map((check) =>
    slow.post({ domain: 'busy.example', checks: [check] }),
  )
  // All are counted, and none asks the database any more: each is at work, or waits for one that
  // is.
  await eventually(async () => {
    const [row] = await slow.db.select({ points: rate_limits.points }).from(rate_limits)
    return [row?.points, calls, slow.database.load().inUse]
  }).toEqual([3, 2, 0])
  finish()
  const [one, two] = await Promise.all((await Promise.all(asked)).map((each) => each.json()))
  expect(one).toEqual(two)
  expect(await slow.db.$count(audits)).toBe(2)
})

test('a domain that does not answer is 422 and nothing is stored', async () => {
  const testHosts = [{ pattern: 'gone.example', origin: 'http://127.0.0.1:1' }]
  const { post: ask, db: own } = await testApp({
    audit: createEngine({ baseUrl: '', testHosts }, () => new Date(), JUDGES_HERE).audit,
  })
  const answer = await ask({ domain: 'gone.example' })
  expect(answer.status).toBe(422)
  const { error } = await answer.json()
  expect(error).toMatchObject({ code: 'domain_unreachable', details: [{ field: 'domain' }] })
  expect(error.message).toContain('gone.example')
  expect(answer.headers.get('X-RateLimit-Remaining')).toBe('59')
  expect(await own.$count(audits)).toBe(0)
})

test('the 61st request of an hour is refused, whatever it asks', async () => {
  const { post: ask } = await testApp()
  for (let left = 59; left >= 0; left -= 1) {
    const answer = await ask({ domain: 'rate.example', dry_run: left % 2 === 0 })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe(String(left))
    expect(answer.headers.get('RateLimit')).toMatch(new RegExp(`^"audit";r=${left};t=\\d+$`))
    expect(answer.headers.get('RateLimit-Policy')).toBe('"audit";q=60;w=3600')
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('60')
  }
  const refused = await ask({ domain: 'rate.example' })
  expect(refused.status).toBe(429)
  expect((await refused.json()).error.code).toBe('rate_limited')
  const wait = Number(refused.headers.get('Retry-After'))
  expect(wait).toBeGreaterThan(3500)
  expect(wait).toBeLessThanOrEqual(3600)
  expect(refused.headers.get('X-RateLimit-Reset')).toBe(String(wait))

  const unread = await ask({ domain: 7 })
  expect(unread.status).toBe(422)
})

test('requests that are refused before they are read do not count', async () => {
  const { post: ask } = await testApp()
  for (let n = 0; n < 5; n += 1) await ask({ domain: 'localhost' })
  await ask({ domain: 'count.example' }, { key: 'none' })
  const answer = await ask({ domain: 'count.example' })
  expect(answer.headers.get('X-RateLimit-Remaining')).toBe('59')
})

test.each([
  ['too_many_waiting', 429, '60'],
  ['busy', 503, '60'],
  ['domain_unreachable', 422, '59'],
] as const)(
  'an audit that is refused with %s, %i, leaves %s of the hour',
  async (code, status, left) => {
    let isRefused = true
    const { post: ask } = await testApp({
      audit: async ({ domain, checks }) => {
        if (isRefused) throw new ApiError(status, code, 'Try again.')
        return auditWith(cleanResult(domain, checks, new Date()))
      },
    })
    const refused = await ask({ domain: 'full.example' })
    expect([refused.status, refused.headers.get('X-RateLimit-Remaining')]).toEqual([status, left])
    expect(refused.headers.get('RateLimit')).toMatch(new RegExp(`^"audit";r=${left};t=\\d+$`))
    isRefused = false
    const made = await ask({ domain: 'full.example' })
    expect(made.headers.get('X-RateLimit-Remaining')).toBe(String(Number(left) - 1))
  },
)

test('a part of which nothing was judged has no score', async () => {
  const { domain, ...rest } = cleanResult('part.example', ['schema', 'feed'], new Date())
  const feed = CHECKS.feed.map(({ passed }) => passed)
  const result = { domain, ...rest, passed: rest.passed.filter((id) => !feed.includes(id)) }
  const { checks, engine_version } = result
  const checked_at = new Date(result.checked_at)
  await db.insert(audits).values({ domain, checks, engine_version, result, checked_at })
  const answer = await post({ domain, checks: ['feed'], dry_run: true })
  expect(answer.status).toBe(422)
  expect((await answer.json()).error.code).toBe('nothing_judged')
  expect((await post({ domain, checks: ['schema'], dry_run: true })).status).toBe(200)
})
