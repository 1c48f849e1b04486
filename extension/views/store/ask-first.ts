import type { AuditResult } from '../../../shared/audit.ts'
import type { Api } from '../../api.ts'
import type { Result } from '../../result.ts'

/** The server's stored result of a domain, or a new one where it has none. */
export async function askFirst(
  api: Pick<Api, 'audit'>,
  domain: string,
  signal: AbortSignal,
): Promise<Result<AuditResult>> {
  const stored = await api.audit({ domain, dry_run: true }, signal)
  return !stored.ok && stored.failure.code === 'no_cached_audit'
    ? api.audit({ domain }, signal)
    : stored
}
