import { expect, test } from 'vitest'
import type { Transcript, WalkEvent } from '../../../shared/walk/transcript.ts'
import { fitEvent, fitTranscript, sizeOf } from './fit.ts'
import { stepOf } from './testing/pretend-store.ts'

const long = 'é'.repeat(50_000)
const event: WalkEvent = {
  event: 'step',
  dialect: 'acp',
  intent: 'po_box',
  step: stepOf(1, 'open', long),
}
const purchase = {
  intent: 'po_box',
  dialect: 'acp',
  outcome: 'passed',
  why: null,
  charge: null,
  steps: [stepOf(1, 'open', long), stepOf(2, 'cancel', 'short')],
  orders: [],
  left_open: [],
} as const
const transcript: Transcript = {
  version: 1,
  id: '',
  domain: '',
  mode: 'look',
  started_at: '',
  ended_at: null,
  stopped: null,
  nothing: null,
  elsewhere: [],
  missing: [],
  routes: [
    {
      dialect: 'acp',
      label: '',
      endpoint: '',
      browsing: [stepOf(1, 'find', long)],
      purchases: [{ ...purchase, steps: [...purchase.steps], orders: [], left_open: [] }],
    },
  ],
}

test('what fits stays as it is', () => {
  expect(fitEvent(event, 1_000_000)).toBe(event)
  expect(fitTranscript(transcript, 1_000_000)).toBe(transcript)
})

test.each([100_000, 20_000, 5_000, 2_500])('an event is cut to %d bytes', (bytes) => {
  const cut = fitEvent(event, bytes)
  expect(sizeOf(cut)).toBeLessThanOrEqual(bytes)
  const [exchange] = cut.event === 'step' ? cut.step.exchanges : []
  expect(exchange?.answer).toMatchObject({ cut: true, bytes: long.length, status: 200 })
  expect(exchange?.answer?.body.length).toBeGreaterThan(200)
})

test('of a transcript the longest bodies are cut first, and are said to be', () => {
  const cut = fitTranscript(transcript, 20_000)
  expect(sizeOf(cut)).toBeLessThanOrEqual(20_000)
  const answers = cut.routes[0]?.purchases[0]?.steps.map(({ exchanges }) => exchanges[0]?.answer)
  expect(answers?.map((answer) => answer?.cut)).toEqual([true, false])
  expect(answers?.[1]?.body).toBe('short')
})

test('a whole purchase is cut as well; without bodies it may be over', () => {
  const steps = [...purchase.steps]
  const whole = { ...purchase, steps, orders: [], left_open: [] }
  const cut = fitEvent({ event: 'purchased', purchase: whole }, 10)
  expect(sizeOf(cut)).toBeLessThan(2000)
  const begun: WalkEvent = { event: 'purchase', dialect: 'acp', intent: 'po_box' }
  expect(fitEvent(begun, 0)).toBe(begun)
})
