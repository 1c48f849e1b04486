import type { Evidence } from '../../shared/audit/evidence.ts'
import { describeFetch } from '../../shared/web/http/fetched.ts'
import type { SeenWith } from '../../shared/web/site-access.ts'
import { type AuditDeps, DomainUnreadable } from './audit-domain.ts'
import { openEvidence } from './judging/sealed-page.ts'
import { gatherEvidence } from './probe/gather.ts'
import { auditSession, demandRead } from './probe/session.ts'
import { type GivenAccess, withAccess } from './with-access.ts'

/** Some of the evidence of an audit, and what of the owner's it was seen with. */
export type ReadEvidence = Partial<Evidence> & { seen_with?: SeenWith }

export interface EvidenceOrder {
  domain: string
  reads: readonly (keyof Evidence)[]
  /** What the owner gave for the domain: only where the owner asks. */
  access?: GivenAccess
}

type EvidenceDeps = Pick<AuditDeps, 'fetcher' | 'judges' | 'now' | 'signal'>

/**
 * Some of the evidence of an audit, which nothing judges: what a shop says of itself, and not what
 * a manifest copied from another shop leads to. Throws `DomainUnreadable` when the domain
 * does not answer.
 */
export async function readEvidence(
  { access, ...order }: EvidenceOrder,
  deps: EvidenceDeps,
): Promise<ReadEvidence> {
  const { done, seen_with } = await withAccess(access, deps, (fetcher) =>
    gather(order, { ...deps, fetcher }),
  )
  return { ...done, ...(seen_with && { seen_with }) }
}

async function gather(
  { domain, reads }: EvidenceOrder,
  { fetcher, judges, now, signal }: EvidenceDeps,
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
