import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { fetcherTo } from '../../../../audit/probe/testing/fetcher.ts'
import { createJwk, publicJwk, signingKey } from '../../../../signatures/jwk.ts'
import { signMessage } from '../../../../signatures/message.ts'
import { AGENT_PROFILE, NOON, testStore } from '../../../testing/store.ts'
import { capabilitiesOf } from '../profile/profile.ts'
import { ucpAgent } from '../testing/agent.ts'
import { createPlatformProfiles } from './platform-profiles.ts'

const jwk = createJwk('ES256')
const KEY = signingKey('agent-1', jwk)
const PROFILE = {
  ucp: { version: '2026-08-25', capabilities: capabilitiesOf('2026-08-25') },
  keys: [publicJwk('agent-1', jwk)],
  // Valid, and as large as it may be.
  about: 'x'.repeat(120 * 1024),
}

/** Serves every profile; asked for one below `/slow/`, it waits until it may answer. */
const asked: string[] = []
const slow: (() => void)[] = []
const platforms = new Hono().get('*', async (c) => {
  asked.push(c.req.path)
  if (c.req.path.startsWith('/slow/')) await new Promise<void>((answer) => slow.push(answer))
  return c.json(PROFILE)
})
const fetcher = await fetcherTo(platforms)
const stranger = (n: number) => `https://agent.example/stranger/${n}`

const HOUR_S = 3600
const SEARCH = '{"query":"tent"}'

/** A store that has its budgets for an hour; its profiles grow old as `pass` says. */
async function begin() {
  let now = 1
  const profiles = createPlatformProfiles({
    fetcher,
    budget: { points: 120, duration: HOUR_S },
    networkBudget: { points: 24, duration: HOUR_S },
    clock: () => now,
  })
  const { store, send, deps } = await testStore({ platforms: profiles })
  const ask = async (profile: string, remoteAddress: string, isSigned = false) => {
    const request = {
      method: 'POST',
      url: 'https://ucp.example/ucp/v1/catalog/search',
      headers: new Headers({
        'ucp-agent': `profile="${profile}"`,
        'content-type': 'application/json',
      }),
      body: new Uint8Array(Buffer.from(SEARCH)),
    }
    const signature = isSigned ? signMessage(request, KEY, NOON) : {}
    for (const [name, value] of Object.entries(signature)) request.headers.set(name, value)
    const sent = { ...request, body: SEARCH }
    const answer = await store.request(request.url, sent, {
      incoming: { socket: { remoteAddress } },
    })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
  }
  const pass = (seconds: number) => {
    now += seconds * 1000
  }
  return { ask, send, deps, pass }
}
type Begun = Awaited<ReturnType<typeof begin>>

const OWN_ADDRESS = '192.0.2.7'

/** What makes a platform known; whether its later calls are signed. */
const WAYS: [string, (begun: Begun) => Promise<unknown>, boolean][] = [
  ['signed', ({ ask }) => ask(AGENT_PROFILE, OWN_ADDRESS, true), true],
  [
    'bought',
    async ({ send }) => {
      const agent = ucpAgent(send, 'rest')
      await agent.pay(await agent.open(), 'tok_visa')
    },
    false,
  ],
]

describe.each(WAYS)('a platform that %s', (_, become, isSigned) => {
  test.each([
    ['one network', (n: number) => `198.51.100.${n % 250}`],
    ['100 networks', (n: number) => `198.51.${n % 100}.${n % 250}`],
  ])('is served 50 of 50 while 1,000 strangers come from %s', async (_, addressOf) => {
    const begun = await begin()
    await become(begun)
    const served: number[] = []
    const refused: (string | null)[] = []
    for (let n = 0; n < 1000; n += 1) {
      const { status, retryAfter } = await begun.ask(stranger(n), addressOf(n))
      if (status === 503) refused.push(retryAfter)
      if (n < 500 || n % 10 > 0) continue
      // Each time its profile has grown old.
      begun.pass(61)
      served.push((await begun.ask(AGENT_PROFILE, OWN_ADDRESS, isSigned)).status)
    }
    expect(served).toEqual(Array.from({ length: 50 }, () => 200))
    expect(refused.length).toBeGreaterThanOrEqual(880)
    for (const seconds of refused) expect(Number(seconds)).toBeGreaterThan(0)
  })
})

test('strangers of one network take nothing from those of others', async () => {
  const { ask } = await begin()
  const from = async (first: number, count: number, address: string) => {
    const statuses: number[] = []
    for (let n = first; n < first + count; n += 1) {
      statuses.push((await ask(stranger(n), address)).status)
    }
    return statuses.filter((status) => status === 200).length
  }
  expect(await from(0, 100, '198.51.100.1')).toBe(24)
  expect(await from(100, 1, '198.51.100.99')).toBe(0)
  expect(await from(200, 24, '203.0.113.1')).toBe(24)
  // Who is read already is answered from the memory.
  expect(await from(0, 24, '198.51.100.1')).toBe(24)
})

test('profiles that do not answer take a few places of one network, and none of the known', async () => {
  const { ask, pass } = await begin()
  await ask(AGENT_PROFILE, OWN_ADDRESS, true)
  pass(61)
  const hanging = (n: number) => ask(`https://agent.example/slow/${n}`, `198.51.${n}.1`)
  const alike = Array.from({ length: 4 }, (_, n) =>
    ask(`https://agent.example/slow/alike/${n}`, '203.0.113.1'),
  )
  await expect.poll(() => slow.length).toBe(4)
  expect(await ask(stranger(0), '203.0.113.2')).toEqual({ status: 503, retryAfter: '1' })
  expect((await ask(stranger(1), '203.0.114.2')).status).toBe(200)
  const others = Array.from({ length: 12 }, (_, n) => hanging(n))
  await expect.poll(() => slow.length).toBe(16)
  expect((await ask(stranger(2), '203.0.115.2')).status).toBe(503)
  expect((await ask(AGENT_PROFILE, OWN_ADDRESS)).status).toBe(200)
  for (const answer of slow.splice(0)) answer()
  for (const { status } of await Promise.all([...alike, ...others])) expect(status).toBe(200)
})

test('strangers push out one another, and none who signed', async () => {
  const many = { points: 10_000, duration: HOUR_S }
  const { find } = createPlatformProfiles({ fetcher, budget: many, networkBudget: many })
  const network = '198.51.100'
  const never = async () => false
  const read = async (url: string, hasSigned = false) => {
    const before = asked.length
    await find(url, { network: () => network, hasSigned, hasBought: never })
    return asked.length - before
  }
  await read(AGENT_PROFILE)
  await read(AGENT_PROFILE, true)
  for (let n = 0; n < 501; n += 1) await read(stranger(n))
  expect([await read(stranger(500)), await read(stranger(0))]).toEqual([0, 1])
  expect(await read(AGENT_PROFILE)).toBe(0)
})
