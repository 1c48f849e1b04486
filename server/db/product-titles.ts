import { and, eq, inArray, sql } from 'drizzle-orm'
import { MAX_TITLES, type ProductTitle } from '../../shared/audit/product-titles.ts'
import type { Db } from './connect.ts'
import { product_titles } from './tables.ts'

/** A title that is read again as it was is written again after so long. */
const STALE = sql`interval '1 day'`

/**
 * Keeps what an audit saw the products of a domain called; of two audits the later one is right.
 * Of more than `MAX_TITLES` of a domain those that were not seen for the longest time go.
 */
export async function saveTitles(
  db: Db,
  domain: string,
  titles: readonly ProductTitle[],
  seen_at: Date,
): Promise<void> {
  if (titles.length === 0) return
  await db.transaction(async (tx) => {
    // Two audits of one domain that end together would lock each other's rows.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtext('product_titles'), hashtext(${domain}))`,
    )
    await tx
      .insert(product_titles)
      .values(titles.map((title) => ({ ...title, domain, seen_at })))
      .onConflictDoUpdate({
        target: [product_titles.domain, product_titles.product_id],
        set: { title: sql`excluded.title`, seen_at: sql`excluded.seen_at` },
        setWhere: sql`excluded.seen_at >= product_titles.seen_at
          and (excluded.title <> product_titles.title
            or excluded.seen_at > product_titles.seen_at + ${STALE})`,
      })
    await tx.execute(sql`
      delete from product_titles where domain = ${domain} and product_id in (
        select product_id from product_titles where domain = ${domain}
        order by seen_at desc, product_id offset ${MAX_TITLES})`)
  })
}

/** What these products of a domain are called, as far as an audit has seen it, by id. */
export async function readTitles(
  db: Db,
  domain: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: product_titles.product_id, title: product_titles.title })
    .from(product_titles)
    .where(and(eq(product_titles.domain, domain), inArray(product_titles.product_id, [...ids])))
  return new Map(rows.map(({ id, title }) => [id, title]))
}
