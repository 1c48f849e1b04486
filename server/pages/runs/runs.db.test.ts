import { hash } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { LocalShopAway } from '../../audit/probe/fetch/local-shops.ts'
import { createAuditRuns } from '../../audit/runs/runs.ts'
import { rate_limits } from '../../db/access/tables.ts'
import { product_titles } from '../../db/attribution/tables.ts'
import { insertRun } from '../../db/audit/runs.ts'
import { audit_runs, audits } from '../../db/audit/tables.ts'
import { ApiError } from '../../http/api-error.ts'
import { createLog } from '../../process/log.ts'
import { auditWith, cleanResult } from '../../testing/app.ts'
import { endOf, NOON, testPages } from '../account/testing/pages.ts'

const release = Promise.withResolvers<void>()
const ended: string[] = []

const { app, db, nobody, browserWith, signIn, clock } = await testPages({
  audit: async ({ domain, checks, walk }, { signal, caller }, listener) => {
    if (domain === 'busy.example') throw new ApiError(503, 'busy', 'Too many checks are running.')
    if (domain === 'away.example') throw new ApiError(422, 'domain_unreachable', 'No answer.')
    if (domain === 'broken.example') throw new Error('secret of ours')
    if (domain.startsWith('slow')) {
      listener?.begins(['site', 'robots'])
      listener?.done('site')
      listener?.asks(`https://${domain}/robots.txt`)
      await Promise.race([
        release.promise,
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]).catch((error) => {
        ended.push(domain)
        throw error
      })
    }
    expect(walk ?? null).toBeNull()
    expect('key' in caller || 'stranger' in caller).toBe(true)
    const result = { ...cleanResult(domain, checks, NOON), score: 71, grade: 'B' } as const
    return { ...auditWith(result), titles: [{ product_id: 'boot', title: 'Winter boot' }] }
  },
})

const ask = (domain: string, browser = browserWith('')) => browser.post('/runs', { domain })
const placeOf = (answer: Response) => answer.headers.get('location') ?? ''
const stateOf = async (place: string) => (await nobody.get(`${place}/state`)).json()

test('an address is enough, as it is pasted, and the result stays at its own address', async () => {
  const begun = await ask('https://Fresh.example/products?utm_source=x')
  expect(begun.status).toBe(303)
  expect(placeOf(begun)).toMatch(/^\/runs\/fresh\.example\/[\da-f-]{36}$/)
  const page = await (await endOf(nobody, begun)).text()
  expect(page).toContain('Score 71 of 100')
  expect(page).not.toContain('Audit again')
  // It is not the audit of the domain that its owner sees.
  expect(await db.$count(audits, eq(audits.domain, 'fresh.example'))).toBe(0)
  expect(await db.$count(product_titles, eq(product_titles.domain, 'fresh.example'))).toBe(0)
})

test('what was audited without a key is kept by who signs in and covers the domain', async () => {
  const place = placeOf(await ask('taken.example'))
  await endOf(nobody, await ask('taken.example'))
  const strangers = await (await nobody.get(place)).text()
  expect(strangers).toContain(`/sign-in?next=${encodeURIComponent(place)}`)
  const other = await signIn({ domains: ['other.example'] })
  expect(await (await other.get(place)).text()).toContain('Your key does not cover taken.example')
  expect((await other.post(`${place}/keep`, {})).status).toBe(403)
  expect((await nobody.post(`${place}/keep`, {})).headers.get('location')).toContain('/sign-in')

  const owner = await signIn({ domains: ['taken.example'] })
  const kept = () => db.$count(audits, eq(audits.domain, 'taken.example'))
  expect(await (await owner.get('/shop')).text()).toContain('It was audited without a key')
  expect(await kept()).toBe(0)
  for (const _ of [1, 2]) {
    const answer = await owner.post(`${place}/keep`, {})
    expect(placeOf(answer)).toBe('/shop?domain=taken.example')
    expect(await kept()).toBe(1)
  }
  const shop = await (await owner.get('/shop')).text()
  expect(shop).not.toContain('without a key')
  expect(shop).toContain('71 of 100')
})

