import { expect, test } from 'vitest'
import { createProperty } from '../../../attribution/properties.ts'
import { listProperties } from '../../../db/attribution/properties.ts'
import { beacon_days } from '../../../db/attribution/tables.ts'
import { MINE, NOON, testPages } from '../testing/pages.ts'

const { app, db, signIn, nobody } = await testPages()
const owner = await signIn({ domains: [MINE] })
const reader = await signIn({ domains: [MINE], scopes: ['report:read'] })

const stored = () => listProperties(db, [MINE])
const pageOf = async (answer: Response | Promise<Response>) => (await answer).text()

test('a property is created by its form, changed and deleted', async () => {
  expect(await pageOf(owner.get('/properties'))).toContain('Create the first property')
  const created = await owner.post('/properties', { domain: MINE, origins: '', currency: 'eur' })
  const [property] = await stored()
  const { id = '' } = property ?? {}
  expect(created.headers.get('location')).toBe(`/properties?domain=${MINE}#${id}`)
  expect(property).toMatchObject({
    domain: MINE,
    origins: [`https://${MINE}`, `https://*.${MINE}`],
    currency: 'EUR',
  })
  const html = await pageOf(owner.get(`/properties?domain=${MINE}`))
  expect(html).toContain(`attribution.js?id=${id}`)
  expect(html).toContain(`>https://${MINE}\nhttps://*.${MINE}</textarea>`)

  const origins = `https://a.example,  https://b.example\nhttps://a.example`
  await owner.post('/properties/change', { domain: MINE, id, origins, currency: '' })
  expect(await stored()).toMatchObject([
    { origins: ['https://a.example', 'https://b.example'], currency: null },
  ])
  // The test visit goes to the storefront, which may have another host than the domain.
  expect(await pageOf(owner.get(`/properties?domain=${MINE}`))).toContain(
    'href="https://a.example/?utm_source=chatgpt.com"',
  )
  await owner.post('/properties/delete', { domain: MINE, id })
  expect(await stored()).toEqual([])
  const gone = await owner.post('/properties/change', { domain: MINE, id, origins })
  expect(gone.status).toBe(404)
  expect(await gone.text()).toContain(`${MINE} has no such property any more.`)
})

test('the time zone of its days is set by the form, and an empty field leaves it', async () => {
  await owner.post('/properties', { domain: MINE, origins: '', time_zone: 'Europe/Berlin' })
  const [{ id = '', origins = [] } = {}] = await stored()
  expect(await stored()).toMatchObject([{ time_zone: 'Europe/Berlin' }])
  const html = await pageOf(owner.get(`/properties?domain=${MINE}`))
  expect(html).toContain('Days are counted in the time zone Europe/Berlin.')
  expect(html).toMatch(/name="time_zone" [^>]*value="Europe\/Berlin"/)

  const change = { domain: MINE, id, origins: origins.join(' ') }
  await owner.post('/properties/change', { ...change, time_zone: '' })
  expect(await stored()).toMatchObject([{ time_zone: 'Europe/Berlin' }])
  await owner.post('/properties/change', { ...change, time_zone: 'UTC' })
  expect(await stored()).toMatchObject([{ time_zone: 'UTC' }])
  const wrong = await owner.post('/properties/change', { ...change, time_zone: 'Berlin' })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('Send the name of a time zone, such as Europe/Berlin.')
  await owner.post('/properties/delete', { domain: MINE, id })
})

test('what is wrong stays in its form, with what to do', async () => {
  const wrong = await owner.post('/properties', {
    domain: MINE,
    origins: 'https://ok.example http://<b>.example',
    currency: 'euro',
  })
  expect(wrong.status).toBe(422)
  const html = await wrong.text()
  expect(html).toContain('http://&lt;b>.example: This is not a valid origin.')
  expect(html).toContain('Send an ISO 4217 code in capitals, such as USD.')
  expect(html).toContain('>https://ok.example http://&lt;b>.example</textarea>')
  expect(html).toContain('value="euro"')

  const { id } = await createProperty(db, { domain: MINE, currency: 'USD' }, NOON)
  const emptied = await owner.post('/properties/change', { domain: MINE, id, origins: ' ' })
  expect(emptied.status).toBe(422)
  expect(await emptied.text()).toMatch(/<details open(="")?>.*Name at least one origin/s)
  expect(await stored()).toMatchObject([{ currency: 'USD' }])
  await owner.post('/properties/delete', { domain: MINE, id })
})

