import { linksTo } from '../../shared/audit/gap-links.ts'
import { NO_LINKS } from '../../shared/audit/result.ts'
import { CHECK_NAMES, CheckName, DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { type WalkSeen, walkSeenOf } from '../../shared/walk/seen.ts'
import { domainOfAddress } from '../../shared/web/domain.ts'
import { type Printable, printable, printableJson } from '../../shared/web/printable.ts'
import { auditDomain } from '../audit/audit-domain.ts'
import { identityOf } from '../audit/identity.ts'
import { createJudges } from '../audit/judging/judges.ts'
import { createFetcher } from '../audit/probe/fetch/fetch.ts'
import type { WholeReading } from '../audit/probe/whole-catalog.ts'
import type { Config } from '../config.ts'
import { formatReport } from './audit-text.ts'
import { CommandError } from './terminal/command-error.ts'
import { painter } from './terminal/paint.ts'
import { withProgress } from './terminal/progress.ts'
import type { Terminal } from './terminal/terminal.ts'
import { readWalkFile } from './walk/read-walk-file.ts'

export interface AuditFlags {
  json?: boolean
  checks?: string
  failUnder?: string
  agents?: boolean
  deep?: boolean
  deadline?: string
  walk?: string
}

/**
 * Audits a domain from this machine, without a server, a key or a database. Returns the exit code:
 * 1 if the score is below `failUnder`.
 */
export async function auditCommand(
  input: string,
  flags: AuditFlags,
  config: Config,
  terminal: Terminal,
): Promise<number> {
  const read = domainOfAddress(input)
  if ('problem' in read) throw new CommandError(printable`${read.problem}`)
  const checks = readChecks(flags.checks)
  const failUnder = readFailUnder(flags.failUnder)
  const ms = readDeadline(flags)
  const walk = flags.walk === undefined ? null : await walkIn(flags.walk, read.domain)
  let listed: Printable | null = null
  const fetcher = withProgress(
    createFetcher({ ...identityOf(config.baseUrl), testHosts: config.testHosts }),
    (count, url) =>
      terminal.progress(
        printable`Auditing ${read.domain}: ${count} responses, ${listed ?? printable`last ${url}`}`,
      ),
  )
  const onPage: WholeReading['onPage'] = ({ products, pages, of }) => {
    const all = of === null ? '' : ` of ${of.toLocaleString('en')}`
    listed = printable`${products.toLocaleString('en')}${all} products on ${pages} pages`
  }
  const judges = createJudges()
  try {
    const now = () => new Date()
    // Without a server that others reach there is nothing to link to: `aisle explain` has the texts.
    const links = config.publicUrl === null ? NO_LINKS : linksTo(config.publicUrl)
    const audit = { fetcher, judges, now, links }
    const result = await auditDomain(
      {
        domain: read.domain,
        checks,
        agents: flags.agents === true,
        walk,
        ...(ms !== null && { whole: { ms, onPage } }),
      },
      audit,
    )
    terminal.endProgress()
    terminal.print(
      flags.json
        ? printableJson(result)
        : formatReport(result, painter(terminal.colour), terminal.width),
    )
    if (ms !== null) terminal.remark(result.catalog_seen === undefined ? NOT_READ : ON_SAMPLE)
    return result.score < failUnder ? 1 : 0
  } finally {
    terminal.endProgress()
    await fetcher.close()
    await judges.close()
  }
}

/** What a transcript in a file shows of this domain. */
async function walkIn(file: string, domain: string): Promise<WalkSeen> {
  const transcript = await readWalkFile(file)
  if (transcript.domain === domain) return walkSeenOf(transcript)
  throw new CommandError(
    printable`${file} is the walk of ${transcript.domain}. Give one of ${domain}, made with aisle walk ${domain}.`,
  )
}

function readChecks(list: string | undefined): readonly CheckName[] {
  if (list === undefined) return DEFAULT_CHECKS
  return list.split(',').map((name) => {
    const check = CheckName.safeParse(name.trim())
    if (check.success) return check.data
    throw new CommandError(
      printable`"${name}" is not a check. The checks are ${CHECK_NAMES.join(', ')}.`,
    )
  })
}

const ON_SAMPLE = printable`Searches, look-ups, and what the catalog is compared with (product pages, the feed) are judged on a sample.`

const NOT_READ = printable`No catalog was read: the store lists no products, or none of the checks asks for them.`

// Unspecified: the whole catalog of a store is read in 30 minutes at most, unless told otherwise.
const DEADLINE_MINUTES = 30
const MAX_DEADLINE_MINUTES = 24 * 60

/** Milliseconds for the whole catalog; null where it is not asked for. */
function readDeadline({ deep = false, deadline }: AuditFlags): number | null {
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

function readFailUnder(text: string | undefined): number {
  const score = Number(text ?? 0)
  if (Number.isInteger(score) && score >= 0 && score <= 100) return score
  throw new CommandError(printable`--fail-under takes a whole number from 0 to 100, not "${text}".`)
}
