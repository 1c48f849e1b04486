import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type ColumnChunk,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  type RowGroup,
  snappyUncompress,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { READ_NAMES } from '../../../../shared/audit/checks/feed/vendors/tables.ts'
import { attributeName, describeProduct, type FeedState, type Rows, vendorOf } from './format.ts'

// A few bytes of Parquet can stand for any number of values. So all that a file claims is held to
// these limits before anything is read by it; each is some ten times what writers make by default.

/** `PAR1`, the first and the last bytes. */
const MAGIC = 0x50415231

const MAX_FOOTER = 64 * 1024 * 1024
const MAX_GROUP_ROWS = 1_100_000
const MAX_CHUNK = 256 * 1024 * 1024
const MAX_PAGE = 64 * 1024 * 1024
/** A page of a list has several values in each row. */
const MAX_PAGE_VALUES = 4 * MAX_GROUP_ROWS

const KEEP_UP_ROWS = 2_000

/** Columns that are read; the vendors know some hundred. */
const MAX_COLUMNS = 300

const compressors: Compressors = {
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

const bounded = (length: number): number => {
  if (length > MAX_PAGE) throw new Unreadable('a page of it is too large')
  return Math.max(1, length)
}

/** What is wrong with the file, in words that a person can act on. */
class Unreadable extends Error {}

/**
 * Reads a product feed in Parquet, group by group: held is one group's columns that a vendor's
 * table names. What is wrong is in `state.problem`; never throws for what the file holds.
 */
export async function readParquet(
  state: FeedState,
  file: AsyncBuffer,
  rows: Rows,
  keepUp: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    const metadata = await metadataOf(file)
    const columns = columnsOf(metadata)
      .map((column) => ({ column, name: attributeName(column) }))
      .filter(({ name }) => READ_NAMES.has(name))
      .slice(0, MAX_COLUMNS)
    const names = columns.map(({ name }) => name)
    if (!describeProduct(names)) return
    state.kind = 'parquet'
    state.vendor = vendorOf(names)
    const read = columns.map(({ column }) => column)
    let from = 0
    for (const group of metadata.row_groups) {
      await holdToLimits(file, group, read)
      const to = from + Number(group.num_rows)
      // One for each group: it keeps the columns that it has read.
      const options = { file, metadata, columns: read, compressors, rowStart: from, rowEnd: to }
      const scan = await parquetScan(options)
      const values = new Map<string, ArrayLike<unknown>>()
      for (const { column, name } of columns) {
        values.set(name, await scan.readColumn({ column, rowStart: from, rowEnd: to }))
      }
      for (let row = 0; row < to - from; row += 1) {
        if (!rows.take(cellsOf(values, row))) return
        if (row % KEEP_UP_ROWS === 0) await keepUp()
      }
      from = to
    }
  } catch (error) {
    state.kind = 'parquet'
    state.problem =
      error instanceof Unreadable
        ? error.message
        : 'it is not a whole Parquet file, or is damaged; write it again'
  }
}

async function metadataOf(file: AsyncBuffer): Promise<FileMetaData> {
  if (file.byteLength < 12) throw new Unreadable('the file ends before it has begun')
  const end = new DataView(await file.slice(file.byteLength - 8, file.byteLength))
  if (end.getUint32(4, false) !== MAGIC) {
    throw new Unreadable('it is not whole: it does not end as Parquet files do')
  }
  if (end.getUint32(0, true) > MAX_FOOTER) {
    throw new Unreadable('its footer is damaged, or larger than 64 MB')
  }
  return parquetMetadataAsync(file)
}

/** The names of the columns. What a list or a map consists of stands below it in the schema. */
function columnsOf({ schema }: FileMetaData): string[] {
  const names: string[] = []
  let at = 1
  while (at < schema.length) {
    names.push(schema[at]?.name ?? '')
    let open = 1
    while (open > 0 && at < schema.length) {
      open += (schema[at]?.num_children ?? 0) - 1
      at += 1
    }
  }
  return names
}

/** Throws unless the columns of a group stay within the limits, by what their pages claim. */
async function holdToLimits(
  file: AsyncBuffer,
  { num_rows, columns }: RowGroup,
  read: readonly string[],
): Promise<void> {
  if (num_rows > MAX_GROUP_ROWS) {
    throw new Unreadable(
      `it has a row group of ${num_rows} rows; write groups of at most 1,000,000`,
    )
  }
  for (const chunk of columns) {
    const [column = ''] = chunk.meta_data?.path_in_schema ?? []
    if (read.includes(column)) await holdChunk(file, column, chunk)
  }
}

async function holdChunk(
  file: AsyncBuffer,
  column: string,
  { meta_data }: ColumnChunk,
): Promise<void> {
  if (meta_data === undefined) throw new Unreadable(`its column ${column} is in another file`)
  const { codec, encodings, total_compressed_size, dictionary_page_offset } = meta_data
  const start = Number(dictionary_page_offset ?? meta_data.data_page_offset)
  if (!CODECS.includes(codec)) {
    throw new Unreadable(`it is compressed with ${codec}; write it with Zstandard, Snappy or gzip`)
  }
  // Each value may repeat the one before it: a small page becomes any size.
  if (encodings.includes('DELTA_BYTE_ARRAY')) {
    throw new Unreadable(`its column ${column} is written as DELTA_BYTE_ARRAY; write it as PLAIN`)
  }
  if (total_compressed_size > MAX_CHUNK || meta_data.total_uncompressed_size > 4 * MAX_CHUNK) {
    throw new Unreadable(`a group of its column ${column} is too large; write smaller row groups`)
  }
  const bytes = await file.slice(start, start + Number(total_compressed_size))
  const reader = { view: new DataView(bytes), offset: 0 }
  while (reader.offset < reader.view.byteLength - 1) {
    const page = parquetHeader(reader)
    const values = Math.max(
      page.data_page_header?.num_values ?? 0,
      page.data_page_header_v2?.num_values ?? 0,
      page.dictionary_page_header?.num_values ?? 0,
    )
    if (values > MAX_PAGE_VALUES || page.uncompressed_page_size > MAX_PAGE) {
      throw new Unreadable(`a page of its column ${column} is too large; write smaller pages`)
    }
    if (!(page.compressed_page_size > 0)) throw new Unreadable(`its column ${column} is damaged`)
    reader.offset += page.compressed_page_size
  }
}

function* cellsOf(
  columns: ReadonlyMap<string, ArrayLike<unknown>>,
  row: number,
): Generator<readonly [string, string]> {
  for (const [name, values] of columns) {
    const text = textOf(values[row])
    if (text !== null) yield [name, text]
  }
}

/** A value as a table would have it: lists and maps as JSON. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object') return String(value)
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? Number(each) : each,
  )
}
