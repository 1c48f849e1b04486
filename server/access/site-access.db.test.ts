import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { CHECK_NAMES, DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { scratchFolder } from '../../shared/testing/scratch.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { createEngine } from '../audit/engine.ts'
import { JUDGES_HERE } from '../audit/judging/testing/judges-here.ts'
import { saveAccess } from '../db/access/site-access.ts'
import { site_access } from '../db/access/tables.ts'
import { audits, walks } from '../db/audit/tables.ts'
import { createSealer, NoSecretsKey, sealerOf } from '../db/sealing/seal.ts'
import { updateWatch } from '../db/watch/watches.ts'
import { testApp } from '../testing/app.ts'
import { onLoopback } from '../testing/on-loopback.ts'
import { checkWatched } from '../watch/check.ts'
import { createWatch } from '../watch/set-up.ts'
import { createSiteAccesses } from './site-access.ts'

const NOON = new Date('2026-11-30T12:00:00Z')
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(NOON.getTime() + days * DAY_MS)

const BYTES = 'aHVzaC1zaWduYXR1cmUtb2YtYS1zaG9w'
const HUSH = [BYTES, 'hush-nonce-in-clear', 'hush token of the shop', 'hush-preview', 'hush-basic']
const signed = (end: Date) => ({
  Signature: `sig1=:${BYTES}:`,
  'Signature-Input': `sig1=("@authority" "signature-agent");keyid="k";nonce="hush-nonce-in-clear";tag="web-bot-auth";created=1796000000;expires=${end.getTime() / 1000}`,
  'Signature-Agent': '"https://platform.example"',
})
const WHOLE = {
  headers: { ...signed(inDays(60)), 'X-Door': 'hush token of the shop' },
  preview_password: 'hush-preview',
  basic_auth: { username: 'someone', password: 'hush-basic' },
}

/** A store that answers with all that it was sent, and asks for the preview password. */
let heard: { host: string; said: string }[] = []
const echoing = new Hono().all('*', async (c) => {
  const said = JSON.stringify(c.req.header())
  const body = await c.req.text()
  heard.push({ host: c.req.header('host') ?? '', said: `${said} ${body}` })
  const door =
    '<form method="post" action="/password"><input type="hidden" name="form_type" value="storefront_password"><input type="password" name="password"></form>'
  if (c.req.path === '/password') {
    const isRight = new URLSearchParams(body).get('password') === 'hush-preview'
    c.header('Set-Cookie', 'visited=yes; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/')
    if (isRight)
      c.header('Set-Cookie', 'storefront_digest=hush-cookie-of-it; Path=/', { append: true })
    return c.redirect(isRight ? '/' : '/password-again', 302)
  }
  const isIn = (c.req.header('cookie') ?? '').includes('storefront_digest=hush-cookie-of-it')
  return c.html(
    `<!doctype html><title>${said}</title>${isIn ? '<a href="/p">Shop</a>' : door}<a href="https://shop.example/${encodeURIComponent(said)}">${said}</a>`,
    c.req.path === '/' || c.req.path.startsWith('/p') ? 200 : 404,
  )
})
const server = await onLoopback(echoing)
const engine = createEngine(
  {
    baseUrl: 'https://aisle.example',
    testHosts: [{ pattern: '*.example', origin: server.origin }],
  },
  () => NOON,
  JUDGES_HERE,
)
afterAll(async () => {
  await engine.close()
  await server.close()
})

const made = await testApp({
  now: () => NOON,
  audit: engine.audit,
  validateManifest: engine.validateManifest,
  readPage: engine.readPage,
  readEvidence: engine.readEvidence,
  store: { walk: engine.walk, cancelLeftOpen: engine.cancelLeftOpen },
})
const { ask, app, db, sql, log, lines, createTestKey, siteAccess } = made
const owner = (await createTestKey({ domains: ['shop.example'] })).key
const other = (await createTestKey({ domains: ['other.example'] })).key
const operator = (await createTestKey()).key

const put = (body: unknown, key = owner, domain = 'shop.example') =>
  ask(`/api/access/${domain}`, { method: 'PUT', body, key })
const get = (key = owner, domain = 'shop.example') => ask(`/api/access/${domain}`, { key })

/** All that the database holds, as a dump would show it. */
async function dumped(): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const rows = await Promise.all(
    tables.map(({ name }) => sql.unsafe(`select row_to_json(each)::text as row from ${name} each`)),
  )
  return JSON.stringify(rows)
}
const hushIn = (text: string) =>
  [...HUSH, 'hush-cookie-of-it', Buffer.from('someone:hush-basic').toString('base64')].filter(
    (secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
  )
const isToldTo = (host: string) =>
  heard.some((each) => each.host === host && hushIn(each.said).length > 0)

test('what is given is never shown again, and is nowhere in clear', async () => {
  const answer = await put(WHOLE)
  expect(answer.status).toBe(200)
  const shown = {
    domain: 'shop.example',
    kinds: ['headers', 'preview_password', 'basic_auth'],
    headers: Object.keys(WHOLE.headers),
    set_at: NOON.toISOString(),
    ends_at: inDays(60).toISOString(),
    state: 'valid',
  }
  expect(await answer.json()).toEqual(shown)
  expect(await (await get()).json()).toEqual(shown)
  // The same site by its other name.
  expect(await (await get(owner, 'www.shop.example')).json()).toEqual(shown)

  // An audit, a walk and a watch by which the store is sent it, and answers with it.
  heard = []
  const audit = await ask('/api/audit', {
    key: owner,
    body: { domain: 'shop.example', checks: CHECK_NAMES },
  })
  const result = await audit.json()
  expect(result.seen_with).toEqual({
    sent: ['headers', 'basic_auth', 'preview_password'],
    headers: Object.keys(WHOLE.headers),
    not_sent: [],
  })
  expect(isToldTo('shop.example')).toBe(true)
  expect(heard.some(({ said }) => said.includes('hush-cookie-of-it'))).toBe(true)
  const walk = await ask('/api/walk', {
    key: owner,
    body: { domain: 'shop.example', intents: ['po_box'] },
  })
  const { id } = await walk.json()
  await eventually(async () => (await db.select().from(walks))[0]?.state).toBe('ended')
  const walked = await (await ask(`/api/walk/${id}`, { key: owner })).text()
  expect(walked).toContain('"seen_with":{"sent":["headers"')
  await createWatch(
    { db, now: () => NOON },
    { domain: 'shop.example' },
    { keyId: 'k', mayReadReport: false },
  )
  const lease = crypto.randomUUID()
  const watch = await updateWatch(db, 'shop.example', { lease, leased_until: inDays(1) })
  const deps = {
    db,
    now: () => NOON,
    log,
    walks: made.walks,
    siteAccess,
    baseUrl: '',
    audit: engine.audit,
  }
  expect(await checkWatched(deps, { ...watch!, lease }, new AbortController().signal)).toBe('seen')

  const exported = await (await ask(`/api/walk/${id}/export?format=har`, { key: owner })).text()
  const listed = await (await ask('/api/audits', { key: owner })).text()
  for (const text of [
    JSON.stringify(result),
    walked,
    exported,
    listed,
    await dumped(),
    lines.join('\n'),
  ]) {
    expect(hushIn(text)).toEqual([])
  }
})

test('nothing of it is sent, or was seen, for anyone else', async () => {
  const asked = { domain: 'shop.example', checks: DEFAULT_CHECKS }
  for (const [key, seen] of [
    [other, false],
    [operator, false],
    [owner, true],
  ] as const) {
    heard = []
    const result = await (await ask('/api/audit', { key, body: asked })).json()
    expect(isToldTo('shop.example')).toBe(seen)
    expect('seen_with' in result).toBe(seen)
  }
  const cached = await ask('/api/audit', { key: other, body: { ...asked, dry_run: true } })
  expect(await cached.json()).not.toHaveProperty('seen_with')
  // Two keys of one tenant at the same time do not share an audit.
  const { id } = await createTestKey({ domains: ['shop.example'] })
  const [mine, its] = await Promise.all(
    [['shop.example'], ['elsewhere.example']].map(async (domains) => {
      const made = await createTestKey({ domains })
      await sql`update api_keys set made_by = ${id} where id = ${made.id}`
      return (
        await ask('/api/audit', { key: made.key, body: { ...asked, agents: undefined } })
      ).json()
    }),
  )
  expect(['seen_with' in mine, 'seen_with' in its]).toEqual([true, false])
  // A stranger.
  heard = []
  const run = await app.request(
    '/runs',
    {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' },
      body: new URLSearchParams({ domain: 'shop.example' }),
    },
    { incoming: { socket: { remoteAddress: '10.0.0.1' } } },
  )
  expect(run.status).toBe(303)
  await eventually(async () => heard.length).toBeGreaterThan(2)
  expect(isToldTo('shop.example')).toBe(false)
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await ask('/api/access/shop.example', { method, key: other })).status).toBe(403)
  }
  expect((await put(WHOLE, other)).status).toBe(403)
  expect((await get(other)).status).toBe(403)
})

