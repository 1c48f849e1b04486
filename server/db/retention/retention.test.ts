import type { Sql } from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../log.ts'
import type { Db } from '../connect.ts'
import { dropMonths, makeMonths, noRetentionYet, runRetention } from './retention.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('it runs at once and every hour until it is stopped, whatever fails', async () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const away = async () => {
    throw new Error('the database is away')
  }
  const sql = Object.assign(away, { begin: away })
  const figures = noRetentionYet()
  const retention = runRetention({
    figures,
    sql: sql as unknown as Sql,
    db: { execute: away } as unknown as Db,
    months: 13,
    auditDays: 90,
    engineVersion: '1',
    now: () => new Date(),
    log,
  })
  const failed = () => {
    const said = lines.splice(0).map((line) => JSON.parse(line))
    return said.map(({ msg, table }) => table ?? msg)
  }
  const once = [
    ...Array(2).fill('retention failed'),
    ...[
      'audits',
      'audit_runs',
      'product_titles',
      'walks',
      'walk_events',
      'walk_sessions',
      'watch_looks',
      'incidents',
      'notices',
      'watch_deliveries',
      'rate_limits',
      'web_sessions',
      'shares',
      'snippet_versions',
    ],
    'retention failed',
  ]
  await vi.advanceTimersByTimeAsync(0)
  expect(failed()).toEqual(once)
  expect(figures).toEqual({ ...noRetentionYet(), failed: once.length })
  await vi.advanceTimersByTimeAsync(3_599_000)
  expect(failed()).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(failed()).toEqual(once)
  await retention.stop()
  await vi.advanceTimersByTimeAsync(7_200_000)
  expect(failed()).toEqual([])
})

test('a fault is no reader who will be gone the next time', async () => {
  const sql = async () => {
    throw new Error('a fault of ours')
  }
  const deps = {
    sql: sql as unknown as Sql,
    months: 13,
    now: () => new Date('2026-11-20T12:00:00Z'),
    log: createLog({ write: () => {} }),
    figures: noRetentionYet(),
  }
  await expect(makeMonths(deps)).rejects.toThrow('a fault of ours')
  await expect(dropMonths(deps)).rejects.toThrow('a fault of ours')
})

test('a month is over, for its indexes, a day after its end', async () => {
  const away = async () => {
    throw new Error('the database is away')
  }
  let at = new Date('2026-11-01T23:59:00Z')
  const asked: string[] = []
  const retention = runRetention({
    sql: Object.assign(away, { begin: away }) as unknown as Sql,
    db: { execute: away } as unknown as Db,
    months: 13,
    auditDays: 90,
    engineVersion: '1',
    now: () => at,
    log: createLog({ write: () => {} }),
    figures: noRetentionYet(),
    renewIndexes: async (month) => {
      asked.push(month)
      return []
    },
  })
  await vi.advanceTimersByTimeAsync(0)
  at = new Date('2026-11-02T00:00:00Z')
  await vi.advanceTimersByTimeAsync(3_600_000)
  await retention.stop()
  expect(asked).toEqual(['2026-10', '2026-11'])
})
