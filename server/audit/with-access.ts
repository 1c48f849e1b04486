import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import { type SeenWith, seenWithText } from '../../shared/web/site-access.ts'
import type { OwnerAccess } from '../access/site-access.ts'
import { type AuditDeps, type AuditOrder, auditDomain, type DomainAudit } from './audit-domain.ts'
import type { AuditListener } from './listener.ts'
import { type OwnerPass, openPass } from './owner-pass.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'

/** What a domain's owner gave, for work that is done in the owner's name; null: nothing. */
export type GivenAccess = OwnerAccess | null | undefined

/**
 * Does work at a store with what its owner gave, if anything: it goes to the owner's own hosts
 * alone, and nothing that comes out repeats it, errors included. `seen_with` says what was sent.
 */
export async function withAccess<Done>(
  access: GivenAccess,
  {
    fetcher,
    now,
    signal,
  }: Pick<AuditDeps, 'fetcher' | 'now'> & { signal?: AbortSignal | undefined },
  work: (fetcher: Fetcher, withhold: OwnerPass['withhold']) => Promise<Done>,
): Promise<{ done: Done; seen_with?: SeenWith }> {
  if (access === undefined || access === null) return { done: await work(fetcher, (same) => same) }
  const pass = await openPass(fetcher, access, now(), signal)
  const { withhold } = pass
  try {
    return { done: withhold(await work(pass.fetcher, withhold)), seen_with: pass.seen }
  } catch (error) {
    if (error instanceof Error) {
      Object.assign(error, withhold({ message: error.message, stack: error.stack ?? '' }))
      if ('reasons' in error) Object.assign(error, { reasons: withhold(error.reasons) })
    }
    throw error
  }
}

/** Audits a domain with what its owner gave for it, which the result says. */
export async function auditWithAccess(
  { access, ...order }: AuditOrder & { access?: GivenAccess },
  deps: AuditDeps,
): Promise<DomainAudit> {
  const { listener } = deps
  const { done, seen_with } = await withAccess(access, deps, (fetcher, withhold) =>
    auditDomain(order, {
      ...deps,
      fetcher,
      ...(listener && { listener: withoutSecrets(listener, withhold) }),
    }),
  )
  if (seen_with === undefined) return done
  const { result, ...beside } = done
  return { ...beside, result: { ...result, domain: order.domain, seen_with } }
}

/** A validation that says what of the owner's it was seen with: agents may see less. */
export const seenWith = (
  validation: ManifestValidation,
  seen: SeenWith | undefined,
): ManifestValidation =>
  seen === undefined
    ? validation
    : { ...validation, warnings: [seenWithText(seen), ...validation.warnings] }

/** A store may put what it is sent into its links, which the progress names. */
const withoutSecrets = (
  listener: AuditListener,
  withhold: OwnerPass['withhold'],
): AuditListener => ({ ...listener, asks: (url) => listener.asks(withhold(url)) })
