import { expect, test } from 'vitest'
import { CHECK_PERIODS, nextSlot, PERIOD_MS, slotAt } from './period.ts'
import { tellAt } from './quiet-hours.ts'
import { momentIn, nextDigestAt } from './week.ts'

const NOW = new Date('2026-11-25T10:20:30Z')
const DOMAINS = Array.from({ length: 2_000 }, (_, n) => `shop-${n}.example`)

test.each(CHECK_PERIODS)('looks of a period lie within it, spread evenly: %s', (period) => {
  const tenths = Array<number>(9).fill(0)
  for (const domain of DOMAINS) {
    const { slot_at, next_at, late_at } = slotAt(domain, period, NOW)
    const [start, due, late] = [slot_at, next_at, late_at].map((each) => each.getTime())
    expect(start! <= NOW.getTime() && NOW.getTime() < start! + PERIOD_MS[period]).toBe(true)
    expect(due! >= start!).toBe(true)
    expect(late! <= start! + PERIOD_MS[period]).toBe(true)
    tenths[Math.floor(((due! - start!) / PERIOD_MS[period]) * 10)]! += 1
  }
  // Each tenth has a ninth of them, within a quarter.
  for (const n of tenths) expect(Math.abs(n - 2_000 / 9)).toBeLessThan(2_000 / 36)
})

test('periods follow each other without a gap, and those that are over are left out', () => {
  const first = slotAt('shop.example', 'hourly', NOW)
  expect(first.slot_at).toEqual(new Date('2026-11-25T10:00:00Z'))
  const second = nextSlot('shop.example', 'hourly', first.slot_at, NOW)
  expect(second.slot_at).toEqual(new Date('2026-11-25T11:00:00Z'))
  expect(second.next_at.getTime() - first.next_at.getTime()).toBe(PERIOD_MS.hourly)
  const late = nextSlot('shop.example', 'hourly', first.slot_at, new Date('2026-11-25T14:59:59Z'))
  expect(late.slot_at).toEqual(new Date('2026-11-25T14:00:00Z'))
})

test.each(CHECK_PERIODS)('a look out of turn is followed within a period: %s', (period) => {
  for (const domain of DOMAINS) {
    const next = nextSlot(domain, period, NOW, new Date(NOW.getTime() + 2000))
    const after = next.next_at.getTime() - NOW.getTime()
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThanOrEqual(PERIOD_MS[period])
    expect(next).toEqual(slotAt(domain, period, next.next_at))
  }
})

const NIGHT = { from: '22:00', to: '07:00' }
const NOON = { from: '12:00', to: '13:30' }
test.each([
  [null, 'UTC', '2026-11-25T23:00:00Z', '2026-11-25T23:00:00.000Z'],
  [NIGHT, 'UTC', '2026-11-25T21:59:59Z', '2026-11-25T21:59:59.000Z'],
  [NIGHT, 'UTC', '2026-11-25T22:00:00Z', '2026-11-26T07:00:00.000Z'],
  [NIGHT, 'UTC', '2026-11-26T06:59:30Z', '2026-11-26T07:00:00.000Z'],
  [NIGHT, 'UTC', '2026-11-26T07:00:00Z', '2026-11-26T07:00:00.000Z'],
  [NIGHT, 'Europe/Berlin', '2026-11-25T21:30:00Z', '2026-11-26T06:00:00.000Z'],
  [NIGHT, 'Asia/Kolkata', '2026-11-25T17:00:00Z', '2026-11-26T01:30:00.000Z'],
  [NOON, 'UTC', '2026-11-25T12:10:00Z', '2026-11-25T13:30:00.000Z'],
  [NOON, 'UTC', '2026-11-25T13:30:00Z', '2026-11-25T13:30:00.000Z'],
] as const)('%j in %s: what happens at %s is told at %s', (quiet, zone, at, expected) => {
  expect(tellAt(quiet, zone, new Date(at)).toISOString()).toBe(expected)
})

test.each([
  ['UTC', '2026-11-25T10:00:00Z', '2026-11-30T08:00:00.000Z'],
  ['UTC', '2026-11-30T07:59:59Z', '2026-11-30T08:00:00.000Z'],
  ['UTC', '2026-11-30T08:00:00Z', '2026-12-07T08:00:00.000Z'],
  ['America/New_York', '2026-11-25T10:00:00Z', '2026-11-30T13:00:00.000Z'],
  ['Pacific/Auckland', '2026-11-29T20:00:00Z', '2026-12-06T19:00:00.000Z'],
  // Clocks changed on the Sunday before.
  ['Europe/Berlin', '2026-10-24T10:00:00Z', '2026-10-26T07:00:00.000Z'],
  ['Europe/Berlin', '2027-03-27T10:00:00Z', '2027-03-29T06:00:00.000Z'],
])('in %s the digest after %s is due at %s', (zone, after, expected) => {
  expect(nextDigestAt(zone, new Date(after)).toISOString()).toBe(expected)
})

test('a moment of a zone is found on both sides of a change of clocks', () => {
  expect(momentIn('Europe/Berlin', '2026-10-25', 8).toISOString()).toBe('2026-10-25T07:00:00.000Z')
  expect(momentIn('Europe/Berlin', '2026-10-24', 8).toISOString()).toBe('2026-10-24T06:00:00.000Z')
})
