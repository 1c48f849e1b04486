import sniffEncoding from 'html-encoding-sniffer'
import { sampleRow } from '../../../../shared/audit/checks/feed/sample.ts'
import {
  countUploadRow,
  type RowOutcome,
  startUpload,
  type UploadState,
} from '../../../../shared/audit/checks/feed/upload.ts'
import type { FeedDestination } from '../../../../shared/audit/checks/feed/vendors/destinations.ts'
import type { FeedKind } from '../../../../shared/commerce/feed.ts'
import { createUnzip } from '../fetch/body.ts'
import { type FeedState, firstState, type Rows, rowFrom, toItem } from './format.ts'
import { type ParquetFile, parquetInMemory } from './parquet-file.ts'
import { readFeedPart } from './reader.ts'

/** What the check of a feed found; of a bounded size, however long the feed is. */
export interface UploadRead {
  /** Null: it is not a product feed, or could not be read at all. */
  kind: FeedKind | null
  /** It came compressed. */
  gzip: boolean
  /** Why it could not be read to its end, and what to do, as a sentence. */
  problem: string | null
  check: UploadState
}

export interface UploadOptions {
  destinations: readonly FeedDestination[]
  /** How many ids are kept to find repeated ones. */
  mostIds: number
  /** How many products are kept to be compared with their pages; none unless given. */
  mostSampled?: number | undefined
  /** Receives each row that is left out of any destination. */
  onLeftOut?: (row: RowOutcome) => void
  /** Awaited every few thousand rows, so that what receives them keeps up. */
  keepUp?: () => Promise<void>
  /** How many products of Parquet are judged, and the bytes of it that may be held. */
  mostRows?: number
  mostHeld?: number
  /** Reads a part in place of this thread. */
  readPart?: (part: UploadPart) => Promise<UploadPartRead | { exceeded: string }>
}

/** One part of a feed, decoded, and what is known of those before. */
export interface UploadPart {
  before: FeedState
  check: UploadState
  text: string
  followed: 'more' | 'end'
}

/** What it made of that, and the first rows in it that are left out of any destination. */
export interface UploadPartRead {
  state: FeedState
  check: UploadState
  leftOut: RowOutcome[]
}

/** Products that are left out of a destination, as a page names them. */
const MAX_LEFT_OUT = 100

/** Bytes that are read at a time: so few that V8 keeps their text with its young objects. */
const PART = 64 * 1024

/** The first bytes of formats that are no text, and what to do with them. */
const OTHER_FORMATS: readonly { bytes: readonly number[]; problem: string }[] = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    problem: 'It is a ZIP archive or a spreadsheet. Unpack it, or save it as CSV or TSV.',
  },
  { bytes: [0x1f, 0x8b], problem: 'It is compressed twice. Unpack it once.' },
  {
    bytes: [0x28, 0xb5, 0x2f, 0xfd],
    problem: 'It is compressed with Zstandard. Unpack it, or compress it with gzip.',
  },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], problem: 'It is a spreadsheet. Save it as CSV or TSV.' },
  { bytes: [0x25, 0x50, 0x44, 0x46], problem: 'It is a PDF. Export the feed as CSV or TSV.' },
]

/** What Parquet files begin with. */
const PARQUET = [0x50, 0x41, 0x52, 0x31]

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte)

/** Whether a file begins as Parquet does, which is read from its end. */
export const isParquet = (bytes: Uint8Array): boolean => startsWith(bytes, PARQUET)

const GZIP_FAULTS = {
  broken: 'Its gzip data is damaged. Compress the feed again.',
  cut: 'Its gzip data ends too early. Compress or upload the feed again.',
  expands:
    'It expands to more than 100 times its size, which no feed does. Check what was compressed.',
} as const

/** A feed that is checked while it arrives. */
interface UploadReader {
  /** False: enough was read. Nothing more is taken while its promise is pending. */
  write(bytes: Uint8Array): Promise<boolean>
  /** `stopped`: why there is no more, although the feed goes on, as a sentence. */
  end(stopped?: string): Promise<UploadRead>
}

/**
 * Reads a feed in text, compressed or not, part by part, and judges each row by the rules of the
 * destinations. Held are one part and the counts. Never throws for what the bytes are.
 */
export function createUploadReader(options: UploadOptions): UploadReader {
  let check = startUpload(options.destinations, options.mostIds, options.mostSampled)
  const unzip = createUnzip()
  const { readPart = async (part) => readUploadPart(part, options.onLeftOut) } = options
  let state = firstState()
  let decoder: TextDecoder | null = null
  // The same memory for each part: left to be collected, many of them would be there at a time.
  const part = new Uint8Array(PART)
  let size = 0
  let total = 0
  let gzip: boolean | null = null
  let problem: string | null = null

  const flush = async (isEnd: boolean): Promise<void> => {
    const bytes = part.subarray(0, size)
    size = 0
    if (decoder === null) {
      problem = formatProblem(bytes)
      if (problem !== null) return
      decoder = decoderFor(bytes)
    }
    let text: string
    try {
      text = decoder.decode(bytes, { stream: !isEnd })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      // The part may hold thousands of lines; the rows before it were read.
      problem = `After row ${check.rows} it is not ${decoder.encoding.toUpperCase()}. Save it as UTF-8.`
      return
    }
    const followed = isEnd ? 'end' : 'more'
    const read = await readPart({ before: state, check, text, followed })
    if ('exceeded' in read) {
      problem = exceededText(check, read)
      return
    }
    state = read.state
    check = read.check
    for (const row of read.leftOut) options.onLeftOut?.(row)
  }
  const isOver = () => problem !== null || state.done
  const take = async (piece: Uint8Array): Promise<boolean> => {
    total += piece.length
    for (let at = 0; at < piece.length && !isOver(); ) {
      const some = piece.subarray(at, at + PART - size)
      part.set(some, size)
      size += some.length
      at += some.length
      if (size < PART) continue
      await flush(false)
      await options.keepUp?.()
    }
    return !isOver()
  }

  return {
    async write(bytes) {
      gzip ??= startsWith(bytes, [0x1f, 0x8b])
      return (await unzip.write(bytes, take)) && !isOver()
    },
    async end(stopped) {
      try {
        if (!isOver()) {
          const fault = stopped === undefined ? await unzip.fault() : null
          await flush(fault === null && stopped === undefined)
          problem ??= fault === null ? (stopped ?? null) : GZIP_FAULTS[fault]
        }
      } finally {
        unzip.close()
      }
      return { ...endOf(state, problem, check, total === 0), gzip: gzip ?? false, check }
    },
  }
}

