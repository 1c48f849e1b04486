import { and, eq, gt, sql } from 'drizzle-orm'
import { idempotency_keys } from '../db/tables.ts'
import type { CheckoutAnswer } from './answers.ts'
import type { StoreDeps } from './deps.ts'
import { type IdempotentCall, KEPT_MS } from './idempotency.ts'

/** An answer of an official dialect, as it goes out. */
export interface SentAnswer {
  status: number
  /** All that is sent beside the status, as its dialect writes it. */
  text: string
  /** It repeats the answer of an earlier call with the same idempotency key. */
  replayed?: boolean
  /** What of the checkout it shows; none if it was given without asking the checkout. */
  of?: Pick<CheckoutAnswer, 'status' | 'body'>
}

/**
 * The answer to a call of an official dialect. What its key was answered with before is sent again,
 * byte for byte, before anything else is looked at; else `work` answers, which calls the checkout
 * under the same key. Its answer is kept if it shows what the checkout kept of the call: the effect,
 * and that it was had, are in one transaction there, so that a process that dies in between loses the
 * bytes alone. Of calls at the same time all are given the answer that was kept first.
 */
export async function answerOnce(
  { db, now }: Pick<StoreDeps, 'db' | 'now'>,
  keyed: IdempotentCall | null,
  work: (keyed: IdempotentCall | null) => Promise<SentAnswer>,
): Promise<SentAnswer> {
  if (keyed === null) return work(null)
  const { scope, key, fingerprint } = keyed
  const { body, created_at, sent, status } = idempotency_keys
  const isOfKey = () =>
    and(
      eq(idempotency_keys.scope, scope),
      eq(idempotency_keys.key, key),
      gt(created_at, new Date(now().getTime() - KEPT_MS)),
    )
  const { fingerprint: asked } = idempotency_keys
  const [earlier] = await db.select({ sent, asked }).from(idempotency_keys).where(isOfKey())
  if (earlier?.sent && earlier.asked === fingerprint) return { ...earlier.sent, replayed: true }
  const answer = await work({ ...keyed, isNew: earlier === undefined })
  const { of } = answer
  if (of === undefined) return answer
  const own = { status: answer.status, text: answer.text }
  // What was true a moment ago is not kept, such as "in progress" of a payment that has ended since.
  const isShown = and(
    eq(status, of.status),
    sql`${body}::jsonb = ${JSON.stringify(of.body)}::jsonb`,
  )
  const [kept] = await db
    .update(idempotency_keys)
    .set({ sent: sql`coalesce(${sent}, ${JSON.stringify(own)}::jsonb)` })
    .where(and(isOfKey(), eq(asked, fingerprint), isShown))
    .returning({ sent })
  return kept?.sent && kept.sent.text !== own.text ? { ...kept.sent, replayed: true } : answer
}
