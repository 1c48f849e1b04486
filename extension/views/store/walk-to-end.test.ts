import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { WalkListed, WalkShown } from '../../../shared/walk/stored-walk.ts'
import { PASSED, shownWalk, UNDER_WAY } from '../../../shared/walk/testing/transcripts.ts'
import { failed, type Result } from '../../api/result.ts'
import { askToEnd, walkToEnd } from './walk-to-end.ts'

const LIVE = shownWalk('under_way', UNDER_WAY)
const ENDED = shownWalk('ended', PASSED)
const AWAY = failed('offline', 'Away.')

/** The result of a walk whose states are answered in this order. */
async function walked(
  states: Result<WalkShown>[],
  accepted: Result<WalkListed> = { ok: true, value: shownWalk('queued', UNDER_WAY) },
  { signal } = new AbortController(),
) {
  const asked: string[] = []
  const kept: [string, boolean][] = []
  const found: string[] = []
  const api = {
    startWalk: async () => accepted,
    walk: async (id: string) => {
      asked.push(id)
      return states[asked.length - 1] ?? AWAY
    },
  }
  const result = await walkToEnd(
    api,
    'shop.example',
    signal,
    ({ state }) => found.push(state),
    (...walk) => kept.push(walk),
    async () => {},
  )
  return { result, asked, found, kept }
}

const ok = (value: WalkShown) => ({ ok: true, value }) as const

test('a walk is asked for until it has ended, and each state is shown', async () => {
  const { result, asked, found } = await walked([ok(LIVE), ok(LIVE), ok(ENDED)])
  expect(result).toEqual(ok(ENDED))
  expect(asked).toEqual([LIVE.id, LIVE.id, LIVE.id])
  expect(found).toEqual(['under_way', 'under_way', 'ended'])
})

test('a walk that is under way already is followed', async () => {
  const location = 'https://aisle.example/api/walk/w-7'
  const underWay = failed('invalid', 'One is.', { code: 'walk_under_way', location })
  const { result, asked, kept } = await walked([ok(LIVE), ok(LIVE), ok(ENDED)], underWay)
  expect(result).toEqual(ok(ENDED))
  expect(new Set(asked)).toEqual(new Set(['w-7']))
  expect(kept).toEqual([['w-7', false]])
  // A walk that may not be read is a refusal, and nothing of it is stored.
  const hidden = await walked([failed('forbidden', 'Of another.')], underWay)
  expect(hidden).toMatchObject({ result: underWay, kept: [] })
})

test('a walk that the server does not have is asked for once', async () => {
  const gone = failed('not_found', 'No such walk.')
  const { result, asked } = await walked([gone, ok(ENDED)])
  expect(result).toEqual(gone)
  expect(asked).toHaveLength(1)
})

test('a cancelled walk has ended', async () => {
  const cancelled = shownWalk('cancelled', PASSED)
  expect((await walked([ok(cancelled)])).result).toEqual(ok(cancelled))
})

test('a walk goes on while its server cannot be reached for a while', async () => {
  const five = [AWAY, AWAY, AWAY, AWAY, AWAY]
  expect((await walked([...five, ok(LIVE), ...five, ok(ENDED)])).result).toEqual(ok(ENDED))
  expect((await walked([...five, AWAY, ok(ENDED)])).result).toEqual(AWAY)
})

test('who leaves asks no more', async () => {
  const leaving = new AbortController()
  leaving.abort()
  const { asked } = await walked([AWAY, ok(ENDED)], undefined, leaving)
  expect(asked).toHaveLength(1)
})

test.each([
  [failed('forbidden', 'Not covered.', { code: 'domain_not_allowed' }), 'domain_not_allowed'],
  [failed('invalid', 'One is.', { code: 'walk_under_way' }), 'walk_under_way'],
  [failed('not_found', 'No such path.', { code: 'not_found' }), 'no_walks'],
])('a walk that is refused is not asked for: %j', async (refusal, code) => {
  const { result, asked } = await walked([], refusal)
  expect(result).toMatchObject({ ok: false, failure: { code } })
  expect(asked).toEqual([])
})

test('the time between two questions leaves nothing at the signal', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { signal } = new AbortController()
  const states = [ok(LIVE), ok(LIVE), ok(ENDED)]
  const api = { walk: async () => states.shift() ?? AWAY }
  const ended = askToEnd(api, 'w-1', signal, () => {})
  await vi.runAllTimersAsync()
  expect(await ended).toEqual(ok(ENDED))
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
