import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { keepMonthsHourly } from './retention.ts'

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
