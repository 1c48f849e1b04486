import type { AuditResult } from '../../../shared/audit/result/result.ts'
import type { ApiClient } from '../../api/client.ts'
import type { Result } from '../../api/result.ts'

// Unspecified: while a store is audited, its stored result is shown with its age, and is replaced
// by the new one.
/**
 * Has the server audit a domain. A stored result of an earlier audit is shown immediately through
 * `found`.
 */
export async function askFirst(
  api: Pick<ApiClient, 'audit'>,
  domain: string,
  signal: AbortSignal,
  found: (stored: AuditResult) => void,
): Promise<Result<AuditResult>> {
  const stored = await api.audit({ domain, dry_run: true }, signal)
  if (!stored.ok && stored.failure.code !== 'no_cached_audit') return stored
  if (stored.ok) found(stored.value)
  return api.audit({ domain }, signal)
}
