import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Context } from 'hono'
import * as z from 'zod'
import type { LogLine } from '../../../shared/attribution/fetches/fetch.ts'
import { MAX_LINE, SentLine } from '../../../shared/attribution/fetches/sent-line.ts'
import { isRecord } from '../../../shared/web/json/json.ts'
import { readLogRecord } from '../../attribution/fetches/logs/formats.ts'
import { takeTurns } from '../../attribution/fetches/turns.ts'
import { ApiError } from '../../http/api-error.ts'
import type { ServerEnv } from '../../http/env.ts'
import { detailsOf, inRequestWords } from '../../http/validation.ts'

/** A line that was not taken: its number from 1, and what to send instead. */
export const LineFault = z.object({
  line: z.int().describe('Its number, from 1'),
  message: z.string().describe('What is wrong with it, for people'),
})
export type LineFault = z.infer<typeof LineFault>

/** Faults that an answer lists. */
const MOST_FAULTS = 20

/** Characters of an array: it is parsed whole, so that others wait for it. */
const MOST_OF_ARRAY = 4 * 2 ** 20

const unzip = promisify(gunzip)

/** The bytes of a body that may be compressed with gzip; at most `most` either way. */
export async function unpack(c: Context<ServerEnv>, sent: Buffer, most: number): Promise<Buffer> {
  if (coding(c) === 'identity') return sent
  try {
    return await unzip(sent, { maxOutputLength: most })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(most)
    throw new ApiError(400, 'not_gzip', 'The body is not what its Content-Encoding says: gzip.')
  }
}

const coding = (c: Context): string =>
  c.req.header('Content-Encoding')?.trim().toLowerCase() || 'identity'

const TYPES =
  /^(?:application\/(?:x-)?(?:json|ndjson|jsonlines|octet-stream|gzip)|text\/plain)\s*(?:;|$)/i

/** Throws 415 for what cannot be lines of a log, and 413 for more than `most` bytes. */
export function checkHeaders(c: Context<ServerEnv>, most: number): void {
  const type = c.req.header('Content-Type') ?? ''
  // Logpush declares a type only where its settings name one.
  const fits = type === '' ? c.req.raw.body !== null : TYPES.test(type)
  if (!/^(?:gzip|identity)$/.test(coding(c)) || !fits) {
    const message = 'Send one JSON object a line as application/x-ndjson, as it is or with gzip.'
    throw new ApiError(415, 'unsupported_media_type', message)
  }
  if (Number(c.req.header('Content-Length')) > most) throw tooLarge(most)
}

/** A body of which no length was declared. */
export function withinLimit(sent: Buffer, most: number): Buffer {
  if (sent.length > most) throw tooLarge(most)
  return sent
}

const tooLarge = (most: number) =>
  new ApiError(
    413,
    'body_too_large',
    `The body is over ${most / 2 ** 20} MiB. Send fewer lines at a time.`,
  )

/** What a body had in addition to lines of a log. */
export interface OtherLines {
  /** Records of something else: the test of a drain, the build of a site. */
  notRequests: number
  faults: LineFault[]
  /** How many lines have faults. */
  wrong: number
}

/** Between two turns, in milliseconds: orders that come in meanwhile find the service idle. */
const REST_MS = 1

/** The lines of a text, by parts, and in `other` what the rest is. Empty lines do not count. */
export async function* readLines(text: string, other: OtherLines): AsyncGenerator<LogLine[]> {
  const turns = takeTurns(() => sleep(REST_MS))
  let number = 0
  let lines: LogLine[] = []
  for (const line of linesOf(text)) {
    if (turns.isOver()) {
      yield lines
      lines = []
      await turns.rest()
    }
    number += 1
    if (line.trim() === '') continue
    const read = readLine(line)
    if (read === null) other.notRequests += 1
    else if (typeof read !== 'string') lines.push(read)
    else {
      other.wrong += 1
      if (other.faults.length < MOST_FAULTS) other.faults.push({ line: number, message: read })
    }
  }
  yield lines
}

/** One record a line, or an array of them: drains of Vercel, Fastly and Netlify can send either. */
function linesOf(text: string): string[] {
  if (text.length > MOST_OF_ARRAY || !/^\s*\[/.test(text)) return text.split('\n')
  const records = parsed(text)
  return Array.isArray(records) ? records.map((each) => JSON.stringify(each)) : text.split('\n')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A line, or null for a record of something else, or what is wrong with it. */
function readLine(text: string): LogLine | string | null {
  if (text.length > MAX_LINE) return `It is over ${MAX_LINE} characters.`
  const value = parsed(text)
  if (value === undefined) return 'It is not valid JSON.'
  // Drains of vendors send lines in their own form.
  if (isRecord(value) && !('userAgent' in value)) {
    const line = readLogRecord(value)
    if (typeof line !== 'string') return line
    if (line === 'no_request' && isOfSomethingElse(value)) return null
  }
  const { data, error } = SentLine.safeParse(value, { error: inRequestWords })
  if (data !== undefined) return data
  const [fault] = detailsOf(error.issues, 'json')
  return fault === undefined ? 'It is not a line of a log.' : `${fault.field}: ${fault.message}`
}

/** It has fields, and none that a request of ours must have: so it is not one with a mistake. */
const isOfSomethingElse = (value: Record<string, unknown>): boolean =>
  Object.keys(value).length > 0 && !['at', 'method', 'path', 'status'].some((name) => name in value)
