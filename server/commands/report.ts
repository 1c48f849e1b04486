import { Domain, pastedDomain } from '../../shared/web/address/domain.ts'
import { counted } from '../../shared/web/text/english-count.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../shared/web/text/printable.ts'
import type { Db } from '../db/connect.ts'
import { domainsOfSession, type Erased, forgetSession } from '../db/events/forget.ts'
import { firstCompleteMonth } from '../db/events/partitions.ts'
import {
  type Difference,
  isReported,
  rebuildRollup,
  reportedDomains,
} from '../db/events/rebuild.ts'
import { forgetFetches } from '../db/fetches/fetches.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

interface RebuildFlags {
  domain?: string
  dryRun?: boolean
  json?: boolean
}

interface RebuildDeps {
  db: Db
  /** How long events are kept. */
  retentionMonths: number
  now: () => Date
}

/** Repairs daily totals that do not match the events. Returns 1 if a dry run finds differences. */
export async function rebuildCommand(
  flags: RebuildFlags,
  { db, retentionMonths, now }: RebuildDeps,
  terminal: Terminal,
): Promise<number> {
  const { dryRun = false } = flags
  const since = await firstCompleteMonth(db.$client, now(), retentionMonths)
  const domains =
    flags.domain === undefined ? await reportedDomains(db) : [await readReported(db, flags.domain)]
  const found: Difference[][] = []
  for (const [n, domain] of domains.entries()) {
    terminal.progress(printable`${n + 1} of ${domains.length}: ${domain}`)
    found.push(await rebuildRollup(db, { domain, since, dryRun }))
  }
  terminal.endProgress()
  const differences = found.flat()
  const result = { domains: domains.length, mended: !dryRun, differences }
  terminal.print(flags.json ? printableJson(result) : explain(result))
  return dryRun && differences.length > 0 ? 1 : 0
}

interface ForgetFlags {
  domain?: string
  json?: boolean
}

/** Erases a session. Returns 1 if there is no such session. */
export async function forgetCommand(
  sessionId: string,
  flags: ForgetFlags,
  db: Db,
  terminal: Terminal,
): Promise<number> {
  const domain = flags.domain === undefined ? undefined : readDomain(flags.domain)
  const known = domain === undefined ? await domainsOfSession(db, sessionId) : [domain]
  const [only] = known
  if (known.length > 1) {
    throw new CommandError(
      printable`Several domains have a session ${sessionId}: ${known.join(', ')}. Choose one with --domain.`,
    )
  }
  const erased = only === undefined ? NOTHING : await forgetSession(db, only, sessionId)
  const isKnown = Object.values(erased).some((count) => count > 0)
  terminal.print(
    flags.json
      ? printableJson({ domain: only ?? null, session_id: sessionId, ...erased })
      : isKnown
        ? printable`Erased from ${only}: ${describeErased(sessionId, erased)} ${AGAIN}`
        : printable`No session ${sessionId} was found${domain === undefined ? '' : ` at ${domain}`}. Give the session_id of its events, or the visit_id from aisle.session().id.`,
  )
  return isKnown ? 0 : 1
}

/** Forgets what was counted from the logs of a domain, such as those of another store. */
export async function forgetLogsCommand(
  flags: { domain: string; json?: boolean },
  db: Db,
  terminal: Terminal,
): Promise<void> {
  const domain = readDomain(flags.domain)
  const rows = await forgetFetches(db.$client, domain)
  terminal.print(
    flags.json
      ? printableJson({ domain, rows })
      : printable`Forgot what was counted from the logs of ${domain}: ${rows} rows. Its lines count if they are sent again.`,
  )
}

const NOTHING: Erased = { events: 0, sessions: 0, orders: 0, dropped_orders: 0, keys: 0 }

/** What a repeat of its events does: see `forgetSession`. */
const AGAIN =
  'Its orders and refunds do not count again if they are reported again. Other events would: let their sender forget it too.'

function describeErased(sessionId: string, erased: Erased): string {
  const { events, sessions, orders, dropped_orders } = erased
  const erasedText = `${counted(events, 'event')} of ${counted(sessions, 'session')}, including ${counted(orders, 'order')}. The report no longer counts them.`
  const kept = `the id ${sessionId}. Its events had already been dropped, so the report's totals still include ${dropped_orders > 0 ? 'its order' : 'them'}.`
  if (events === 0) return kept
  return dropped_orders > 0 ? `${erasedText} Also erased: ${kept}` : erasedText
}

/** Reads `--domain`: rejects one that has never sent an event. */
export async function readReported(db: Db, text: string): Promise<string> {
  const domain = readDomain(text)
  if (await isReported(db, domain)) return domain
  throw new CommandError(
    printable`No events of ${domain} were received. Check --domain, or leave it out for all domains.`,
  )
}

/** A domain as it was typed or pasted. Throws if it is not one. */
export function readDomain(text: string): string {
  const read = Domain.safeParse(pastedDomain(text))
  if (read.success) return read.data
  throw new CommandError(printable`--domain: ${read.error.issues[0]?.message}`)
}

interface Rebuilt {
  domains: number
  mended: boolean
  differences: Difference[]
}

function explain({ domains, mended, differences }: Rebuilt): Printable {
  const of = counted(domains, 'domain')
  if (differences.length === 0) return printable`Daily totals for ${of} match the events.`
  const rows = counted(differences.length, 'row')
  return printableLines([
    ...differences.map(describe),
    mended
      ? `Repaired ${rows} of the daily totals for ${of}.`
      : `Found differences in ${rows} of the daily totals for ${of}. Repair them by running without --dry-run.`,
  ])
}

function describe(difference: Difference): string {
  const {
    domain,
    day,
    surface,
    kind,
    source,
    currency,
    dimension = '',
    name,
    ...figures
  } = difference
  const changes = Object.entries(figures)
    .filter(([, by]) => by !== 0)
    .map(([figure, by]) => `${figure} ${by > 0 ? '+' : ''}${by}`)
  // A row without a name stands for all others of its dimension.
  const named = name === undefined ? '' : name === '' ? 'other' : name
  const key = [domain, day, dimension, named, surface, kind, source, currency].filter(
    (part) => part !== '',
  )
  return `${key.join(' ')}: ${changes.join(', ')}`
}
