import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { MAX_TITLES, type ProductTitle } from '../../../shared/audit/result/product-titles.ts'
import type { Db } from '../connect.ts'
import { shardsOf } from '../sharding/shards.ts'
import { product_titles } from './tables.ts'

/** A title that is read again as it was is written again after so long. */
const STALE = "interval '1 day'"

const SAME_PRICE =
  '((excluded.price, excluded.currency) is not distinct from (kept.price, kept.currency))'

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
  await db.$client.begin(async (tx) => {
    // Two audits of one domain that end together would lock each other's rows.
    await tx`select pg_advisory_xact_lock(hashtext('product_titles'), hashtext(${domain}))`
    const at = shardsOf(db.$client).at([domain], tx)
    await at(
      `insert into product_titles as kept
        (domain, product_id, title, path, price, currency, price_since, seen_at)
      select $1::text, product_id, title, path, price, currency,
        case when price is not null then $2::timestamptz end, $2::timestamptz
      from jsonb_to_recordset($3::jsonb)
        as given(product_id text, title text, path text, price bigint, currency text)
      on conflict (domain, product_id) do update
        set title = excluded.title, path = coalesce(excluded.path, kept.path),
          price = excluded.price, currency = excluded.currency, seen_at = excluded.seen_at,
          price_since = case when ${SAME_PRICE} then kept.price_since else excluded.price_since end,
          other_price_at = case
            when ${SAME_PRICE} then kept.other_price_at when kept.price is not null then kept.seen_at
          end
        where excluded.seen_at >= kept.seen_at
          and (excluded.title <> kept.title or not ${SAME_PRICE}
            or coalesce(excluded.path, kept.path) is distinct from kept.path
            or excluded.seen_at > kept.seen_at + ${STALE})
      returning product_id`,
      [domain, seen_at.toISOString(), JSON.stringify(titles)],
    )
    await at(
      `delete from product_titles where domain = $1 and product_id in (
        select product_id from product_titles where domain = $1
        order by seen_at desc, product_id offset ${MAX_TITLES})
      returning product_id`,
      [domain],
    )
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

/** A product whose page is known. */
interface ProductPage {
  product_id: string
  title: string
  path: string
  price: number | null
  currency: string | null
  price_since: Date | null
  other_price_at: Date | null
}

/** The products of a domain whose pages are known, by their ids. */
export const readProductPages = async (db: Db, domain: string): Promise<ProductPage[]> =>
  (
    await db
      .select()
      .from(product_titles)
      .where(and(eq(product_titles.domain, domain), isNotNull(product_titles.path)))
      .orderBy(product_titles.product_id)
  ).flatMap(({ path, ...row }) => (path === null ? [] : [{ ...row, path }]))
