import { setTimeout as sleep } from 'node:timers/promises'
import { salesOver } from '../../shared/audit/checks/acp/steps.ts'
import { rulesOf } from '../../shared/audit/checks/index.ts'
import { isWithoutHttps } from '../../shared/audit/checks/well-known/rules.ts'
import { isLetIn, isShut } from '../../shared/audit/checks/well-known/signed/compare.ts'
import { comparedIn } from '../../shared/audit/checks/well-known/signed/rules.ts'
import type { Evidence } from '../../shared/audit/evidence.ts'
import { recognisePlatform } from '../../shared/audit/platforms/recognise.ts'
import { NoResult } from '../../shared/audit/result/no-result.ts'
import type { ProductTitle } from '../../shared/audit/result/product-titles.ts'
import {
  type AuditResult,
  type GapLinks,
  judgedPages,
  NothingJudged,
  toResult,
} from '../../shared/audit/result/result.ts'
import type { CheckName } from '../../shared/audit/vocabulary.ts'
import type { WalkSeen } from '../../shared/walk/seen.ts'
import type { SeenAnswers } from '../../shared/watch/answers.ts'
import { describeFetch } from '../../shared/web/http/fetched.ts'
import { jsonOf, presenceOf } from '../../shared/web/http/presence.ts'
import { isRecord } from '../../shared/web/json/json.ts'
import type { SignedAs } from '../../shared/web/signed-as.ts'
import type { Judges } from './judging/judges.ts'
import { type AuditListener, NO_LISTENER } from './listener.ts'
import { ACCESS_REQUESTS } from './probe/access.ts'
import type { Fetcher } from './probe/fetch/fetch.ts'
import { DEFAULT_LIMITS } from './probe/fetch/session.ts'
import { type Gathering, gatherEvidence } from './probe/gather.ts'
import { auditSession, demandRead, notJudgedHere } from './probe/session.ts'
import { WHOLE_LIMITS, WHOLE_REQUESTS, type WholeReading } from './probe/whole-catalog.ts'

/** The session of a whole catalog is open from the beginning, and used when the rest was seen. */
const AUDIT_MS = DEFAULT_LIMITS.auditMs

/** What is audited. */
export interface AuditOrder {
  domain: string
  checks: readonly CheckName[]
  agents?: boolean
  /** What a walk of it showed, so that the rules about checkout sessions can judge it. */
  walk?: WalkSeen | null
  /** Reads the whole catalog, in at most `ms` milliseconds; for the owner of the store. */
  whole?: Pick<WholeReading, 'onPage'> & { ms: number }
  /** Product pages that an earlier audit judged, to be read where no list names any. */
  known?: readonly string[] | undefined
  /** What was answered is wanted as well, in short. */
  answers?: boolean
}

/** What an audit saw. */
export interface DomainAudit {
  result: AuditResult
  /** What the products that were read are called. */
  titles: readonly ProductTitle[]
  /** What was answered, in short; nothing unless it was asked for. */
  answers: SeenAnswers
}

/** What an audit needs from outside. `links` makes the URLs of gaps. */
export interface AuditDeps {
  fetcher: Fetcher
  judges: Judges
  now: () => Date
  links: GapLinks
  /** Aborted when the caller no longer waits: the audit then rejects with its reason. */
  signal?: AbortSignal
  /** Notified of the audit's progress. */
  listener?: AuditListener
  /** Waits `ms` milliseconds between the pages of a whole catalog. Tests replace it. */
  pause?: (ms: number) => Promise<unknown>
  /**
   * How long product pages wait for further pages of a catalog, in milliseconds. Tests make it
   * long.
   */
  pagesWaitMs?: number
}

/**
 * There is nothing to judge, so there is no score: the domain did not respond, must not be
 * requested, or blocks us. The first two look the same on purpose (see NOT_REACHED).
 */
export class DomainUnreadable extends NoResult {
  override name = 'DomainUnreadable'

  constructor(code: 'domain_unreachable' | 'domain_blocked', message: string) {
    super(code, message)
  }
}

/** What the store answers is more than an audit may use to judge it. */
class JudgingExceeded extends NoResult {
  override name = 'JudgingExceeded'

  constructor(exceeded: string) {
    super(
      'too_large_to_judge',
      `What this store answers could not be judged, because ${exceeded}. Ask for fewer checks, and look for a page, a feed or a catalog of many megabytes.`,
    )
  }
}

/**
 * Audits a domain by the checks asked for (spec, Audit result): gathers evidence over the network,
 * judges it, scores it. `domain` is normalised; with `agents` its pages are asked for in the names
 * of AI agents as well, which only its owner may want. Throws `DomainUnreadable` when the domain
 * gives nothing that could be judged, or no answer over https to rules that all need one, and
 * `NothingJudged` when no rule asked for could judge what it gave; everything else that a store
 * does is evidence.
 */
