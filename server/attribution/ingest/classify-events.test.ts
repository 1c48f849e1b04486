import { expect, test } from 'vitest'
import { classifyEvents, shopDayOf } from './classify-events.ts'
import { readEvent } from './read-event.ts'

const now = new Date('2026-11-23T10:00:00Z')
const view = (product_id: string) =>
  readEvent(
    {
      ...{ event: 'ai_product_viewed', domain: 'shop.example', session_id: 's', source: 'ucp' },
      properties: { product_id },
    },
    { idempotencyKey: null, text: null },
    { now, retentionMonths: 12, completeFrom: '2026-01' },
  )

test('a visit begins with the first of its events that is not a repeat', () => {
  const batch = [view('a'), view('b'), view('c')]
  const openers = (repeated: { domain: string; key: string }[]) => {
    const { rows } = classifyEvents(batch, [], now, undefined, repeated)
    return rows.map(({ opener }) => rows.findIndex(({ id }) => id === opener))
  }
  expect(openers([])).toEqual([0, 0, 0])
  expect(openers(batch.slice(0, 1))).toEqual([-1, 1, 1])
})

const AT = (time: string) => ({
  now: new Date(`2026-11-23T${time}Z`),
  retentionMonths: 12,
  completeFrom: '2026-01',
})

test.each([
  ['23:54:59', '2026-11-23', 1],
  ['23:55:00', '2026-11-24', 0],
])('the next day, named at %s, is the %s', (time, day, notes) => {
  const body = {
    ...{ event: 'ai_checkout_initiated', domain: 'shop.example', session_id: 's', source: 'ucp' },
    timestamp: '2026-11-24',
  }
  const event = readEvent(body, { idempotencyKey: null, text: null }, AT(time))
  const found = shopDayOf(event, AT(time).now, new Map())
  expect([found.day, found.notes.length]).toEqual([day, notes])
})
