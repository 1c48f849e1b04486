import { existsSync } from 'node:fs'
import { linksTo } from '../../shared/audit/gap/links.ts'
import { type AuditResult, NO_LINKS } from '../../shared/audit/result/result.ts'
import {
  CHECK_NAMES,
  CheckName,
  DEFAULT_CHECKS,
  FAIL_ON,
  type FailOn,
} from '../../shared/audit/vocabulary.ts'
import type { WalkSeen } from '../../shared/walk/seen.ts'
import type { AisleFile } from '../../shared/watch/aisle-file.ts'
import { shopOfAddress } from '../../shared/web/address/local-shop.ts'
import { readCommaList } from '../../shared/web/text/comma-list.ts'
import { englishCount } from '../../shared/web/text/english-count.ts'
import { type Printable, printable, printableLines } from '../../shared/web/text/printable.ts'
import type { OwnerAccess } from '../access/site-access.ts'
import { identityOf } from '../audit/identity.ts'
import { createJudgesAtHand } from '../audit/judging/judges-at-hand.ts'
import { createFetcher } from '../audit/probe/fetch/fetch.ts'
import type { WholeReading } from '../audit/probe/whole-catalog.ts'
import { auditWithAccess } from '../audit/with-access.ts'
import type { Config } from '../config.ts'
import { formatReport, formatVerdict } from './audit-text.ts'
import type { Baseline } from './baseline.ts'
import type { ConfigFile } from './config-file/config-of.ts'
import { readConfigFile } from './config-file/read-config-file.ts'
import {
  deliver,
  errorText,
  type Kept,
  type RunnerFiles,
  reportedError,
  reportingErrors,
} from './formats/deliver.ts'
import { type FormatFlags, readDestinations } from './formats/formats.ts'
import type { CommandReport, ReportedError, Subject } from './formats/report.ts'
import { readGivenHeaders } from './given-headers.ts'
import { judgeGaps, type RunDemands } from './judge-gaps.ts'
import { openLocalShops } from './local-shops.ts'
import { openSigner, remarkUnsigned } from './signing.ts'
import { CommandError } from './terminal/command-error.ts'
import { painter } from './terminal/paint.ts'
import { isSameFile, pathBeside } from './terminal/paths.ts'
import { withProgress } from './terminal/progress.ts'
import type { Terminal } from './terminal/terminal.ts'

interface AuditFlags extends FormatFlags {
  checks?: string
  failUnder?: string
  failOn?: string
  baseline?: string
  config?: string
  agents?: boolean
  deep?: boolean
  deadline?: string
  walk?: string
  header?: string[]
}

/** The options of the command. */
interface AuditCommandDeps {
  config: Config
  runner: RunnerFiles
  now: () => Date
}

/**
 * Audits domains from this machine, without a server, a key or a database: the named ones, or else
 * those of `aisle.json`. Returns the exit code: 1 if a store is not as good as was asked for, 2 if
 * one could not be audited.
 */
export async function auditCommand(
  inputs: readonly string[],
  flags: AuditFlags,
  deps: AuditCommandDeps,
  terminal: Terminal,
): Promise<number> {
  const destinations = readDestinations(flags, 'audit')
  /** Undefined if only `aisle.json` can say it. */
  let baseline: string | null | undefined = flags.baseline
  const run = async (): Promise<number> => {
    const file = await readConfigFile(flags.config)
    baseline = baselineOf(flags, file)
    const order = await readOrder(inputs, flags, file)
    const audited = await auditAll(order, deps, terminal)
    const report = reportOf(audited, order, terminal)
    await deliver(report, destinations, terminal, deps.runner)
    for (const each of order.wholeMs === null ? [] : audited) {
      if ('error' in each) continue
      terminal.remark(each.result.catalog_seen === undefined ? NOT_READ : ON_SAMPLE)
    }
    if (report.errors.length > 0) return 2
    return report.subjects.some(({ failures }) => failures.length > 0) ? 1 : 0
  }
  // Unspecified: an error never overwrites the baseline, which every later run would then fail on;
  // nor JSON that may be the baseline of an unreadable aisle.json.
  const isKept: Kept = async (file, format) =>
    baseline === undefined
      ? format === 'json' && existsSync(file)
      : baseline !== null && isSameFile(file, baseline)
  return reportingErrors('audit', destinations, terminal, deps.runner, run, isKept)
}

/** What to do, by the flags and, where they are silent, by `aisle.json`. */
interface Order {
  domains: readonly string[]
  checks: readonly CheckName[]
  demands: RunDemands
  /** A file or an address. */
  baseline: string | null
  agents: boolean
  /** Milliseconds for the whole catalog; null if it is not to be read. */
  wholeMs: number | null
  walks: ReadonlyMap<string, WalkSeen>
  /** What the owner gave for the one domain. */
  access: OwnerAccess | null
  file: ConfigFile | null
}

const besideConfig = (file: ConfigFile | null, named: string): string =>
  file === null ? named : pathBeside(file.path, named)

