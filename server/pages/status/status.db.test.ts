import { expect, test } from 'vitest'
import { setStatusPage } from '../../db/watch/status-pages.ts'
import { updateWatch } from '../../db/watch/watches.ts'
import { hasChecks, hasIncident, watchedDomain } from '../../watch/testing/watched.ts'
import { NOON, testPages } from '../account/testing/pages.ts'

const { db, nobody, signIn } = await testPages()
const now = NOON

/** A watched domain with a public page. */
async function published(domain: string): Promise<void> {
  await watchedDomain(db, domain, { now })
  await setStatusPage(db, domain, { shown: true, now })
}
const read = async (domain: string) => (await nobody.get(`/status/${domain}`)).text()

test('is there once its owner has switched it on, and until they switch it off', async () => {
  const domain = 'on-and-off.example'
  const place = `/status/${domain}`
  await watchedDomain(db, domain, { now })
  const off = await nobody.get(place)
  expect(off.status).toBe(404)
  expect(off.headers.get('x-robots-tag')).toBe('noindex')
  const owner = await signIn({ domains: [domain] })
  await owner.post(`/watches/${domain}/status`, { shown: 'yes' })
  const on = await nobody.get(place)
  expect(on.status).toBe(200)
  expect(on.headers.get('cache-control')).toBe('public, max-age=60')
  expect(on.headers.get('x-robots-tag')).toBeNull()
  expect((await nobody.get(place.toUpperCase().replace('/STATUS', '/status'))).status).toBe(200)
  await owner.post(`/watches/${domain}/status`, { shown: 'no' })
  expect((await nobody.get(place)).status).toBe(404)
})

test('goes with the watch, and does not come back with it', async () => {
  const domain = 'gone.example'
  await published(domain)
  const owner = await signIn({ domains: [domain] })
  await owner.post(`/watches/${domain}/delete`, { sure: 'yes' })
  expect((await nobody.get(`/status/${domain}`)).status).toBe(404)
  await owner.post('/watches', { domain })
  expect((await nobody.get(`/status/${domain}`)).status).toBe(404)
})

test.each(['nothing.example', 'no domain', '127.0.0.1', '%00', '%E0%A4%A'])(
  'there is none at %j',
  async (domain) => {
    expect((await nobody.get(`/status/${domain}`)).status).toBe(404)
  },
)

test.each([
  ['fine', {}, null, 'Nothing was found that keeps AI agents from buying here'],
  ['blocked', {}, { severity: 'critical' }, 'AI agents cannot buy here at the moment'],
  ['blocked-before', {}, { is_known: true }, 'AI agents cannot buy here at the moment'],
  ['impaired', {}, { severity: 'high' }, 'AI agents can buy here, but incidents are open'],
  ['small', {}, { severity: 'low' }, 'Nothing was found that keeps AI agents from buying here'],
  ['unseen', { outcome: 'unseen' }, null, 'could not see all of the store'],
  ['part', {}, { kind: 'unseen', subject: 'feed' }, 'could not see all of the store'],
  ['new', { outcome: null, looked_at: null }, null, 'is not known yet'],
  ['paused', { paused_at: NOON }, null, 'is not known at the moment'],
] as const)('says what is known: %s', async (name, watch, incident, words) => {
  const domain = `${name}.example`
  await published(domain)
  if (Object.keys(watch).length > 0) await updateWatch(db, domain, watch)
  if (incident !== null) await hasIncident(db, domain, { now, ...incident })
  expect(await read(domain)).toContain(words)
})

test('shows no evidence, no signal of orders, nor what is closed', async () => {
  const domain = 'discreet.example'
  await published(domain)
  await hasChecks(db, domain, { now, scores: [80, null, 82] })
  await hasIncident(db, domain, {
    now,
    label: 'The catalog <b>is</b> empty',
    detail: 'SECRET-DETAIL',
    fix: 'SECRET-FIX',
    changes: [
      { request: 'GET SECRET', what: 'field', name: 'SECRET', before: 'SECRET', after: null },
    ],
  })
  await hasIncident(db, domain, {
    now,
    kind: 'signal',
    subject: 'revenue',
    label: 'SECRET-ORDERS fell by half',
  })
  await hasIncident(db, domain, { now, subject: 'a', label: 'SECRET-PAST', closed_at: now })
  const html = await read(domain)
  expect(html).toContain('The catalog &lt;b>is&lt;/b> empty')
  expect(html).not.toContain('SECRET')
})
