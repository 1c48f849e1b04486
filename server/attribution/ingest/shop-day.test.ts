import { expect, test } from 'vitest'
import { readEvent } from './read-event.ts'
import { shopDayOf } from './shop-day.ts'

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
