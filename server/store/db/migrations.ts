import { sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { ARTICLES } from '../shop/assortment.ts'
import { OPENING_STOCK } from '../shop/inventory.ts'
import { products, stock } from './tables.ts'

/** Beside this file in the sources, beside the bundle in `dist/` and `dist/store/`. */
export const STORE_MIGRATIONS = {
  folder: new URL('./store-migrations/', import.meta.url),
  table: 'store_migrations',
}

/** Fills empty shelves with the assortment. What is there stays as it is. */
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
