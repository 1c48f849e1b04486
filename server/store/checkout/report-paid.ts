import { asc, eq, gte } from 'drizzle-orm'
import { orders, sessions } from '../db/tables.ts'
import type { StoreDeps } from './deps.ts'
import { checkoutEvent, tell } from './steps/tell.ts'

/** At most half of the report queue. */
const MOST = 500

/**
 * Reports the orders again that were paid since then, at most the oldest 500: a store that dies
 * loses its report queue, and the hosted API counts each order once. Returns the time to go on
 * from; null: there are no more.
 */
export async function reportPaidSince(
  deps: Pick<StoreDeps, 'db' | 'report'>,
  since: Date,
): Promise<Date | null> {
  const rows = await deps.db
    .select({ session: sessions, total: orders.total, paid_at: orders.paid_at })
    .from(orders)
    // It is stored as long as its order.
    .innerJoin(sessions, eq(sessions.id, orders.session_id))
    .where(gte(orders.paid_at, since))
    .orderBy(asc(orders.paid_at))
    .limit(MOST)
  const events = rows.flatMap(({ session, total, paid_at }) =>
    // A repeat has the time of the payment; the duration of the completion is not stored.
    paid_at === null
      ? []
      : [checkoutEvent('ai_checkout_completed', session, paid_at, { value: total })],
  )
  tell(deps, events)
  return rows.length < MOST ? null : (rows.at(-1)?.paid_at ?? null)
}
