import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { getDomain } from 'tldts'
import { DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { namesDomain } from '../../access/covered-domains.ts'
import { accessOf } from '../../access/site-access.ts'
import { withDomainsTag } from '../../attribution/domains-tag.ts'
import { findFreshWalk } from '../../audit/walk/fresh-walk.ts'
import { tenantOf } from '../../db/access/keys.ts'
import { knownPages, saveAudit } from '../../db/audit/audits.ts'
import { type AuditRun, findDoneRun } from '../../db/audit/runs.ts'
import { callByKey, callByStranger } from '../../http/caller.ts'
import { blockOf, clientAddress, networkOf } from '../../http/client-address.ts'
import type { ServerEnv } from '../../http/env.ts'
import {
  AUDIT_QUOTA,
  countBy,
  FIRST_AUDIT_BLOCK_QUOTA,
  FIRST_AUDIT_QUOTA,
  FIRST_AUDIT_TARGET_QUOTA,
  hideAddresses,
  limitRequests,
  rateLimited,
} from '../../http/rate-limit.ts'
import type { PageDeps } from '../site.tsx'

// Unspecified: strangers who ask for the same domain within ten minutes are shown the same result.
const SAME_MS = 10 * 60_000

/** The address that shows a run. */
export const runPath = ({ domain, id }: Pick<AuditRun, 'domain' | 'id'>): string =>
  `/runs/${domain}/${id}`

type StartRun = (c: Context<ServerEnv>, domain: string) => Promise<AuditRun>

/** An audit by the signed-in key, which counts as one of its 60 per hour. */
export function keyRuns(
  deps: Pick<PageDeps, 'db' | 'now' | 'audit' | 'runs' | 'siteAccess'>,
): StartRun {
  const { db, audit, runs } = deps
  const count = limitRequests(db, AUDIT_QUOTA)
  const counter = countBy(db, AUDIT_QUOTA)
  return (c, domain) => {
    const { caller } = callByKey(c)
    const { id, domains } = c.var.key
    const agents = namesDomain(domains, domain)
    const auditId = randomUUID()
    return runs.start({
      domain,
      by: { key: id },
      admit: () => count(c),
      refused: () => counter.giveBack(tenantOf(c.var.key)),
      async audit(listener, signal) {
        const walked = agents ? await findFreshWalk(deps, domain) : null
        const walk = walked?.seen ?? null
        const known = await knownPages(db, domain)
        const access = await accessOf(deps.siteAccess, domains, domain)
        const order = { domain, checks: [...DEFAULT_CHECKS], agents, walk, known, access }
        const seen = await audit(order, { caller, signal }, listener)
        return { ...seen, result: await withDomainsTag(db, seen.result) }
      },
      async keep({ result, titles }) {
        await saveAudit(db, result, titles, auditId)
        return null
      },
    })
  }
}

/**
 * An audit without a key. Its result is stored with the run only: a stranger's audit must not
 * change the owner's page and badge. Throws 429 over the limits.
 */
export function strangerRuns(
  deps: Pick<PageDeps, 'db' | 'now' | 'audit' | 'runs' | 'trustedProxies'>,
): StartRun {
  const { db, now, audit, runs, trustedProxies } = deps
  const address = countBy(db, FIRST_AUDIT_QUOTA)
  const block = countBy(db, FIRST_AUDIT_BLOCK_QUOTA)
  const target = countBy(db, FIRST_AUDIT_TARGET_QUOTA)
  return async (c, domain) => {
    const known = await findDoneRun(
      db,
      { domain, by: 'stranger' },
      new Date(now().getTime() - SAME_MS),
    )
    if (known !== null) return known
    const client = clientAddress(c, trustedProxies)
    const hidden = await hideAddresses(db)
    const { caller } = callByStranger(c, trustedProxies)
    // The subdomains of a site count together: listing them all must not flood it.
    const site = getDomain(domain, { allowPrivateDomains: true }) ?? domain
    const counted = [
      { counter: address, key: hidden(networkOf(client)), refuse: tooMany },
      { counter: block, key: hidden(blockOf(client)), refuse: tooManyNearby },
      { counter: target, key: site, refuse: (wait: number) => tooManyOf(site, wait) },
    ]
    const giveBack = async (taken: typeof counted) => {
      for (const { counter, key } of taken) await counter.giveBack(key)
    }
    return runs.start({
      domain,
      by: 'stranger',
      async admit() {
        for (const [at, { counter, key, refuse }] of counted.entries()) {
          const wait = await counter.take(key)
          if (wait === null) continue
          // An audit that is not made does not count against the address.
          await giveBack(counted.slice(0, at))
          throw refuse(wait)
        }
      },
      refused: () => giveBack(counted),
      audit: (listener, signal) =>
        audit({ domain, checks: [...DEFAULT_CHECKS] }, { caller, signal }, listener),
      keep: async ({ result }) => result,
    })
  }
}

const tooMany = (wait: number) =>
  refusedFor(
    wait,
    `Your address has used its ${FIRST_AUDIT_QUOTA.requests} audits of today. Sign in with a key, or come back in`,
  )

const tooManyNearby = (wait: number) =>
  refusedFor(
    wait,
    `Addresses near yours have used their ${FIRST_AUDIT_BLOCK_QUOTA.requests} audits of today. Sign in with a key, or come back in`,
  )

const tooManyOf = (site: string, wait: number) =>
  refusedFor(
    wait,
    `${site} was audited often within this hour. Sign in with a key that covers it, or come back in`,
  )

/** `wait` in seconds. The text ends where the waiting time is added. */
const refusedFor = (wait: number, text: string) => rateLimited(`${text} ${waitText(wait)}.`, wait)

const waitText = (seconds: number): string => {
  const hours = Math.ceil(seconds / 3600)
  if (hours > 1) return `${hours} hours`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