/** The file or address of the baseline; null without one. */
function baselineOf(flags: AuditFlags, file: ConfigFile | null): string | null {
  const named = file?.config.baseline
  return flags.baseline ?? (named === undefined ? null : besideConfig(file, named))
}

async function readOrder(
  inputs: readonly string[],
  flags: AuditFlags,
  file: ConfigFile | null,
): Promise<Order> {
  const config: AisleFile = file?.config ?? {}
  const domains =
    inputs.length === 0 ? (config.domains ?? []) : [...new Set(inputs.map(readDomain))]
  if (domains.length === 0) {
    throw new CommandError(
      file === null
        ? printable`Name a domain, such as shop.example, or list domains in aisle.json.`
        : printable`Name a domain, such as shop.example, or list "domains" in ${file.file}.`,
    )
  }
  const [first = '', second] = domains
  if (flags.header !== undefined && second !== undefined) {
    throw new CommandError(
      printable`A header is for one store alone. Audit ${first} and ${second} one after the other, each with its own --header.`,
    )
  }
  const named = config.audit?.walk
  const walk = flags.walk ?? (named === undefined ? undefined : besideConfig(file, named))
  return {
    domains,
    checks:
      flags.checks === undefined ? (config.checks ?? DEFAULT_CHECKS) : readChecks(flags.checks),
    demands: {
      failOn: readFailOn(flags.failOn) ?? config.fail_on ?? null,
      failUnder: readFailUnder(flags.failUnder) ?? config.budgets?.score ?? null,
      asserts: config.asserts ?? {},
      budgets: config.budgets?.categories ?? {},
      ignore: config.ignore ?? [],
    },
    baseline: baselineOf(flags, file),
    agents: flags.agents ?? config.audit?.agents ?? false,
    wholeMs: readDeadline({
      deep: flags.deep ?? config.audit?.deep ?? false,
      deadline: flags.deadline ?? config.audit?.deadline?.toString(),
    }),
    walks: walk === undefined ? new Map() : await walksIn(walk, domains),
    access: readGivenHeaders(flags.header, first),
    file,
  }
}

type Audited = { domain: string } & (
  | { result: AuditResult; baseline: AuditResult | 'none' | null }
  | { error: ReportedError; baseline: AuditResult | 'none' | null }
)

/** One after the other. A domain that cannot be audited does not keep the others from it. */
async function auditAll(
  { domains, checks, agents, wholeMs, walks, access, baseline }: Order,
  { config, now }: AuditCommandDeps,
  terminal: Terminal,
): Promise<Audited[]> {
  let listed: Printable | null = null
  let asked: string = domains[0] ?? ''
  const testHosts = [...config.testHosts]
  const closeShops = await openLocalShops(domains, testHosts, terminal)
  const { signer, close: closeSigner } = await openSigner(config, now)
  const plain = createFetcher({ ...identityOf(config.baseUrl), testHosts, signer })
  const fetcher = withProgress(plain, (count, url) =>
    terminal.progress(
      printable`Auditing ${asked}: ${count} responses, ${listed ?? printable`last ${url}`}`,
    ),
  )
  const onPage: WholeReading['onPage'] = ({ products, pages, of }) => {
    const all = of === null ? '' : ` of ${englishCount(of)}`
    listed = printable`${englishCount(products)}${all} products on ${pages} pages`
  }
  const judges = createJudgesAtHand()
  // Without a public server there is no page to link to: `aisle explain` has the texts.
  const links = config.publicUrl === null ? NO_LINKS : linksTo(config.publicUrl)
  try {
    const earlier: Baseline | null =
      baseline === null ? null : await (await import('./baseline.ts')).readBaseline(baseline, plain)
    const audited: Audited[] = []
    for (const domain of domains) {
      asked = domain
      listed = null
      const before = earlier === null ? null : (earlier.get(domain) ?? 'none')
      try {
        const { result } = await auditWithAccess(
          {
            domain,
            checks,
            agents,
            access,
            walk: walks.get(domain) ?? null,
            ...(before !== null && before !== 'none' && { known: pagesOf(before) }),
            ...(wholeMs !== null && { whole: { ms: wholeMs, onPage } }),
          },
          { fetcher, judges, now, links },
        )
        audited.push({ domain, result, baseline: before })
      } catch (error) {
        // With one domain its failure is the command's.
        if (domains.length === 1) throw error
        audited.push({ domain, error: reportedError(error), baseline: before })
      }
    }
    if (signer === null && audited.some(isTurnedAway)) remarkUnsigned(terminal)
    return audited
  } finally {
    terminal.endProgress()
    await fetcher.close()
    await closeShops()
    await closeSigner()
    await judges.close()
  }
}

/** Whether something could not be judged because the store lets in no strangers. */
const isTurnedAway = (each: Audited): boolean =>
  'result' in each && each.result.skipped.some(({ reason }) => / answered 40[13]\b/.test(reason))

