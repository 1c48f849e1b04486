import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Evidence } from '../../../shared/audit/evidence.ts'
import { linksTo } from '../../../shared/audit/gap/links.ts'
import {
  MANIFEST_READS,
  proposeManifest,
} from '../../../shared/audit/proposals/manifest-proposal.ts'
import { MARKUP_READS, proposeMarkup } from '../../../shared/audit/proposals/markup-proposal.ts'
import {
  type Proposal,
  type Proposed,
  proposalFor,
} from '../../../shared/audit/proposals/proposal.ts'
import { proposeRobots, ROBOTS_READS } from '../../../shared/audit/proposals/robots-proposal.ts'
import { compareAudits, comparedOf } from '../../../shared/audit/result/compare.ts'
import { NoResult } from '../../../shared/audit/result/no-result.ts'
import { type AuditResult, NO_LINKS } from '../../../shared/audit/result/result.ts'
import { CHECK_NAMES, DEFAULT_CHECKS } from '../../../shared/audit/vocabulary.ts'
import { intentsOf } from '../../../shared/walk/intents.ts'
import { type WalkSeen, walkSeenOf } from '../../../shared/walk/seen.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { coveredBy } from '../../access/covered-domains.ts'
import { createBrowsers, findBrowser } from '../../audit/browser/browser.ts'
import { identityOf, walkIdentityOf } from '../../audit/identity.ts'
import { createJudges } from '../../audit/judging/judges.ts'
import { tellProgress } from '../../audit/listener.ts'
import { createFetcher } from '../../audit/probe/fetch/fetch.ts'
import { readEvidence } from '../../audit/read-evidence.ts'
import { validateDocument } from '../../audit/validate-manifest.ts'
import { createFindPages, createThroughPages } from '../../audit/walk/through-pages.ts'
import { auditWithAccess, type GivenAccess } from '../../audit/with-access.ts'
import type { Config } from '../../config.ts'
import {
  type Backend,
  type ComparedSide,
  type Job,
  progressWords,
  ToolFault,
} from '../../mcp/backend.ts'
import type { Signer } from '../../signatures/signer.ts'
import { CommandError } from '../terminal/command-error.ts'
import { validateWith } from '../validate-at.ts'
import { openWalkNetwork } from '../walk/walk-network.ts'

// Unspecified: this machine keeps the last 100 results of one assistant, until it closes the
// command.
const MOST_RESULTS = 100

type LocalConfig = Pick<Config, 'baseUrl' | 'publicUrl' | 'testHosts' | 'dataDir' | 'browser'>

