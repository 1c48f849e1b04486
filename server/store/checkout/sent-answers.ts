import { and, eq, gt, sql } from 'drizzle-orm'
import { idempotency_keys } from '../db/tables.ts'
import type { CheckoutAnswer } from './answers.ts'
import type { StoreDeps } from './deps.ts'
import { claimKey, findChange, type IdempotentCall, KEPT_MS, type LookedUp } from './idempotency.ts'

/** An answer of an official dialect, as it goes out. */
export interface SentAnswer {
  status: number
  /** All that is sent beside the status, as its dialect writes it. */
  text: string
  /** It repeats the answer of an earlier call with the same idempotency key. */
  replayed?: boolean
  /** What of the checkout it shows; none if it was given without asking the checkout. */
  of?: Pick<CheckoutAnswer, 'status' | 'body' | 'replayed' | 'isSent'>
  /** Its bytes are kept also if the checkout kept nothing of the call, since it had no effect. */
  isKept?: boolean
}

/** How a dialect refuses a key. */
interface KeyRefusals {
  /**
   * It was used with another body: nothing is done for it. Without this `work` is asked, since its
   * dialect looks at more than the key.
   */
  conflict: () => SentAnswer
  /**
   * An answer that had no effect is one too many to keep, and is not given either; in so many
   * seconds it could be. Left out for what opens a checkout or cart.
   */
  full?: (retryAfter: number) => SentAnswer
}

/**
 * The answer to a call of an official dialect. What its key was answered with before is sent again,
 * byte for byte, before anything else is looked at; else `work` answers, which calls the checkout
 * under the same key. Its answer is kept if it shows what the checkout kept of the call: the
 * effect, and that it was had, are in one transaction there, so that a process that dies in between
 * loses the bytes alone. Of calls at the same time all are given the answer that was kept first.
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
 * The same for a change that looks at its key, and keeps its bytes, in its own transaction: `work`
 * comes first, and what was sent before is looked up for a call that was had before alone.
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
 * Keeps the bytes of an answer under the key that the checkout claimed, or claims it for one that
 * had no effect. Another call that had the key in the meantime is given precedence.
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
 * What is known of a key; `sent` is what was sent for this very call, and `isOther`: for another.
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

/** Null: the key was not claimed with what this shows. */
async function keepSent(
  { db, now }: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall,
  answer: SentAnswer,
  of: NonNullable<SentAnswer['of']>,
): Promise<SentAnswer | null> {
  const { body, sent, status, fingerprint } = idempotency_keys
  const own = { status: answer.status, text: answer.text }
  // What was true a moment ago is not kept, such as "in progress" of a payment that has ended
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
