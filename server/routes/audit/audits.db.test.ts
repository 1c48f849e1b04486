import { describe, expect, test } from 'vitest'
import { type AuditResult, ENGINE_VERSION } from '../../../shared/audit/result/result.ts'
import {
  AuditChanges,
  AuditedDomains,
  AuditHistory,
  StoredAudit,
} from '../../../shared/audit/result/stored-audit.ts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { createProperty } from '../../attribution/properties.ts'
import type { Scope } from '../../db/access/scopes.ts'
import { saveAudit } from '../../db/audit/audits.ts'
import { cleanResult, testApp } from '../../testing/app.ts'

const { ask, db, createTestKey } = await testApp()

const at = (day: string) => new Date(`2026-11-${day}T09:00:00Z`)
const save = (domain: string, day: string, change: Partial<AuditResult> = {}) =>
  saveAudit(db, { ...cleanResult(domain, DEFAULT_CHECKS, at(day)), ...change })
const gap = (id: string, points: number) => ({
  id,
  check: 'feed' as const,
  severity: 'high' as const,
  label: `Label of ${id}`,
  detail: 'found',
  fix: 'fix it',
  fix_url: null,
  docs_url: null,
  points,
})

async function as(domains: string[], scopes: Scope[] = ['audit', 'report:read', 'report:write']) {
  const { key } = await createTestKey({ domains, scopes })
  return {
    key,
    get: (path: string) => ask(path, { key }),
  }
}

describe('GET /api/audits', () => {
  test('each domain with its last score, change, worst gap and last event', async () => {
    await save('first.example', '01', { score: 50, grade: 'C' })
    await save('first.example', '03', { score: 20, engine_version: 'old' })
    await save('first.example', '04', { score: 9, checks: ['feed'] })
    await save('first.example', '05', {
      score: 61,
      grade: 'B',
      gaps: [gap('feed_missing', 8), gap('feed_gtin_invalid', 1)],
    })
    await save('second.example', '02')
    await save('www.second.example', '03')
    await save('foreign.example', '03')
    const caller = await as(['first.example', 'second.example', 'never.example'])
    const sent = await ask('/api/report', {
      key: caller.key,
      body: {
        event: 'ai_product_viewed',
        domain: 'never.example',
        session_id: 's',
        source: 'acp',
      },
    })
    expect(sent.status).toBe(200)

    const answer = await caller.get('/api/audits')
    expect(answer.status).toBe(200)
    const { domains, next } = AuditedDomains.parse(await answer.json())
    expect(next).toBeNull()
    expect(domains.map(({ domain, audit }) => [domain, audit?.score ?? null])).toEqual([
      ['first.example', 61],
      ['never.example', null],
      ['second.example', 100],
      ['www.second.example', 100],
    ])
    const [first, never, second] = domains
    expect(first?.audit).toMatchObject({
      url: `https://aisle.example/api/audits/${first?.audit?.id}`,
      page_url: `https://aisle.example/audits/first.example/${first?.audit?.id}`,
      grade: 'B',
      checked_at: '2026-11-05T09:00:00.000Z',
      engine_version: ENGINE_VERSION,
      gaps: 2,
      worst_gap: { id: 'feed_missing', check: 'feed', severity: 'high' },
      change: 11,
      before: { score: 50, comparable: true },
    })
    expect(first?.last_event_at).toBeNull()
    expect(never?.last_event_at).toEqual(expect.any(String))
    expect(second?.audit).toMatchObject({ before: null, change: null, worst_gap: null, gaps: 0 })
  })

  test('a change of the engine is said, and is no change of the score', async () => {
    await save('moved.example', '01', { score: 90, engine_version: 'old' })
    await save('moved.example', '02', { score: 40, grade: 'C' })
    const { domains } = AuditedDomains.parse(
      await (await (await as(['moved.example'])).get('/api/audits')).json(),
    )
    expect(domains[0]?.audit).toMatchObject({
      change: null,
      before: { score: 90, engine_version: 'old', comparable: false },
    })
  })

  test('a key that may not read reports is not told when the last event came', async () => {
    const caller = await as(['never.example'], ['audit'])
    const { domains } = await (await caller.get('/api/audits')).json()
    expect(domains).toEqual([{ domain: 'never.example', audit: null }])
  })

  test.each([
    ['of its own', ['b.example', 'a.example', 'd.example', 'c.example']],
    ['of the operator', ['*']],
  ])('comes page by page, for a key %s', async (_, named) => {
    for (const domain of ['a.example', 'c.example']) await save(domain, '01')
    await createProperty(db, { domain: 'b.example' }, at('01'))
    const caller = await as(named)
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const after: string = next && `&after=${encodeURIComponent(next)}`
      const page = AuditedDomains.parse(
        await (await caller.get(`/api/audits?limit=2${after}`)).json(),
      )
      expect(page.domains.length).toBeLessThanOrEqual(2)
      seen.push(...page.domains.map(({ domain }) => domain))
      next = page.next
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(seen.toSorted())
    expect(seen).toEqual(expect.arrayContaining(['a.example', 'b.example', 'c.example']))
    if (named.includes('*')) expect(seen).toContain('foreign.example')
    else expect(seen).toEqual(named.toSorted())
  })

  test.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5'])('refuses %s', async (query) => {
    const answer = await (await as(['a.example'])).get(`/api/audits?${query}`)
    expect(answer.status).toBe(422)
    expect((await answer.json()).error.details[0]).toMatchObject({ field: 'limit' })
  })
})

