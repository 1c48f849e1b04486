import { asc, eq, gte } from 'drizzle-orm'
import { orders, sessions } from '../db/tables.ts'
import type { StoreDeps } from './deps.ts'
import { checkoutEvent, tell } from './steps/tell.ts'

/** At most half of what may wait to be reported. */
const MOST = 500

/**
 * Reports again the orders that were paid since then, the oldest 500 of them: what waits in memory
 * to be reported is lost when a store dies, and the hosted API counts each order once. Returns the
 * moment to go on from; null: there are no more.
 */
export async function reportPaidSince(
  deps: Pick<StoreDeps, 'db' | 'report'>,
  since: Date,
): Promise<Date | null> {
  const rows = await deps.db
    .select({ session: sessions, total: orders.total, paid_at: orders.paid_at })
    .from(orders)
    // It is kept as long as its order.
    .innerJoin(sessions, eq(sessions.id, orders.session_id))
    .where(gte(orders.paid_at, since))
    .orderBy(asc(orders.paid_at))
    .limit(MOST)
  const events = rows.flatMap(({ session, total, paid_at }) =>
    // A repeat has the moment of the payment; how long the completion took is not kept.
    paid_at === null
      ? []
      : [checkoutEvent('ai_checkout_completed', session, paid_at, { value: total })],
  )
  tell(deps, events)
  return rows.length < MOST ? null : (rows.at(-1)?.paid_at ?? null)
}
