import { and, eq, gt, sql } from 'drizzle-orm'
import { idempotency_keys } from '../db/tables.ts'
import type { CheckoutAnswer } from './answers.ts'
import type { StoreDeps } from './deps.ts'
import { claimKey, findChange, type IdempotentCall, KEPT_MS, type LookedUp } from './idempotency.ts'

/** An answer of an official dialect, as it is sent. */
export interface SentAnswer {
  status: number
  /** Everything that is sent in addition to the status, as its dialect writes it. */
  text: string
  /** It repeats the answer of an earlier call with the same idempotency key. */
  replayed?: boolean
  /** The checkout answer inside; absent if the checkout was not asked. */
  of?: Pick<CheckoutAnswer, 'status' | 'body' | 'replayed' | 'isSent'>
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
  const earlier = await findSent(deps, keyed)
  if (earlier?.sent) return { ...earlier.sent, replayed: true }
  if (earlier?.isOther && refuse) return refuse.conflict()
  const answer = await work({ ...keyed, isNew: earlier === undefined })
  return keepAnswer(deps, keyed, answer, refuse)
}

/**
 * The same for a change that checks its key and stores its bytes in its own transaction: `work`
 * comes first, and earlier bytes are only looked up for a repeated call.
 */
export async function answerChange(
  deps: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall | null,
  work: (keyed: IdempotentCall | null) => Promise<SentAnswer>,
  refuse?: KeyRefusals,
): Promise<SentAnswer> {
  const answer = await work(keyed)
  const { of } = answer
  if (keyed === null || of?.isSent) return answer
  if (of?.replayed) {
    const earlier = await findSent(deps, keyed)
    if (earlier?.sent) return { ...earlier.sent, replayed: true }
  }
  return keepAnswer(deps, keyed, answer, refuse)
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
  const earlier = await findSent(deps, keyed)
  if (earlier?.sent) return { ...earlier.sent, replayed: true }
  return earlier?.isOther && refuse ? refuse.conflict() : answer
}

/**
 * What is stored under a key: `sent` are the bytes for this call, `isOther` that it was used for
 * another.
 */
async function findSent(
  { db, now }: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall,
): Promise<{ sent: { status: number; text: string } | null; isOther: boolean } | undefined> {
  const { sent, fingerprint } = idempotency_keys
  const [row] = await db
    .select({ sent, fingerprint })
    .from(idempotency_keys)
    .where(isOfKey(keyed, now()))
  if (row === undefined) return undefined
  const isOther = row.fingerprint !== keyed.fingerprint
  return { sent: isOther ? null : row.sent, isOther }
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
