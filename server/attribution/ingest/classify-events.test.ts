import { expect, test } from 'vitest'
import { classifyEvents } from './classify-events.ts'
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
    const rows = classifyEvents(batch, [], now, new Map(), repeated)
    return rows.map(({ opener }) => rows.findIndex(({ id }) => id === opener))
  }
  expect(openers([])).toEqual([0, 0, 0])
  expect(openers(batch.slice(0, 1))).toEqual([-1, 1, 1])
})
