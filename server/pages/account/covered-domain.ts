import type { Context } from 'hono'
import { domainOfAddress } from '../../../shared/web/address/domain.ts'
import { requireDomain, requireScope } from '../../access/auth.ts'
import type { Scope } from '../../db/access/scopes.ts'
import { ApiError } from '../../http/api-error.ts'
import type { ServerEnv } from '../../http/env.ts'

/**
 * The domain of an address or form. Throws 403 if the signed-in key lacks the scope or does not
 * cover the domain, and 422 if the domain is invalid.
 */
export function coveredDomain(
  c: Context<ServerEnv>,
  scope: Scope,
  named: string | null | undefined,
): string {
  requireScope(c, scope)
  const read = domainOfAddress(named ?? '')
  if ('problem' in read) throw new ApiError(422, 'invalid_request', read.problem)
  requireDomain(c, read.domain)
  return read.domain
}
