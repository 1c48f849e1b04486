import { randomUUID } from 'node:crypto'
import type { FeedDestination } from '../../shared/audit/checks/feed/vendors/destinations.ts'
import type { PageSeen } from '../../shared/audit/evidence.ts'
import { linksTo } from '../../shared/audit/gap/links.ts'
import { NoResult } from '../../shared/audit/result/no-result.ts'
import { NothingJudged } from '../../shared/audit/result/result.ts'
import type { CheckName } from '../../shared/audit/vocabulary.ts'
import type { ManifestValidation } from '../../shared/manifest/validation.ts'
import { localShopPort } from '../../shared/web/address/local-shop.ts'
import type { SeenWith } from '../../shared/web/site-access.ts'
import { ApiError } from '../http/api-error.ts'
import type { Call } from '../http/caller.ts'
import type { Signer } from '../signatures/signer.ts'
import { type AuditOrder, type DomainAudit, DomainUnreadable } from './audit-domain.ts'
import { createBrowsers } from './browser/browser.ts'
import { type CheckedFeed, checkFeed, type FeedSource } from './check-feed.ts'
import { identityOf, walkIdentityOf } from './identity.ts'
import { createJudges, type Judges, type JudgesLoad, judgesFor } from './judging/judges.ts'
import { openSeen } from './judging/sealed-page.ts'
import type { AuditListener } from './listener.ts'
import { createFetcher } from './probe/fetch/fetch.ts'
import { createLocalShops, LocalShopAway, type LocalShops } from './probe/fetch/local-shops.ts'
import type { FetchLimits } from './probe/fetch/session.ts'
import { findTestHost, type TestHost, type TestHosts } from './probe/fetch/test-hosts.ts'
import { type AuditSession, auditSession, demandRead, probePage } from './probe/session.ts'
import { type EvidenceOrder, type ReadEvidence, readEvidence } from './read-evidence.ts'
import { createAllSlots, createSlots, type SlotLoad, STRANGER_LIMITS } from './slots.ts'
import { validateUrl } from './validate-manifest.ts'
import { cancelLeftOpen } from './walk/cancel-left-open.ts'
import { keptWithWalk } from './walk/hand-over.ts'
import type { WalksDeps } from './walk/jobs.ts'
import type { CancelLeftOpen, WalkDomain } from './walk/order.ts'
import { createFindPages, createThroughPages } from './walk/through-pages.ts'
import { walkDomain } from './walk/walk-domain.ts'
import { auditWithAccess, type GivenAccess, seenWith, withAccess } from './with-access.ts'

// Unspecified: a validation or the reading of one page ends after 15 seconds, half the time of an
// audit: it asks for a few small answers.
const SHORT_MS = 15_000

// Unspecified: a feed has a minute, and 15 seconds of the workers' time, which are some 300,000
// products. It waits in slots of its own, so that no audit waits for it.
const FEED_MS = 60_000
const FEED_JUDGING_MS = 15_000

/** How stores are walked through. */
export interface Walking {
  walk: WalkDomain
  cancelLeftOpen: CancelLeftOpen
}

/** What the API needs from the network. What a call no longer waits for is dropped or cancelled. */
export interface Engine extends Pick<WalksDeps, 'walk' | 'cancelLeftOpen'> {
  /**
   * Audits a domain over the network. Rejects only for our own failures: a store's faults are gaps.
   * `listener` is notified of its progress.
   */
  audit: (
    request: Pick<AuditOrder, 'domain' | 'agents' | 'walk' | 'known' | 'answers'> & {
      checks: CheckName[]
      /** What the owner gave for the domain: only where the owner asks. */
      access?: GivenAccess
    },
    call: Call,
    listener?: AuditListener,
  ) => Promise<DomainAudit>
  /** Fetches and validates a published manifest. A failed fetch is part of the result. */
  validateManifest: (url: string, call: Call, access?: GivenAccess) => Promise<ManifestValidation>
  /** Reads one page of a store, as an audit does. */
  readPage: (
    url: string,
    call: Call,
    access?: GivenAccess,
  ) => Promise<PageSeen & { seen_with?: SeenWith }>
  /**
   * Gathers some of the evidence of an audit, which nothing judges: it is what proposals are made
   * of.
   */
  readEvidence: (request: EvidenceOrder, call: Call) => Promise<ReadEvidence>
  /**
   * Checks a product feed before its upload, or says why there is none to check. Reads it once the
   * caller has a slot.
   */
  checkFeed: (
    source: FeedSource,
    destinations: readonly FeedDestination[],
    call: Call,
  ) => Promise<CheckedFeed | { problem: string }>
  /** Shops on this machine; null: who asks may be on another one. */
  localShops: LocalShops | null
  /** Where TEST_HOSTS sends a domain. */
  hereOf: (domain: string) => TestHost | null
  close: () => Promise<void>
  load: () => EngineLoad
}

