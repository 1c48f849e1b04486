import { type FileMetaData, parquetMetadataAsync, parquetScan, type RowGroup } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { READ_NAMES } from '../../../../shared/audit/checks/feed/vendors/tables.ts'
import { attributeName, describeProduct, type FeedState, type Rows, vendorOf } from './format.ts'
import {
  type ColumnValues,
  columnValues,
  compressors,
  demandChunk,
  demandPage,
  type HeldPages,
  isFlat,
  MAX_GROUP_ROWS,
  newPageSpace,
  type PageSpace,
  Unreadable,
} from './parquet-column.ts'
import type { ParquetFile } from './parquet-file.ts'

/** `PAR1`, the first and the last bytes. */
const MAGIC = 0x50415231

const MAX_FOOTER = 64 * 1024 * 1024

/** What the pages of one row group may hold at a time, unless less is given. */
const MAX_HELD = 512 * 1024 * 1024

const KEEP_UP_ROWS = 2_000

/** Columns that are read; the vendors know some hundred. */
const MAX_COLUMNS = 300

interface ParquetOptions {
  keepUp?: (() => Promise<void>) | undefined
  mostHeld?: number | undefined
}

/**
 * Reads a product feed in Parquet, group by group: held are the pages in which a row stands, of the
 * columns that a vendor's table names. What is wrong is in `state.problem`; never throws for what
 * the file holds.
 */
export async function readParquet(
  state: FeedState,
  file: ParquetFile,
  rows: Rows,
  { keepUp = async () => {}, mostHeld = MAX_HELD }: ParquetOptions = {},
): Promise<void> {
  try {
    const metadata = await metadataOf(file)
    const columns = columnsOf(metadata)
      .map((column) => ({ column, name: attributeName(column) }))
      .filter(({ name }) => READ_NAMES.has(name))
      .slice(0, MAX_COLUMNS)
      .map((named) => ({ ...named, space: newPageSpace() }))
    const names = columns.map(({ name }) => name)
    if (!describeProduct(names)) return
    state.kind = 'parquet'
    state.vendor = vendorOf(names)
    let from = 0
    for (const group of metadata.row_groups) {
      const count = Number(group.num_rows)
      if (count > MAX_GROUP_ROWS) {
        throw new Unreadable(
          `it has a row group of ${count} rows; write groups of at most 1,000,000`,
        )
      }
      const held = { bytes: 0, most: mostHeld }
      const values: { name: string; of: ColumnValues }[] = []
      for (const { column, name, space } of columns) {
        const of = await valuesOf(file, { metadata, group, column, from, held, space })
        values.push({ name, of })
      }
      for (let row = 0; row < count; row += 1) {
        const cells: [string, string][] = []
        for (const { name, of } of values) {
          let value = of.next()
          if (value === undefined) {
            await of.load()
            value = of.next()
          }
          const text = textOf(value)
          if (text !== null) cells.push([name, text])
        }
        if (!rows.take(cells)) return
        if (row % KEEP_UP_ROWS === 0) await keepUp()
      }
      from += count
    }
  } catch (error) {
    state.kind = 'parquet'
    state.problem =
      error instanceof Unreadable
        ? error.message
        : 'it is not a whole Parquet file, or is damaged; write it again'
  }
}

interface ColumnOfGroup {
  metadata: FileMetaData
  group: RowGroup
  column: string
  /** The first row of the group. */
  from: number
  held: HeldPages
  space: PageSpace
}

/** A column of a group. Lists and maps, which may be of several columns, are read as a whole. */
async function valuesOf(file: ParquetFile, of: ColumnOfGroup): Promise<ColumnValues> {
  const { metadata, group, column, from, held, space } = of
  const chunks = group.columns.filter(
    ({ meta_data }) => meta_data === undefined || meta_data.path_in_schema[0] === column,
  )
  const [only] = chunks
  if (only === undefined) throw new Unreadable(`a row group lacks the column ${column}`)
  const path = only.meta_data?.path_in_schema ?? [column]
  if (isFlat(metadata, path)) return columnValues(file, metadata, only, { held, space })
  for (const chunk of chunks) await demandPages(file, column, chunk)
  const range = { rowStart: from, rowEnd: from + Number(group.num_rows) }
  const scan = await parquetScan({ file, metadata, columns: [column], compressors, ...range })
  const values = await scan.readColumn({ column, ...range })
  let at = 0
  return {
    next() {
      at += 1
      return values[at - 1] ?? null
    },
    load: async () => {},
  }
}

/** Throws unless all pages of a chunk stay within the limits. */
async function demandPages(
  file: ParquetFile,
  column: string,
  chunk: RowGroup['columns'][number],
): Promise<void> {
  const { start, end } = demandChunk(chunk, column)
  const reader = { view: new DataView(await file.slice(start, end)), offset: 0 }
  while (reader.offset < reader.view.byteLength - 1) {
    const page = parquetHeader(reader)
    demandPage(page, column)
    reader.offset += page.compressed_page_size
  }
}

async function metadataOf(file: ParquetFile): Promise<FileMetaData> {
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

/** A value as a table would have it: lists and maps as JSON. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number') return String(plainNumber(value))
  if (typeof value !== 'object') return String(value)
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? Number(each) : typeof each === 'number' ? plainNumber(each) : each,
  )
}

/**
 * A number as it was meant: hyparquet multiplies a decimal's digits, and 19.99 comes as
 * 19.990000000000002; one of 32 bits comes with the digits of its place in 64.
 */
const plainNumber = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(Math.fround(value) === value ? 7 : 15))