test('a shop on the machine of the service is opened where who asks is there too', async () => {
  const typed = { domain: 'http://localhost:3000/' }
  const hosted = await browserWith('').post('/runs', typed)
  expect(hosted.status).toBe(422)
  expect(await hosted.text()).toContain('aisle audit http://localhost:3000')

  const opened: number[] = []
  const { browserWith: here } = await testPages({
    localShops: {
      open: async (port) => {
        if (port === 3001) throw new LocalShopAway(port)
        opened.push(port)
        return `localhost-${port}.test`
      },
      close: async () => {},
    },
  })
  expect(await (await here('').get('/')).text()).toContain('localhost:3000, with its port')
  const begun = await here('').post('/runs', typed)
  expect(placeOf(begun)).toMatch(/^\/runs\/localhost-3000\.test\//)
  expect(opened).toEqual([3000])
  const away = await here('').post('/runs', { domain: 'localhost:3001' })
  expect(await away.text()).toContain('Nothing answers at http://localhost:3001.')
})

test('what is asked now and what was seen is told, to scripts and without them', async () => {
  const owner = await signIn({ domains: ['slow-told.example'], scopes: ['audit'] })
  const place = placeOf(await ask('slow-told.example', owner))
  await eventually(() => stateOf(place)).toMatchObject({
    state: 'under_way',
    progress: {
      parts: [
        { part: 'site', done: true },
        { part: 'robots', done: false },
        { part: 'judging', done: false },
      ],
      asking: ['https://slow-told.example/robots.txt'],
      requests: 1,
    },
  })
  const page = await (await nobody.get(place)).text()
  expect(page).toContain('1 of 3 parts seen, 1 requests so far')
  expect(page).toContain('<noscript><meta http-equiv="refresh" content="2"')
  expect(page).toContain(`action="${place}/cancel"`)
  const stream = await nobody.get(`${place}/events`)
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  let events = ''
  for await (const part of (stream.body ?? expect.fail()).pipeThrough(new TextDecoderStream())) {
    // The answer begins before the run is read: the first event is awaited.
    if (!events.includes('data:') && part.includes('data:')) {
      await nobody.post(`${place}/cancel`, {})
    }
    events += part
  }
  expect(events.match(/^event: run$/gm)?.length).toBe(2)
  expect(events).toContain('"state":"cancelled"')
  expect(ended).toContain('slow-told.example')
  expect(await (await nobody.get(place)).text()).toContain('The audit was cancelled')
})

test('none of the strangers who may share an audit ends it for the others', async () => {
  const begun = await ask('slow-shared.example')
  const place = placeOf(begun)
  expect(await (await nobody.get(place)).text()).not.toContain('/cancel')
  expect((await nobody.post(`${place}/cancel`, {})).status).toBe(403)
  expect(await stateOf(place)).toMatchObject({ state: 'under_way' })
})

test('strangers who ask for the same share one audit, for ten minutes', async () => {
  const place = placeOf(await ask('shared.example'))
  await eventually(() => stateOf(place)).toMatchObject({ state: 'done' })
  expect(placeOf(await ask('shared.example'))).toBe(place)
  clock.now = new Date(NOON.getTime() + 11 * 60_000)
  expect(placeOf(await ask('shared.example'))).not.toBe(place)
  clock.now = NOON
})

test('what cannot be a domain, and what failed, stays in the form with the reason', async () => {
  const wrong = await ask('http://127.0.0.1/admin')
  expect(wrong.status).toBe(422)
  const form = await wrong.text()
  expect(form).toContain('value="http://127.0.0.1/admin"')
  expect(form).toContain('Can AI agents buy from your store?')
  for (const [domain, why] of [
    ['away.example', 'No answer.'],
    ['broken.example', 'Something failed on our side.'],
  ] as const) {
    const html = await (await endOf(nobody, await ask(domain))).text()
    expect(html).toContain(why)
    expect(html).not.toContain('secret of ours')
    expect(html).toContain(`value="${domain}"`)
  }
})

test('an address has five a day, and one that found no place does not count', async () => {
  const one = browserWith('')
  for (let n = 0; n < 3; n += 1) await endOf(one, await ask('busy.example', one))
  const ofSite = eq(rate_limits.key, 'first_audit_target:busy.example')
  expect(await db.select().from(rate_limits).where(ofSite)).toMatchObject([{ points: 0 }])
  for (let n = 1; n <= 5; n += 1) {
    expect((await ask(`many-${n}.example`, one)).status).toBe(303)
  }
  const sixth = await ask('many-6.example', one)
  expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, expect.any(String)])
  const page = await sixth.text()
  expect(page).toContain('Your address has used its 5 audits of today.')
  expect(page).toContain('or come back in 24 hours.')
  expect(page).toContain('value="many-6.example"')
  expect(await db.$count(audit_runs, eq(audit_runs.domain, 'many-6.example'))).toBe(0)
  // Another address is not affected.
  expect((await ask('many-6.example')).status).toBe(303)
})

const askFrom = (remoteAddress: string, domain: string) =>
  app.request(
    '/runs',
    {
      method: 'POST',
      headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ domain }),
    },
    { incoming: { socket: { remoteAddress } } },
  )

