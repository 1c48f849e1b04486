import { and, arrayContains, desc, eq } from 'drizzle-orm'
import { AuditResult, type CheckName } from '../../shared/audit.ts'
import type { Db } from './connect.ts'
import { audits } from './tables.ts'

export async function saveAudit(db: Db, result: AuditResult): Promise<void> {
  const { domain, checks, engine_version } = result
  const checked_at = new Date(result.checked_at)
  await db.insert(audits).values({ domain, checks, engine_version, result, checked_at })
}

/** The newest result of this engine for the domain that covers all of `checks`. */
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
