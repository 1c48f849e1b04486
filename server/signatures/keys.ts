import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { DAY_MS } from '../../shared/web/moment.ts'
import type { Db } from '../db/connect.ts'
import { NoSecretsKey, type Sealer } from '../db/sealing/seal.ts'
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
  /** `unreadable`: it was sealed with a SECRETS_KEY that this process does not have. */
  state: 'signs' | 'next' | 'retired' | 'unreadable'
  created_at: Date
  /** When the next key takes over; null until it is rotated. */
  retired_at: Date | null
  /** When it is no longer published. */
  published_until: Date | null
}

/**
 * The keys of one owner and one kind. The first question makes the first key. Without a SECRETS_KEY
 * there is none, and nothing is published.
 */
export interface KeyRing {
  /** The key that signs now. Rejects, with what to do about it, if none can be opened. */
  current(db: Db, now: Date): Promise<SigningKey>
  /**
   * Reads the current key, at most every five seconds, for what should not wait. A key that is
   * replaced as compromised may sign for that long, too.
   */
  reader(db: Db, now: () => Date): () => Promise<SigningKey>
  /** Those published keys as signers that can be opened, oldest first: proof that they are ours. */
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

/** The keys of this kind in this table, their private halves sealed. */
export function keyRing(table: SigningKeyTable, alg: SigningAlg, sealer: Sealer): KeyRing {
  const { schema = 'public', name } = getTableConfig(table)
  const about = (kid: string) => `${schema}.${name} ${kid}`

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
    try {
      await insertKey(db, now)
    } catch (error) {
      if (error instanceof NoSecretsKey) return rows
      throw error
    }
    return read()
  }

  /** Writes a new key unless one is not retired. Its errors hold nothing of the key. */
  const insertKey = async (db: Db | Tx, created_at: Date): Promise<void> => {
    const { d, ...jwk } = createJwk(alg)
    const kid = thumbprintOf({ ...jwk })
    const row = { kid, alg, jwk, sealed: await sealer.seal(d, about(kid)), created_at }
    try {
      await db.insert(table).values(row).onConflictDoNothing()
    } catch {
      // The driver's error repeats the values, and the database's detail the row.
      throw new Error('A new signing key could not be stored. Check the database and try again.')
    }
  }

  const open = async ({ kid, jwk, sealed }: KeyRow): Promise<SigningKey | null> => {
    const d = await sealer.unseal(sealed, about(kid))
    return d === null ? null : signingKey(kid, { ...jwk, d })
  }

  /** The first that is not retired yet: the next one waits until caches know it. */
  const signing = async (rows: readonly KeyRow[], now: Date): Promise<SigningKey | null> => {
    for (const row of rows) {
      const key = isOver(row, now) ? null : await open(row)
      if (key !== null) return key
    }
    return null
  }

  const current = async (db: Db, now: Date): Promise<SigningKey> => {
    const key = await signing(await publishedRows(db, now), now)
    if (key === null) throw new Error(NO_KEY)
    return key
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
      (await Promise.all((await publishedRows(db, now)).map(open))).filter((key) => key !== null),
    published: async (db, now) =>
      (await publishedRows(db, now)).map(({ kid, jwk }) => publicJwk(kid, jwk)),
    async list(db, now) {
      const rows = await publishedRows(db, now)
      const signs = (await signing(rows, now))?.kid
      const stateOf = async (row: KeyRow): Promise<ListedKey['state']> => {
        if (isOver(row, now)) return 'retired'
        if (row.kid === signs) return 'signs'
        return (await open(row)) === null ? 'unreadable' : 'next'
      }
      return Promise.all(
        rows.map(async (row) => ({
          kid: row.kid,
          alg,
          state: await stateOf(row),
          created_at: row.created_at,
          retired_at: row.retired_at,
          published_until: row.retired_at && new Date(row.retired_at.getTime() + PUBLISHED_MS),
        })),
      )
    },
    rotate: (db, now, { compromised = false } = {}) =>
      db.transaction(async (tx) => {
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

const NO_KEY =
  'No signing key can be opened. Set SECRETS_KEY to the one that they were sealed with, or make a new signing key with it: aisle signing-keys rotate, and for the store aisle store signing-keys rotate.'
