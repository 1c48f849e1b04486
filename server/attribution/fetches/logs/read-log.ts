import { hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { namedAgent } from '../../../../shared/attribution/agents.ts'
import type { LogLine } from '../../../../shared/attribution/fetches/fetch.ts'
import { createFormats, type LogFormat } from './formats.ts'
import type { Unread } from './request.ts'

/** What was in a log. People's lines are not read further than to see that they are. */
export interface LogCounts {
  lines: number
  agents: number
  /** Of people, and of programs that no AI product runs. */
  others: number
  unread: Partial<Record<Unread, { lines: number; first: string }>>
  /** The log broke off: half a gzip file. What came before is counted. */
  broken: boolean
}

interface LogReader {
  counts: LogCounts
  /** The requests of agents in this part of the log. */
  write: (bytes: Uint8Array) => LogLine[]
  /** The same of a last line without a line break. */
  end: () => LogLine[]
}

const LONGEST_LINE = 64 * 1024
const SHOWN = 200
/** User-Agents that repeat; longer ones seldom do. */
const MOST_KNOWN = 4096
const LONGEST_KNOWN = 400
const LONGEST_AGENT = 2048
/** Lines that are alike are of one second, so they stand near one another. */
const MOST_ALIKE = 50_000

/**
 * Reads a log as it comes, in memory that does not depend on its length. It throws at no line:
 * what cannot be read is counted by why.
 */
export function createLogReader(format?: LogFormat['name']): LogReader {
  const formats = createFormats().filter(({ name }) => format === undefined || name === format)
  const counts: LogCounts = { lines: 0, agents: 0, others: 0, unread: {}, broken: false }
  const nthOf = createCounter()
  /** The format of the last line that was read whole. */
  let current: LogFormat | null = null
  let isAgent = knowAgents()
  let begun = ''
  let skipping = false

  function unread(why: Unread, line: string): void {
    const known = counts.unread[why]
    if (known === undefined) counts.unread[why] = { lines: 1, first: utf8(line.slice(0, SHOWN)) }
    else known.lines += 1
  }

  /** The request of an agent; null: of another, or nothing that can be read. */
  function read(line: string): LogLine | null {
    const found = current?.findUserAgent(line) ?? null
    if (found !== null && current !== null && !isAgent(found, current)) {
      counts.others += 1
      return null
    }
    const request = readWhole(utf8(line))
    if (typeof request === 'string') {
      unread(request, line)
      return null
    }
    if (namedAgent(request.userAgent) === null) {
      counts.others += 1
      return null
    }
    counts.agents += 1
    const nth = request.id === undefined ? nthOf(request) : 0
    return nth === 0 ? request : { ...request, nth }
  }

  function readWhole(line: string): LogLine | Unread {
    let why: Unread = 'unknown_format'
    for (const each of current === null ? formats : [current, ...formats]) {
      const request = each.read(line)
      if (typeof request !== 'string') {
        if (each !== current) isAgent = knowAgents()
        current = each
        return request
      }
      why = request
      if (why !== 'unknown_format') break
    }
    return why
  }

  function take(line: string, requests: LogLine[]): void {
    const text = line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line
    if (text === '') return
    if (text.startsWith('#')) {
      for (const each of formats) each.readHeader?.(text)
      return
    }
    counts.lines += 1
    const request = read(text)
    if (request !== null) requests.push(request)
  }

  function tooLong(line: string): void {
    counts.lines += 1
    unread('too_long', line)
  }

  return {
    counts,
    write(bytes) {
      const requests: LogLine[] = []
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      let from = 0
      for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
        const line = text.slice(from, to)
        from = to + 1
        if (skipping) skipping = false
        else if (begun.length + line.length > LONGEST_LINE) tooLong(begun + line)
        else take(begun === '' ? line : begun + line, requests)
        begun = ''
      }
      if (skipping) return requests
      begun += text.slice(from)
      if (begun.length > LONGEST_LINE) {
        tooLong(begun)
        skipping = true
        begun = ''
      }
      return requests
    },
    end() {
      const requests: LogLine[] = []
      if (!skipping) take(begun, requests)
      begun = ''
      return requests
    },
  }
}

/** Bytes that were read as Latin-1, as the text that they are. */
const utf8 = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII characters
  /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8')

/** Whether a User-Agent, as a format writes it, names an agent; what repeats is looked up once. */
function knowAgents(): (userAgent: string, format: LogFormat) => boolean {
  const known = new Map<string, boolean>()
  return (userAgent, format) => {
    const before = known.get(userAgent)
    if (before !== undefined) return before
    const names = namedAgent(format.decode(userAgent.slice(0, LONGEST_AGENT))) !== null
    if (userAgent.length <= LONGEST_KNOWN) {
      if (known.size >= MOST_KNOWN) known.clear()
      // A copy: a part of the text that was read would hold all of it in memory.
      known.set(Buffer.from(userAgent, 'latin1').toString('latin1'), names)
    }
    return names
  }
}

/** How many requests that are alike came before; of the last ones alone. */
function createCounter(): (request: LogLine) => number {
  let [recent, older] = [new Map<string, number>(), new Map<string, number>()]
  return (request) => {
    const key = hash('md5', JSON.stringify(request), 'base64')
    const before = recent.get(key) ?? older.get(key) ?? 0
    if (recent.size >= MOST_ALIKE) [recent, older] = [new Map(), recent]
    recent.set(key, before + 1)
    return before
  }
}

const GZIP = [0x1f, 0x8b]

/** Reads a whole log, also gzipped, and gives the requests of its agents in small batches. */
export async function readLog(
  bytes: AsyncIterable<Uint8Array>,
  reader: LogReader,
  onRequests: (requests: readonly LogLine[]) => Promise<void>,
): Promise<void> {
  const chunks = bytes[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  async function* all() {
    if (!first.done) yield first.value
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) yield chunk
  }
  const isGzip = GZIP.every((byte, n) => first.value[n] === byte)
  const plain = isGzip
    ? pipeline(Readable.from(all()), createGunzip({ chunkSize: 256 * 1024 }), () => {})
    : all()
  try {
    for await (const chunk of plain) {
      const requests = reader.write(chunk)
      if (requests.length > 0) await onRequests(requests)
    }
  } catch (error) {
    if (!isGzipError(error)) throw error
    reader.counts.broken = true
  }
  const rest = reader.end()
  if (rest.length > 0) await onRequests(rest)
}

const isGzipError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