test('the history of a domain has audits of all checks and engines, page by page', async () => {
  const domain = 'long.example'
  for (const day of ['01', '02', '04']) await save(domain, day)
  await save(domain, '03', { checks: ['feed'], score: 7 })
  await save(domain, '05', { engine_version: 'old' })
  const caller = await as([domain])
  const days: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const answer = await caller.get(
      `/api/audits/history?domain=${domain}&limit=2${next && `&after=${next}`}`,
    )
    const page: AuditHistory = AuditHistory.parse(await answer.json())
    days.push(...page.audits.map(({ checked_at }) => checked_at.slice(8, 10)))
    next = page.next
  }
  expect(days).toEqual(['05', '04', '03', '02', '01'])
  const gone = await caller.get(
    `/api/audits/history?domain=${domain}&after=00000000-0000-4000-8000-000000000000`,
  )
  expect(gone.status).toBe(404)
})

describe('one audit', () => {
  const domain = 'one.example'
  const idsOf = async () => {
    const answer = await (await as([domain])).get(`/api/audits/history?domain=${domain}`)
    return AuditHistory.parse(await answer.json()).audits.map(({ id }) => id)
  }

  test('is the result as it was stored, with its id', async () => {
    const stored = { score: 71, grade: 'B' as const, gaps: [gap('feed_missing', 8)] }
    await save(domain, '01', stored)
    const [id = ''] = await idsOf()
    const answer = await (await as([domain])).get(`/api/audits/${id}`)
    const body = await answer.json()
    expect(body).toEqual({ ...cleanResult(domain, DEFAULT_CHECKS, at('01')), ...stored, id })
    expect(StoredAudit.parse(body)).toEqual(body)
  })

  test.each(['x', '', '00000000-0000-4000-8000-000000000000', 'history%20', '%00'])(
    'that is not there, as %j, is 404',
    async (id) => {
      const answer = await (await as(['*'])).get(`/api/audits/${id}`)
      expect(answer.status).toBe(404)
    },
  )

  test('that can no longer be read is not there', async () => {
    await save('torn.example', '01', { grade: 'x' as 'A' })
    const caller = await as(['torn.example'])
    const { audits } = await (await caller.get('/api/audits/history?domain=torn.example')).json()
    expect(audits).toEqual([])
    const { domains } = await (await caller.get('/api/audits')).json()
    expect(domains).toMatchObject([{ domain: 'torn.example', audit: null }])
  })

  test('and what changed since the one before, or since any other, in their order', async () => {
    await save(domain, '02', {
      score: 80,
      grade: 'A',
      gaps: [gap('feed_gtin_invalid', 2), gap('feed_missing', 5)],
    })
    const [second = '', first = ''] = await idsOf()
    const caller = await as([domain])
    const read = async (path: string) =>
      AuditChanges.parse(await (await caller.get(`/api/audits/${path}`)).json())
    const changes = await read(`${second}/changes`)
    expect(changes).toMatchObject({
      domain,
      before: { id: first, score: 71 },
      after: { id: second, score: 80 },
      change: 9,
      measure: null,
      new: [{ id: 'feed_gtin_invalid', points: 2 }],
      fixed: [],
      still_open: [{ id: 'feed_missing', points: 5 }],
      not_judged: [],
    })
    expect(await read(`${first}/changes?since=${second}`)).toEqual(changes)
    const nothing = await caller.get(`/api/audits/${first}/changes`)
    expect(nothing.status).toBe(404)
    expect((await nothing.json()).error.code).toBe('no_earlier_audit')
    expect((await caller.get(`/api/audits/${first}/changes?since=${first}`)).status).toBe(422)
    expect((await caller.get(`/api/audits/${first}/changes?since=x`)).status).toBe(404)
  })

  test('of another engine or of other checks is compared, and the difference is said', async () => {
    await save(domain, '03', { checks: ['feed', 'acp'], engine_version: 'next' })
    const [third = '', second = ''] = await idsOf()
    const caller = await as([domain])
    const changes = await (await caller.get(`/api/audits/${third}/changes?since=${second}`)).json()
    expect(changes).toMatchObject({
      change: null,
      measure: { engine: { before: ENGINE_VERSION, after: 'next' }, checks_after: ['acp'] },
    })
    expect(changes.measure.checks_before).toContain('schema')
  })

  test('of another domain is not compared', async () => {
    const all = await as(['*'])
    const { audits } = await (await all.get('/api/audits/history?domain=long.example')).json()
    const [id = ''] = await idsOf()
    const answer = await all.get(`/api/audits/${id}/changes?since=${audits[0].id}`)
    expect(answer.status).toBe(422)
  })
})
