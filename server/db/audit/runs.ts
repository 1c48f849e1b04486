import { randomUUID } from 'node:crypto'
import { and, desc, eq, gte, sql } from 'drizzle-orm'
import { type AuditProgress, NO_PROGRESS } from '../../../shared/audit/result/progress.ts'
import type { AuditResult } from '../../../shared/audit/result/result.ts'
import type { CheckName } from '../../../shared/audit/vocabulary.ts'
import type { JobOrder } from '../../jobs/started-jobs.ts'
import type { Db } from '../connect.ts'
import { jobRows } from '../leases/rows.ts'
import { isUuid } from '../values.ts'
import { keptResultOf } from './kept-result.ts'
import { audit_runs } from './tables.ts'

export type AuditRun = typeof audit_runs.$inferSelect

/** Which run: the domain says on which node of a cluster it is. */
export type RunName = Pick<AuditRun, 'domain' | 'id'>

// As the index `audit_runs_once` has it.
const isOpen = sql`${audit_runs.state} = 'under_way'`

const jobs = jobRows(audit_runs, isOpen)

/** Notes a run that begins. Null where the same caller has one of this domain under way. */
export async function insertRun(
  db: Db,
  run: Pick<AuditRun, 'domain' | 'id' | 'by' | 'asked_at' | 'leased_until' | 'progress'>,
): Promise<AuditRun | null> {
  const [row] = await db
    .insert(audit_runs)
    .values({ ...run, state: 'under_way' })
    .onConflictDoNothing({
      target: [audit_runs.domain, audit_runs.by],
      where: sql`state = 'under_way'`,
    })
    .returning()
  return row ?? null
}

/** The run of this caller that has not ended; null without one. */
export async function findOpenRun(
  db: Db,
  { domain, by }: Pick<AuditRun, 'domain' | 'by'>,
): Promise<AuditRun | null> {
  const [row] = await db
    .select()
    .from(audit_runs)
    .where(and(eq(audit_runs.domain, domain), eq(audit_runs.by, by), isOpen))
  return row ?? null
}

/**
 * The newest run of this caller that came to its end, and not before this moment; null without one.
 */
export async function findDoneRun(
  db: Db,
  { domain, by }: Pick<AuditRun, 'domain' | 'by'>,
  since: Date,
): Promise<AuditRun | null> {
  const isDone = and(eq(audit_runs.state, 'done'), gte(audit_runs.asked_at, since))
  const [row] = await db
    .select()
    .from(audit_runs)
    .where(and(eq(audit_runs.domain, domain), eq(audit_runs.by, by), isDone))
    .orderBy(desc(audit_runs.asked_at))
    .limit(1)
  return row ?? null
}

/** Null where there is none, and for an id that cannot be one. */
export async function readRun(db: Db, name: RunName): Promise<AuditRun | null> {
  if (!isUuid(name.id)) return null
  const [row] = await db.select().from(audit_runs).where(jobs.isNamed(name))
  return row ?? null
}

/** The `by` of what `saveForeignAudit` keeps. */
const API = 'api'

/**
 * Keeps an audit that the API made for a key that does not cover the domain. It is not one of the
 * domain's own audits, and goes when the runs of its time go.
 */
export async function saveForeignAudit(db: Db, result: AuditResult, now: Date): Promise<void> {
  const { domain } = result
  const times = { asked_at: now, ended_at: now }
  await db.insert(audit_runs).values({
    ...times,
    domain,
    id: randomUUID(),
    by: API,
    state: 'done',
    progress: NO_PROGRESS,
    result,
  })
}

/**
 * The newest result that the API made for a key that does not cover the domain, and that covers all
 * of `checks`, of this engine; null without one.
 */
export async function findForeignAudit(
  db: Db,
  domain: string,
  checks: readonly CheckName[],
  engineVersion: string,
): Promise<AuditResult | null> {
  const { result } = audit_runs
  const [row] = await db
    .select({ result })
    .from(audit_runs)
    .where(
      and(
        eq(audit_runs.domain, domain),
        eq(audit_runs.by, API),
        eq(audit_runs.state, 'done'),
        sql`${result}->>'engine_version' = ${engineVersion}`,
        sql`${result}->'checks' @> ${JSON.stringify(checks)}::jsonb`,
      ),
    )
    .orderBy(desc(audit_runs.asked_at))
    .limit(1)
  return keptResultOf(row)
}

/** Says how far a run has come, and that its process lives. */
export const keepRun = (
  db: Db,
  name: RunName,
  { progress, until }: { progress: AuditProgress; until: Date },
): Promise<JobOrder> =>
  jobs.extend(db, name, until, sql`, progress = ${JSON.stringify(progress)}::jsonb`)

export const { askToCancel: askToCancelRun } = jobs

/**
 * Ends a run that has not ended, or that was ended with the reason `instead` by somebody who took
 * it for dead.
 */
export async function endRun(
  db: Db,
  name: RunName,
  end: Partial<Pick<AuditRun, 'progress' | 'why' | 'result'>> &
    Pick<AuditRun, 'state'> & { ended_at: Date },
  instead: string | null = null,
): Promise<void> {
  await db
    .update(audit_runs)
    .set({ why: null, ...end })
    .where(jobs.mayEnd(name, audit_runs.why, instead))
}

/** Takes back a run that was not allowed to begin. */
export async function deleteRun(db: Db, name: RunName): Promise<void> {
  await db.delete(audit_runs).where(jobs.isNamed(name))
}
