import { and, between, desc, eq } from 'drizzle-orm'
import type { JudgedScore } from '../../../shared/audit/result/compare.ts'
import type { SeenAnswers } from '../../../shared/watch/answers.ts'
import { storableText, storableValue } from '../../../shared/web/json/json.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import type { Db, Transaction } from '../connect.ts'
import { watch_answers, watch_looks } from './tables.ts'

export type CheckRow = typeof watch_looks.$inferSelect

/**
 * Stores a check. After a change of period, a longer period may begin at the time of an earlier
 * check: the later check counts.
 */
export async function saveCheck(tx: Transaction, row: CheckRow): Promise<void> {
  const { domain, slot_at, look, ...rest } = row
  const set = { ...rest, why: row.why && storableText(row.why) }
  const target = [watch_looks.domain, watch_looks.slot_at, watch_looks.look]
  await tx
    .insert(watch_looks)
    .values({ domain, slot_at, look, ...set })
    .onConflictDoUpdate({ target, set })
}

/** The checks of a domain, newest first. */
export const listChecks = (db: Db, domain: string, limit = 100): Promise<CheckRow[]> =>
  db
    .select()
    .from(watch_looks)
    .where(eq(watch_looks.domain, domain))
    .orderBy(desc(watch_looks.slot_at), desc(watch_looks.look))
    .limit(limit)

/**
 * The latest that a check ends after its period began: a week, and the time that it may be late.
 */
const LONGEST_MS = 8 * DAY_MS

/** The score of the check that ended at this moment, and what it judged; null if it had none. */
export async function findScoreAt(
  tx: Transaction,
  domain: string,
  ended_at: Date,
): Promise<JudgedScore | null> {
  const [row] = await tx
    .select({ score: watch_looks.score, judged: watch_looks.judged })
    .from(watch_looks)
    .where(
      and(
        eq(watch_looks.domain, domain),
        between(watch_looks.slot_at, new Date(ended_at.getTime() - LONGEST_MS), ended_at),
        eq(watch_looks.ended_at, ended_at),
      ),
    )
  return judgedScore(row)
}

/** Null unless there is a score, and what it was made of. */
export function judgedScore(
  row: { score: number | null; judged: string | null } | undefined,
): JudgedScore | null {
  if (row === undefined || row.score === null || row.judged === null) return null
  return { score: row.score, judged: row.judged }
}

/** The domain's answers when all was well; empty before the first check. */
export async function findAnswers(db: Db, domain: string): Promise<SeenAnswers> {
  const [row] = await db
    .select({ answers: watch_answers.answers })
    .from(watch_answers)
    .where(eq(watch_answers.domain, domain))
  return row?.answers ?? {}
}

/** Stores them for the next check. */
export async function saveAnswers(
  tx: Transaction,
  domain: string,
  answers: SeenAnswers,
  seen_at: Date,
): Promise<void> {
  const storable = storableValue(answers)
  await tx
    .insert(watch_answers)
    .values({ domain, answers: storable, seen_at })
    .onConflictDoUpdate({ target: watch_answers.domain, set: { answers: storable, seen_at } })
}
