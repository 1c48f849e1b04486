import { expect, test } from 'vitest'
import type { Report, Verification } from '../../../shared/attribution/report.ts'
import { rebuildRollup } from '../../db/events/rebuild.ts'
import { service_nonces } from '../../db/signatures/tables.ts'
import { makeSigner } from '../../signatures/agents/testing/signer.ts'
import { createJwk, publicJwk, signingKey, thumbprintOf } from '../../signatures/jwk.ts'
import { signMessage } from '../../signatures/message.ts'
import { connectAgain, testApp } from '../../testing/app.ts'
import { BARE, reportingApp, type Sent } from '../testing/reporting-app.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const chatgpt = makeSigner('https://chatgpt.com')
const stranger = makeSigner('https://monitor.example')
const platform = createJwk('ES256')
const PLATFORM_KID = thumbprintOf({ ...platform })
const PROFILE = 'https://gemini.google.com/ucp.json'

const readKeys: typeof chatgpt.readKeys = async (url) => {
  if (url === PROFILE) {
    const profile = { ucp: {}, keys: [publicJwk(PLATFORM_KID, platform)] }
    return { ...(await chatgpt.readKeys(url)), status: 200, body: JSON.stringify(profile) } as never
  }
  return url.startsWith('https://monitor') ? stranger.readKeys(url) : chatgpt.readKeys(url)
}
const own = await reportingApp({ now: () => NOW, readKeys })
const { ask, db, send, rowsOf, newShop } = own

const EVENT = { ...BARE, ai_surface: undefined }
const MONEY = { value: 4999, currency: 'USD' }
const AT_OPENAI = '4.151.71.180'
const CHATGPT = { 'User-Agent': 'Mozilla/5.0 (compatible; ChatGPT-User/1.0)' }

const order = (domain: string, session_id: string, agent_request: object, more: Sent = {}) => ({
  ...EVENT,
  ...{ domain, session_id, event: 'ai_checkout_completed' },
  // Orders of one value in a minute are noted.
  properties: { ...MONEY, value: 1000 + session_id.length, agent_request },
  ...more,
})
const request = (domain: string, headers: Record<string, string>, address?: string) => ({
  ...{ method: 'POST', url: `https://${domain}/acp/checkout/create?x=1`, headers },
  ...(address && { address }),
})
const signedBy = (
  signer: typeof chatgpt,
  domain: string,
  change: Parameters<typeof chatgpt.sign>[2] = {},
  at = NOW,
) =>
  request(
    domain,
    signer.sign({ method: 'POST', url: `https://${domain}/acp/checkout/create?x=1` }, at, change),
  )

const NONE = { sessions: 0, orders: 0 }
const ONE = { sessions: 1, orders: 1 }
const verificationOf = (change: Partial<Verification>) => ({
  ...{ signature: NONE, platform: NONE, address: NONE, claimed: NONE },
  ...change,
})
async function reportOf(domain: string, query = ''): Promise<Report> {
  const path = `/api/report?domain=${domain}&start=2026-11-01&end=2026-11-21${query}`
  return (await ask(path)).json()
}

/** A call of UCP, signed with the keys of the platform's profile. */
function signedPurchase(domain: string) {
  const url = `https://${domain}/ucp/checkout-sessions`
  const headers = new Headers({ 'ucp-agent': `profile="${PROFILE}"` })
  const message = { method: 'POST', url, headers, body: new Uint8Array() }
  const added = signMessage(message, signingKey(PLATFORM_KID, platform), NOW)
  return { method: 'POST', url, headers: { ...Object.fromEntries(headers), ...added } }
}

test.each<[string, (domain: string) => object, Sent, string, Partial<Verification>, number]>([
  [
    'signed by its agent',
    (domain) => signedBy(chatgpt, domain),
    {},
    'chatgpt',
    { signature: ONE },
    0.99,
  ],
  ['signed by the platform', signedPurchase, { source: 'ucp' }, 'gemini', { platform: ONE }, 0.97],
  [
    'from an address of the operator',
    (domain) => request(domain, CHATGPT, AT_OPENAI),
    {},
    'chatgpt',
    { address: ONE },
    0.95,
  ],
  [
    'from another address',
    (domain) => request(domain, CHATGPT, '203.0.113.9'),
    {},
    'chatgpt',
    { claimed: ONE },
    0.7,
  ],
  [
    'from an address that was not passed on',
    (domain) => request(domain, CHATGPT),
    {},
    'chatgpt',
    { claimed: ONE },
    0.7,
  ],
  [
    'signed by the agent, declared as another',
    (domain) => signedBy(chatgpt, domain),
    { ai_surface: 'claude' },
    'chatgpt',
    { signature: ONE },
    0.69,
  ],
  [
    'signed by a monitor, declared',
    (domain) => signedBy(stranger, domain),
    { ai_surface: 'claude' },
    'claude',
    { claimed: ONE },
    0.85,
  ],
])('%s', async (_, agentRequest, more, surface, expected, confidence) => {
  const domain = newShop()
  const { said } = await send(order(domain, 'o1', agentRequest(domain), more))
  expect(said).toMatchObject({ ai_source: surface, confidence })
  expect(said.notes).toBeUndefined()
  const { verification, by_surface } = await reportOf(domain)
  expect(verification).toEqual({ [surface]: verificationOf(expected) })
  expect(by_surface[surface]).toMatchObject(ONE)
  expect(await rebuildRollup(db, { domain, since: '2026-01', dryRun: true })).toEqual([])
})

