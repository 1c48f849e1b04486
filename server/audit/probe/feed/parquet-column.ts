import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type ColumnChunk,
  type Compressors,
  type DecodedArray,
  type FileMetaData,
  type PageHeader,
  snappyUncompress,
} from 'hyparquet'
import { parquetHeader, readPage } from 'hyparquet/src/column.js'
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { getSchemaPath, isFlatColumn } from 'hyparquet/src/schema.js'

// A few bytes of Parquet can stand for any number of values. So all that a file claims is held to
// these limits before anything is read by it; each is above what writers make by default.

/** Rows of a group, and values of a page: a page of a list has several in each row. */
export const MAX_GROUP_ROWS = 1_100_000
const MAX_PAGE_VALUES = 4 * MAX_GROUP_ROWS
/** DuckDB begins a new page after 100 MB. */
const MAX_PAGE = 128 * 1024 * 1024
const MAX_CHUNK = 256 * 1024 * 1024

/** Statistics in it may repeat a whole value. */
const MAX_HEADER = 1024 * 1024
/** Most headers, and many pages, are shorter. */
const GLIMPSE = 32 * 1024

type ColumnDecoder = Parameters<typeof readPage>[2]

/** Texts of a page that are made at a time: so few that they do not grow old. */
const WINDOW = 64

/** What is wrong with a file, in words that a person can act on. */
export class Unreadable extends Error {}

const bounded = (length: number): number => {
  if (length > MAX_PAGE) throw new Unreadable('a page of it is too large')
  return Math.max(1, length)
}

export const compressors: Compressors = {
  SNAPPY: (data, length) => {
    const page = new Uint8Array(bounded(length))
    snappyUncompress(data, page)
    return page
  },
  GZIP: (data, length) => gunzipSync(data, { maxOutputLength: bounded(length) }),
  BROTLI: (data, length) => brotliDecompressSync(data, { maxOutputLength: bounded(length) }),
  ZSTD: (data, length) => zstdDecompressSync(data, { maxOutputLength: bounded(length) }),
}
const CODECS = ['UNCOMPRESSED', ...Object.keys(compressors)]

/** What is held for each value of any page: its level and its place in a list. */
const OF_VALUE = 16

/** The pages of one row group that are held at a time, in bytes. */
export interface HeldPages {
  bytes: number
  readonly most: number
}

/** The values of one column in a row group, in the order of its rows. */
export interface ColumnValues {
  /** Of the next row; `undefined` where `load` has to be awaited first. */
  next(): unknown
  load(): Promise<void>
}

/** A chunk within its limits. Throws for any other. */
export function demandChunk({ meta_data }: ColumnChunk, column: string) {
  if (meta_data === undefined) throw new Unreadable(`its column ${column} is in another file`)
  const { codec, encodings, total_compressed_size, total_uncompressed_size } = meta_data
  if (!CODECS.includes(codec)) {
    throw new Unreadable(`it is compressed with ${codec}; write it with Zstandard, Snappy or gzip`)
  }
  // Each value may repeat the one before it: a small page becomes any size.
  if (encodings.includes('DELTA_BYTE_ARRAY')) {
    throw new Unreadable(`its column ${column} is written as DELTA_BYTE_ARRAY; write it as PLAIN`)
  }
  if (total_compressed_size > MAX_CHUNK || total_uncompressed_size > 4 * MAX_CHUNK) {
    throw new Unreadable(`a group of its column ${column} is too large; write smaller row groups`)
  }
  const { dictionary_page_offset, data_page_offset } = meta_data
  const start = Number(dictionary_page_offset || data_page_offset)
  return { ...meta_data, start, end: start + Number(total_compressed_size) }
}

/** Throws unless a page stays within the limits, by what its header claims. */
export function demandPage(page: PageHeader, column: string): void {
  if (valuesIn(page) > MAX_PAGE_VALUES || page.uncompressed_page_size > MAX_PAGE) {
    throw new Unreadable(`a page of its column ${column} is too large; write smaller pages`)
  }
  if (!(page.compressed_page_size > 0)) throw new Unreadable(`its column ${column} is damaged`)
}

const valuesIn = (page: PageHeader): number =>
  Math.max(
    page.data_page_header?.num_values ?? 0,
    page.data_page_header_v2?.num_values ?? 0,
    page.dictionary_page_header?.num_values ?? 0,
  )

/** Whether each row has one value of a column, or none. */
export const isFlat = ({ schema }: FileMetaData, path: readonly string[]): boolean =>
  isFlatColumn(getSchemaPath(schema, [...path]))

/**
 * Reads a column without lists page by page. Of a page of texts, which may be as large as its
 * group, the bytes are held and a few values: as strings, they would take several times as much.
 */
