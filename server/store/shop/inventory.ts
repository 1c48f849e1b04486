import { and, asc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { CheckoutItem } from '../../../shared/protocols/spec/ucp.ts'
import type { Db } from '../../db/connect.ts'
import {
  type Article,
  type Offer,
  products,
  type SessionItem,
  stock,
  type Tx,
} from '../db/tables.ts'
import type { StoreRequest } from '../http/store-request.ts'
import { ARTICLES, offersOf } from './assortment.ts'

/** The products with their current stock, which decides their availability. */
export interface Inventory {
  /** In the order of the catalog. */
  articles: readonly Article[]
  find(id: string): Article | undefined
  /** The offer with this id, or the product that has several. */
  findOffer(id: string): { article: Article; offer?: Offer } | undefined
  /** Pieces of an offer. */
  left(offerId: string): number
}

/** A request that reads the catalog, with the current inventory. */
export interface InventoryRequest extends StoreRequest {
  inventory: Inventory
}

/** Reads the inventory: all of it, or only these products. */
export const readInventory = (db: Db | Tx, ids?: readonly string[]): Promise<Inventory> =>
  ids === undefined ? readAll(db) : readWhere(db, inArray(products.id, [...ids]))

/**
 * Products do not change, and one statement reads all stock: joined with the products, as below, it
 * would cost twice as much as the products.
 */
async function readAll(db: Db | Tx): Promise<Inventory> {
  const [rows, [counted]] = await Promise.all([
    db.select({ article: products.article }).from(products).orderBy(asc(products.position)),
    db
      .select({
        pieces: sql<Record<
          string,
          number
        > | null>`jsonb_object_agg(${stock.offer_id}, ${stock.quantity})`,
      })
      .from(stock),
  ])
  return inventoryOf(
    rows.map(({ article }) => article),
    new Map(Object.entries(counted?.pieces ?? {})),
  )
}

const VARIANTS = sql`jsonb_array_elements(${products.article} -> 'variants') as variant`

/** Products and their stock in one statement, which is the slowest one of a checkout. */
async function readWhere(db: Db | Tx, condition: SQL): Promise<Inventory> {
  const offers = sql`array(select ${products.id} union all select variant ->> 'id' from ${VARIANTS})`
  const pieces = sql<Record<string, number> | null>`(
    select jsonb_object_agg(${stock.offer_id}, ${stock.quantity}) from ${stock}
    where ${stock.offer_id} = any(${offers}))`
  const rows = await db
    .select({ article: products.article, pieces })
    .from(products)
    .where(condition)
    .orderBy(asc(products.position))
  const counted = rows.flatMap((row) => Object.entries(row.pieces ?? {}))
  return inventoryOf(
    rows.map(({ article }) => article),
    new Map(counted),
  )
}

/** The inventory of the products that these ids name, which may be those of offers. */
export async function inventoryOfIds(db: Db | Tx, ids: readonly string[]): Promise<Inventory> {
  const wanted = sql`array(select jsonb_array_elements_text(${JSON.stringify([...new Set(ids)])}::jsonb))`
  return readWhere(
    db,
    sql`${products.id} = any(${wanted}) or exists (
      select from ${VARIANTS} where variant ->> 'id' = any(${wanted}))`,
  )
}

/** The stock by these ids. Unknown ids are passed on unchanged. */
export function itemOfId({ findOffer }: Inventory, id: string, quantity: number): CheckoutItem {
  const { article, offer } = findOffer(id) ?? {}
  return {
    product_id: article?.id ?? id,
    ...(offer && offer.id !== article?.id && { variant_id: offer.id }),
    quantity,
  }
}

/** The request with the whole current inventory, or only these products. */
export const withInventory = async (
  request: StoreRequest,
  db: Db,
  ids?: readonly string[],
): Promise<InventoryRequest> => ({ ...request, inventory: await readInventory(db, ids) })

/**
 * Pieces of an offer that is not sold out; for a preorder, the pieces that the maker has promised.
 */
const PIECES = 1000

/** The stock that the store opens with, by the ids of offers. */
export const OPENING_STOCK: ReadonlyMap<string, number> = new Map(
  ARTICLES.flatMap(offersOf).map(({ id, availability }) => [
    id,
    availability === 'out_of_stock' ? 0 : PIECES,
  ]),
)

/** The inventory of these articles, with the remaining pieces by the ids of offers. */
export function inventoryOf(
  articles: readonly Article[],
  pieces: ReadonlyMap<string, number>,
): Inventory {
  const left = (id: string) => pieces.get(id) ?? 0
  const stocked = articles.map((article) => stockArticle(article, left))
  const byId = new Map(stocked.map((article) => [article.id, article]))
  const byOffer = new Map(
    stocked.flatMap((article) => offersOf(article).map((offer) => [offer.id, { article, offer }])),
  )
  const find = (id: string) => byId.get(id)
  const findOffer = (id: string) => {
    const article = find(id)
    return byOffer.get(id) ?? (article && { article })
  }
  return { articles: stocked, find, findOffer, left }
}

function stockArticle(article: Article, left: (id: string) => number): Article {
  const stockOffer = <T extends Offer>(offer: T): T => {
    if (left(offer.id) === 0) return { ...offer, availability: 'out_of_stock' }
    // Sold out when the assortment was made, and restocked since.
    return offer.availability === 'out_of_stock' ? { ...offer, availability: 'in_stock' } : offer
  }
  if (article.variants.length === 0) return stockOffer(article)
  const variants = article.variants.map(stockOffer)
  const isGone = variants.every(({ availability }) => availability === 'out_of_stock')
  return { ...article, variants, ...(isGone && { availability: 'out_of_stock' as const }) }
}

/** The required pieces of each offer, ordered by id: rows are locked in that order. */
function piecesOf(items: readonly SessionItem[]): [string, number][] {
  const pieces = new Map<string, number>()
  for (const { product_id, variant_id, quantity } of items) {
    const id = variant_id ?? product_id
    pieces.set(id, (pieces.get(id) ?? 0) + quantity)
  }
  return [...pieces].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Thrown inside a savepoint, so that a partial reservation is undone. */
class Short extends Error {
  readonly ids: string[]
  constructor(ids: string[]) {
    super('short')
    this.ids = ids
  }
}

/** Takes the pieces out of stock. Returns the ids with too little stock; then nothing is taken. */
export async function reserve(tx: Tx, items: readonly SessionItem[]): Promise<string[]> {
  try {
    await tx.transaction(async (savepoint) => {
      const short: string[] = []
      for (const [id, quantity] of piecesOf(items)) {
        const taken = await savepoint
          .update(stock)
          .set({ quantity: sql`${stock.quantity} - ${quantity}` })
          .where(and(eq(stock.offer_id, id), gte(stock.quantity, quantity)))
          .returning({ id: stock.offer_id })
        if (taken.length === 0) short.push(id)
      }
      if (short.length > 0) throw new Short(short)
    })
    return []
  } catch (error) {
    if (error instanceof Short) return error.ids
    throw error
  }
}

/** Puts the pieces back. */
export async function release(tx: Tx, items: readonly SessionItem[]): Promise<void> {
  for (const [id, quantity] of piecesOf(items)) {
    await tx
      .update(stock)
      .set({ quantity: sql`${stock.quantity} + ${quantity}` })
      .where(eq(stock.offer_id, id))
  }
}
