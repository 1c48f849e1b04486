import type { Sql } from 'postgres'
import { expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createLog } from '../../process/log.ts'
import type { Db } from '../connect.ts'
import { dropMonths, makeMonths, noRetentionYet, runRetention } from './retention.ts'

test('it runs at once and again after each pause until it is stopped, whatever fails', async () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const away = async () => {
    throw new Error('the database is away')
  }
  const sql = Object.assign(away, { begin: away })
  const figures = noRetentionYet()
  const retention = runRetention(
    {
      figures,
      sql: sql as unknown as Sql,
      db: { execute: away } as unknown as Db,
      months: 13,
      auditDays: 90,
      engineVersion: '1',
      now: () => new Date(),
      log,
    },
    { everyMs: 1 },
  )
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
      'walk_pictures',
      'walk_sessions',
      'watch_looks',
      'incidents',
      'notices',
      'watch_channels',
      'watch_deliveries',
      'rate_limits',
      'used_nonces',
      'agent_ranges',
      'signing_keys',
      'web_sessions',
      'shares',
      'snippet_versions',
      'fetch_hours',
      'site_access',
    ],
    'retention failed',
  ]
  await eventually(() => figures.failed).toBeGreaterThanOrEqual(2 * once.length)
  await retention.stop()
  expect(failed().slice(0, 2 * once.length)).toEqual([...once, ...once])
  expect(figures.succeededAt).toBeNull()
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
  const retention = runRetention(
    {
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
        at = new Date('2026-11-02T00:00:00Z')
        return []
      },
    },
    { everyMs: 1 },
  )
  await eventually(() => asked.slice(0, 2)).toEqual(['2026-10', '2026-11'])
  await retention.stop()
})
