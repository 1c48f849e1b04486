import { inArray } from 'drizzle-orm'
import { products, type SessionItem, type Tx } from '../db/tables.ts'
import { offersOf } from './assortment.ts'

/** The items whose price on the shelf is no longer the one that the buyer was shown. */
export async function repriced(tx: Tx, items: readonly SessionItem[]): Promise<SessionItem[]> {
  const ids = [...new Set(items.map(({ product_id }) => product_id))]
  const rows = await tx.select().from(products).where(inArray(products.id, ids))
  const offers = rows.flatMap(({ article }) => offersOf(article))
  const prices = new Map(offers.map(({ id, price }) => [id, price]))
  return items.filter(({ product_id, variant_id, unit_price }) => {
    const price = prices.get(variant_id ?? product_id)
    return price?.amount !== unit_price.amount || price.currency !== unit_price.currency
  })
}
