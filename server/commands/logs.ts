import { createReadStream } from 'node:fs'
import {
  classifyFetch,
  type FetchProof,
  type LogLine,
} from '../../shared/attribution/fetches/fetch.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../shared/web/text/printable.ts'
import type { Intake, TakenLines } from '../attribution/fetches/intake.ts'
import { FORMAT_NAMES } from '../attribution/fetches/logs/formats.ts'
import { createLogReader, type LogCounts, readLog } from '../attribution/fetches/logs/read-log.ts'
import { UNREAD_WORDS } from '../attribution/fetches/logs/request.ts'
import type { VerifierFor } from '../attribution/fetches/verify-fetch.ts'
import { CommandError } from './terminal/command-error.ts'
import { nameOfFile, STDIN } from './terminal/read-text.ts'
import type { Terminal } from './terminal/terminal.ts'

interface LogsFlags {
  domain?: string
  format?: string
  json?: boolean
}

interface LogsDeps {
  verifierFor: VerifierFor
  /** Where requests are stored; null: they are only counted. */
  store: { domain: string; intake: Intake } | null
}

/** Who came, and how often. */
interface SeenAgent {
  agent: string
  operator: string
  purpose: string
  requests: Record<FetchProof, number>
}

interface ReadFile extends LogCounts {
  file: string
}

/** One transaction holds this many requests at most. */
const BATCH = 2000
const CHUNK_BYTES = 256 * 1024
const PROGRESS_LINES = 1_000_000

/**
 * Reads logs, says which agents came, and stores their requests for the report if a domain is
 * named. The exit code: 0, or 1 if a log has no line that can be read or breaks off.
 */
export async function logsCommand(
  files: readonly string[],
  { format: named, json = false }: LogsFlags,
  { verifierFor, store }: LogsDeps,
  terminal: Terminal,
): Promise<number> {
  const format = FORMAT_NAMES.find((name) => name === named)
  if (named !== undefined && format === undefined) {
    throw new CommandError(
      printable`--format does not know "${named}". It takes ${FORMAT_NAMES.join(', ')}.`,
    )
  }
  const seen = new Map<string, SeenAgent>()
  const stored: Record<string, number> = {}
  const take = async (lines: readonly LogLine[]) => {
    const verify = await verifierFor(lines)
    for (const line of lines) count(seen, classifyFetch(line, verify))
    if (store === null) return
    for (const [what, n] of Object.entries(await store.intake.take(store.domain, lines, verify))) {
      stored[what] = (stored[what] ?? 0) + n
    }
  }
  const read: ReadFile[] = []
  for (const file of files) {
    const reader = createLogReader(format)
    const name = nameOfFile(file)
    let shown = 0
    await readLog(bytesOf(file), reader, async (lines) => {
      for (let from = 0; from < lines.length; from += BATCH) {
        await take(lines.slice(from, from + BATCH))
      }
      if (reader.counts.lines < shown + PROGRESS_LINES) return
      shown = reader.counts.lines
      terminal.progress(printable`${name}: ${shown} lines`)
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall !== 'open' && error.code !== 'EISDIR') throw error
      throw new CommandError(printable`${name} cannot be read: ${error.message}.`)
    })
    terminal.endProgress()
    read.push({ file: name, ...reader.counts })
  }
  const agents = [...seen.values()].sort((a, b) => totalOf(b) - totalOf(a))
  const result = { files: read, agents, ...(store && { stored: stored as unknown as TakenLines }) }
  terminal.print(json ? printableJson(result) : logsText(result))
  return read.some(
    ({ lines, agents: named, others, broken }) => broken || (lines > 0 && named + others === 0),
  )
    ? 1
    : 0
}

const bytesOf = (file: string): AsyncIterable<Uint8Array> =>
  file === STDIN ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })

function count(seen: Map<string, SeenAgent>, fetch: ReturnType<typeof classifyFetch>): void {
  if (fetch === null) return
  const { agent, operator, purpose, verified } = fetch
  const known = seen.get(agent)
  const requests = known?.requests ?? { verified: 0, claimed: 0, forged: 0 }
  requests[verified] += 1
  if (known === undefined) seen.set(agent, { agent, operator, purpose, requests })
}

const totalOf = ({ requests }: SeenAgent): number =>
  requests.verified + requests.claimed + requests.forged

function logsText({
  files,
  agents,
  stored,
}: {
  files: readonly ReadFile[]
  agents: readonly SeenAgent[]
  stored?: TakenLines
}): Printable {
  const rows = agents.map(({ agent, operator, purpose, requests }) =>
    [
      agent.padEnd(24),
      operator.padEnd(14),
      purpose.padEnd(9),
      ...[requests.verified, requests.claimed, requests.forged].map((n) => String(n).padStart(9)),
    ].join(' '),
  )
  const head = `${'Agent'.padEnd(24)} ${'Operator'.padEnd(14)} ${'Reads for'.padEnd(9)}  verified   claimed    forged`
  return printableLines([
    ...files.flatMap(fileLines),
    ...(rows.length === 0 ? [] : ['', head, ...rows]),
    ...(stored === undefined ? [] : ['', storedLine(stored)]),
  ])
}

function fileLines({ file, lines, agents, others, unread, broken }: ReadFile): Printable[] {
  return [
    printable`${file}: ${lines} lines, ${agents} of AI agents, ${others} of people and other programs`,
    ...(broken
      ? [printable`  It breaks off: the gzip file is not whole. What came before is counted.`]
      : []),
    ...Object.entries(UNREAD_WORDS).flatMap(([why, words]) => {
      const found = Object.entries(unread).find(([name]) => name === why)?.[1]
      return found === undefined
        ? []
        : [printable`  ${found.lines} ${words}. The first: ${found.first}`]
    }),
  ]
}

const storedLine = ({ stored, repeated, ...left }: TakenLines): Printable => {
  const rest = Object.entries({
    'of another host': left.other_host,
    'too old': left.too_old,
    'from the future': left.in_future,
    'over the limit of their hour': left.over,
  }).flatMap(([what, n]) => (n > 0 ? [`${n} ${what}`] : []))
  return printable`Stored ${stored}; ${[`${repeated} were stored before`, ...rest].join(', ')}.`
}
