import { expect, onTestFinished, test, vi } from 'vitest'
import { beacon, beaconApp } from '../attribution/beacon/testing/beacon.ts'
import { createLog } from '../process/log.ts'
import { createLogSums } from './log-sums.ts'

const { lines, property, ask, state } = await beaconApp()

/** The lines since the last call, without the time. */
const logged = () => lines.splice(0).map((line) => ({ ...JSON.parse(line), time: undefined }))
const line = (outcome: string, count: number, property_id: string | null = property.id) => ({
  level: 30,
  property_id,
  outcome,
  count,
  msg: 'sessions received',
})

test('what anyone may send is logged once a minute with its number, whatever became of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const twice = async (given: Parameters<typeof ask>[0]) => {
    await ask(given)
    await ask(given)
  }
  await twice({})
  await twice({ body: beacon({ referrer: '', landing: '' }) })
  await twice({ headers: { 'User-Agent': 'curl/8' } })
  await twice({ body: '{' })
  await twice({ body: ' '.repeat(5000) })
  await twice({ headers: { Origin: 'https://evil.example' } })
  await twice({ query: '?id=prop_00000000000000000000' })
  await twice({ query: '?id=<script>' })
  await twice({ method: 'GET' })
  state.full = true
  await twice({})
  state.full = false
  for (let n = 0; n < 500; n += 1) await ask({ from: '203.0.113.7' })
  expect(logged()).toEqual([])

  vi.advanceTimersByTime(60_000)
  const said = logged()
  expect(said).toEqual(
    expect.arrayContaining([
      line('not_ai', 2),
      line('bot', 2),
      line('malformed_json', 2),
      line('body_too_large', 2),
      line('origin_not_allowed', 2),
      line('unknown_property', 4, null),
      line('method_not_allowed', 2, null),
      line('busy', 2),
    ]),
  )
  const countOf = (outcome: string) => said.find((each) => each.outcome === outcome).count
  expect(said).toHaveLength(10)
  // How many of them are over a limit depends on how long they take.
  expect(countOf('recorded') + countOf('over_address')).toBe(502)
  expect(countOf('over_address')).toBeGreaterThanOrEqual(400)
  expect(JSON.stringify(said)).not.toMatch(/203\.0|curl|script|evil/)
})

test('a minute begins with the first that is counted, and an end of the service ends it', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const own: string[] = []
  const { add, flush, totals } = createLogSums(createLog({ write: (text) => own.push(text) }))
  const bot = { property_id: 'p', outcome: 'bot' }
  add(bot)
  vi.advanceTimersByTime(59_000)
  add(bot)
  expect(own).toHaveLength(0)
  vi.advanceTimersByTime(1000)
  expect(own).toHaveLength(1)
  add(bot)
  flush()
  expect(own.map((text) => JSON.parse(text).count)).toEqual([2, 1])
  add({ property_id: 'other', outcome: 'bot' })
  expect([...totals]).toEqual([['bot', 4]])
  vi.advanceTimersByTime(60_000)
  expect(own).toHaveLength(3)
})
