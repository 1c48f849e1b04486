import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { idempotency_keys } from '../db/tables.ts'
import type { StoreDeps } from './deps.ts'
import { type IdempotentCall, KEPT_MS } from './idempotency.ts'

/** An answer of an official dialect, as it goes out. */
export interface SentAnswer {
  status: number
  /** All that is sent beside the status, as its dialect writes it. */
  text: string
  /** It repeats the answer of an earlier call with the same idempotency key. */
  replayed?: boolean
}

/**
 * The answer to a call of an official dialect. What its key was answered with before is sent again,
 * byte for byte, before anything else is looked at; else `work` answers, which calls the checkout
 * under the same key. Its answer is kept if the checkout kept what became of the call: the effect, and
 * that it was had, are in one transaction there, so that a process that dies in between loses the
 * bytes alone. Of calls at the same time all are given the answer that was kept first.
 */
export async function answerOnce(
  { db, now }: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall | null,
  work: () => Promise<SentAnswer>,
): Promise<SentAnswer> {
  if (keyed === null) return work()
  const { scope, key, fingerprint } = keyed
  const { created_at, sent, status } = idempotency_keys
  const isOfCall = and(
    eq(idempotency_keys.scope, scope),
    eq(idempotency_keys.key, key),
    eq(idempotency_keys.fingerprint, fingerprint),
  )
  const [earlier] = await db.select({ sent, created_at }).from(idempotency_keys).where(isOfCall)
  const isKnown = earlier && now().getTime() - earlier.created_at.getTime() < KEPT_MS
  if (isKnown && earlier.sent) return { ...earlier.sent, replayed: true }
  const answer = await work()
  const own = { status: answer.status, text: answer.text }
  const [kept] = await db
    .update(idempotency_keys)
    .set({ sent: sql`coalesce(${sent}, ${JSON.stringify(own)}::jsonb)` })
    .where(and(isOfCall, isNotNull(status)))
    .returning({ sent })
  return kept?.sent && kept.sent.text !== own.text ? { ...kept.sent, replayed: true } : answer
}
