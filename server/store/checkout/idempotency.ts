import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { and, count, eq, gt, isNull, lte, min, sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import type { Protocol } from '../db/statuses.ts'
import { idempotency_keys, type Tx } from '../db/tables.ts'
import { type CheckoutAnswer, refusalAnswer, type SentBytes } from './answers.ts'
import type { StoreDeps } from './deps.ts'
import { IN_FLIGHT, KEY_CONFLICT, TOO_MANY_CHANGES } from './refusals.ts'

/** One call under a key: the scope, the hash of the key, and the hash of the request. */
export interface IdempotentCall {
  scope: string
  key: string
  fingerprint: string
  /** Its key was looked up a moment ago and did not exist. */
  isNew?: boolean
  /** The buyer's own keys, by hand: agents cannot fill this scope. */
  isByHand?: boolean
}

/** A call whose key was looked up a moment ago. */
type LookedUp = IdempotentCall & { isNew: boolean }

/**
 * Unspecified: answers under an idempotency key are kept for 24 hours. The specification's pattern
 * of an hour is the minimum.
 */
export const KEPT_MS = 24 * 60 * 60_000

/**
 * Unspecified: two hundred calls a day are stored for each operation on one checkout or cart, more
 * than any buyer changes. Each stores its whole answer, and strangers may send any number of keys.
 */
export const MOST_KEPT = 200

/** Seconds until a scope can store another key; null: now. */
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
 * The call with this body under a key that the client chose. The key may be anything, also a card
 * number, so only its SHA-256 is used from here on. Unspecified: two bodies under one idempotency
 * key are the same if the fields that are read are the same; other fields do not count.
 */
export const idempotentCall = (scope: string, key: string, body: unknown): IdempotentCall => ({
  scope,
  key: hash('sha256', key),
  fingerprint: fingerprintOf(body),
})

/** SHA-256 of the canonical JSON (RFC 8785): the order of fields and the spacing do not count. */
export const fingerprintOf = (body: unknown): string => hash('sha256', canonicalize(body) ?? '')

// Unspecified: an equal key with another body is refused (422 `idempotency_conflict`), at create
// and at complete. The first answer would say that something was bought which was not.

/**
 * `conflict`: the key was used with another body. A null `answer`: the first call is in progress.
 */
export type EarlierAnswer =
  | { is: 'new' }
  | { is: 'conflict' }
  | { is: 'known'; answer: CheckoutAnswer | null }

/** The same for a change: `full` is a new key in a scope that stores no more. */
export type EarlierChange = EarlierAnswer | { is: 'full'; retryAfter: number }

/** What is stored for a call. A key older than 24 hours counts as new. */
export async function findAnswer(
  db: Db | Tx,
  keyed: IdempotentCall,
  now: Date,
): Promise<EarlierAnswer> {
  const [row] = await db.select().from(idempotency_keys).where(isOf(keyed))
  if (row === undefined || now.getTime() - row.created_at.getTime() >= KEPT_MS) return { is: 'new' }
  if (row.fingerprint !== keyed.fingerprint) return { is: 'conflict' }
  const { status, body, sent } = row
  const answer = status === null ? null : { status, body, ...(sent && { sent }) }
  return { is: 'known', answer }
}

/**
 * What is stored for a call that changes a checkout or cart. A call that opens one is limited by
 * the quota of its caller instead, and a buyer's payments by the number of declines.
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
 * The answer to a call whose key is not new, or has no room: the saved answer, a conflict with
 * another body, that the first call is in progress, or when to try again.
 */
export function replayAnswer(protocol: Protocol, earlier: EarlierChange): CheckoutAnswer {
  if (earlier.is === 'full') {
    return refusalAnswer(protocol, { ...TOO_MANY_CHANGES, retryAfter: earlier.retryAfter })
  }
  if (earlier.is === 'conflict') return refusalAnswer(protocol, KEY_CONFLICT)
  return earlier.is === 'known' && earlier.answer
    ? { ...earlier.answer, replayed: true }
    : refusalAnswer(protocol, { ...IN_FLIGHT, retryAfter: 1 })
}

/**
 * Claims a key for this transaction, with its answer and its bytes if they are known; false if
 * another call has claimed it. Concurrent calls wait here until this transaction ends.
 */
export async function claimKey(
  tx: Db | Tx,
  keyed: IdempotentCall,
  now: Date,
  answer: CheckoutAnswer | null = null,
  sent: SentBytes | null = null,
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
      // An older one counts as new.
      setWhere: lte(created_at, new Date(now.getTime() - KEPT_MS)),
    })
    .returning({ key })
  return claimed.length > 0
}

/** Stores the answer of the running call in a scope; null releases the key without an answer. */
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

