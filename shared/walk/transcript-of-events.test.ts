import { expect, test } from 'vitest'
import { EVENTS, FAILED_AT_FOURTH, stepOf, UNDER_WAY } from './testing/transcripts.ts'
import type { Transcript, WalkEvent } from './transcript.ts'
import { beginTranscript, foldEvent } from './transcript-of-events.ts'

const { id, domain, mode, started_at } = UNDER_WAY
const BEGUN = beginTranscript({ id, domain, mode, started_at })
const fold = (events: readonly WalkEvent[], from: Transcript = BEGUN) =>
  events.reduce(foldEvent, from)

test('the events of a walk make its transcript', () => {
  expect(fold(EVENTS)).toEqual(UNDER_WAY)
})

test('events that come again change nothing, wherever the stream begins anew', () => {
  for (let from = 0; from < EVENTS.length; from += 1) {
    for (let to = from; to <= EVENTS.length; to += 1) {
      const again = [...EVENTS.slice(0, to), ...EVENTS.slice(from)]
      expect(fold(again), `${from} to ${to}`).toEqual(UNDER_WAY)
    }
  }
})

test('nothing that is handed in is changed', () => {
  let before = BEGUN
  for (const event of EVENTS) {
    const copy = structuredClone(before)
    const after = foldEvent(before, event)
    expect(before).toEqual(copy)
    before = after
  }
})

test('the end is the transcript that comes with it, and nothing comes after it', () => {
  const ended = fold([...EVENTS, { event: 'ended', transcript: FAILED_AT_FOURTH }])
  expect(ended).toBe(FAILED_AT_FOURTH)
  expect(fold(EVENTS, ended)).toBe(FAILED_AT_FOURTH)
})

test('a step of a purchase that was not announced begins it', () => {
  const [route] = EVENTS
  const step = stepOf(1, 'open')
  const events = [route!, { event: 'step', dialect: 'ucp_rest', intent: 'po_box', step } as const]
  expect(fold(events).routes[0]?.purchases).toMatchObject([
    { intent: 'po_box', outcome: 'under_way', steps: [{ title: step.title }] },
  ])
})

test('what belongs to a route of which nothing is known is left out', () => {
  expect(fold(EVENTS.slice(1))).toEqual(BEGUN)
})
