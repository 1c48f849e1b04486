import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../log.ts'
import { keepMonths, keepMonthsHourly } from './retention.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('old months are looked for every hour until it is stopped, whatever fails', async () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const away = async () => {
    throw new Error('the database is away')
  }
  const keeping = keepMonthsHourly({
    sql: away as unknown as Sql,
    months: 13,
    now: () => new Date(),
    log,
  })
  await vi.advanceTimersByTimeAsync(3_599_999)
  expect(lines).toEqual([])
  await vi.advanceTimersByTimeAsync(3_600_001)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(Array(2).fill('retention failed'))
  keeping.stop()
  await vi.advanceTimersByTimeAsync(7_200_000)
  expect(lines).toHaveLength(2)
})

test('a fault is no reader who will be gone the next time', async () => {
  const answers = [['events_2026_11', 'events_2026_12']]
  const sql = async () => {
    const names = answers.shift()
    if (names === undefined) throw new Error('a fault of ours')
    return names.map((name) => ({ name }))
  }
  const kept = keepMonths({
    sql: sql as unknown as Sql,
    months: 13,
    now: () => new Date('2026-11-20T12:00:00Z'),
    log: createLog({ write: () => {} }),
  })
  await expect(kept).rejects.toThrow('a fault of ours')
})
