import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type ColumnChunk,
  type CompressionCodec,
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
import { type ParquetFile, roomIn, type Space } from './parquet-file.ts'

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

/** Where the page of a column stands that is read, as it came and unpacked. */
export interface PageSpace {
  packed: Space
  page: Space
  levels: Space
  places: Space
}

const newSpace = (): Space => ({ bytes: new Uint8Array(0) })
export const newPageSpace = (): PageSpace => ({
  packed: newSpace(),
  page: newSpace(),
  levels: newSpace(),
  places: newSpace(),
})

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
  file: ParquetFile,
  { schema }: FileMetaData,
  chunk: ColumnChunk,
  { held, space }: { held: HeldPages; space: PageSpace },
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
      const { header, start: from } = await readHeader(file, at, end)
      demandPage(header, column)
      at = from + header.compressed_page_size
      // A dictionary stays while the pages after it are read.
      const place = header.type === 'DICTIONARY_PAGE' ? newSpace() : space.packed
      const body = await file.read(from, Math.min(at, end), place)
      if (header.type === 'DICTIONARY_PAGE') {
        hold(header)
        const { data } = readPage(readerOf(body), header, decoder, undefined, undefined, 0)
        if (data) dictionary = convert(data, decoder)
        continue
      }
      held.bytes -= holds
      holds = hold(header)
      page =
        rowsOf(header, body, { decoder, dictionary, isOptional, space }) ??
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

interface PageReading {
  decoder: ColumnDecoder
  dictionary: DecodedArray | undefined
  isOptional: boolean
  space: PageSpace
}

/**
 * A page of plain texts or of places in the dictionary, whose values are made as they are taken;
 * null for any other page. A list of all of them would outlive the young objects around it, which
 * V8 then takes more memory for.
 */
function rowsOf(header: PageHeader, body: Uint8Array, of: PageReading): Window | null {
  const { decoder, dictionary, isOptional, space } = of
  const { codec } = decoder
  const { data_page_header: v1, data_page_header_v2: v2, uncompressed_page_size: size } = header
  const said = v1 ?? v2
  const isText = said?.encoding === 'PLAIN' && decoder.type === 'BYTE_ARRAY'
  const isIndex = said?.encoding === 'RLE_DICTIONARY' || said?.encoding === 'PLAIN_DICTIONARY'
  if (said === undefined || !(isText || (isIndex && dictionary !== undefined))) return null
  const levels = isOptional ? roomIn(space.levels, said.num_values) : null
  let reader: ReturnType<typeof readerOf>
  if (v2 === undefined) {
    reader = readerOf(unpacked(body, size, codec, space))
    if (levels !== null) readRleBitPackedHybrid(reader, 1, levels)
  } else {
    const { definition_levels_byte_length: length, repetition_levels_byte_length: repeated } = v2
    const before = repeated + length
    const start = { ...readerOf(body), offset: repeated }
    if (levels !== null) readRleBitPackedHybrid(start, 1, levels, length)
    const packed = body.subarray(before)
    reader = readerOf(
      v2.is_compressed === false ? packed : unpacked(packed, size - before, codec, space),
    )
  }
  const count = levels === null ? said.num_values : levels.reduce((sum, level) => sum + level, 0)
  const next =
    isText || dictionary === undefined
      ? textsOf(reader, count, decoder)
      : indexedOf(reader, count, dictionary, space)
  let row = 0
  return {
    left: said.num_values,
    next() {
      this.left -= 1
      row += 1
      return levels !== null && levels[row - 1] !== 1 ? null : next()
    },
  }
}

type PageReader = ReturnType<typeof readerOf>

/** Takes plain texts, a few of which are made at a time. */
function textsOf(reader: PageReader, count: number, decoder: ColumnDecoder): () => unknown {
  let values: DecodedArray = []
  let rest = count
  let at = 0
  return () => {
    if (at === values.length) {
      const some = Math.min(WINDOW, rest)
      const plain = readPlain(reader, 'BYTE_ARRAY', some, decoder.element.type_length)
      values = convert(plain, decoder)
      rest -= some
      at = 0
    }
    at += 1
    return values[at - 1] ?? null
  }
}

/** Takes values of a dictionary by their places in it, which the page holds. */
function indexedOf(
  reader: PageReader,
  count: number,
  dictionary: DecodedArray,
  space: PageSpace,
): () => unknown {
  const { buffer } = roomIn(space.places, 4 * count)
  const places = new Uint32Array(buffer, 0, count)
  const width = count === 0 ? 0 : reader.view.getUint8(reader.offset)
  reader.offset += 1
  if (width === 0) places.fill(0)
  else {
    const length = reader.view.byteLength - reader.offset
    readRleBitPackedHybrid(reader, width, places, length)
  }
  let at = 0
  return () => {
    at += 1
    return dictionary[places[at - 1] ?? 0] ?? null
  }
}

/** A page without its compression: in its space, where the codec can write there. */
function unpacked(body: Uint8Array, size: number, codec: CompressionCodec, space: PageSpace) {
  if (codec !== 'SNAPPY') return decompressPage(body, size, codec, compressors)
  const page = roomIn(space.page, bounded(size))
  snappyUncompress(body, page)
  return page
}

/** The header of the page at a place, and where its bytes begin. */
async function readHeader(file: ParquetFile, at: number, end: number) {
  for (const most of [GLIMPSE, MAX_HEADER]) {
    const reader = readerOf(await file.read(at, Math.min(end, at + most), newSpace()))
    try {
      const header = parquetHeader(reader)
      return { header, start: at + reader.offset }
    } catch (error) {
      if (!(error instanceof RangeError) || at + most >= end) throw error
    }
  }
  throw new Unreadable('the header of a page is larger than 1 MB')
}
