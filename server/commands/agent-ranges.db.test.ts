import { expect, test } from 'vitest'
import type { Fetched } from '../../shared/web/http/fetched.ts'
import { createCallers } from '../attribution/agents/callers.ts'
import { BUILT_IN_COPIES, PUBLISHED_LISTS } from '../attribution/agents/published-lists.ts'
import { testDatabase } from '../testing/app.ts'
import { listRangesCommand, renewRangesCommand } from './agent-ranges.ts'
import { readTerminal } from './testing/read-terminal.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const { db } = await testDatabase()

const answer = (url: string, body: string, status = 200): Fetched => ({
  ...{ kind: 'answer', method: 'GET', url, final_url: url, redirects: [], headers: {} },
  ...{ status, body, truncated: false, ms: 1 },
})
const prefixes = (...list: string[]) =>
  JSON.stringify({
    prefixes: list.map((each) =>
      each.includes(':') ? { ipv6Prefix: each } : { ipv4Prefix: each },
    ),
  })

/** What the command says of each list, where operators answer so. */
async function renew(read: (url: string) => Fetched | Promise<Fetched>, now = NOW) {
  const { terminal, read: printed } = readTerminal()
  const deps = { db, now: () => now, read: async (url: string) => read(url) }
  const code = await renewRangesCommand({ json: true }, deps, terminal)
  const lists: { list: string; outcome: string; problem: string | null; since: string | null }[] =
    JSON.parse(printed())
  return { code, of: (id: string) => lists.find(({ list }) => list === id), lists }
}

test('offline it says what is held, and of when', async () => {
  const { terminal, read: printed } = readTerminal()
  await listRangesCommand({}, { db }, terminal)
  const text = printed()
  expect(text).toMatch(/^chatgpt-user +OpenAI +193 ranges of 2026-08-15$/m)
  expect(text).toMatch(/^google-agents +Google +none is held$/m)
  const failed = await renew((url) => ({
    ...{ kind: 'no_answer', method: 'GET', url, why: 'unreachable', message: '', ms: 1 },
  }))
  expect(failed.code).toBe(1)
  expect(failed.of('chatgpt-user')).toMatchObject({
    ...{ outcome: 'failed', problem: 'it did not answer', since: '2026-08-15' },
  })
  expect(failed.of('amazonbot')).toMatchObject({ outcome: 'by_hand', since: '2026-05-14' })
})

test.each([
  ['an error page', '<html>', 200, 'it is not a list of prefixes'],
  ['an empty list', prefixes(), 200, 'it is not a list of prefixes'],
  ['a missing page', '', 404, 'it answered with status 404'],
  ['everybody', prefixes('0.0.0.0/0'), 200, 'it has a range that cannot be: 0.0.0.0/0'],
  ['half of everybody', prefixes('128.0.0.0/1'), 200, 'it has a range that cannot be: 128.0.0.0/1'],
  ['our own network', prefixes('10.0.0.0/16'), 200, 'it has a range that cannot be: 10.0.0.0/16'],
  ['no range', prefixes('1.2.3.4/33'), 200, 'it has a range that cannot be: 1.2.3.4/33'],
])('a list is not replaced by %s', async (_, body, status, problem) => {
  const { of } = await renew((url) => answer(url, body, status))
  expect(of('gptbot')).toMatchObject({ outcome: 'failed', problem, since: '2026-04-12' })
})

test('what has changed is kept under its day, and verifies from then on', async () => {
  const agents = '74.125.3.0/24'
  const read = (url: string) =>
    url.endsWith('user-triggered-agents.json')
      ? answer(url, prefixes(agents, '2001:4860:4801:2004::/64'))
      : answer(url, prefixes(...copyOf(url)))
  const first = await renew(read)
  expect(first.code).toBe(0)
  expect(first.of('google-agents')).toMatchObject({ outcome: 'renewed', since: '2026-11-30' })
  expect(first.of('chatgpt-user')).toMatchObject({ outcome: 'unchanged', since: '2026-08-15' })
  expect((await renew(read)).of('google-agents')).toMatchObject({ outcome: 'unchanged' })

  const callers = createCallers({
    db,
    now: () => NOW,
    names: null,
    read: async (url) => answer(url, '', 404),
  })
  const headers = new Headers({ 'user-agent': 'Mozilla/5.0 (compatible; Google-Agent)' })
  const request = { method: 'GET', url: 'https://shop.example/', headers, body: null }
  const call = { request, at: NOW, usedFor: 'a', asker: null }
  for (const [address, verified] of [
    ['74.125.3.9', { by: 'address', surface: 'gemini' }],
    ['2001:4860:4801:2004::7', { by: 'address', surface: 'gemini' }],
    ['74.125.4.9', null],
  ] as const) {
    expect(await callers.verify({ ...call, address })).toEqual({ verified, refusal: null })
  }
})

/** What is built in of the list at an address. */
const copyOf = (url: string) => {
  const id = PUBLISHED_LISTS.find((list) => list.url === url)?.id
  return BUILT_IN_COPIES.find(({ list }) => list === id)?.prefixes ?? []
}