export async function auditDomain(
  {
    domain,
    checks,
    agents = false,
    walk = null,
    whole,
    known,
    answers: withAnswers = false,
  }: AuditOrder,
  {
    fetcher,
    judges,
    now,
    links,
    signal,
    listener = NO_LISTENER,
    pause = sleep,
    pagesWaitMs,
  }: AuditDeps,
): Promise<DomainAudit> {
  const rules = rulesOf(checks)
  const session = fetcher.open({
    signal,
    more: agents ? ACCESS_REQUESTS : 0,
    onSend: listener.asks,
  })
  const second =
    whole === undefined
      ? null
      : fetcher.open({ signal, more: WHOLE_REQUESTS, deadlineMs: whole.ms + AUDIT_MS })
  try {
    // `site` is always gathered: it tells whether there is anything to judge.
    const wanted = new Set(rules.flatMap(({ reads }) => reads))
    const how = { readsChoices: rules.some(({ check }) => check === 'pages') }
    const looking = auditSession(session, judges, how)
    const deep = second && auditSession(second, judges, how)
    const gathering: Gathering = {
      domain,
      agents,
      walk,
      known,
      pagesWaitMs,
      whole:
        deep === null || whole === undefined
          ? null
          : {
              session: deep,
              reading: {
                ...whole,
                run: deep.run,
                limits: { ...WHOLE_LIMITS, ms: whole.ms },
                pause,
                clock: () => performance.now(),
              },
            },
    }
    wanted.add('site')
    listener.begins([...wanted].filter((key) => key !== 'access' || agents))
    const evidence = await gatherEvidence(looking, gathering, wanted, now, listener.done)
    signal?.throwIfAborted()
    demandRead(looking)
    if (deep !== null) demandRead(deep)
    demandSomethingToJudge(evidence)
    const judged = await judges.run('judge', {
      checks,
      evidence,
      ...(withAnswers && { answers: true }),
    })
    listener.done('judging')
    if ('exceeded' in judged) {
      throw judged.ours ? notJudgedHere(judged.exceeded) : new JudgingExceeded(judged.exceeded)
    }
    const outcomes = rules.flatMap((rule) => {
      const verdict = judged.done.verdicts[rule.id]
      return verdict === undefined ? [] : [{ rule, verdict }]
    })
    const pages = judgedPages(evidence.productPages)
    const { readiness, share: catalogSeen, titles, answers = {} } = judged.done
    const platform = recognisePlatform(evidence)
    const signedAs = signedAsOf(evidence)
    const seenWith = walk?.seen_with
    const seen = { pages, readiness, catalogSeen, platform, signedAs, seenWith }
    try {
      const result = toResult(domain, checks, outcomes, now(), links, seen)
      return { result, titles, answers }
    } catch (error) {
      throw error instanceof NothingJudged ? sayWhyUnread(error, evidence.site) : error
    }
  } finally {
    await session.close()
    await second?.close()
  }
}

/** What our signature changed anywhere; a refusal of it is told first. */
function signedAsOf(evidence: Parameters<typeof comparedIn>[0]): SignedAs | undefined {
  const compared = comparedIn(evidence)
  const [first] = compared
  if (first === undefined) return undefined
  const shuts = compared.some(({ signed, unsigned }) => isShut(signed) && isLetIn(unsigned))
  const opens = compared.some(({ signed, unsigned }) => isShut(unsigned) && isLetIn(signed))
  return { as: first.as, changes: shuts ? 'shuts' : opens ? 'opens' : 'nothing' }
}

/** A score of a store that could not be read would say more about us than about the store. */
function demandSomethingToJudge({
  site,
  manifest,
  acp,
}: Partial<Pick<Evidence, 'site' | 'manifest' | 'acp'>>): void {
  if (site === undefined) return
  const { https, http } = site
  if (https.kind !== 'answer') {
    if (https.kind === 'no_answer' && https.why === 'not_read') throw notJudgedHere(https.message)
    // No TLS at all while http answers is a finding of its own.
    // Unspecified: a domain with an invalid certificate is refused like one that cannot be reached,
    // because agents read as little there; only the message differs.
    const isRefused = https.kind === 'no_answer' && https.why === 'certificate'
    if (http.kind === 'answer' && isWithoutHttps(https) && !isRefused) return
    throw new DomainUnreadable('domain_unreachable', `${describeFetch(https)}.`)
  }
  const isRead = https.status >= 200 && https.status < 300 && https.challenge === undefined
  if (isRead || (manifest !== undefined && presenceOf(manifest.fetched).is === 'present')) return
  // An address for agents alone need not have a page.
  if (acp !== undefined && (isDiscovered(acp) || salesOver(acp) !== null)) return
  const message = `${describeFetch(https)}, so there is nothing to judge. ${adviceFor(https.status)}`
  throw new DomainUnreadable('domain_blocked', message)
}

/**
 * Where nothing could be judged because https gave no answer, the reason for that is what helps.
 */
const sayWhyUnread = (error: NothingJudged, site: Evidence['site'] | undefined): Error =>
  site === undefined || site.https.kind === 'answer'
    ? error
    : new DomainUnreadable('domain_unreachable', `${describeFetch(site.https)}.`)

const isDiscovered = ({ discovery }: Evidence['acp']): boolean =>
  presenceOf(discovery.fetched).is === 'present' && isRecord(jsonOf(discovery))

/** What may help where the home page could not be read. */
function adviceFor(status: number): string {
  if (status === 401) {
    return 'It asks for a key, and an audit has none: audit the domain on which buyers see the store.'
  }
  return status === 404 || status === 410
    ? 'Audit the domain on which buyers see the store; if this one has ACP alone, ask for the check acp.'
    : 'Allow our User-Agent, or try again when the store is up.'
}