/** The tools on this machine: no service, no key and no database. */
export function localBackend(
  config: LocalConfig,
  now: () => Date,
  { signer = null, access: given = null }: { signer?: Signer | null; access?: GivenAccess } = {},
): Backend & { close: () => Promise<void> } {
  const fetcher = createFetcher({
    ...identityOf(config.baseUrl),
    testHosts: config.testHosts,
    signer,
  })
  const accessTo = (domain: string) =>
    given && coveredBy([given.domain]).includes(domain) ? given : null
  const judges = createJudges()
  const path = findBrowser(config.browser)
  const { userAgent } = walkIdentityOf(config.baseUrl)
  const browsers = createBrowsers({ path, userAgent, testHosts: config.testHosts })
  const walking = openWalkNetwork(config, {
    judges,
    signer,
    walkPages: createThroughPages({
      browsers,
      findPages: createFindPages({ fetcher, judgesOf: () => judges, now }),
    }),
    // Without a browser, no step says that none was there.
    ...(path !== null && { handOver: { browsers, keepPicture: null } }),
  })
  const links = config.publicUrl === null ? NO_LINKS : linksTo(config.publicUrl)
  const kept = new LRUCache<string, AuditResult>({ max: MOST_RESULTS })
  /** The results of each domain's last complete walk: audits use it for a day, like the service. */
  const walked = new LRUCache<string, WalkSeen>({ max: MOST_RESULTS, ttl: DAY_MS })

  const propose =
    <Request extends { domain: string }>(
      reads: readonly (keyof Evidence)[],
      make: (request: Request, seen: Partial<Evidence>) => Proposed,
    ) =>
    (request: Request, { signal, progress }: Job): Promise<Proposal> =>
      orStoreFault(async () => {
        progress('Reading the store')
        const { domain } = request
        const seen = await readEvidence(
          { domain, reads, access: accessTo(domain) },
          { fetcher, judges, now, signal },
        )
        return proposalFor(domain, make(request, seen), seen)
      })

  const sideOf = (result_id: string): ComparedSide & { result: AuditResult } => {
    const result = kept.get(result_id)
    if (result === undefined) {
      throw new ToolFault(
        'unknown_result',
        'No result has this id. Results are kept until this command ends: audit again, and use the result_id of that.',
      )
    }
    const { checked_at, score, grade } = result
    return { result_id, checked_at, score, grade, result }
  }

  return {
    audit: ({ domain, checks: asked = [...DEFAULT_CHECKS] }, { signal, progress }) =>
      orStoreFault(async () => {
        const checks = CHECK_NAMES.filter((name) => asked.includes(name))
        const listener = tellProgress((seen) => progress(progressWords(seen)))
        const deps = { fetcher, judges, now, links, signal, listener }
        const walk = walked.get(domain) ?? null
        const { result } = await auditWithAccess(
          { domain, checks, walk, access: accessTo(domain) },
          deps,
        )
        const result_id = randomUUID()
        kept.set(result_id, result)
        return { result, result_id }
      }),
    async validate(asked, { signal }) {
      if ('manifest' in asked) return validateDocument(asked.manifest)
      const access = accessTo(new URL(asked.url).hostname)
      return await validateWith(asked.url, { fetcher, judges, now }, signal, access)
    },
    proposeManifest: propose(MANIFEST_READS, proposeManifest),
    proposeMarkup: propose(MARKUP_READS, proposeMarkup),
    proposeRobots: propose(ROBOTS_READS, proposeRobots),
    tagsOf: null,
    async walk(asked, { signal, progress }) {
      const { domain, intents = intentsOf('look'), dialects, item, pages, product_url: url } = asked
      const ledger = await walking.openLedger(domain).catch((error: unknown) => {
        throw error instanceof CommandError
          ? new ToolFault(error.code, String(error.printable))
          : error
      })
      try {
        const access = accessTo(domain)
        const order = {
          ...{ domain, mode: 'look' as const, intents, access },
          ...(dialects && { dialects }),
          ...(item !== undefined && { item }),
          ...(pages && { pages: url === undefined ? {} : { url } }),
        }
        await walking.sweep(ledger, order)
        let steps = 0
        const onEvent = ({ event }: { event: string }) => {
          if (event === 'step' || event === 'browsed' || event === 'page') steps += 1
          progress(`Walking: ${steps} steps`)
        }
        const transcript = await walking.walk(order, { ledger, onEvent, signal })
        if (transcript.stopped === null) walked.set(domain, walkSeenOf(transcript))
        const state = signal.aborted ? ('cancelled' as const) : ('ended' as const)
        return { walk_id: null, state, transcript }
      } finally {
        await ledger.close()
      }
    },
    walkAgain: () => {
      throw new ToolFault('not_here', 'Walks of this machine end within their call. Send a domain.')
    },
    async compare({ before, after }) {
      const [one, other] = [sideOf(before), sideOf(after)]
      if (one.result.domain !== other.result.domain || before === after) {
        throw new ToolFault('invalid_arguments', 'Name two different results of one domain.')
      }
      const [{ result: earlier, ...first }, { result: later, ...second }] =
        one.checked_at <= other.checked_at ? [one, other] : [other, one]
      const { measure: _, ...changes } = compareAudits(comparedOf(earlier), comparedOf(later))
      return { domain: later.domain, before: first, after: second, ...changes }
    },
    report: null,
    results: async () =>
      [...kept.entries()].map(([result_id, { domain, checked_at, score, grade }]) => ({
        result_id,
        domain,
        checked_at,
        score,
        grade,
      })),
    result: async ({ id }) => kept.get(id) ?? null,
    async close() {
      await browsers.close()
      await Promise.all([fetcher.close(), judges.close(), walking.close()])
    },
  }
}

/** The caller can act on the store's state; its words are data. */
async function orStoreFault<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NoResult)) throw error
    throw new ToolFault(error.code, error.message, { quotes: true })
  }
}
