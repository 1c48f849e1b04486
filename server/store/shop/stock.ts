import { and, eq, gte, sql } from 'drizzle-orm'
import { type SessionItem, stock, type Tx } from '../db/tables.ts'

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