test('neither the request nor its address is stored, only what is verified of it', async () => {
  const domain = newShop()
  await send(order(domain, 'o1', { ...signedBy(chatgpt, domain), address: AT_OPENAI }))
  const [row] = await rowsOf(domain)
  expect(row?.properties).toEqual({
    ...MONEY,
    value: 1002,
    agent_verified: { by: 'signature', surface: 'chatgpt' },
  })
  const [nonce] = await db.select().from(service_nonces)
  expect(JSON.stringify([row, nonce])).not.toMatch(/4\.151|sig1|chatgpt\.com/)
})

test.each<[string, (domain: string) => object, RegExp]>([
  ['another host', () => signedBy(chatgpt, 'other.example'), /at the domain of the event/],
  [
    'another path',
    (domain) => ({ ...signedBy(chatgpt, domain), url: `https://${domain}/` }),
    /does not match the request/,
  ],
  [
    'late',
    (domain) => signedBy(chatgpt, domain, {}, new Date(NOW.getTime() - 600_000)),
    /has expired/,
  ],
  [
    'an unknown key',
    (domain) => signedBy(makeSigner('https://chatgpt.com'), domain),
    /Publish the key/,
  ],
  [
    'a directory that is not there',
    (domain) => signedBy(makeSigner('https://nowhere.example'), domain),
    /could not be read/,
  ],
])('a signature that proves nothing is told with its reason: %s', async (_, passed, why) => {
  const domain = newShop()
  const { said } = await send(order(domain, 'o1', passed(domain)))
  expect(said.notes).toEqual([expect.stringMatching(why)])
  const { verification } = await reportOf(domain)
  const all = Object.values(verification ?? {})
  expect(all.map(({ claimed, signature }) => [claimed, signature])).toEqual([[ONE, NONE]])
})

test('a signature counts for one session, its retries and further events, and no other', async () => {
  const domain = newShop()
  const passed = signedBy(chatgpt, domain)
  const begun = { ...order(domain, 'chk', passed), event: 'ai_checkout_initiated' }
  expect((await send(begun)).said.notes).toBeUndefined()
  expect((await send(begun)).said.notes).toBeUndefined()
  expect((await send(order(domain, 'chk', passed))).said.notes).toBeUndefined()
  const replayed = await send(order(domain, 'other', passed))
  expect(replayed.said.notes).toEqual([expect.stringMatching(/nonce was used before/)])
  const { verification } = await reportOf(domain)
  expect(verification?.chatgpt).toEqual(verificationOf({ signature: ONE, claimed: ONE }))
})

test('of two replicas that see a nonce together, one takes it', async () => {
  const database = await connectAgain(own.url)
  const two = await testApp({ database, now: () => NOW, readKeys })
  const domain = newShop()
  const event = 'ai_checkout_initiated'
  for (let n = 0; n < 10; n += 1) {
    const passed = signedBy(chatgpt, domain, { nonce: `shared${n}` })
    const both = await Promise.all([
      send({ ...order(domain, `a${n}`, passed), event }),
      send(
        { ...order(domain, `b${n}`, passed), event },
        {},
        { ask: (path, asking) => two.ask(path, { ...asking, key: own.key }) },
      ),
    ])
    expect(both.filter(({ said }) => said.notes === undefined)).toHaveLength(1)
  }
})

test('a queued report is judged by the time of its event, up to an hour back', async () => {
  const at = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
  for (const [minutes, isFine] of [
    [59, true],
    [61, false],
  ] as const) {
    const domain = newShop()
    const timestamp = at(minutes).toISOString()
    const passed = signedBy(chatgpt, domain, {}, at(minutes))
    const { said } = await send(order(domain, 'o1', passed, { timestamp }))
    expect(said.notes === undefined).toBe(isFine)
  }
})

test('a sender cannot say that something is verified', async () => {
  const domain = newShop()
  const sent = order(domain, 'o1', request(domain, CHATGPT))
  const properties = { ...sent.properties, agent_verified: { by: 'signature', surface: 'chatgpt' } }
  await send({ ...sent, properties })
  expect((await reportOf(domain)).verification).toEqual({
    chatgpt: verificationOf({ claimed: ONE }),
  })
})

test('filters and the file for spreadsheets keep verified and claimed apart', async () => {
  const domain = newShop()
  await send(order(domain, 'o1', signedBy(chatgpt, domain)))
  await send(order(domain, 'o2', request(domain, CHATGPT)))
  const euros = { ...MONEY, currency: 'EUR' }
  const passed = signedBy(chatgpt, domain)
  await send(order(domain, 'o3', passed, { properties: { ...euros, agent_request: passed } }))
  const both = { sessions: 2, orders: 2 }
  const verification = { chatgpt: verificationOf({ signature: both, claimed: ONE }) }
  expect((await reportOf(domain)).verification).toEqual(verification)
  expect((await reportOf(domain, '&surface=chatgpt&kind=protocol')).verification).toEqual(
    verification,
  )
  expect((await reportOf(domain, '&surface=claude')).verification).toEqual({})
  expect((await reportOf(domain, '&kind=click')).verification).toEqual({})
  expect((await reportOf(domain, '&product_id=x')).verification).toBeNull()
  expect((await reportOf(domain, '&currency=USD')).verification?.chatgpt?.signature).toEqual({
    ...{ sessions: 2, orders: 1 },
  })
  const csv = await ask(
    `/api/report?domain=${domain}&start=2026-11-21&end=2026-11-21&format=csv&currency=USD`,
  )
  const [head = '', row = ''] = (await csv.text()).split('\r\n')
  const columns = head.replace('\uFEFF', '').split(',')
  const cells = Object.fromEntries(row.split(',').map((cell, at) => [columns[at], cell]))
  expect(cells).toMatchObject({
    ...{ surface: 'chatgpt', sessions: '3', orders: '2', other_orders: '1' },
    ...{ verified_sessions: '2', verified_orders: '1' },
  })
})
