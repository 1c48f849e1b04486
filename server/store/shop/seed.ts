import { sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { products, stock } from '../db/tables.ts'
import { ARTICLES } from './assortment.ts'
import { OPENING_STOCK } from './inventory.ts'

/**
 * Writes the assortment and its opening stock into an empty database; one with products stays
 * unchanged. Replicas that start at the same time take turns.
 */
export async function seed(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('store.seed'))`)
    const [any] = await tx.select({ id: products.id }).from(products).limit(1)
    if (any !== undefined) return
    await tx
      .insert(products)
      .values(ARTICLES.map((article, position) => ({ id: article.id, position, article })))
    await tx
      .insert(stock)
      .values([...OPENING_STOCK].map(([offer_id, quantity]) => ({ offer_id, quantity })))
  })
}
