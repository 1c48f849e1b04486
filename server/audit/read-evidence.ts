import type { Evidence } from '../../shared/audit/evidence.ts'
import { describeFetch } from '../../shared/web/http/fetched.ts'
import { type AuditDeps, DomainUnreadable } from './audit-domain.ts'
import { openEvidence } from './judging/sealed-page.ts'
import { gatherEvidence } from './probe/gather.ts'
import { auditSession, demandRead } from './probe/session.ts'

/**
 * Some of the evidence of an audit, which nothing judges: what a shop says of itself, and not what
 * a manifest copied from another shop leads to. Throws `DomainUnreadable` when the domain
 * does not answer.
 */
export async function readEvidence(
  { domain, reads }: { domain: string; reads: readonly (keyof Evidence)[] },
  { fetcher, judges, now, signal }: Pick<AuditDeps, 'fetcher' | 'judges' | 'now' | 'signal'>,
): Promise<Partial<Evidence>> {
  const session = fetcher.open({ signal })
  try {
    const reading = auditSession(session, judges)
    const seen = await gatherEvidence(
      reading,
      { domain, onlyHere: true },
      new Set([...reads, 'site']),
      now,
    )
    signal?.throwIfAborted()
    demandRead(reading)
    if (seen.site?.https.kind === 'no_answer') {
      throw new DomainUnreadable('domain_unreachable', `${describeFetch(seen.site.https)}.`)
    }
    return openEvidence(seen)
  } finally {
    await session.close()
  }
}
