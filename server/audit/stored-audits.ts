import { compareAudits, comparedOf } from '../../shared/audit/result/compare.ts'
import type {
  AuditChanges,
  AuditedDomain,
  AuditedDomains,
  AuditSummary,
  StoredAudit,
} from '../../shared/audit/result/stored-audit.ts'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { coveredBy } from '../access/covered-domains.ts'
import type { ApiKey } from '../db/access/keys.ts'
import { lastReceived, listDomains } from '../db/attribution/properties.ts'
import { auditedAmong, listAllDomains, newestAudits, type PastAudit } from '../db/audit/audits.ts'
import type { Db } from '../db/connect.ts'

interface Place {
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
}

/** What an address of a stored audit is made of. */
type Addressed = Pick<PastAudit, 'id' | 'domain'>

/** The path of a stored audit's page. */
export const auditPath = ({ id, domain }: Addressed): string => `/audits/${domain}/${id}`

const addressesOf = (audit: Addressed, { baseUrl }: Place) => ({
  url: `${baseUrl}/api/audits/${audit.id}`,
  page_url: baseUrl + auditPath(audit),
})

/** The same as the API shows it. */
export function describeAudit(audit: PastAudit, place: Place): AuditSummary {
  const { id, checked_at, score, grade, checks, engine_version, gaps, worst_gap, before } = audit
  return {
    id,
    ...addressesOf(audit, place),
    checked_at,
    score,
    grade,
    checks,
    engine_version,
    gaps,
    worst_gap,
    before: before && beforeIn(before),
    change: before?.trend.change ?? null,
  }
}

function beforeIn({ trend, ...before }: NonNullable<PastAudit['before']>): AuditSummary['before'] {
  return { ...before, comparable: trend.no_trend !== 'measured_differently' }
}

interface Page {
  limit: number
  /** The last domain of the page before. */
  after?: string | undefined
}

/**
 * The domains of a key, each with its newest audit and, for a key that may read reports, its newest
 * event: those that it names, their subdomains of which anything is known, and for `*` all that
 * have an audit or a property.
 */
export async function listAuditedDomains(
  { db, baseUrl }: Place & { db: Db },
  key: Pick<ApiKey, 'domains' | 'scopes'>,
  { limit, after = '' }: Page,
): Promise<AuditedDomains> {
  // One more than asked for tells whether there are more.
  const wanted = limit + 1
  const found = key.domains.includes('*')
    ? await listAllDomains(db, wanted, after)
    : (await ownDomains(db, key.domains)).filter((domain) => domain > after).slice(0, wanted)
  const shown = found.slice(0, limit)
  const mayReadReport = key.scopes.includes('report:read')
  const [newest, events] = await Promise.all([
    newestAudits(db, shown, DEFAULT_CHECKS),
    mayReadReport ? lastReceived(db, shown) : null,
  ])
  const domains = shown.map((domain): AuditedDomain => {
    const audit = newest.get(domain)
    return {
      domain,
      audit: audit === undefined ? null : describeAudit(audit, { baseUrl }),
      ...(events !== null && { last_event_at: events.get(domain)?.toISOString() ?? null }),
    }
  })
  return { domains, next: found.length > limit ? (shown.at(-1) ?? null) : null }
}

async function ownDomains(db: Db, named: readonly string[]): Promise<string[]> {
  const covered = coveredBy(named)
  const [known, audited] = await Promise.all([
    listDomains(db, named, covered),
    auditedAmong(db, covered),
  ])
  return [...new Set([...known, ...audited])].sort()
}

/** What changed between two stored audits of a domain, given in either order. */
export function changesBetween(one: StoredAudit, other: StoredAudit, place: Place): AuditChanges {
  const isInOrder = one.checked_at <= other.checked_at
  const [before, after] = isInOrder ? [one, other] : [other, one]
  return {
    domain: after.domain,
    before: sideOf(before, place),
    after: sideOf(after, place),
    ...compareAudits(comparedOf(before), comparedOf(after)),
  }
}

function sideOf(audit: StoredAudit, place: Place): AuditChanges['before'] {
  const { id, checked_at, score, grade, checks, engine_version } = audit
  return { id, ...addressesOf(audit, place), checked_at, score, grade, checks, engine_version }
}