/** An answer of an official dialect, as it is sent. */
export interface SentAnswer extends SentBytes {
  /** It repeats the answer of an earlier call with the same idempotency key. */
  replayed?: boolean
  /** The checkout answer inside; absent if the checkout was not asked. */
  of?: Pick<CheckoutAnswer, 'status' | 'body' | 'replayed' | 'sent'>
  /**
   * Its bytes are stored even if the checkout stored nothing of the call, because it had no effect.
   */
  isKept?: boolean
}

/** How a dialect refuses a key. */
interface KeyRefusals {
  /**
   * It was used with another body, so nothing is done. Without this `work` decides, because its
   * dialect looks at more than the key.
   */
  conflict: () => SentAnswer
  /**
   * No more answers without an effect are stored, so none is given either; the argument is the
   * seconds until one can be. Left out for calls that open a checkout or cart.
   */
  full?: (retryAfter: number) => SentAnswer
}

/**
 * The answer to a call of an official dialect. If its key was answered before, the same bytes are
 * sent again, before anything else is checked. Otherwise `work` answers by calling the checkout
 * under the same key. The checkout stores effect and key in one transaction, so a process that dies
 * in between loses only the bytes. Simultaneous calls all get the answer that was stored first.
 */
export async function answerOnce(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall | null,
  work: (keyed: LookedUp | null) => Promise<SentAnswer>,
  refuse?: KeyRefusals,
): Promise<SentAnswer> {
  if (keyed === null) return work(null)
  const earlier = await findAnswer(deps.db, keyed, deps.now())
  const again = sentAgain(earlier, refuse)
  if (again) return again
  const answer = await work({ ...keyed, isNew: earlier.is === 'new' })
  return keepAnswer(deps, keyed, answer, refuse)
}

/**
 * The same for a call about a session, which looks its key up while the session is locked: `work`
 * comes first, and returns the earlier bytes of a repeated call.
 */
export async function answerChange(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall | null,
  work: (keyed: IdempotentCall | null) => Promise<SentAnswer>,
  refuse?: KeyRefusals,
): Promise<SentAnswer> {
  const answer = await work(keyed)
  return keyed === null || answer.of?.sent ? answer : keepAnswer(deps, keyed, answer, refuse)
}

/**
 * Stores the bytes of an answer under the key that the checkout claimed, or claims the key for one
 * without an effect. Another call that got the key in the meantime wins.
 */
async function keepAnswer(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall,
  answer: SentAnswer,
  refuse: KeyRefusals | undefined,
): Promise<SentAnswer> {
  const { of, isKept, status, text } = answer
  const kept = of && (await keepSent(deps, keyed, answer, of))
  if (kept || !isKept) return kept ?? answer
  const known = refuse?.full && (await findChange(deps.db, keyed, deps.now()))
  if (refuse?.full && known?.is === 'full') return refuse.full(known.retryAfter)
  const said = of ?? { status, body: {} }
  if (await claimKey(deps.db, keyed, deps.now(), said, { status, text })) return answer
  return sentAgain(await findAnswer(deps.db, keyed, deps.now()), refuse) ?? answer
}

/** The bytes that are stored under the key, or that it was used with another body. */
function sentAgain(earlier: EarlierAnswer, refuse: KeyRefusals | undefined): SentAnswer | null {
  if (earlier.is === 'conflict') return refuse?.conflict() ?? null
  const sent = earlier.is === 'known' ? earlier.answer?.sent : undefined
  return sent ? { ...sent, replayed: true } : null
}

/** Null: the key was not claimed for this answer. */
async function keepSent(
  { db, now }: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall,
  answer: SentAnswer,
  of: NonNullable<SentAnswer['of']>,
): Promise<SentAnswer | null> {
  const { body, sent, status, fingerprint } = idempotency_keys
  const own = { status: answer.status, text: answer.text }
  // Answers that may change are not stored, such as "in progress" for a payment that has ended
  // since.
  const isShown = and(
    eq(status, of.status),
    sql`${body}::jsonb = ${JSON.stringify(of.body)}::jsonb`,
  )
  const [kept] = await db
    .update(idempotency_keys)
    .set({ sent: sql`coalesce(${sent}, ${JSON.stringify(own)}::jsonb)` })
    .where(and(isOfKey(keyed, now()), eq(fingerprint, keyed.fingerprint), isShown))
    .returning({ sent })
  if (!kept?.sent) return null
  return kept.sent.text === own.text ? answer : { ...kept.sent, replayed: true }
}

const isOfKey = ({ scope, key }: IdempotentCall, now: Date) =>
  and(
    eq(idempotency_keys.scope, scope),
    eq(idempotency_keys.key, key),
    gt(idempotency_keys.created_at, new Date(now.getTime() - KEPT_MS)),
  )
