import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { rollup_daily } from './tables.ts'

/** Whether an order was ever reported of this domain. */
export async function wasOrderReported(db: Db, domain: string): Promise<boolean> {
  const found = await db
    .select({ domain: rollup_daily.domain })
    .from(rollup_daily)
    .where(and(eq(rollup_daily.domain, domain), gt(rollup_daily.completed, 0)))
    .limit(1)
  return found.length > 0
}
