import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { and, count, eq, gt, isNull, lte, min } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import type { Protocol } from '../db/statuses.ts'
import { idempotency_keys, type Tx } from '../db/tables.ts'
import { ASSISTANT_ERROR } from '../http/refusals.ts'
import { type CheckoutAnswer, refusalAnswer } from './answers.ts'
import { IN_FLIGHT, TOO_MANY_CHANGES } from './refusals.ts'

/** One call under a key: whose, the hash of the key, and the hash of what it asks. */
export interface IdempotentCall {
  scope: string
  key: string
  fingerprint: string
  /** Its key was looked up a moment before, and was not there. */
  isNew?: boolean
  /** The buyer's own, by hand: what agents keep in the scope stands in no buyer's way. */
  isByHand?: boolean
}

/** A call whose key was looked up a moment before. */
export type LookedUp = IdempotentCall & { isNew: boolean }

/**
 * Unspecified: answers under an idempotency key are kept for 24 hours. The specification's pattern
 * of an hour is the least.
 */
export const KEPT_MS = 24 * 60 * 60_000

/**
 * Unspecified: of each operation on one checkout or cart, two hundred calls a day are kept, more
 * than any buyer changes. Each keeps its whole answer, and strangers may call with any number of
 * keys.
 */
export const MOST_KEPT = 200

/** Seconds until another key can be kept in a scope; null: it can be now. */
async function waitForRoom(db: Db | Tx, scope: string, now: Date): Promise<number | null> {
  const { created_at } = idempotency_keys
  const since = new Date(now.getTime() - KEPT_MS)
  const [kept] = await db
    .select({ count: count(), oldest: min(created_at) })
    .from(idempotency_keys)
    .where(and(eq(idempotency_keys.scope, scope), gt(created_at, since)))
  if (!kept?.oldest || kept.count < MOST_KEPT) return null
  return Math.ceil((kept.oldest.getTime() - since.getTime()) / 1000)
}

/**
 * The call with this body under a key that the client chose. Of the key, which may be anything,
 * a card number too, only the SHA-256 goes on from here.
 */
// Unspecified: two bodies under one idempotency key are the same when the fields that are read are;
// others do not count.
export const idempotentCall = (scope: string, key: string, body: unknown): IdempotentCall => ({
  scope,
  key: hash('sha256', key),
  fingerprint: fingerprintOf(body),
})

/** SHA-256 of the canonical JSON (RFC 8785): the order of fields and the spacing do not count. */
export const fingerprintOf = (body: unknown): string => hash('sha256', canonicalize(body) ?? '')

/**
 * `conflict`: the key was used with another body. An `answer` of null is still being worked out.
 */
export type EarlierAnswer =
  | { is: 'new' }
  | { is: 'conflict' }
  | { is: 'known'; answer: CheckoutAnswer | null }

/** The same of a change: `full` is a new key in a scope that keeps as many as it may. */
export type EarlierChange = EarlierAnswer | { is: 'full'; retryAfter: number }

/** What is known of a call. A key older than 24 hours is new. */
export async function findAnswer(
  db: Db | Tx,
  keyed: IdempotentCall,
  now: Date,
): Promise<EarlierAnswer> {
  const [row] = await db.select().from(idempotency_keys).where(isOf(keyed))
  if (row === undefined || now.getTime() - row.created_at.getTime() >= KEPT_MS) return { is: 'new' }
  if (row.fingerprint !== keyed.fingerprint) return { is: 'conflict' }
  const answer = row.status === null ? null : { status: row.status, body: row.body }
  return { is: 'known', answer }
}

/**
 * What is known of a call that changes a checkout or cart. One that opens either is bounded by the
 * quota of its caller instead, in whose scope its key is; a buyer's payments by how many may be
 * declined.
 */
export async function findChange(
  db: Db | Tx,
  keyed: IdempotentCall,
  now: Date,
): Promise<EarlierChange> {
  const [earlier, wait] = await Promise.all([
    findAnswer(db, keyed, now),
    keyed.isByHand ? null : waitForRoom(db, keyed.scope, now),
  ])
  return earlier.is === 'new' && wait !== null ? { is: 'full', retryAfter: wait } : earlier
}

/**
 * What a call is answered whose key is not new, or has no room: the saved answer, or that the key
 * belongs to another body, or that the first call is still under way, or when to try again.
 */
export function replayAnswer(protocol: Protocol, earlier: EarlierChange): CheckoutAnswer {
  if (earlier.is === 'full') {
    return refusalAnswer(protocol, { ...TOO_MANY_CHANGES, retryAfter: earlier.retryAfter })
  }
  if (earlier.is === 'conflict') {
    return refusalAnswer(protocol, {
      code: 'idempotency_conflict',
      message: ASSISTANT_ERROR,
      detail: 'This idempotency key was already used with a different body. Send a new key.',
    })
  }
  return earlier.is === 'known' && earlier.answer
    ? { ...earlier.answer, replayed: true }
    : refusalAnswer(protocol, { ...IN_FLIGHT, retryAfter: 1 })
}

/**
 * Claims a key for this transaction, with its answer and its bytes if they are known; false when
 * another call has claimed it. Concurrent calls wait here until this transaction ends.
 */
export async function claimKey(
  tx: Db | Tx,
  keyed: IdempotentCall,
  now: Date,
  answer: CheckoutAnswer | null = null,
  sent: { status: number; text: string } | null = null,
): Promise<boolean> {
  const { scope, key, created_at } = idempotency_keys
  const claim = {
    scope: keyed.scope,
    key: keyed.key,
    fingerprint: keyed.fingerprint,
    status: answer?.status ?? null,
    body: answer?.body ?? null,
    sent,
    created_at: now,
  }
  const claimed = await tx
    .insert(idempotency_keys)
    .values(claim)
    .onConflictDoUpdate({
      target: [scope, key],
      set: claim,
      // Older than that it counts as new.
      setWhere: lte(created_at, new Date(now.getTime() - KEPT_MS)),
    })
    .returning({ key })
  return claimed.length > 0
}

/**
 * Stores the answer of the call that is under way in a scope; null releases it without an answer.
 */
export async function answerOpenKeys(
  tx: Tx,
  scope: string,
  answer: CheckoutAnswer | null,
): Promise<void> {
  const open = and(eq(idempotency_keys.scope, scope), isNull(idempotency_keys.status))
  if (answer === null) await tx.delete(idempotency_keys).where(open)
  else {
    const { status, body } = answer
    await tx.update(idempotency_keys).set({ status, body }).where(open)
  }
}

const isOf = ({ scope, key }: IdempotentCall) =>
  and(eq(idempotency_keys.scope, scope), eq(idempotency_keys.key, key))