/**
 * What is asked of the engine now: by holders of keys, by strangers and by watches, and of the
 * workers.
 */
export interface EngineLoad {
  slots: { key: SlotLoad; stranger: SlotLoad; watch: SlotLoad }
  judges: JudgesLoad
}

interface EngineOptions {
  /** The public URL of this service, without a trailing slash. */
  baseUrl: string
  testHosts: TestHosts
  /** Signs what goes out; null: nothing is signed. */
  signer?: Signer | null
  /** The program of a browser, for walks through pages; null: there is none. */
  browserPath?: string | null
  /** Whether shops on this machine may be audited; by default they may not. */
  localShops?: boolean
  /** Of the requests of an audit; a test that holds an answer gives it more time. */
  limits?: Partial<FetchLimits>
}

/** No rule could be judged: the answer says why instead of giving a score. */
export const nothingJudged = ({ code, message, reasons }: NothingJudged): ApiError =>
  new ApiError(422, code, message, {
    details: reasons.map((reason) => ({
      field: 'domain',
      code: 'not_judged',
      message: `${reason}.`,
    })),
  })

/** The store's state is the caller's to act on; anything else is a failure of ours, and stays. */
function asRefusal(error: unknown): unknown {
  if (error instanceof NothingJudged) return nothingJudged(error)
  if (!(error instanceof NoResult)) return error
  const { code, message } = error
  const isUnreachable = error instanceof DomainUnreadable
  return isUnreachable ? unreachable(code, message) : new ApiError(422, code, message)
}

const unreachable = (code: string, message: string): ApiError =>
  new ApiError(422, code, message, {
    details: [{ field: 'domain', code: 'endpoint_unreachable', message }],
  })

/**
 * The engine as the API runs it. A domain that cannot be reached is answered with 422, and with 429
 * or 503 what exceeds the slots.
 */
