import { hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/connect.ts'
import type { UsedNonceTable } from '../db/signatures/columns.ts'

/** A nonce of a signature that was verified. */
interface UsedNonce {
  /** Who signed; others may use the same nonce. */
  signer: string
  nonce: string
  /** When the signature has expired. */
  until: Date
}

/**
 * Remembers that a nonce was used for something, such as an order: false if it was used for
 * something else before. One statement, so that of replicas that see it together one is the first.
 */
export async function useNonce(
  db: Pick<Db, 'insert'>,
  table: UsedNonceTable,
  { signer, nonce, until }: UsedNonce,
  usedFor: string,
  now: Date,
): Promise<boolean> {
  const used_for = digest(usedFor)
  const isOver = sql`${table.until} < ${now.toISOString()}::timestamptz`
  const [row] = await db
    .insert(table)
    .values({ nonce: digest(`${signer} ${nonce}`), used_for, until })
    .onConflictDoUpdate({
      target: table.nonce,
      set: {
        used_for: sql`case when ${isOver} then excluded.used_for else ${table.used_for} end`,
        until: sql`greatest(excluded.until, ${table.until})`,
      },
    })
    .returning({ used_for: table.used_for })
  return row?.used_for === used_for
}

const digest = (text: string) => hash('sha256', text, 'base64url')
