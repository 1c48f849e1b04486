import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ShopReport } from './reports.ts'
import { createReportSender, type ReportTable } from './sender.ts'

const report = (id: string): ShopReport => ({
  id,
  event: { event: 'ai_checkout_completed', source: 'web', session_id: id },
})

/** A service that answers each report by its id, and a table in memory. */
function open(answers: Record<string, () => Response | Promise<Response>>, version = '1.0') {
  const rows = new Map(Object.keys(answers).map((id) => [id, { tries: 0, said: '' }]))
  const asked: string[] = []
  const warnings: string[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string } = {}) => {
    if (url.endsWith('/openapi.json')) return Response.json({ info: { version } })
    const { session_id } = JSON.parse(body ?? '{}')
    asked.push(session_id)
    return answers[session_id]?.() ?? new Response(null, { status: 404 })
  })
  const table: ReportTable = {
    waiting: async (most) =>
      [...rows]
        .filter(([, { said }]) => said === '')
        .toSorted(([, a], [, b]) => a.tries - b.tries)
        .slice(0, most)
        .map(([id]) => report(id)),
    settle: async (id, refused) => {
      rows.set(id, { tries: 0, said: refused ?? 'sent' })
    },
    keep: async (id) => {
      const row = rows.get(id)
      if (row) row.tries += 1
    },
  }
  const { send } = createReportSender({
    url: 'https://aisle.example/',
    key: 'aisle_live_x',
    domain: 'shop.example',
    plugin: 'aisle-shop',
    table,
    warn: (message) => warnings.push(message),
  })
  const said = () => Object.fromEntries([...rows].map(([id, row]) => [id, row.said]))
  return { send, said, asked, warnings }
}

const ok = () => Response.json({})
const status =
  (code: number, headers = {}) =>
  () =>
    Response.json({ error: { message: 'No.' } }, { status: code, headers })
const gone = () => Promise.reject(new TypeError('fetch failed'))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what is sent waits no longer, and what is refused says why', async () => {
  const { send, said, warnings } = open({ a: ok, b: status(422), c: ok })
  await send()
  expect(said()).toEqual({ a: 'sent', b: expect.stringContaining('HTTP 422 (No.)'), c: 'sent' })
  expect(warnings).toHaveLength(1)
})

test.each([
  ['no answer', gone],
  ['an error of its own', status(503)],
  ['a key that was revoked, which somebody may correct', status(401)],
  ['a limit', status(429)],
])('%s: it waits, and one such report holds up no other', async (_, answer) => {
  let now: () => Response | Promise<Response> = answer
  const { send, said, warnings } = open({ a: () => now(), b: ok })
  await send()
  expect(said()).toEqual({ a: '', b: 'sent' })
  expect(warnings).toHaveLength(1)
  now = ok
  await send()
  expect(said()).toEqual({ a: 'sent', b: 'sent' })
})

test('a service that is away is left alone for half a minute, or as long as it asks', async () => {
  const row = (answer: () => Response | Promise<Response>) =>
    Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [id, answer]))
  const { send, asked, warnings } = open(row(gone))
  await send()
  await send()
  expect(asked).toHaveLength(3)
  expect(warnings).toHaveLength(1)
  vi.advanceTimersByTime(30_000)
  await send()
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'a'])
  expect(warnings).toHaveLength(1)

  const busy = open(row(status(429, { 'retry-after': '120' })))
  await busy.send()
  vi.advanceTimersByTime(119_000)
  await busy.send()
  expect(busy.asked).toHaveLength(3)
  vi.advanceTimersByTime(1000)
  await busy.send()
  expect(busy.asked).toHaveLength(6)
})

test.each([
  ['2.0', /version 2 .* Install https:\/\/aisle\.example\/aisle-shop\.tgz, which fits it\./],
  ['0.9', /version 0 .* Update the service/],
])(
  'a service with version %s of the API gets nothing, and is told so once',
  async (version, words) => {
    const { send, said, asked, warnings } = open({ a: ok }, version)
    await send()
    await send()
    expect([said().a, asked, warnings.length]).toEqual(['', [], 1])
    expect(warnings[0]).toMatch(words)
  },
)

test('two calls at once send each report once', async () => {
  const { send, asked } = open({ a: ok, b: ok })
  await Promise.all([send(), send()])
  expect(asked).toEqual(['a', 'b'])
})

test('a table that cannot be read is told, and ends nothing', async () => {
  const warnings: string[] = []
  vi.stubGlobal('fetch', async () => Response.json({ info: { version: '1.0' } }))
  const fails = () => Promise.reject(new Error('no table'))
  const { send } = createReportSender({
    url: 'https://aisle.example',
    key: 'aisle_live_x',
    domain: 'shop.example',
    plugin: 'aisle-shop',
    table: { waiting: fails, settle: fails, keep: fails },
    warn: (message) => warnings.push(message),
  })
  await send()
  expect(warnings).toEqual(['no table'])
})