test('a key that may only read sees properties, and no forms', async () => {
  expect(await pageOf(reader.get('/properties'))).toContain('your key may not create one')
  const { id } = await createProperty(db, { domain: MINE }, NOON)
  const html = await pageOf(reader.get('/properties'))
  expect(html).toContain(id)
  expect(html).not.toContain('Delete')
  await owner.post('/properties/delete', { domain: MINE, id })
})

test('it waits for the first visit, and says since when there are some', async () => {
  const { id } = await createProperty(db, { domain: MINE }, NOON)
  const visits = async (of: string) =>
    (await owner.get(`/properties/visits?domain=${MINE}&id=${of}`)).json()
  expect(await visits(id)).toEqual({ visited: null, told: null })
  expect(await pageOf(owner.get('/properties'))).toContain('Waiting for the first visit')
  const counts = { over_address: 0, over_network: 0, over_property: 0 }
  await db.insert(beacon_days).values([
    { domain: MINE, day: '2026-11-21', property_id: id, admitted: 3, ...counts },
    { domain: MINE, day: '2026-11-20', property_id: id, admitted: 1, ...counts },
    { domain: MINE, day: '2026-11-19', property_id: id, admitted: 0, ...counts },
    {
      domain: 'other.example',
      day: '2026-11-18',
      property_id: 'prop_other',
      admitted: 9,
      ...counts,
    },
  ])
  expect(await visits(id)).toEqual({ visited: '2026-11-20', told: null })
  expect(await visits('prop_other')).toEqual({ visited: null, told: null })
  const html = await pageOf(owner.get('/properties'))
  expect(html).toContain('it has reported visits since Nov 20, 2026')
  expect(html).not.toContain('properties.js')
})

test('a visit that does not count says why, to the owner alone', async () => {
  const { id } = await createProperty(db, { domain: MINE }, NOON)
  const sent = (origin: string, userAgent: string) =>
    app.request(
      `/sessions?id=${id}`,
      {
        method: 'POST',
        headers: { Origin: origin, 'Content-Type': 'text/plain', 'User-Agent': userAgent },
        body: JSON.stringify({
          id: 'm2x9k4-7Qd1Zt8Lw',
          landing: `${origin}/?utm_source=chatgpt.com`,
          referrer: '',
          surface: 'chatgpt',
          confidence: 0.97,
        }),
      },
      { incoming: { socket: { remoteAddress: '203.0.113.7' } } },
    )
  const told = async (browser = owner, domain = MINE) => {
    const answer = await browser.get(`/properties/visits?domain=${domain}&id=${id}`)
    return (await answer.json()).told?.title ?? null
  }
  expect((await sent('http://localhost:3000', 'Chrome/1')).status).toBe(403)
  expect(await told()).toBe('A page of http://localhost:3000 has the tag, but may not report')
  expect(await pageOf(owner.get('/properties'))).toContain('A page of http://localhost:3000 has')
  const other = await signIn({ domains: ['other.example'] })
  expect(await told(other, 'other.example')).toBeNull()

  await sent(`https://${MINE}`, 'Googlebot/2.1')
  expect(await told()).toBe('A visit came from a program, and does not count')
  await owner.post('/properties/delete', { domain: MINE, id })
})

test('where TEST_HOSTS sends a domain to this machine, its property says so', async () => {
  const { signIn: signInHere } = await testPages({
    hereOf: (pattern) => ({ pattern, origin: 'http://127.0.0.1:3000' }),
  })
  const here = await signInHere({ domains: [MINE] })
  await here.post('/properties', { domain: MINE, origins: '' })
  expect(await pageOf(here.get('/properties'))).toContain(
    'href="http://localhost:3000/?utm_source=chatgpt.com"',
  )
})

test('the page of the snippet is filled in for those who are signed in', async () => {
  const [property] = await stored()
  expect(await pageOf(owner.get('/tools/snippet'))).toContain(`value="${property?.id}"`)
  expect(await pageOf(owner.get(`/tools/snippet?domain=${MINE}`))).toContain(
    `attribution.js?id=${property?.id}`,
  )
  const none = await pageOf(owner.get('/tools/snippet?domain=other.example'))
  expect(none).not.toContain(property?.id)
  const open = await pageOf(nobody.get(`/tools/snippet?domain=${MINE}`))
  expect(open).not.toContain(property?.id)
  expect(open).toContain('to see yours or to create one')
})

test('who is signed in is not asked to sign in again', async () => {
  expect((await owner.get('/sign-in?next=/properties')).headers.get('location')).toBe('/properties')
  expect((await owner.get('/sign-in')).headers.get('location')).toBe('/shop')
  expect((await nobody.get('/sign-in')).status).toBe(200)
})
