import { extname } from 'node:path'
import {
  differenceLines,
  differencesOf,
  type WalkDifference,
} from '../../../shared/walk/differences.ts'
import { transcriptCurl } from '../../../shared/walk/export/curl.ts'
import { transcriptHar } from '../../../shared/walk/export/har.ts'
import { transcriptMarkdown } from '../../../shared/walk/export/markdown.ts'
import { withoutSecrets } from '../../../shared/walk/masking.ts'
import { nameOfIntent } from '../../../shared/walk/seen.ts'
import type { Transcript, WalkEvent } from '../../../shared/walk/transcript.ts'
import { stepsIn } from '../../../shared/walk/walk-words.ts'
import {
  escapeJson,
  type Printable,
  printable,
  printableLines,
} from '../../../shared/web/printable.ts'
import type { WalkDeps, WalkOrder } from '../../audit/walk/order.ts'
import { CommandError } from '../terminal/command-error.ts'
import { painter } from '../terminal/paint.ts'
import { replaceFile } from '../terminal/replace-file.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readWalkFile } from './read-walk-file.ts'
import type { FileLedger } from './walk-ledger.ts'
import { readWalkOrder, type WalkOrderFlags } from './walk-order.ts'
import { eventText, intentList, transcriptText, walkSummary } from './walk-text.ts'

export interface WalkFlags extends WalkOrderFlags {
  intents?: boolean
  json?: boolean
  format?: string
  replay?: string
  out?: string
}

/** What the command is run with. */
export interface WalkCommandDeps {
  walk: (
    order: WalkOrder,
    hooks: Pick<WalkDeps, 'ledger' | 'onEvent' | 'signal'>,
  ) => Promise<Transcript>
  /** Cancels what earlier walks left open; returns how many of the notes are done with. */
  sweep: (ledger: FileLedger, order: Pick<WalkOrder, 'domain' | 'agentKey'>) => Promise<number>
  openLedger: (domain: string) => Promise<FileLedger>
  /** A secret of the environment. */
  secret: (name: string) => string | undefined
  /** Aborted by Ctrl-C: what is open is cancelled before the command ends. */
  signal: AbortSignal
}

const FORMATS = ['text', 'json', 'markdown', 'har', 'curl'] as const
type Format = (typeof FORMATS)[number]

const FORMAT_OF_FILE: Record<string, Format> = {
  '.json': 'json',
  '.md': 'markdown',
  '.har': 'har',
  '.sh': 'curl',
  '.txt': 'text',
}

/**
 * Makes purchases in a store as AI agents do, from this machine, and shows where they stop. Returns the
 * exit code: 0 if none failed, 1 if one failed by a fault of the store, 2 if it could not be walked.
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
  const format = readFormat(flags)
  const before = flags.replay === undefined ? null : await readWalkFile(flags.replay)
  const order = readWalkOrder(input, flags, before, deps.secret)
  const secrets = [...Object.values(order.tokens ?? {}), order.agentKey].filter(
    (each) => each !== undefined,
  )
  // Steps are told as they end, unless what is printed is a document.
  const isLive = format === 'text' || flags.out !== undefined
  const onEvent = (event: WalkEvent) => {
    const said = withoutSecrets(event, secrets)
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
    const transcript = withoutSecrets(
      await deps.walk(order, { ledger, onEvent, signal: deps.signal }),
      secrets,
    )
    terminal.endProgress()
    const differences = before && differencesOf(before, transcript)
    if (isLive) terminal.print(walkSummary(transcript, paint, terminal.width))
    if (differences !== null) {
      const changes = changesText(before?.started_at ?? '', differences)
      if (isLive) terminal.print(changes)
      else terminal.remark(changes)
    }
    if (flags.out !== undefined) {
      await replaceFile(flags.out, documentOf(format, transcript, differences))
      terminal.remark(printable`Wrote ${flags.out}.`)
    } else if (!isLive) {
      const document = documentOf(format, transcript, differences)
      terminal.print(printableLines(document.trimEnd().split('\n')))
    }
    return exitCodeOf(transcript)
  } finally {
    terminal.endProgress()
    await ledger.close()
  }
}

function readFormat({ format, json = false, out }: WalkFlags): Format {
  if (json && format !== undefined && format !== 'json') {
    throw new CommandError(printable`Give --json or --format ${format}, not both.`)
  }
  if (json) return 'json'
  const asked = format ?? (out === undefined ? 'text' : FORMAT_OF_FILE[extname(out).toLowerCase()])
  const known = FORMATS.find((name) => name === asked)
  if (known !== undefined) return known
  throw new CommandError(
    format === undefined
      ? printable`--format says what ${out} is to hold: ${FORMATS.join(', ')}.`
      : printable`--format does not know "${format}". It takes ${FORMATS.join(', ')}.`,
  )
}

function documentOf(
  format: Format,
  transcript: Transcript,
  differences: WalkDifference[] | null,
): string {
  switch (format) {
    case 'markdown':
      return transcriptMarkdown(transcript)
    case 'har':
      return transcriptHar(transcript)
    case 'curl':
      return transcriptCurl(transcript)
    case 'json': {
      const value = differences === null ? transcript : { differences, transcript }
      return `${escapeJson(JSON.stringify(value, null, 2))}\n`
    }
    case 'text':
      return `${transcriptText(transcript)}\n`
  }
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

// Unspecified: a walk that shows a fault of the store exits with 1, also if it ended early; one that
// was kept from seeing anything, or whose purchases failed for other reasons, exits with 2.
function exitCodeOf({ routes, nothing, stopped }: Transcript): number {
  const failures = routes.flatMap(stepsIn).flatMap(({ failed }) => failed ?? [])
  if (failures.some(({ party }) => party === 'store')) return 1
  const isSeen = routes
    .flatMap(({ purchases }) => purchases)
    .some(({ outcome }) => outcome === 'passed' || outcome === 'handed_over')
  return isSeen && failures.length === 0 && nothing === null && stopped === null ? 0 : 2
}
