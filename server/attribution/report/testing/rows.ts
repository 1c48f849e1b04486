import type { AttributionEvent } from '../../../../shared/attribution/events.ts'
import type { Db } from '../../../db/connect.ts'
import { rollup_daily } from '../../../db/events/tables.ts'
import type { IncomingEvent } from '../../ingest/event.ts'
import { readEvent } from '../../ingest/read-event.ts'

type RollupRow = typeof rollup_daily.$inferInsert

/** Rows of the rollup; what is left out is zero, and came from ChatGPT by a click. */
export async function insertRollup(
  db: Db,
  domain: string,
  rows: readonly (Partial<RollupRow> & { day: string })[],
): Promise<void> {
  const bare = {
    domain,
    surface: 'chatgpt',
    kind: 'referral',
    source: 'web',
    currency: '',
    sessions: 0,
    viewed: 0,
    initiated: 0,
    completed: 0,
    failed: 0,
    revenue: 0,
    refunds: 0,
    refunded: 0,
  } as const
  await db.insert(rollup_daily).values(rows.map((row) => ({ ...bare, ...row })))
}

/** An event of `POST /api/report` as ingestion takes it. */
export const eventOf = (body: AttributionEvent, now = new Date()): IncomingEvent =>
  readEvent(
    body,
    { idempotencyKey: null, text: null },
    { now, retentionMonths: 13, completeFrom: '2000-01' },
  )