/** Signed in on the pages with this key. */
async function cookieOf(key: string): Promise<string> {
  const body = new URLSearchParams({ key, next: '' })
  const headers = { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' }
  const answer = await app.request('/sign-in', { method: 'POST', body, headers })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** What reads the store beside an audit, in the API and on pages. */
const READS: [string, string, object?][] = [
  ['POST', '/api/proposals/manifest', { domain: 'shop.example' }],
  ['POST', '/api/proposals/markup', { domain: 'shop.example' }],
  ['POST', '/api/proposals/robots', { domain: 'shop.example' }],
  ['POST', '/api/manifest/validate', { url: 'https://shop.example/.well-known/ucp' }],
  ['GET', '/properties/check?domain=shop.example'],
]

test.each(READS)(
  '%s %s is read with it for its owner alone, and says so',
  async (method, path, body) => {
    await put(WHOLE)
    const read = async (key: string) => {
      heard = []
      const isPage = path.startsWith('/properties')
      const headers = isPage ? { Cookie: await cookieOf(key), 'Sec-Fetch-Site': 'same-origin' } : {}
      const answer = await ask(path, { method, body, headers, key: isPage ? null : key })
      return { status: answer.status, text: await answer.text() }
    }
    const { status, text } = await read(owner)
    expect([status, isToldTo('shop.example')]).toEqual([200, true])
    expect(text).toMatch(/that the store[^a-z]*s owner gave/)
    expect(hushIn(text)).toEqual([])
    const stranger = await read(operator)
    expect([stranger.status, isToldTo('shop.example')]).toEqual([200, false])
    expect(stranger.text).not.toMatch(/owner gave/)
  },
)

test('a walk by a key for all domains sends nothing of it', async () => {
  await db.delete(walks)
  heard = []
  await ask('/api/walk', { key: operator, body: { domain: 'shop.example', intents: ['po_box'] } })
  await eventually(async () => (await db.select().from(walks))[0]?.state).toBe('ended')
  expect(heard.length).toBeGreaterThan(0)
  expect(isToldTo('shop.example')).toBe(false)
})

const WRONG: [given: object, field: string, says: RegExp][] = [
  [{}, 'body', /^Give headers/],
  [{ headers: {} }, 'body', /^Give headers/],
  ...[
    'Connection',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Proxy-Authorization',
  ].map((name): [object, string, RegExp] => [
    { headers: { [name]: 'hush' } },
    `headers.${name}`,
    /for one connection only.*Leave it out/,
  ]),
  [{ headers: { Host: 'hush.example' } }, 'headers.Host', /Leave it out/],
  [{ headers: { 'content-length': '5' } }, 'headers.content-length', /Leave it out/],
  [{ headers: { Cookie: 'a=hush' } }, 'headers.Cookie', /Give the preview password/],
  [{ headers: { 'User-Agent': 'hush' } }, 'headers.User-Agent', /Leave it out/],
  [{ headers: { 'X-Forwarded-For': 'hush' } }, 'headers.X-Forwarded-For', /Leave it out/],
  [{ headers: { 'X-A': 'hush\r\nCookie: a=b' } }, 'headers.X-A', /line break/],
  [{ headers: { 'X-A': 'hush\nHost: x' } }, 'headers.X-A', /line break/],
  [{ headers: { 'X-A': 'hush\u0000' } }, 'headers.X-A', /cannot carry/],
  [{ headers: { 'X-A': 'húsh' } }, 'headers.X-A', /cannot carry/],
  [{ headers: { 'X-A': 'h'.repeat(5000) } }, 'headers.X-A', /4,096/],
  [{ headers: { 'X-A': '' } }, 'headers.X-A', /no value/],
  [{ headers: { 'X A': 'hush' } }, 'headers.X A', /not the name of a header/],
  [{ headers: { 'X-A:': 'hush' } }, 'headers.X-A:', /not the name of a header/],
  [{ headers: { 'X-A': 'hush', 'x-a': 'hush' } }, 'headers.x-a', /given twice/],
  [{ headers: { Signature: 'sig1=:hush:' } }, 'headers.Signature-Input', /two headers/],
  [{ headers: { 'Signature-Agent': '"hush"' } }, 'headers.Signature-Input', /part of a signature/],
  [
    { headers: { Signature: 'sig1=:hush:', 'Signature-Input': 'hush(' } },
    'headers.Signature-Input',
    /cannot be read/,
  ],
  [
    { headers: { Signature: 'a=:aHVzaA==:', 'Signature-Input': 'b=("@authority")' } },
    'headers.Signature-Input',
    /labels differ/,
  ],
  [{ headers: signed(inDays(-1)) }, 'headers.Signature-Input', /is over/],
  [{ preview_password: 'hus' }, 'preview_password', /four characters/],
  [{ basic_auth: { username: 'a:b', password: 'hush' } }, 'basic_auth.username', /colon/],
  [
    { headers: { Authorization: 'Bearer hush' }, basic_auth: { username: 'a', password: 'hush' } },
    'basic_auth',
    /both are one header/,
  ],
  [{ cookies: 'hush' }, 'cookies', /does not exist/],
]

test.each(WRONG)('%j is refused, with what to do', async (given, field, says) => {
  const answer = await put(given)
  expect(answer.status).toBe(422)
  const { error } = await answer.json()
  const [detail] = error.details
  expect(detail.field).toBe(field)
  expect(detail.message).toMatch(says)
  expect(JSON.stringify(error).replace(/example/g, '')).not.toMatch(/hush/)
})

test.each([
  [13, 'ending'],
  [15, 'valid'],
] as const)('an end in %s days is said to be %s', async (days, state) => {
  expect(await (await put({ headers: signed(inDays(days)) })).json()).toMatchObject({ state })
})

test('headers whose end has come are not sent, which the result says', async () => {
  await put({ headers: signed(inDays(60)) })
  await sql`update site_access set ends_at = ${inDays(-1).toISOString()}`
  expect(await (await get()).json()).toMatchObject({ state: 'ended' })
  heard = []
  const result = await (
    await ask('/api/audit', { key: owner, body: { domain: 'shop.example' } })
  ).json()
  expect(isToldTo('shop.example')).toBe(false)
  expect(result.seen_with.not_sent).toEqual([
    { kind: 'headers', why: 'they ended on 2026-11-29 and were not sent' },
  ])
})

test('its end is told before it comes, and once more when it has', async () => {
  const tell = async (at: Date) => {
    const lease = crypto.randomUUID()
    const watch = await updateWatch(db, 'shop.example', { lease, leased_until: inDays(99) })
    const deps = {
      db,
      now: () => at,
      log,
      walks: made.walks,
      siteAccess,
      baseUrl: 'https://aisle.example',
    }
    await checkWatched(
      { ...deps, audit: engine.audit },
      { ...watch!, lease },
      new AbortController().signal,
    )
    const told = await sql`select notice from notices where event = 'access.ending' order by at`
    return told.map(({ notice }) => notice.title)
  }
  await put({ headers: signed(inDays(60)) })
  expect(await tell(inDays(45))).toEqual([])
  const soon = 'shop.example: The headers that you gave end soon'
  expect(await tell(inDays(47))).toEqual([soon])
  expect(await tell(inDays(50))).toEqual([soon])
  const over = 'shop.example: The headers that you gave have ended'
  expect(await tell(inDays(61))).toEqual([soon, over])
  expect(await tell(inDays(62))).toEqual([soon, over])
})

test('a wrong password is said to be wrong, and opens nothing', async () => {
  await put({ preview_password: 'hush-wrong' })
  const result = await (
    await ask('/api/audit', { key: owner, body: { domain: 'shop.example' } })
  ).json()
  expect(result.seen_with).toEqual({
    sent: [],
    headers: [],
    not_sent: [{ kind: 'preview_password', why: 'the store did not accept it' }],
  })
})

test('a sealed text opens for its own site alone, and with its own key alone', async () => {
  await put({ preview_password: 'hush-preview' })
  const [row] = await db.select().from(site_access)
  await saveAccess(db, { ...row!, domain: 'stolen.example' })
  expect((await siteAccess.open('stolen.example'))?.given).toBeNull()
  expect((await siteAccess.open('shop.example'))?.given).toEqual({
    preview_password: 'hush-preview',
  })
  const [head, name, text = ''] = row!.sealed.split('.')
  const bytes = Buffer.from(text, 'base64')
  bytes[20]! ^= 1
  await saveAccess(db, { ...row!, sealed: [head, name, bytes.toString('base64')].join('.') })
  expect((await siteAccess.open('shop.example'))?.given).toBeNull()
  await saveAccess(db, row!)
  const elsewhere = createSiteAccesses({
    db,
    now: () => NOON,
    sealer: createSealer(async () => Buffer.alloc(32, 2)),
  })
  expect(await elsewhere.show('shop.example')).toMatchObject({ state: 'unreadable' })
  expect((await ask('/api/access/shop.example', { method: 'DELETE', key: owner })).status).toBe(200)
  expect((await get()).status).toBe(404)
  expect(await db.$count(site_access)).toBe(1)
})

test('the key is a file of its owner, made once, or the setting', async () => {
  const dataDir = join(await mkdtemp(join(scratchFolder(), 'key-')), 'data')
  const [one, two] = [
    sealerOf({ secretsKey: null, dataDir }),
    sealerOf({ secretsKey: null, dataDir }),
  ]
  expect(await one.unseal('v1.x.y', 'a')).toBeNull()
  const [sealed] = await Promise.all([one.seal('hush', 'a'), two.seal('hush', 'a')])
  expect(await two.unseal(sealed ?? '', 'a')).toBe('hush')
  expect(await two.unseal(sealed ?? '', 'b')).toBeNull()
  const file = join(dataDir, 'secrets-key')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toMatch(/^[\da-f]{64}\n$/)
  const set = sealerOf({ secretsKey: randomBytes(32), dataDir: '/proc/none' })
  expect(await set.unseal(await set.seal('hush', 'a'), 'a')).toBe('hush')
  await expect(
    sealerOf({ secretsKey: null, dataDir: '/proc/none' }).seal('hush', 'a'),
  ).rejects.toThrow(NoSecretsKey)
})

test('where no key can be made, nothing is taken', async () => {
  const sealer = sealerOf({ secretsKey: null, dataDir: '/proc/none' })
  const without = await testApp({ siteAccess: createSiteAccesses({ db, now: () => NOON, sealer }) })
  const answer = await without.ask('/api/access/shop.example', {
    method: 'PUT',
    body: { preview_password: 'hush-preview' },
  })
  expect([answer.status, (await answer.json()).error.code]).toEqual([409, 'no_secrets_key'])
  expect(await db.$count(audits)).toBeGreaterThan(0)
})
