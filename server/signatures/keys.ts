import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { DAY_MS } from '../../shared/web/moment.ts'
import type { Db } from '../db/connect.ts'
import { PUBLISHED_DAYS, type SigningAlg, type SigningKeyTable } from '../db/signatures/columns.ts'
import {
  createJwk,
  type PublicJwk,
  publicJwk,
  type SigningKey,
  signingKey,
  thumbprintOf,
} from './jwk.ts'

type KeyRow = SigningKeyTable['$inferSelect']
type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

const MINUTE_MS = 60_000

/** How long a key is published before it signs: caches keep a profile for five minutes. */
export const LEAD_MS = 10 * MINUTE_MS

/** How long a key that no longer signs is published. */
export const PUBLISHED_MS = PUBLISHED_DAYS * DAY_MS

/** A key as it may be shown. */
export interface ListedKey {
  kid: string
  alg: SigningAlg
  state: 'signs' | 'next' | 'retired'
  created_at: Date
  /** When the next key takes over; null until it is rotated. */
  retired_at: Date | null
  /** When it is no longer published. */
  published_until: Date | null
}

/** The keys of one owner and one kind. The first question makes the first key. */
export interface KeyRing {
  /** The key that signs now. */
  current(db: Db, now: Date): Promise<SigningKey>
  /**
   * Reads the current key, at most every five seconds, for what should not wait. A key that is
   * replaced as compromised may sign for that long, too.
   */
  reader(db: Db, now: () => Date): () => Promise<SigningKey>
  /** The published keys as signers, oldest first: to prove that they are ours. */
  signers(db: Db, now: Date): Promise<SigningKey[]>
  /** The public halves, oldest first. */
  published(db: Db, now: Date): Promise<PublicJwk[]>
  /** The keys that are published, oldest first. */
  list(db: Db, now: Date): Promise<ListedKey[]>
  /**
   * Makes a new key. It signs after LEAD_MS; until then the old one does. If the old ones are
   * `compromised`, they are gone immediately and the new one signs.
   */
  rotate(db: Db, now: Date, options?: { compromised?: boolean }): Promise<void>
}

/** Far less than LEAD_MS, for which a replaced key goes on signing. */
const LOOK_MS = 5000

/** The keys of this kind in this table. */
export function keyRing(table: SigningKeyTable, alg: SigningAlg): KeyRing {
  /**
   * Published keys in the order in which they sign. One is not retired: replicas make the first
   * together.
   */
  const publishedRows = async (db: Db | Tx, now: Date): Promise<KeyRow[]> => {
    const since = new Date(now.getTime() - PUBLISHED_MS)
    const read = () =>
      db
        .select()
        .from(table)
        .where(and(eq(table.alg, alg), or(isNull(table.retired_at), gt(table.retired_at, since))))
        .orderBy(asc(table.retired_at), asc(table.kid))
    const rows = await read()
    if (rows.some(({ retired_at }) => retired_at === null)) return rows
    await insertKey(db, now)
    return read()
  }

  /** Writes a new key unless one is not retired. Its errors hold nothing of the key. */
  const insertKey = async (db: Db | Tx, created_at: Date): Promise<void> => {
    const jwk = createJwk(alg)
    const row = { kid: thumbprintOf({ ...jwk }), alg, jwk, created_at }
    try {
      await db.insert(table).values(row).onConflictDoNothing()
    } catch {
      // The driver's error repeats the values, and the database's detail the row.
      throw new Error('A new signing key could not be stored. Check the database and try again.')
    }
  }

  const current = async (db: Db, now: Date): Promise<SigningKey> => {
    const { kid, jwk } = signingOf(await publishedRows(db, now), now)
    return signingKey(kid, jwk)
  }

  return {
    current,
    reader(db, now) {
      let known: { key: Promise<SigningKey>; until: number } | null = null
      return () => {
        const at = now()
        if (known === null || known.until <= at.getTime()) {
          const key = current(db, at)
          known = { key, until: at.getTime() + LOOK_MS }
          key.catch(() => {
            known = null
          })
        }
        return known.key
      }
    },
    signers: async (db, now) =>
      (await publishedRows(db, now)).map(({ kid, jwk }) => signingKey(kid, jwk)),
    published: async (db, now) =>
      (await publishedRows(db, now)).map(({ kid, jwk }) => publicJwk(kid, jwk)),
    async list(db, now) {
      const rows = await publishedRows(db, now)
      const { kid: signing } = signingOf(rows, now)
      return rows.map(({ kid, created_at, retired_at }) => ({
        kid,
        alg,
        state: kid === signing ? 'signs' : isOver({ retired_at }, now) ? 'retired' : 'next',
        created_at,
        retired_at,
        published_until: retired_at && new Date(retired_at.getTime() + PUBLISHED_MS),
      }))
    },
    rotate: (db, now, { compromised = false } = {}) =>
      db.transaction(async (tx) => {
        const { schema = 'public', name } = getTableConfig(table)
        const lock = `${schema}.${name}.${alg}`
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${lock}))`)
        await publishedRows(tx, now)
        if (compromised) await tx.delete(table).where(eq(table.alg, alg))
        const retired_at = new Date(now.getTime() + LEAD_MS)
        await tx
          .update(table)
          .set({ retired_at })
          .where(and(eq(table.alg, alg), isNull(table.retired_at)))
        await insertKey(tx, now)
      }),
  }
}

const isOver = ({ retired_at }: Pick<KeyRow, 'retired_at'>, now: Date): boolean =>
  retired_at !== null && retired_at <= now

/** The first that is not retired yet: the next one waits until caches know it. */
function signingOf(rows: readonly KeyRow[], now: Date): KeyRow {
  const row = rows.find((each) => !isOver(each, now))
  if (row === undefined) throw new Error('There is no signing key.')
  return row
}
