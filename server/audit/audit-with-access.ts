import type { OwnerAccess } from '../access/site-access.ts'
import { type AuditDeps, type AuditOrder, auditDomain, type DomainAudit } from './audit-domain.ts'
import type { AuditListener } from './listener.ts'
import { type OwnerPass, openPass } from './owner-pass.ts'

/**
 * Audits a domain with what its owner gave for it, if anything: it goes to the owner's own hosts
 * alone, the result says so, and nothing that comes out repeats it, errors and progress included.
 */
export async function auditWithAccess(
  { access, ...order }: AuditOrder & { access?: OwnerAccess | null | undefined },
  deps: AuditDeps,
): Promise<DomainAudit> {
  if (access === undefined || access === null) return auditDomain(order, deps)
  const { fetcher, seen, withhold } = await openPass(deps.fetcher, access, deps.now(), deps.signal)
  const { listener } = deps
  try {
    const audit = await auditDomain(order, {
      ...deps,
      fetcher,
      ...(listener && { listener: withoutSecrets(listener, withhold) }),
    })
    const { result, ...beside } = withhold(audit)
    return { ...beside, result: { ...result, domain: order.domain, seen_with: seen } }
  } catch (error) {
    if (error instanceof Error) {
      Object.assign(error, withhold({ message: error.message, stack: error.stack ?? '' }))
      if ('reasons' in error) Object.assign(error, { reasons: withhold(error.reasons) })
    }
    throw error
  }
}

/** A store may put what it is sent into its links, which the progress names. */
const withoutSecrets = (
  listener: AuditListener,
  withhold: OwnerPass['withhold'],
): AuditListener => ({ ...listener, asks: (url) => listener.asks(withhold(url)) })
