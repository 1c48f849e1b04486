import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { AuditResult } from '../../../../shared/audit/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { saveAudit } from '../../../db/audits.ts'
import { audits } from '../../../db/tables.ts'
import { ApiError } from '../../../http/errors.ts'
import { cleanResult } from '../../../testing/app.ts'
import { endOf, MINE, NOON, testPages } from '../testing/pages.ts'

const HOSTILE = '<script>alert(1)</script>'

const release = Promise.withResolvers<void>()

const { db, nobody, signIn } = await testPages({
  audit: async ({ domain, checks }) => {
    if (domain === 'away.example') throw new ApiError(422, 'domain_unreachable', 'No answer.')
    if (domain === 'twice.example') await release.promise
    return { ...cleanResult(domain, checks, NOON), score: 71, grade: 'B' }
  },
})
const browser = await signIn()
const page = async (domain: string) => (await browser.get(`/audits/${domain}`)).text()

const listAudits = (domain: string) => db.$count(audits, eq(audits.domain, domain))

const at = (day: string) => new Date(`2026-11-${day}T09:00:00Z`)
const result = (domain: string, day: string, change: Partial<AuditResult>): AuditResult => ({
  ...cleanResult(domain, DEFAULT_CHECKS, at(day)),
  ...change,
})

test('the latest audit, those before it, and nothing of other checks or engines', async () => {
  const domain = 'history.example'
  await saveAudit(db, result(domain, '01', { score: 41, grade: 'C' }))
  await saveAudit(db, result(domain, '10', { score: 17, engine_version: 'old' }))
  await saveAudit(db, result(domain, '15', { score: 99, checks: [...DEFAULT_CHECKS, 'acp'] }))
  await saveAudit(db, result(domain, '12', { score: 33, checks: ['feed'] }))
  await saveAudit(db, result(domain, '20', { score: 64, grade: 'B' }))
  const html = await page(domain)
  expect(html).toContain('Score 64 of 100, grade B')
  expect(html).toContain('up 23 since Nov 1, 2026')
  expect(html).toContain('23 up')
  expect(html).toContain('Score over 2 audits: first 41, last 64.')
  expect(html).not.toMatch(/>(17|33|99)</)
})

test('without an audit there is a button that makes one', async () => {
  expect(await page('fresh.example')).toContain('Run an audit')
  const made = await browser.post('/audits', { domain: 'FRESH.example' })
  expect(made.headers.get('x-ratelimit-remaining')).toBe('59')
  expect((await endOf(browser, made)).headers.get('location')).toBe('/audits/fresh.example')
  expect(await page('fresh.example')).toContain('Score 71 of 100')
})

test('a button that is clicked twice makes one audit, and counts once', async () => {
  const twice = await signIn({ domains: ['twice.example'] })
  const [first, second] = await Promise.all([
    twice.post('/audits', { domain: 'twice.example' }),
    twice.post('/audits', { domain: 'twice.example' }),
  ])
  expect(first.headers.get('location')).toBe(second.headers.get('location'))
  release.resolve()
  expect((await endOf(twice, first)).headers.get('location')).toBe('/audits/twice.example')
  expect(await listAudits('twice.example')).toBe(1)
  const third = await twice.post('/audits', { domain: 'twice.example' })
  expect(third.headers.get('x-ratelimit-remaining')).toBe('58')
})

test('an audit from the page counts as one of the key', async () => {
  const one = await signIn({ domains: [MINE] })
  for (let n = 0; n < 60; n += 1) await endOf(one, await one.post('/audits', { domain: MINE }))
  const answer = await one.post('/audits', { domain: MINE })
  expect(answer.status).toBe(429)
  expect(await answer.text()).toContain('Too many requests')
})

test('a domain that does not answer is told as such', async () => {
  const ended = await endOf(browser, await browser.post('/audits', { domain: 'away.example' }))
  expect(ended.status).toBe(200)
  const html = await ended.text()
  expect(html).toContain('No answer.')
  expect(html).toContain('value="away.example"')
})

test('what an audit found appears as text, and a link leads to http only', async () => {
  const domain = 'hostile.example'
  const gap = {
    id: HOSTILE,
    check: 'catalog' as const,
    severity: 'critical' as const,
    label: HOSTILE,
    detail: `${HOSTILE} "onmouseover="alert(1)`,
    fix: HOSTILE,
    fix_url: 'javascript:alert(1)',
    docs_url: 'data:text/html,x',
  }
  await saveAudit(db, result(domain, '20', { gaps: [gap], score: 20, grade: 'D' }))
  const html = await page(domain)
  expect(html).toContain('&lt;script>alert(1)&lt;/script>')
  expect(html).not.toMatch(/<script>alert|"javascript:|"data:text|"onmouseover="a/)
})

test('a stored result that cannot be read any more is none', async () => {
  await saveAudit(db, { ...result('torn.example', '20', {}), grade: 'x' as 'A' })
  expect(await page('torn.example')).toContain('There is no audit yet.')
})

describe('the badge', () => {
  const badge = async () => (await nobody.get(`/badge/${MINE}.svg`)).status

  test('is seen by nobody until it is switched on, and no longer than that', async () => {
    await saveAudit(db, result(MINE, '20', {}))
    expect(await page(MINE)).toContain('Switch the badge on')
    expect(await badge()).toBe(404)
    const on = await browser.post(`/audits/${MINE}/badge`, { shown: 'yes' })
    expect(on.headers.get('location')).toBe(`/audits/${MINE}#badge`)
    expect(await badge()).toBe(200)
    const html = await page(MINE)
    expect(html).toContain('Switch the badge off')
    expect(html).toContain(`&lt;img src=&quot;https://aisle.example/badge/${MINE}.svg&quot;`)
    await browser.post(`/audits/${MINE}/badge`, { shown: 'no' })
    expect(await badge()).toBe(404)
  })
})

test('dates are written as the browser asks', async () => {
  await saveAudit(db, result('german.example', '20', {}))
  const answer = await browser.get('/audits/german.example', { 'Accept-Language': 'de' })
  expect(await answer.text()).toContain('gestern')
})
