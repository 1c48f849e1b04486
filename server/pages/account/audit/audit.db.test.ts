import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { AuditResult } from '../../../../shared/audit/result/result.ts'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { listAudits as listStored, saveAudit } from '../../../db/audit/audits.ts'
import { audits } from '../../../db/audit/tables.ts'
import { ApiError } from '../../../http/api-error.ts'
import { auditWith, cleanResult } from '../../../testing/app.ts'
import { endOf, MINE, NOON, sharedPath, testPages } from '../testing/pages.ts'

const HOSTILE = '<script>alert(1)</script>'

const release = Promise.withResolvers<void>()

const { db, nobody, signIn } = await testPages({
  audit: async ({ domain, checks }) => {
    if (domain === 'away.example') throw new ApiError(422, 'domain_unreachable', 'No answer.')
    if (domain === 'twice.example') await release.promise
    return auditWith({ ...cleanResult(domain, checks, NOON), score: 71, grade: 'B' })
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

test('the latest audit, what compares with it, and all that were made under their dates', async () => {
  const domain = 'history.example'
  await saveAudit(db, result(domain, '01', { score: 41, grade: 'C' }))
  await saveAudit(db, result(domain, '10', { score: 17, engine_version: 'old' }))
  await saveAudit(db, result(domain, '15', { score: 99, checks: [...DEFAULT_CHECKS, 'acp'] }))
  await saveAudit(db, result(domain, '12', { score: 33, checks: ['feed'] }))
  await saveAudit(db, result(domain, '20', { score: 64, grade: 'B' }))
  const html = await page(domain)
  expect(html).toContain('Score 64 of 100, grade B')
  expect(html).toContain('Up 23 since Nov 1, 2026')
  expect(html).toContain('23 up')
  expect(html).toContain('Score over 2 audits: first 41, last 64.')
  expect(html).toMatch(/engine version old.*checks: Feed|checks: Feed.*engine version old/s)
  const links = [...html.matchAll(/<a href="(\/audits\/history\.example\/[0-9a-f-]{36})"/g)]
  expect(links).toHaveLength(5)
  const scores = await Promise.all(
    links.map(async ([, path = '']) => {
      const past = await (await browser.get(path)).text()
      return /Score (\d+) of 100/.exec(past)?.[1]
    }),
  )
  expect(scores).toEqual(['64', '99', '33', '17', '41'])
})

test('of more than fifty audits, the page leads to the older ones', async () => {
  const domain = 'often.example'
  for (let n = 0; n < 51; n += 1) {
    const checked_at = new Date(at('20').getTime() + n * 60_000).toISOString()
    await saveAudit(db, { ...result(domain, '20', {}), checked_at })
  }
  const linked = (html: string) => html.match(/<a href="\/audits\/often\.example\/[0-9a-f-]{36}"/g)
  const html = await page(domain)
  expect(linked(html)).toHaveLength(50)
  const [, path = ''] = /<a href="([^"#]+)#history">Older audits/.exec(html) ?? []
  const older = await (await browser.get(path)).text()
  expect(linked(older)).toHaveLength(1)
  expect(older).not.toContain('Older audits')
})

test('what the score counts comes before what an AI shopping program asks for', async () => {
  const domain = 'both.example'
  const item = {
    id: 'pay',
    label: 'Pay',
    state: 'no' as const,
    evidence: 'None.',
    fix: 'Offer it.',
  }
  const readiness = [
    { surface: 'x', label: 'Buying on X', items: [{ ...item, source: 'https://x.example/' }] },
  ]
  await saveAudit(db, result(domain, '20', { readiness }))
  const html = await page(domain)
  expect(html).toContain('Buying on X')
  expect(html.indexOf('Fix first')).toBeLessThan(html.indexOf('Buying on X'))
  const standards = await (await browser.get(`/audits/${domain}/standards`)).text()
  expect(standards).toContain('What the audit saw')
  expect((await browser.get('/audits/never-audited.example/standards')).status).toBe(404)
})

describe('two audits', () => {
  const domain = 'compared.example'
  const gap = (id: string, points: number) => ({
    id,
    check: 'feed' as const,
    severity: 'high' as const,
    label: `Label of ${id}`,
    detail: '',
    fix: '',
    fix_url: null,
    docs_url: null,
    points,
  })
  const compare = async (query: string) =>
    (await browser.get(`/audits/${domain}/compare${query}`)).text()
  const section = (html: string, title: string) =>
    new RegExp(`${title} \\(1\\)</summary>(.*?)</details>`, 's').exec(html)?.[1] ?? ''

  test('are compared as new, fixed and still open, with points', async () => {
    await saveAudit(
      db,
      result(domain, '01', { score: 50, grade: 'C', gaps: [gap('a', 4), gap('b', 7)] }),
    )
    expect(await compare('')).toContain('There are no two audits to compare yet.')
    await saveAudit(
      db,
      result(domain, '02', { score: 61, grade: 'B', gaps: [gap('b', 6), gap('c', 2)] }),
    )
    const html = await compare('')
    expect(html).toContain('The score rose by 11.')
    expect(section(html, 'New')).toMatch(/Label of c.*\+2/s)
    expect(section(html, 'Fixed')).toMatch(/Label of a.*\+4/s)
    expect(section(html, 'Still open')).toMatch(/Label of b.*\+6/s)
    expect(html).not.toContain('do not compare')
  })

  test('in either order, and by the form', async () => {
    const [after, before] = await listStored(db, domain)
    const html = await compare(`?before=${after?.id}&after=${before?.id}`)
    expect(html).toContain('The score rose by 11.')
    expect(html).toContain(`<option value="${before?.id}" selected>`)
    expect(await compare(`?before=${after?.id}&after=${after?.id}`)).toContain(
      'Choose two different audits.',
    )
  })

  test('that measured differently say so, and no points', async () => {
    await saveAudit(
      db,
      result(domain, '03', { score: 90, checks: ['feed', 'acp'], engine_version: 'next' }),
    )
    const html = await compare('')
    expect(html).toContain('The scores of these two do not compare')
    expect(html).toMatch(/engine version \d+, the later one by next/)
    expect(html).toContain('Only the later one made the check ACP.')
    expect(html).toMatch(/Only the earlier one made the checks .*Catalog/)
    expect(html).not.toMatch(/The score (rose|fell|did)/)
    expect(await (await browser.get(`/audits/${domain}`)).text()).toContain('engine version next')
  })
})

test('a check is named as a merchant says it, and leads to its page', async () => {
  const domain = 'words.example'
  const skipped = [{ id: 'feed_missing', check: 'feed' as const, reason: 'HTTP 503' }]
  await saveAudit(db, result(domain, '20', { skipped }))
  const html = await page(domain)
  expect(html).toContain(
    '<a href="/gaps/organization_same_as_invalid">Organization links that can be followed</a>',
  )
  expect(html).toContain('<a href="/gaps/feed_missing">A product feed that can be found</a>')
  expect(html).not.toContain('Organization same as')
})

describe('what to do', () => {
  const gap = {
    id: 'robots_blocks_ai_agents',
    check: 'well_known' as const,
    severity: 'high' as const,
    label: 'robots.txt blocks AI shopping agents',
    detail: 'GPTBot is blocked',
    fix: 'Let the listed agents read the storefront.',
    fix_url: null,
    docs_url: null,
    points: 4,
  }
  const platform = { id: 'shopify' as const, name: 'Shopify', seen_by: ['the header X-ShopId'] }

  test('is said for the platform of the store, with who does it, and how it was recognised', async () => {
    const domain = 'on-shopify.example'
    await saveAudit(db, result(domain, '20', { gaps: [gap], platform }))
    const html = await page(domain)
    expect(html).toContain('This store runs on Shopify, recognised by the header X-ShopId.')
    expect(html).toMatch(/What to do on Shopify.*templates\/robots\.txt\.liquid/s)
    expect(html).toContain('Who: a developer. Effort: up to an hour.')
    expect(html).toContain('Let the listed agents read the storefront.')
    expect(html).toMatch(/Ticket as Markdown.*\*\*On Shopify:\*\*/s)
  })

  test('is said in general where no platform was recognised', async () => {
    const domain = 'of-its-own.example'
    await saveAudit(db, result(domain, '20', { gaps: [gap] }))
    const html = await page(domain)
    expect(html).not.toMatch(/This store runs on|What to do on|Who:/)
    expect(html).toMatch(/Ticket as Markdown.*\*\*To do:\*\* Let the listed agents/s)
  })

  test('the page of the gap has it for every platform', async () => {
    const html = await (await nobody.get('/gaps/robots_blocks_ai_agents')).text()
    for (const name of ['Shopify', 'WooCommerce', 'Magento', 'PrestaShop', 'BigCommerce']) {
      expect(html).toContain(`What to do on ${name}`)
    }
  })
})

test('after a change of the engine the audit before it is still there, and what of it is public', async () => {
  const domain = 'upgraded.example'
  await saveAudit(db, result(domain, '01', { score: 41, engine_version: 'old' }))
  const html = await page(domain)
  expect(html).toContain('Our rules have changed since this audit')
  expect(html).toContain('Score 41 of 100')
  expect(html).toContain('engine version old')
  expect(html).toContain('Audit again')
  expect(html).toContain('id="badge"')
  expect(await page('history.example')).not.toContain('Our checks have changed')

  const shared = await sharedPath(await browser.post('/shares', { domain, view: 'audit' }))
  const seen = await (await nobody.get(shared)).text()
  expect(seen).toContain('Score 41 of 100')
  expect(seen).toContain('The owner of the store can make it.')
})

test('a link can be revoked where the audit that it showed is gone', async () => {
  const domain = 'swept.example'
  expect(await page(domain)).not.toContain('id="badge"')
  await browser.post('/shares', { domain, view: 'audit' })
  expect(await page(domain)).toMatch(/action="[^"]*\/shares\/end"/)
})

test('the list of domains has where each stands, and what to do first', async () => {
  const one = await signIn({ domains: ['history.example', 'compared.example', 'none.example'] })
  const html = await (await one.get('/audits')).text()
  expect(html).toMatch(/history\.example<\/a>.*64 of 100.*23 up/s)
  expect(html).toMatch(/compared\.example<\/a>.*61 of 100.*11 up.*Label of b.*and 1 more/s)
  expect(html).toMatch(/none\.example<\/a>.*Not audited yet\./s)
  expect(html).toContain('/report?domain=history.example')
  const blind = await signIn({ domains: ['history.example'], scopes: ['audit'] })
  expect(await (await blind.get('/audits')).text()).not.toContain('/report?domain=')
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

test('ages are in the language of the page, whichever the browser asks for', async () => {
  await saveAudit(db, result('german.example', '20', {}))
  const answer = await browser.get('/audits/german.example', { 'Accept-Language': 'de' })
  expect(await answer.text()).toContain('yesterday')
})