export function columnValues(
  file: AsyncBuffer,
  { schema }: FileMetaData,
  chunk: ColumnChunk,
  held: HeldPages,
): ColumnValues {
  const path = chunk.meta_data?.path_in_schema ?? []
  const column = path.join('.')
  const { start, end, ...meta } = demandChunk(chunk, column)
  const schemaPath = getSchemaPath(schema, path)
  const element = schemaPath.at(-1)?.element
  if (element === undefined) throw new Unreadable('its schema is damaged')
  const decoder: ColumnDecoder = {
    ...{ pathInSchema: path, element, schemaPath, compressors, parsers: DEFAULT_PARSERS },
    ...{ type: meta.type, codec: meta.codec },
  }
  const isOptional = element.repetition_type === 'OPTIONAL'
  let at = start
  let dictionary: DecodedArray | undefined
  let page: Window = NO_ROWS
  let holds = 0

  const hold = (header: PageHeader) => {
    const bytes = header.uncompressed_page_size + OF_VALUE * valuesIn(header)
    held.bytes += bytes
    if (held.bytes > held.most) {
      throw new Unreadable('a row group of it is too large; write smaller row groups')
    }
    return bytes
  }
  const load = async (): Promise<void> => {
    page = NO_ROWS
    while (page.left === 0) {
      if (at >= end) throw new Unreadable(`its column ${column} ends before its row group`)
      const { header, bytes } = await readBytes(file, at, end)
      demandPage(header, column)
      at += bytes.start + header.compressed_page_size
      const body = await bytes.body(header.compressed_page_size)
      if (header.type === 'DICTIONARY_PAGE') {
        hold(header)
        const { data } = readPage(readerOf(body), header, decoder, undefined, undefined, 0)
        if (data) dictionary = convert(data, decoder)
        continue
      }
      held.bytes -= holds
      holds = hold(header)
      page =
        textsOf(header, body, decoder, isOptional) ??
        wholeOf(readPage(readerOf(body), header, decoder, dictionary, undefined, 0).data)
    }
  }
  return {
    next: () => (page.left === 0 ? undefined : page.next()),
    load,
  }
}

/** The rows of a page that are not taken yet. */
interface Window {
  left: number
  next(): unknown
}
const NO_ROWS: Window = { left: 0, next: () => null }

const readerOf = (bytes: Uint8Array) => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  offset: 0,
})

function wholeOf(values: DecodedArray = []): Window {
  let at = 0
  return {
    left: values.length,
    next() {
      at += 1
      this.left -= 1
      return values[at - 1] ?? null
    },
  }
}

/** A page of plain texts, made as they are taken; null for any other page. */
function textsOf(
  header: PageHeader,
  body: Uint8Array,
  decoder: ColumnDecoder,
  isOptional: boolean,
): Window | null {
  const { codec, element } = decoder
  const { data_page_header: v1, data_page_header_v2: v2, uncompressed_page_size: size } = header
  const said = v1 ?? v2
  if (said === undefined || said.encoding !== 'PLAIN' || decoder.type !== 'BYTE_ARRAY') return null
  const levels = isOptional ? new Uint8Array(said.num_values) : null
  let reader: ReturnType<typeof readerOf>
  if (v2 === undefined) {
    reader = readerOf(decompressPage(body, size, codec, compressors))
    if (levels !== null) readRleBitPackedHybrid(reader, 1, levels)
  } else {
    const { definition_levels_byte_length: length, repetition_levels_byte_length: repeated } = v2
    const before = repeated + length
    const start = { ...readerOf(body), offset: repeated }
    if (levels !== null) readRleBitPackedHybrid(start, 1, levels, length)
    const packed = body.subarray(before)
    reader = readerOf(
      v2.is_compressed === false
        ? packed
        : decompressPage(packed, size - before, codec, compressors),
    )
  }
  let values: DecodedArray = []
  let at = 0
  let row = 0
  let rest = levels === null ? said.num_values : levels.reduce((sum, level) => sum + level, 0)
  return {
    left: said.num_values,
    next() {
      this.left -= 1
      row += 1
      if (levels !== null && levels[row - 1] !== 1) return null
      if (at === values.length) {
        const count = Math.min(WINDOW, rest)
        values = convert(readPlain(reader, 'BYTE_ARRAY', count, element.type_length), decoder)
        rest -= count
        at = 0
      }
      at += 1
      return values[at - 1] ?? null
    },
  }
}

/** The header of the page at a place, and what reads the bytes after it. */
async function readBytes(file: AsyncBuffer, at: number, end: number) {
  for (const most of [GLIMPSE, MAX_HEADER]) {
    const seen = new Uint8Array(await file.slice(at, Math.min(end, at + most)))
    const reader = readerOf(seen)
    try {
      const header = parquetHeader(reader)
      const start = reader.offset
      const body = async (size: number) =>
        start + size <= seen.length
          ? seen.subarray(start, start + size)
          : new Uint8Array(await file.slice(at + start, Math.min(end, at + start + size)))
      return { header, bytes: { start, body } }
    } catch (error) {
      if (!(error instanceof RangeError) || at + most >= end) throw error
    }
  }
  throw new Unreadable('the header of a page is larger than 1 MB')
}
