import { expect, test } from 'vitest'
import { listOwnKeys } from '../../db/access/keys.ts'
import { MINE, testPages } from './testing/pages.ts'

const { db, nobody, signIn } = await testPages()
const FROM = { Referer: 'https://aisle.example/keys' }

const unescaped = (html: string) =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** What the page would send: the names and values of its hidden fields. */
const heldBy = (html: string) =>
  [...html.matchAll(/<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?/g)].map(
    ([, name = '', value = '']) => [name, unescaped(value)] as const,
  )

test('who is signed out gets what was typed back, and sends it after signing in', async () => {
  const typed = { name: '"Mine" & <b>yours</b>', scopes: 'audit', domains: '', days: '30' }
  const answer = await nobody.post('/keys', { ...typed, other: 'made up' }, FROM)
  expect(answer.status).toBe(401)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const html = await answer.text()
  expect(html).toContain('What you just sent was not done')
  expect(html).toContain('href="/sign-in?next=%2Fkeys" target="_blank"')
  expect(html).toContain('<form method="post" action="/keys"')
  expect(html).not.toContain('<b>yours')
  expect(html).not.toContain('made up')
  expect(Object.fromEntries(heldBy(html))).toEqual(typed)

  const browser = await signIn({ domains: [MINE] })
  expect(await (await browser.get('/keys')).text()).not.toContain('yours')
  expect((await browser.post('/keys', Object.fromEntries(heldBy(html)))).status).toBe(200)
  expect((await listOwnKeys(db, browser.id)).map(({ name }) => name)).toEqual([typed.name])
})

test('what may be secret is asked for again, and stands in no answer', async () => {
  const walk = { domain: MINE, intent: 'cheapest_variant', mode: 'sandbox', token: 'pm_secret' }
  const html = await (await nobody.post('/walks', { ...walk, declined: '' })).text()
  expect(html).not.toContain('pm_secret')
  expect(html).toMatch(/<input [^>]*name="token"[^>]*type="password"[^>]*required/)
  expect(html).not.toContain('name="declined"')
  const { token: _, ...shown } = walk
  expect(Object.fromEntries(heldBy(html))).toEqual(shown)

  const hook = 'https://hooks.slack.example/services/T0/B0/secret'
  const path = `/watches/${MINE}/channels`
  const channel = await (await nobody.post(path, { kind: 'slack', target: hook })).text()
  expect(channel).not.toContain('hooks.slack.example')
  expect(channel).toMatch(/<input [^>]*name="target"[^>]*type="password"/)
})

test('of a body that no form of ours sends, at most 200 fields are given back', async () => {
  const body = 'domains=a.example&'.repeat(5000)
  const answer = await nobody.post('/keys', new URLSearchParams(body), FROM)
  expect(answer.status).toBe(401)
  expect(heldBy(await answer.text()).length).toBeLessThanOrEqual(200)
})

test('a form of another site gets nothing back', async () => {
  const answer = await nobody.post('/keys', { name: 'planted' }, { 'Sec-Fetch-Site': 'cross-site' })
  expect(answer.status).toBe(403)
  expect(await answer.text()).not.toContain('planted')
})

test('a form that nobody typed, such as the end of a watch, is not offered again', async () => {
  const answer = await nobody.post(`/watches/${MINE}/delete`, { sure: 'yes' })
  expect(answer.headers.get('location')).toBe('/sign-in?next=%2Fshop&unsent=1')
})
