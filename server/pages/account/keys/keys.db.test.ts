import { expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { findKey, listKeys, revokeKey } from '../../../db/access/keys.ts'
import { NOON, testPages } from '../testing/pages.ts'

const { ask, db, nobody, clock, signIn, createTestKey, browserWith } = await testPages()

const keyIn = (html: string): string => /aisle_live_\w+/.exec(html)?.[0] ?? ''
const FORM = { name: 'store server', scopes: 'report:write', domains: 'one.example', days: '30' }
const report = (key: string, domain: string) => ask(`/api/properties?domain=${domain}`, { key })
const owner = (domains = ['one.example', 'two.example']) =>
  signIn({ domains, scopes: ['report:read', 'report:write', 'audit'] })

test('a key with fewer rights is made, shown once, works, and is listed without its secret', async () => {
  const browser = await owner()
  const made = await browser.post('/keys', { ...FORM, scopes: 'report:read' })
  expect(made.headers.get('cache-control')).toBe('no-store')
  const html = await made.text()
  const key = keyIn(html)
  expect((await report(key, 'one.example')).status).toBe(200)
  const readPage = async () => (await browser.get('/keys')).text()
  // The use of a key is recorded after the answer.
  await eventually(readPage).toContain('GET /api/properties')
  const page = await readPage()
  expect(page).toContain('store server')
  expect(page).not.toContain(key)
  const [stored] = (await listKeys(db)).filter(({ name }) => name === 'store server')
  expect(stored).toMatchObject({
    scopes: ['report:read'],
    domains: ['one.example'],
    made_by: browser.id,
    expires_at: new Date(NOON.getTime() + 30 * 86_400_000),
  })
})

test('a key is made for what it is for, without a choice of scopes', async () => {
  const browser = await owner()
  const page = await (await browser.get('/keys')).text()
  // Not those that this key has itself too few scopes for.
  expect([...page.matchAll(/name="purpose" value="(\w+)"/g)].map(([, id]) => id)).toEqual([
    'server',
    'plugin',
    'all',
  ])
  const html = await (await browser.post('/keys', { ...FORM, purpose: 'all', name: 'all' })).text()
  const [stored] = (await listKeys(db)).filter(({ name }) => name === 'all')
  expect(stored?.scopes).toEqual(['report:read', 'report:write', 'audit'])
  // The first call is that of this key, for its own shop.
  expect(html).toContain(`AISLE_KEY='${keyIn(html)}'`)
  expect(html).toContain('one.example')
  const docs = await (await browser.get('/docs')).text()
  expect(docs).toContain(`AISLE_KEY='aisle_live_${browser.id}_…'`)
  expect(await (await nobody.get('/docs')).text()).toContain("AISLE_KEY='aisle_live_…'")
})

test('it never has more rights than the one that makes it', async () => {
  const browser = await owner()
  for (const [more, why] of [
    [{ scopes: 'walk' }, 'does not have the scope'],
    [{ domains: 'three.example' }, 'does not cover three.example'],
    [{ domains: '*' }, 'does not cover *'],
  ] as const) {
    const answer = await browser.post('/keys', { ...FORM, ...more })
    expect(answer.status).toBe(403)
    const html = await answer.text()
    expect(html).toContain(why)
    expect(keyIn(html)).toBe('')
  }
  const ending = new Date(NOON.getTime() + 86_400_000)
  const short = await signIn({ domains: ['one.example'], expires_at: ending })
  for (const days of ['', '365']) {
    await short.post('/keys', { ...FORM, name: `short ${days}`, scopes: 'audit', days })
  }
  const made = (await listKeys(db)).filter(({ name }) => name.startsWith('short'))
  expect(made.map(({ expires_at }) => expires_at)).toEqual([ending, ending])
})

test('a form with something wrong comes back as it was filled in', async () => {
  const browser = await owner()
  const answer = await browser.post('/keys', { name: '', domains: 'one.example', days: '90' })
  expect(answer.status).toBe(422)
  const html = await answer.text()
  expect(html).toContain('Enter a name')
  expect(html).toContain('Choose at least one thing that the key may do.')
  expect(html).toMatch(/value="one.example" checked/)
  expect(html).toMatch(/value="90" selected/)
})

test('one that was made with another makes no more', async () => {
  const parent = await owner()
  const key = keyIn(await (await parent.post('/keys', FORM)).text())
  const answer = await browserWith('').post('/sign-in', { key, next: '' })
  const child = browserWith(answer.headers.get('set-cookie')?.split(';')[0] ?? '')
  expect(await (await child.get('/keys')).text()).not.toContain('Create the key')
  expect((await child.post('/keys', FORM)).status).toBe(403)
})

test('it is revoked by its owner, by nobody else, and with the key that made it', async () => {
  const parent = await owner()
  const other = await owner()
  const ids: string[] = []
  for (const name of ['first', 'second']) {
    await parent.post('/keys', { ...FORM, name })
    const [made] = (await listKeys(db)).filter((each) => each.name === name)
    ids.push(made?.id ?? '')
  }
  const [first = '', second = ''] = ids
  await other.post('/keys', { ...FORM, name: 'its own' })
  expect((await other.post('/keys/revoke', { id: first })).status).toBe(404)
  expect((await other.post('/keys/revoke', { id: parent.id })).status).toBe(404)
  expect((await findKey(db, first))?.revoked_at).toBeNull()
  await parent.post('/keys/revoke', { id: first })
  expect((await findKey(db, first))?.revoked_at).toEqual(NOON)
  expect((await findKey(db, second))?.revoked_at).toBeNull()
  clock.now = new Date(NOON.getTime() + 1000)
  await revokeKey(db, parent.id, clock.now)
  expect((await findKey(db, first))?.revoked_at).toEqual(NOON)
  expect((await findKey(db, second))?.revoked_at).toEqual(clock.now)
  clock.now = NOON
})

test('a key has at most 50 others, also when two are asked for at once', async () => {
  const parent = await owner()
  for (let n = 0; n < 49; n += 1) await parent.post('/keys', FORM)
  const both = await Promise.all([parent.post('/keys', FORM), parent.post('/keys', FORM)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = await (await parent.post('/keys', { ...FORM, name: 'one more' })).text()
  expect(refused).toContain('Your key has 50 others already.')
  expect(refused).toContain('value="one more"')
  expect(refused).toMatch(/value="one.example" checked/)
})

test('one that is revoked makes room a day after it was made, and is listed last', async () => {
  const parent = await owner()
  for (let n = 0; n < 50; n += 1) await parent.post('/keys', { ...FORM, name: `n${n}` })
  const first = (await listKeys(db)).find((key) => key.name === 'n0' && key.made_by === parent.id)
  await parent.post('/keys/revoke', { id: first?.id ?? '' })
  expect((await parent.post('/keys', FORM)).status).toBe(409)
  clock.now = new Date(NOON.getTime() + 86_400_000)
  // Signed out by then.
  const again = await browserWith('').post('/sign-in', { key: parent.key, next: '' })
  const later = browserWith(again.headers.get('set-cookie')?.split(';')[0] ?? '')
  const made = await later.post('/keys', { ...FORM, name: 'later' })
  clock.now = NOON
  expect(made.status).toBe(200)
  const names = [...(await made.text()).matchAll(/<h2 class="wild">(\w+)/g)].map(([, name]) => name)
  expect([names[0], names.length, names.at(-1)]).toEqual(['later', 51, 'n0'])
})

test('only who is signed in sees it, and other sites cannot send its forms', async () => {
  expect((await nobody.get('/keys')).headers.get('location')).toContain('/sign-in')
  expect((await nobody.post('/keys', FORM)).status).toBe(401)
  const browser = await owner()
  const foreign = await browser.post('/keys', FORM, { 'Sec-Fetch-Site': 'cross-site' })
  expect(foreign.status).toBe(403)
  const { id } = await createTestKey({})
  const crossed = { 'Sec-Fetch-Site': 'cross-site' }
  expect((await browser.post('/keys/revoke', { id }, crossed)).status).toBe(403)
})
