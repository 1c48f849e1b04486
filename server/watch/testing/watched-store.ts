import { randomUUID } from 'node:crypto'
import { NO_LINKS } from '../../../shared/audit/result/result.ts'
import { CHECK_NAMES } from '../../../shared/audit/vocabulary.ts'
import type { WalkDialectName } from '../../../shared/walk/dialect.ts'
import type { NewWatch } from '../../../shared/watch/watch.ts'
import { NO_ACCESS } from '../../access/testing/no-access.ts'
import { auditDomain, type DomainAudit } from '../../audit/audit-domain.ts'
import type { Engine } from '../../audit/engine.ts'
import type { Judges } from '../../audit/judging/judges.ts'
import { JUDGES_HERE } from '../../audit/judging/testing/judges-here.ts'
import { fetcherTo } from '../../audit/probe/testing/fetcher.ts'
import { createWalks } from '../../audit/walk/jobs.ts'
import { TRUSTING, walkedDeps } from '../../audit/walk/testing/walked-store.ts'
import { memoryLedger } from '../../audit/walk/testing/walker.ts'
import { walkDomain } from '../../audit/walk/walk-domain.ts'
import type { Db } from '../../db/connect.ts'
import { claimWatches } from '../../db/watch/watches.ts'
import { createLog } from '../../process/log.ts'
import { createStore } from '../../store/app.ts'
import { CHECK_LEASE_MS, type CheckDeps, type CheckEnd, checkWatched } from '../check.ts'
import { createWatch } from '../set-up.ts'

type Store = ReturnType<typeof createStore>

/** A host that is named after a protocol is walked over that protocol only. */
const walkedAt = (domain: string): readonly WalkDialectName[] => {
  if (domain.startsWith('ucp-')) return ['ucp_rest', 'ucp_mcp']
  if (domain.startsWith('acp-')) return ['acp']
  return domain.startsWith('spec-acp-') ? ['spec_acp'] : ['spec_ucp']
}

/**
 * The reference store on loopback with switchable faults, and a watch of it with a test clock. Its
 * answers depend on its faults alone, so each combination is audited and walked over HTTP once and
 * reused.
 */
export async function watchedStore(db: Db, start: Date) {
  let now = start
  let faults: readonly string[] = []
  let waited = 0
  const stores = new Map<string, Store>()
  const { deps } = await walkedDeps()
  const pause = async (ms: number) => {
    waited += ms
  }
  const current = (): Store => {
    const name = faults.join()
    const made = stores.get(name) ?? createStore({ deps, ...TRUSTING, pause, faults: [...faults] })
    stores.set(name, made)
    return made
  }
  const fetcher = await fetcherTo(
    { fetch: (request, env) => current().fetch(request, env) },
    { clock: () => waited },
  )
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const baseUrl = 'https://aisle.example'
  const auditDeps = { fetcher, links: NO_LINKS }
  let judges: Judges = JUDGES_HERE

  const audited = new Map<string, DomainAudit>()
  const audit: Engine['audit'] = async (order) => {
    const walked = order.walk ? 'walked' : 'not walked'
    const name = `${order.domain} ${faults.join()} ${order.checks.join()} ${walked}`
    let seen = judges === JUDGES_HERE ? audited.get(name) : undefined
    if (seen === undefined) {
      seen = await auditDomain(
        {
          ...order,
          // Two dozen requests for each page: where a fault is about them.
          agents: order.domain.startsWith('agents-'),
        },
        // The store uses the real clock.
        { ...auditDeps, judges, now: () => new Date() },
      )
      audited.set(name, seen)
    }
    return { ...seen, result: { ...seen.result, checked_at: now.toISOString() } }
  }

  const walked = new Map<string, Awaited<ReturnType<typeof walkDomain>>>()
  const walks = createWalks({
    db,
    now: () => now,
    log,
    baseUrl,
    siteAccess: NO_ACCESS,
    // Progress of a walk is not read here; a reused walk has none.
    walk: async (order, { signal }) => {
      const name = `${order.domain} ${faults.join()}`
      const known = walked.get(name)
      if (known !== undefined) return known
      const made = await walkDomain(
        { ...order, dialects: walkedAt(order.domain) },
        {
          fetcher,
          judges: JUDGES_HERE,
          now: () => new Date(),
          newId: randomUUID,
          pause: async () => {},
          ledger: memoryLedger().ledger,
          onEvent: () => {},
          ...(signal && { signal }),
        },
      )
      walked.set(name, made)
      return made
    },
    cancelLeftOpen: async () => 0,
  })
  const reached = { walks, siteAccess: NO_ACCESS, baseUrl }
  const checkDeps: CheckDeps = { db, now: () => now, log, ...reached, audit, askMs: 25 }

  return {
    deps: checkDeps,
    lines,
    setFaults(...names: string[]) {
      faults = names
    },
    setJudges(given: Judges) {
      judges = given
    },
    setNow(at: Date) {
      now = at
    },
    now: () => now,
    watch: (asked: Omit<NewWatch, 'checks'> & Partial<NewWatch>) =>
      createWatch(
        { db, now: () => now },
        { checks: [...CHECK_NAMES], severity: 'low', ...asked },
        { keyId: 'key', mayReadReport: false },
      ),
    /** Waits until a watch is due, and checks it. */
    async look(domain: string): Promise<CheckEnd> {
      const lease = randomUUID()
      const [due] = await db.$client<{ next_at: string }[]>`
        select next_at from watches where domain = ${domain}`
      const next = new Date(due?.next_at ?? '')
      if (next > now) now = next
      // One after the other: the others wait meanwhile.
      await db.$client`update watches set paused_at = now() where domain <> ${domain}`
      const taken = await claimWatches(db, {
        most: 1,
        now,
        lease,
        until: new Date(now.getTime() + CHECK_LEASE_MS),
      })
      await db.$client`update watches set paused_at = null`
      const [watch] = taken
      if (watch?.domain !== domain) throw new Error(`${domain} was not due.`)
      return checkWatched(checkDeps, { ...watch, lease }, new AbortController().signal)
    },
  }
}
