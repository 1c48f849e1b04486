import {
  type AuditResult,
  type CheckName,
  runRules,
  type Tool,
  toResult,
} from '../../shared/audit.ts'
import { rulesOf } from '../../shared/checks/index.ts'
import type { Fetcher } from './fetch.ts'
import { gatherEvidence } from './gather.ts'

export interface AuditDeps {
  fetcher: Fetcher
  now: () => Date
  /** The page of the tool that fixes a gap, where this server has it. */
  fixUrl: (tool: Tool) => string | null
}

/** Nothing of the domain answered, or it may not be asked: the two look the same on purpose. */
export class DomainUnreachable extends Error {
  override name = 'DomainUnreachable'
  readonly domain: string

  constructor(domain: string) {
    super(`GET https://${domain}/ gave no answer. Check the name, and that the store is public.`)
    this.domain = domain
  }
}

/**
 * Audits a domain by the checks asked for: gathers evidence over the network, judges it, scores it.
 * Throws `DomainUnreachable` when neither https nor http answers.
 */
export async function auditDomain(
  { domain, checks }: { domain: string; checks: readonly CheckName[] },
  { fetcher, now, fixUrl }: AuditDeps,
): Promise<AuditResult> {
  const rules = rulesOf(checks)
  const session = fetcher.open()
  try {
    const wanted = new Set(rules.flatMap(({ reads }) => reads))
    const evidence = await gatherEvidence(session, domain, wanted.add('site'), now)
    const { site } = evidence
    if (site?.https.kind !== 'answer' && site?.http.kind !== 'answer') {
      throw new DomainUnreachable(domain)
    }
    return toResult(domain, checks, runRules(rules, evidence), now(), fixUrl)
  } finally {
    await session.close()
  }
}
