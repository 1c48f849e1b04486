import { and, arrayContains, desc, eq, sql } from 'drizzle-orm'
import { AuditResult } from '../../shared/audit/result.ts'
import type { CheckName } from '../../shared/audit/vocabulary.ts'
import type { Db } from './connect.ts'
import { audits } from './tables.ts'

/** Keeps a result, for `dry_run` and for the history of the domain. Earlier ones stay for a while. */
export async function saveAudit(db: Db, result: AuditResult): Promise<void> {
  const { domain, checks, engine_version } = result
  const checked_at = new Date(result.checked_at)
  await db.insert(audits).values({ domain, checks, engine_version, result, checked_at })
}

/**
 * The newest result of this engine for the domain that covers all of `checks`; null without one,
 * and for a stored row that no longer has the form of a result.
 */
export async function findAudit(
  db: Db,
  domain: string,
  checks: readonly CheckName[],
  engineVersion: string,
): Promise<AuditResult | null> {
  const [row] = await db
    .select({ result: audits.result })
    .from(audits)
    .where(
      and(
        eq(audits.domain, domain),
        eq(audits.engine_version, engineVersion),
        arrayContains(audits.checks, [...checks]),
      ),
    )
    .orderBy(desc(audits.checked_at))
    .limit(1)
  return AuditResult.nullable()
    .catch(null)
    .parse(row?.result ?? null)
}

/** A stored audit in one line of a history. */
export interface PastAudit {
  id: string
  checked_at: string
  score: number
  grade: string
  checks: CheckName[]
  engine_version: string
}

/**
 * The audits of a domain, newest first, at most `limit`. Score and grade are read inside the
 * database: a whole result has many kilobytes.
 */
export async function listAudits(db: Db, domain: string, limit = 50): Promise<PastAudit[]> {
  const { id, checked_at, checks, engine_version, result } = audits
  const rows = await db
    .select({
      id,
      checked_at,
      checks,
      engine_version,
      score: sql<number>`(${result}->>'score')::int`,
      grade: sql<string>`${result}->>'grade'`,
    })
    .from(audits)
    .where(eq(audits.domain, domain))
    .orderBy(desc(audits.checked_at))
    .limit(limit)
  return rows.map((row) => ({ ...row, checked_at: row.checked_at.toISOString() }))
}
