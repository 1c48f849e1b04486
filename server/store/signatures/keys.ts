import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { asc, gt, isNull, or, sql } from 'drizzle-orm'
import { DAY_MS } from '../../../shared/web/moment.ts'
import type { Db } from '../../db/connect.ts'
import { type PrivateSigningJwk, signing_keys, type Tx } from '../db/tables.ts'
import { RAW, thumbprintOf } from './jwk.ts'

/** A public key of ours. */
export interface PublicJwk {
  kid: string
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  use: 'sig'
  alg: 'ES256'
}

/** A signer. `sign` gives the 64 bytes r||s (RFC 9421, 3.3.1), never DER. */
export interface SigningKey {
  kid: string
  sign: (data: Uint8Array) => Uint8Array
}

type KeyRow = typeof signing_keys.$inferSelect

const MINUTE_MS = 60_000

/** How long a key is published before it signs: caches keep the profile for five minutes. */
export const LEAD_MS = 10 * MINUTE_MS

/** UCP demands seven days from the last signature; the eighth is for clocks and slow deliveries. */
export const PUBLISHED_MS = 8 * DAY_MS

/** A key as it may be shown. */
export interface ListedKey {
  kid: string
  state: 'signs' | 'next' | 'retired'
  created_at: Date
  /** When the next key takes over; null until it is rotated. */
  retired_at: Date | null
  /** When it leaves the profile. */
  published_until: Date | null
}

/** The current signing key. Makes the store's first one. */
export async function currentKey(db: Db, now: Date): Promise<SigningKey> {
  const { kid, jwk } = signingOf(await publishedRows(db, now), now)
  return signingKey(kid, jwk)
}

/** Far less than LEAD_MS, for which a replaced key goes on signing. */
const LOOK_MS = 5000

/**
 * Reads the current signing key, at most every five seconds, for answers that buyers wait for. A
 * key that is replaced as compromised may sign for that long, too.
 */
export function keyReader(db: Db, now: () => Date): () => Promise<SigningKey> {
  let known: { key: Promise<SigningKey>; until: number } | null = null
  return () => {
    const at = now()
    if (known === null || known.until <= at.getTime()) {
      const key = currentKey(db, at)
      known = { key, until: at.getTime() + LOOK_MS }
      key.catch(() => {
        known = null
      })
    }
    return known.key
  }
}

/** The public halves for the profile, oldest first. Makes the store's first key. */
export const publishedKeys = async (db: Db, now: Date): Promise<PublicJwk[]> =>
  (await publishedRows(db, now)).map(({ kid, jwk }) => publicJwk(kid, jwk))

/** The keys that are published, oldest first. Makes the store's first key. */
export async function listSigningKeys(db: Db, now: Date): Promise<ListedKey[]> {
  const rows = await publishedRows(db, now)
  const { kid: signing } = signingOf(rows, now)
  return rows.map(({ kid, created_at, retired_at }) => ({
    kid,
    state: kid === signing ? 'signs' : isOver({ retired_at }, now) ? 'retired' : 'next',
    created_at,
    retired_at,
    published_until: retired_at && new Date(retired_at.getTime() + PUBLISHED_MS),
  }))
}

/**
 * Makes a new key. It signs after LEAD_MS; until then the old one does. If the old ones are
 * `compromised`, they leave the profile immediately and the new one signs.
 */
export async function rotateKey(
  db: Db,
  now: Date,
  { compromised = false }: { compromised?: boolean } = {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('store.signing_keys'))`)
    await publishedRows(tx, now)
    if (compromised) await tx.delete(signing_keys)
    const retired_at = new Date(now.getTime() + LEAD_MS)
    await tx.update(signing_keys).set({ retired_at }).where(isNull(signing_keys.retired_at))
    await insertKey(tx, now)
  })
}

const isOver = ({ retired_at }: Pick<KeyRow, 'retired_at'>, now: Date): boolean =>
  retired_at !== null && retired_at <= now

/** The first that is not retired yet: the next one waits until caches know it. */
function signingOf(rows: readonly KeyRow[], now: Date): KeyRow {
  const row = rows.find((each) => !isOver(each, now))
  if (row === undefined) throw new Error('The store has no signing key.')
  return row
}

/**
 * Published keys in the order in which they sign. One is not retired: replicas make the first
 * together.
 */
async function publishedRows(db: Db | Tx, now: Date): Promise<KeyRow[]> {
  const since = new Date(now.getTime() - PUBLISHED_MS)
  const read = () =>
    db
      .select()
      .from(signing_keys)
      .where(or(isNull(signing_keys.retired_at), gt(signing_keys.retired_at, since)))
      .orderBy(asc(signing_keys.retired_at), asc(signing_keys.kid))
  const rows = await read()
  if (rows.some(({ retired_at }) => retired_at === null)) return rows
  await insertKey(db, now)
  return read()
}

/** Writes a new key unless there is one that is not retired. Its errors hold nothing of the key. */
async function insertKey(db: Db | Tx, created_at: Date): Promise<void> {
  const jwk = createJwk()
  const row = { kid: thumbprintOf({ ...jwk }), jwk, created_at }
  try {
    await db.insert(signing_keys).values(row).onConflictDoNothing()
  } catch {
    // The driver's error repeats the values, and the database's detail the row.
    throw new Error('A new signing key could not be stored. Check the database and try again.')
  }
}

/** A new P-256 key with its private half. */
export function createJwk(): PrivateSigningJwk {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  })
  if (x === undefined || y === undefined || d === undefined) throw new Error('Not a P-256 key.')
  return { kty: 'EC', crv: 'P-256', x, y, d }
}

/** Copies member by member, so that no private one can slip through. */
export const publicJwk = (kid: string, { kty, crv, x, y }: PrivateSigningJwk): PublicJwk => ({
  ...{ kid, kty, crv, x, y },
  use: 'sig',
  alg: 'ES256',
})

/** The signer for a private key, in the form that signatures of HTTP messages have. */
export function signingKey(kid: string, jwk: PrivateSigningJwk): SigningKey {
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  return { kid, sign: (data) => sign('sha256', data, { key, dsaEncoding: RAW }) }
}
