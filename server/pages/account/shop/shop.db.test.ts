import { expect, test } from 'vitest'
import { DEFAULT_CHECKS } from '../../../../shared/audit/vocabulary.ts'
import { gapWords } from '../../../../shared/audit/words.ts'
import { createProperty } from '../../../attribution/properties.ts'
import { saveAudit } from '../../../db/audit/audits.ts'
import { cleanResult } from '../../../testing/app.ts'
import { MINE, NOON, OTHER, testPages } from '../testing/pages.ts'

const { ask, db, nobody, signIn } = await testPages()

/** The steps of the page, each with whether it is done. */
const stepsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<h2>([^<]+)<span class="sr-only">, (done|to do)<\/span>/g)].map(
      ([, title, state]) => [title, state],
    ),
  )

test('each step is to be done until it is, and is asked for once', async () => {
  const browser = await signIn({ domains: [MINE] })
  const read = async () => (await browser.get('/shop')).text()
  const before = await read()
  expect(stepsOf(before)).toEqual({
    Audited: 'to do',
    'Tag seen': 'to do',
    'First order': 'to do',
    Watched: 'to do',
  })
  expect(before).toContain('Get the tag')
  expect(before).not.toContain('What AI brought')

  await createProperty(db, { domain: MINE }, NOON)
  expect(await read()).toContain('Put it into your pages')
  await saveAudit(db, { ...cleanResult(MINE, DEFAULT_CHECKS, NOON), score: 71, grade: 'B' })
  const order = {
    domain: MINE,
    event: 'ai_checkout_completed',
    session_id: 's1',
    source: 'acp',
    ai_surface: 'chatgpt',
    timestamp: NOON.toISOString(),
    properties: { value: 12_345, currency: 'USD' },
  }
  expect((await ask('/api/report', { body: order })).status).toBe(200)
  await browser.post('/watches', { domain: MINE })
  const after = await read()
  expect(stepsOf(after)).toEqual({
    Audited: 'done',
    'Tag seen': 'to do',
    'First order': 'done',
    Watched: 'done',
  })
  expect(after).toContain('71 of 100')
  expect(after).toContain('AI agents can find this store, read its products and buy.')
  expect(after).toContain('$123.45')
  // What else is asked each morning: is it broken, did it help, and ChatGPT's own programs.
  expect(after).toContain('known after the first audit of the watch')
  expect(after).toContain('Did it help?')
})

test('what was closed since the last other score is named, however often the same was audited', async () => {
  const domain = 'closed.example'
  const result = cleanResult(domain, DEFAULT_CHECKS, NOON)
  const gap = {
    id: 'feed_missing',
    check: 'feed',
    severity: 'medium',
    label: 'No product feed was found publicly',
    detail: '404',
    fix: 'Publish one.',
    fix_url: null,
    docs_url: 'https://aisle.example/gaps/feed_missing',
  } as const
  const passed = result.passed.filter((name) => name !== gapWords(gap.id).passed)
  const earlier = new Date(NOON.getTime() - 86_400_000).toISOString()
  await saveAudit(db, { ...result, checked_at: earlier, score: 60, gaps: [gap], passed })
  const anHourAgo = new Date(NOON.getTime() - 3_600_000).toISOString()
  await saveAudit(db, { ...result, checked_at: anHourAgo })
  await saveAudit(db, result)
  const browser = await signIn({ domains: [domain] })
  const html = await (await browser.get('/shop')).text()
  expect(html).toContain('Closed: No product feed was found publicly.')
})

test.each([
  [['audit'], ['Audited', 'Watched']],
  [['report:read'], ['Tag seen', 'First order']],
] as const)('a key with %j sees what it may', async (scopes, steps) => {
  const browser = await signIn({ domains: ['scoped.example'], scopes: [...scopes] })
  const html = await (await browser.get('/shop')).text()
  expect(Object.keys(stepsOf(html))).toEqual(steps)
})

test('the shop of others is not shown, and nobody’s to who is not signed in', async () => {
  const browser = await signIn({ domains: [MINE] })
  expect((await browser.get(`/shop?domain=${OTHER}`)).status).toBe(403)
  expect((await nobody.get('/shop')).headers.get('location')).toBe('/sign-in?next=%2Fshop')
})

test('a key that may see nothing of it is told which one may', async () => {
  const browser = await signIn({ scopes: ['manifest'] })
  const answer = await browser.get('/shop')
  expect(answer.status).toBe(403)
  expect(await answer.text()).toContain('report:read')
})

test('of several shops, the one of the newest event comes first', async () => {
  const domains = ['a-first.example', 'b-busy.example']
  const browser = await signIn({ domains })
  const title = async () => /<h1>([^<]*)/.exec(await (await browser.get('/shop')).text())?.[1]
  expect(await title()).toBe('a-first.example')
  const viewed = {
    domain: 'b-busy.example',
    event: 'ai_product_viewed',
    session_id: 's1',
    source: 'acp',
    timestamp: NOON.toISOString(),
  }
  expect((await ask('/api/report', { key: browser.key, body: viewed })).status).toBe(200)
  expect(await title()).toBe('b-busy.example')
})