export function createEngine(
  options: EngineOptions,
  now: () => Date,
  judges: Judges = createJudges(),
  walking: Walking = { walk: walkDomain, cancelLeftOpen },
): Engine {
  const { baseUrl, testHosts: named, signer, limits = {}, browserPath = null } = options
  const { localShops: hasLocal = false } = options
  const testHosts = [...named]
  const localShops = hasLocal ? createLocalShops(testHosts) : null
  /**
   * Opens a shop on this machine, after a restart again. Returns its name; of any other address,
   * null. Throws 422 where nothing answers.
   */
  const openLocal = async (address: string): Promise<string | null> => {
    const port = localShopPort(address)
    if (port === null || localShops === null) return null
    return localShops.open(port).catch((error: unknown) => {
      throw error instanceof LocalShopAway
        ? unreachable('domain_unreachable', error.message)
        : error
    })
  }
  const fetcher = createFetcher({ ...identityOf(baseUrl), testHosts, limits, signer })
  const { run: inSlot, load: slotLoad } = createAllSlots()
  const feedFetcher = createFetcher({
    ...identityOf(baseUrl),
    ...{ testHosts, signer, limits: { totalMs: FEED_MS, auditMs: FEED_MS, ...limits } },
  })
  const feedSlots = createSlots(STRANGER_LIMITS)
  const links = linksTo(baseUrl)
  const withSession = <T>(
    call: Call,
    access: GivenAccess,
    work: (session: AuditSession) => Promise<T>,
  ): Promise<{ done: T; seen_with?: SeenWith }> =>
    inSlot(call, () =>
      withAccess(access, { fetcher, now, signal: call.signal }, async (opened) => {
        const session = opened.open({ deadlineMs: SHORT_MS, signal: call.signal })
        try {
          return await work(auditSession(session, judgesFor(judges, call.caller)))
        } finally {
          await session.close()
        }
      }),
    )
  const walker = createFetcher({ ...walkIdentityOf(baseUrl), testHosts, signer })
  // A walk reads hundreds of answers in a quarter of an hour: it takes turns, and has no limit in
  // all.
  const walkDeps = (whose: object) => ({
    fetcher: walker,
    judges: judgesFor(judges, whose, Number.POSITIVE_INFINITY),
    now,
    newId: randomUUID,
  })
  const { userAgent } = walkIdentityOf(baseUrl)
  const browsers = createBrowsers({ path: browserPath, userAgent, testHosts })
  const walkPages = createThroughPages({
    browsers,
    findPages: createFindPages({
      fetcher: walker,
      judgesOf: (domain) => judgesFor(judges, { walk: domain }),
      now,
    }),
  })
  return {
    walk: async (order, hooks) => {
      await openLocal(order.domain)
      const { keepPicture } = hooks
      const handOver = { browsers, keepPicture: keepPicture ? keptWithWalk(keepPicture) : null }
      return walking.walk(order, {
        ...walkDeps({ walk: order.domain }),
        walkPages,
        // Without a browser, no step says that none was there.
        ...(browserPath !== null && { handOver }),
        ...hooks,
      })
    },
    cancelLeftOpen: (entries, hooks) =>
      walking.cancelLeftOpen(entries, { ...walkDeps({ walk: 'left open' }), ...hooks }),
    audit: async (request, call, listener) => {
      const { signal } = call
      try {
        await openLocal(request.domain)
        return await inSlot(call, () =>
          auditWithAccess(request, {
            fetcher,
            judges: judgesFor(judges, call.caller),
            now,
            links,
            signal,
            ...(listener && { listener }),
          }),
        )
      } catch (error) {
        throw asRefusal(error)
      }
    },
    validateManifest: async (url, call, access) => {
      const { done, seen_with } = await withSession(call, access, (session) =>
        validateUrl(session, url),
      )
      return seenWith(done, seen_with)
    },
    readPage: async (url, call, access) => {
      const { done, seen_with } = await withSession(call, access, async (session) => {
        const local = await openLocal(url)
        const { pathname, search } = new URL(url)
        const address = local === null ? url : `https://${local}${pathname}${search}`
        const seen = await probePage(session, address)
        demandRead(session)
        return openSeen(seen)
      })
      return { ...done, ...(seen_with && { seen_with }) }
    },
    readEvidence: async (request, call) => {
      try {
        await openLocal(request.domain)
        const deps = { fetcher, judges: judgesFor(judges, call.caller), now, signal: call.signal }
        return await inSlot(call, () => readEvidence(request, deps))
      } catch (error) {
        throw asRefusal(error)
      }
    },
    checkFeed: (source, destinations, call) => {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(FEED_MS)])
      return feedSlots.run(JSON.stringify(call.caller), call.signal, async () => {
        const session = feedFetcher.open({ deadlineMs: FEED_MS, signal })
        try {
          return await checkFeed(source, destinations, {
            request: session.request,
            signal,
            judges: judgesFor(judges, call.caller, FEED_JUDGING_MS),
          })
        } finally {
          await session.close()
        }
      })
    },
    localShops,
    hereOf: (domain) => findTestHost(named, domain) ?? null,
    close: async () => {
      await fetcher.close()
      await feedFetcher.close()
      await walker.close()
      await browsers.close()
      await localShops?.close()
      await judges.close()
    },
    load: () => ({ slots: slotLoad(), judges: judges.load() }),
  }
}