/** Reads and judges one part. Without `onLeftOut`, what is left out comes with it, at first. */
export function readUploadPart(
  { before, check, text, followed }: UploadPart,
  onLeftOut?: UploadOptions['onLeftOut'],
): UploadPartRead {
  const leftOut: RowOutcome[] = []
  const keep = (row: RowOutcome) => void (leftOut.length < MAX_LEFT_OUT && leftOut.push(row))
  const rowsFor = (state: FeedState) => rowsInto(state, check, onLeftOut ?? keep)
  const { state } = readFeedPart(before, text, followed, rowsFor)
  return { state, check, leftOut }
}

const exceededText = ({ rows }: UploadState, { exceeded }: { exceeded: string }): string =>
  `It was read to row ${rows}, because ${exceeded}. Check the file with the command, or split it.`

/** What is known by the first bytes, and what to do, as a sentence. */
function formatProblem(bytes: Uint8Array): string | null {
  if (isParquet(bytes)) return 'It is Parquet within gzip. Unpack it: Parquet is compressed itself.'
  const other = OTHER_FORMATS.find((each) => startsWith(bytes, each.bytes))
  if (other !== undefined) return other.problem
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 512))
  return /^\W{0,8}\s*<(?:!doctype\s+html|html)\b/i.test(start)
    ? 'It is a web page, such as an error or a login. Check the address, or export the feed again.'
    : null
}

/** A feed in Parquet as it arrived, and how many of its products are judged. */
export interface ParquetUpload extends Pick<UploadOptions, 'destinations' | 'mostIds'> {
  bytes: Uint8Array<ArrayBuffer>
  mostRows: number
  mostHeld: number
}

/** The same from memory, with the first products that are left out of any destination. */
export async function readParquetBytes({
  bytes,
  ...options
}: ParquetUpload): Promise<{ read: UploadRead; leftOut: RowOutcome[] }> {
  const leftOut: RowOutcome[] = []
  const onLeftOut = (row: RowOutcome) => void (leftOut.length < MAX_LEFT_OUT && leftOut.push(row))
  return {
    read: await readParquetUpload(parquetInMemory(bytes), { ...options, onLeftOut }),
    leftOut,
  }
}

/** Reads a feed in Parquet. */
export async function readParquetUpload(
  file: ParquetFile,
  options: UploadOptions,
): Promise<UploadRead> {
  const check = startUpload(options.destinations, options.mostIds, options.mostSampled)
  const state = firstState()
  const { readParquet } = await import('./parquet.ts')
  const rows = rowsInto(state, check, options.onLeftOut)
  const { mostRows = Number.POSITIVE_INFINITY } = options
  let found: string | null = null
  const first: Rows = {
    take(values) {
      if (check.rows < mostRows) return rows.take(values)
      found = `Its first ${check.rows} products were checked. Check all of it with the command.`
      return false
    },
  }
  await readParquet(state, file, first, options)
  return { ...endOf(state, found, check, file.byteLength === 0), gzip: false, check }
}

/** Judges each row as it comes. */
const rowsInto = (
  state: FeedState,
  check: UploadState,
  onLeftOut: UploadOptions['onLeftOut'],
): Rows => ({
  take(values) {
    state.tally.rows += 1
    const row = rowFrom(values)
    const outcome = countUploadRow(check, row, state.vendor)
    sampleRow(check.sample, check.rows, () => toItem(check.rows, row))
    if (outcome.left_out.length > 0) onLeftOut?.(outcome)
    return true
  },
})

/** What a feed is, or what is wrong with it and what to do. */
function endOf(
  { kind, problem }: FeedState,
  found: string | null,
  { rows }: UploadState,
  isEmpty: boolean,
): Pick<UploadRead, 'kind' | 'problem'> {
  const read = problem === null ? null : `${sentence(problem)}. Fix it and check again.`
  const said = found ?? read
  if (said !== null) return { kind, problem: said }
  if (kind === null) {
    const what = isEmpty ? 'It is empty' : 'It is not a product feed'
    return {
      kind,
      problem: `${what}: expected RSS or Atom with Google's attributes, a table with a header that has id and title, JSON Lines, or Parquet. Export the feed again.`,
    }
  }
  const none = 'It has no products. Export the feed again.'
  return { kind, problem: rows === 0 ? none : null }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** By its byte order mark, for XML by its declaration, else UTF-8; strict. */
function decoderFor(bytes: Uint8Array): TextDecoder {
  const start = bytes.subarray(0, 1024)
  const isXml = /^\s*</.test(new TextDecoder('latin1').decode(start.subarray(0, 64)))
  const named = sniffEncoding(
    start,
    isXml ? { xml: true } : { maxPrescanBytes: 0, defaultEncoding: 'UTF-8' },
  )
  return new TextDecoder(named, { fatal: true })
}