// Unspecified: the JSON of one domain is its result; that of several is `{ "results": […] }`, in
// the requested order, with `{ "domain", "error" }` for one that failed.
function reportOf(audited: readonly Audited[], order: Order, terminal: Terminal): CommandReport {
  const paint = painter(terminal.colour)
  const subjects: Subject[] = []
  const errors: CommandReport['errors'] = []
  const texts: Printable[] = []
  for (const each of audited) {
    if ('error' in each) {
      errors.push({ name: each.domain, error: each.error })
      texts.push(printableLines(['', paint('bold', each.domain), errorText(each.error)]))
      continue
    }
    const subject = subjectOf(each.result, each.baseline, order)
    subjects.push(subject)
    texts.push(
      printableLines([
        formatReport(each.result, paint, terminal.width),
        ...formatVerdict(subject, paint, terminal.width),
      ]),
    )
  }
  const results = audited.map((each) =>
    'error' in each ? { domain: each.domain, error: each.error } : each.result,
  )
  // The gaps of a store that was down for a moment are not new when it is back.
  const kept = audited.map((each, n) =>
    'error' in each && each.baseline !== null && each.baseline !== 'none'
      ? each.baseline
      : results[n],
  )
  return {
    command: 'audit',
    subjects,
    errors,
    json: results.length === 1 ? results[0] : { results },
    ...(order.baseline !== null &&
      errors.length > 0 && { baseline: { file: order.baseline, json: { results: kept } } }),
    text: printableLines(texts),
  }
}

function subjectOf(
  result: AuditResult,
  baseline: AuditResult | 'none' | null,
  { demands, file }: Order,
): Subject {
  const { domain, score, grade, checked_at } = result
  const judged = judgeGaps(result, { demands, baseline, today: checked_at.slice(0, 10) })
  return {
    ...judged,
    name: domain,
    url: `https://${domain}/`,
    source: file === null ? null : { file: file.file, line: file.lineOf(domain) },
    headline: `${score} of 100, grade ${grade}`,
    score,
    grade,
    at: checked_at,
    markdown: null,
  }
}

const pagesOf = ({ product_pages }: AuditResult): string[] => product_pages.map(({ url }) => url)

function readDomain(input: string): string {
  const read = shopOfAddress(input)
  if ('problem' in read) throw new CommandError(printable`${input}: ${read.problem}`)
  return read.domain
}

/** The transcript in a file; its domain has to be one of these. */
async function walksIn(
  file: string,
  domains: readonly string[],
): Promise<ReadonlyMap<string, WalkSeen>> {
  // Most runs have none.
  const { readWalkFile } = await import('./walk/read-walk-file.ts')
  const { walkSeenOf } = await import('../../shared/walk/seen.ts')
  const transcript = await readWalkFile(file)
  if (domains.includes(transcript.domain)) {
    return new Map([[transcript.domain, walkSeenOf(transcript)]])
  }
  const domain = domains[0] ?? ''
  throw new CommandError(
    printable`${file} is the walk of ${transcript.domain}. Give one of ${domain}, made with aisle walk ${domain}.`,
  )
}

function readChecks(list: string): readonly CheckName[] {
  const known = CHECK_NAMES.join(', ')
  const checks = readCommaList(list).map((name) => {
    const check = CheckName.safeParse(name)
    if (check.success) return check.data
    throw new CommandError(printable`"${name}" is not a check. The checks are ${known}.`)
  })
  if (checks.length > 0) return checks
  throw new CommandError(printable`--checks names no check. The checks are ${known}.`)
}

const ON_SAMPLE = printable`Searches, look-ups, and what the catalog is compared with (product pages, the feed) are judged on a sample.`

const NOT_READ = printable`No catalog was read: the store lists no products, or none of the checks asks for them.`

// Unspecified: the whole catalog of a store is read for at most 30 minutes by default.
const DEADLINE_MINUTES = 30
const MAX_DEADLINE_MINUTES = 24 * 60

/** Milliseconds for the whole catalog; null if it is not to be read. */
function readDeadline({ deep, deadline }: { deep: boolean; deadline: string | undefined }) {
  const minutes = Number(deadline ?? DEADLINE_MINUTES)
  if (deadline !== undefined && !deep) {
    throw new CommandError(printable`--deadline is for --deep. Give both, or neither.`)
  }
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_DEADLINE_MINUTES) {
    throw new CommandError(
      printable`--deadline takes whole minutes from 1 to ${MAX_DEADLINE_MINUTES}, not "${deadline}".`,
    )
  }
  return deep ? minutes * 60_000 : null
}

function readFailUnder(text: string | undefined): number | null {
  if (text === undefined) return null
  const score = Number(text)
  if (text.trim() !== '' && Number.isInteger(score) && score >= 0 && score <= 100) return score
  throw new CommandError(printable`--fail-under takes a whole number from 0 to 100, not "${text}".`)
}

function readFailOn(text: string | undefined): FailOn | null {
  if (text === undefined) return null
  const known = FAIL_ON.find((each) => each === text)
  if (known !== undefined) return known
  throw new CommandError(printable`--fail-on takes ${FAIL_ON.join(', ')}, not "${text}".`)
}