test('who has neighbours that used theirs is not told to have used their own', async () => {
  const askAs = (n: number) => askFrom(`10.9.9.${n}`, `near-${n}.example`)
  for (let n = 1; n <= 30; n += 1) expect((await askAs(n)).status).toBe(303)
  const refused = await askAs(31)
  expect(refused.status).toBe(429)
  expect(await refused.text()).toContain('Addresses near yours have used their 30 audits of today.')
})

test('no counter holds an address, nor a hash that can be made from it alone', async () => {
  expect((await askFrom('10.77.66.55', 'hidden.example')).status).toBe(303)
  const counted = await db.select({ key: rate_limits.key }).from(rate_limits)
  expect(counted.map(({ key }) => key)).toContain('first_audit_target:hidden.example')
  const held = counted.map(({ key }) => key).join()
  for (const address of ['10.77.66.55', '10.77.66']) {
    expect(held).not.toContain(address)
    expect(held).not.toContain(hash('sha256', address))
  }
})

test('one site is audited for strangers six times an hour, whatever its subdomains', async () => {
  const tried = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7].map((n) => ask(`s${n}.target-of-many.example`)),
  )
  expect(tried.map(({ status }) => status).sort()).toEqual([303, 303, 303, 303, 303, 303, 429])
  // What is refused for the site's sake does not count for the address.
  const one = browserWith('')
  for (let n = 0; n < 5; n += 1) {
    const refused = await ask(`t${n}.target-of-many.example`, one)
    expect(await refused.text()).toMatch(
      /target-of-many.example was audited often.* in 60 minutes\./,
    )
  }
  expect((await ask('after-refusals.example', one)).status).toBe(303)
})

test('who is signed in gets an audit of the key where it covers the domain', async () => {
  const owner = await signIn({ domains: ['own-run.example'] })
  const own = await owner.post('/runs', { domain: 'own-run.example' })
  expect((await endOf(owner, own)).headers.get('location')).toBe('/audits/own-run.example')
  expect(await db.$count(audits, eq(audits.domain, 'own-run.example'))).toBe(1)
  expect(await db.$count(product_titles, eq(product_titles.domain, 'own-run.example'))).toBe(1)
  const other = await owner.post('/runs', { domain: 'not-own.example' })
  expect(await (await endOf(owner, other)).text()).toContain('Score 71 of 100')
})

test('one that found no place does not count for a key either', async () => {
  const owner = await signIn({ domains: ['busy.example'] })
  await endOf(owner, await owner.post('/runs', { domain: 'busy.example' }))
  const counted = await db.select().from(rate_limits).where(like(rate_limits.key, 'audit:%'))
  expect(counted.map(({ points }) => points)).toContain(0)
})

test('an address with another id or domain opens nothing', async () => {
  const [, , domain, id] = placeOf(await ask('closed.example')).split('/')
  for (const path of [`other.example/${id}`, `${domain}/${crypto.randomUUID()}`, `${domain}/x'`]) {
    expect((await nobody.get(`/runs/${path}`)).status).toBe(404)
    expect((await nobody.get(`/runs/${path}/events`)).status).toBe(404)
    expect((await nobody.post(`/runs/${path}/cancel`, {})).status).toBe(404)
  }
})

const log = createLog({ write: () => {} })

test('another replica cancels it', async () => {
  const place = placeOf(await ask('slow-afar.example'))
  const [, , domain = '', id = ''] = place.split('/')
  await createAuditRuns({ db, now: () => clock.now, log }).cancel({ domain, id })
  await eventually(() => stateOf(place)).toMatchObject({ state: 'cancelled' })
  expect(ended).toContain('slow-afar.example')
})

test('one whose process is gone is said to have ended, and does not block the next', async () => {
  const name = { domain: 'gone.example', id: crypto.randomUUID() }
  const progress = { parts: [], asking: [], requests: 0 }
  const times = { asked_at: NOON, leased_until: new Date(NOON.getTime() - 1000) }
  await insertRun(db, { ...name, by: 'stranger', ...times, progress })
  const next = placeOf(await ask('gone.example'))
  expect(next).not.toContain(name.id)
  expect(await stateOf(`/runs/gone.example/${name.id}`)).toMatchObject({
    state: 'failed',
    why: 'The server that made this audit stopped. Start it again.',
  })
})

test('a run for which there was no place ends, also where what it cost cannot be given back', async () => {
  const runs = createAuditRuns({ db, now: () => clock.now, log })
  const run = await runs.start({
    domain: 'refused.example',
    by: 'stranger',
    admit: async () => {},
    audit: () => Promise.reject(new ApiError(503, 'busy', 'Too many checks are running.')),
    keep: async ({ result }) => result,
    refused: () => Promise.reject(new Error('no database')),
  })
  await eventually(() => runs.read(run)).toMatchObject({
    state: 'failed',
    why: 'Too many checks are running.',
  })
})
