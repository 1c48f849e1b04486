import {
  differenceLines,
  differencesOf,
  type WalkDifference,
} from '../../../shared/walk/differences.ts'
import { nameOfIntent } from '../../../shared/walk/intents.ts'
import { withholder } from '../../../shared/walk/masking/masking.ts'
import type { Transcript, WalkEvent } from '../../../shared/walk/transcript.ts'
import { outcomeCounts, stepsIn } from '../../../shared/walk/walk-words.ts'
import { type Printable, printable, printableLines } from '../../../shared/web/text/printable.ts'
import { secretsOf, type WalkDeps, type WalkOrder } from '../../audit/walk/order.ts'
import { deliver, type RunnerFiles, reportingErrors } from '../formats/deliver.ts'
import { type Destinations, type FormatFlags, readDestinations } from '../formats/formats.ts'
import type { CommandReport } from '../formats/report.ts'
import { painter } from '../terminal/paint.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrap } from '../terminal/wrap.ts'
import { readWalkFile } from './read-walk-file.ts'
import type { FileLedger } from './walk-ledger.ts'
import { readWalkOrder, type WalkOrderFlags } from './walk-order.ts'
import { walkSubject } from './walk-report.ts'
import { eventText, intentList, transcriptText, walkSummary } from './walk-text.ts'

export interface WalkFlags extends WalkOrderFlags, FormatFlags {
  intents?: boolean
  replay?: string
  /** The older name of --output. */
  out?: string
}

/** The options of the command. */
export interface WalkCommandDeps {
  walk: (
    order: WalkOrder,
    hooks: Pick<WalkDeps, 'ledger' | 'onEvent' | 'signal'>,
  ) => Promise<Transcript>
  /** Cancels what earlier walks left open; returns how many notes are done. */
  sweep: (
    ledger: FileLedger,
    order: Pick<WalkOrder, 'domain' | 'agentKey' | 'access'>,
  ) => Promise<number>
  openLedger: (domain: string) => Promise<FileLedger>
  /** Reads a secret from the environment. */
  secret: (name: string) => string | undefined
  runner: RunnerFiles
  /** Aborted by Ctrl-C: what is open is cancelled before the command ends. */
  signal: AbortSignal
}

/**
 * Makes purchases in a store as AI agents do, from this machine, and shows where they stop. Returns
 * the exit code: 0 if none failed, 1 if one failed by a fault of the store, 2 if it could not be
 * walked.
 */
export async function walkCommand(
  input: string | undefined,
  flags: WalkFlags,
  deps: WalkCommandDeps,
  terminal: Terminal,
): Promise<number> {
  const paint = painter(terminal.colour)
  if (flags.intents) {
    terminal.print(intentList(paint))
    return 0
  }
  const { out, output = [] } = flags
  const named = out === undefined ? output : [...output, out]
  const destinations = readDestinations({ ...flags, output: named }, 'walk')
  return reportingErrors('walk', destinations, terminal, deps.runner, () =>
    walk(input, flags, deps, terminal, destinations),
  )
}

async function walk(
  input: string | undefined,
  flags: WalkFlags,
  deps: WalkCommandDeps,
  terminal: Terminal,
  destinations: Destinations,
): Promise<number> {
  const paint = painter(terminal.colour)
  const before = flags.replay === undefined ? null : await readWalkFile(flags.replay)
  const order = readWalkOrder(input, flags, before, deps.secret)
  const withhold = withholder(secretsOf(order))
  // Steps are printed as they end, unless a document is printed.
  const isLive = destinations.terminal === 'text'
  const onEvent = (event: WalkEvent) => {
    const said = withhold(event)
    const text = isLive ? eventText(said, paint, terminal.width) : null
    if (text !== null) terminal.print(text)
    if (!isLive && said.event === 'step') {
      terminal.progress(
        printable`Walking ${order.domain}: ${nameOfIntent(said.intent)}, ${said.step.title}`,
      )
    }
  }
  const ledger = await deps.openLedger(order.domain)
  try {
    const swept = await deps.sweep(ledger, order)
    if (swept > 0) {
      terminal.remark(printable`Cancelled what earlier walks had left open: ${swept}.`)
    }
    const transcript = withhold(await deps.walk(order, { ledger, onEvent, signal: deps.signal }))
    terminal.endProgress()
    const differences = before && differencesOf(before, transcript)
    const changes = differences && changesText(before?.started_at ?? '', differences)
    const code = exitCodeOf(transcript)
    const unseen = code === 2 ? notWalked(transcript) : null
    // The summary already says why a walk ended early.
    const isSaid = unseen === null || unseen === (transcript.nothing ?? transcript.stopped)
    const closing = isSaid ? [] : ['', ...wrap(unseen, '', terminal.width)]
    const report: CommandReport = {
      command: 'walk',
      subjects: [walkSubject(transcript)],
      errors:
        unseen === null
          ? []
          : [{ name: order.domain, error: { code: 'not_walked', message: unseen } }],
      json: differences === null ? transcript : { differences, transcript },
      transcript,
      text: printableLines([transcriptText(transcript), ...closing]),
      ending: printableLines([
        walkSummary(transcript, paint, terminal.width),
        ...closing,
        ...(changes === null ? [] : [changes]),
      ]),
    }
    if (!isLive && changes !== null) terminal.remark(changes)
    await deliver(report, destinations, terminal, deps.runner)
    return code
  } finally {
    terminal.endProgress()
    await ledger.close()
  }
}

/** The maximum of listed reasons: usually there is one, and each may be the store's sentence. */
const MOST_REASONS = 3

/** Why a walk says nothing about the store, or not enough. */
function notWalked({ nothing, stopped, routes }: Transcript): string {
  const early = nothing ?? stopped
  if (early !== null) return early
  const reasons = new Set(failuresOf(routes).map(({ found }) => found.replace(/\.$/, '')))
  if (reasons.size === 0) return 'No purchase came to its end, and none by a fault of the store.'
  const purchases = routes.flatMap((route) => route.purchases)
  const failed = purchases.filter(({ outcome }) => outcome === 'failed')
  const what =
    failed.length === 0
      ? 'The catalog could not be read'
      : failed.length === 1
        ? '1 purchase failed'
        : `${failed.length} purchases failed`
  const others = purchases.filter(({ outcome }) => outcome !== 'failed')
  const besides = others.length === 0 ? '' : `; ${outcomeCounts({ purchases: others })}`
  return `${what} for reasons that are not the store's (${[...reasons].slice(0, MOST_REASONS).join('; ')})${besides}. Walk again later.`
}

function changesText(since: string, differences: readonly WalkDifference[]): Printable {
  const lines = differenceLines(differences)
  const head = lines.length === 0 ? 'Nothing has changed' : 'What has changed'
  return printableLines([
    '',
    `${head} since the walk of ${since}${lines.length === 0 ? '.' : ':'}`,
    ...lines,
  ])
}

// Unspecified: a walk that shows a fault of the store exits with 1, even if it ended early; one
// that saw nothing, or whose purchases failed for other reasons, exits with 2.
function exitCodeOf({ routes, nothing, stopped }: Transcript): number {
  const failures = failuresOf(routes)
  if (failures.some(({ party }) => party === 'store')) return 1
  const isSeen = routes
    .flatMap(({ purchases }) => purchases)
    .some(({ outcome }) => outcome === 'passed' || outcome === 'handed_over')
  return isSeen && failures.length === 0 && nothing === null && stopped === null ? 0 : 2
}

const failuresOf = (routes: Transcript['routes']) =>
  routes.flatMap(stepsIn).flatMap(({ failed }) => failed ?? [])
