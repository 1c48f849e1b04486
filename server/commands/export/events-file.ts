import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  asyncBufferFromFile,
  type ColumnChunk,
  type Compressors,
  type PageHeader,
  type ParquetType,
  parquetMetadataAsync,
  parquetRead,
  type SchemaElement,
} from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import { exponentOf } from '../../../shared/commerce/iso.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import type { EventSum, MonthOfEvents } from '../../db/events/month-events.ts'
import { unpackModel } from '../../db/events/packed.ts'
import {
  BooleanColumn,
  type CollectedColumn,
  type ColumnCollector,
  FixedColumn,
  GROUP_ROWS,
  TextColumn,
} from './collect-column.ts'

// The columns of the table of events, in types that every reader of Parquet knows
// (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md).

type Type = Omit<SchemaElement, 'name' | 'repetition_type' | 'type'> & { type: ParquetType }

const STRING: Type = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
}
/** In UTC, whichever zone the reader is in. */
const MOMENT: Type = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
}

interface Column {
  name: string
  type: Type
  /** It may be null. */
  optional?: true
  collect: () => ColumnCollector
}

/** A text column that has few distinct values. */
const text = (name: string, unpack?: (stored: string) => string): Column => ({
  name,
  type: STRING,
  collect: () => new TextColumn(unpack && { unpack }),
})
const uniqueText = (name: string): Column => ({
  name,
  type: STRING,
  collect: () => new TextColumn({ isUnique: true }),
})

/** Postgres counts from 2000 (https://www.postgresql.org/docs/current/datatype-datetime.html). */
const EPOCH = Date.UTC(2000, 0)
const EPOCH_MICROS = 1000 * EPOCH
const EPOCH_DAYS = EPOCH / DAY_MS

/** Microseconds, which are exact as numbers until 2255. */
const moment = (name: string): Column => ({
  name,
  type: MOMENT,
  collect: () =>
    new FixedColumn(8, (row, at, target, to) => {
      const micros = row.readInt32BE(at) * 2 ** 32 + row.readUInt32BE(at + 4) + EPOCH_MICROS
      const high = Math.floor(micros / 2 ** 32)
      target.writeUInt32LE(micros - high * 2 ** 32, to)
      target.writeInt32LE(high, to + 4)
      return micros
    }),
})

/** Eight bytes in the other order. */
function putReversed(row: Buffer, at: number, target: Buffer, to: number): number {
  target.writeUInt32LE(row.readUInt32BE(at + 4), to)
  target.writeUInt32LE(row.readUInt32BE(at), to + 4)
  return Number.NaN
}

/** In the order of the fields of `copyMonth`. */
const COLUMNS: readonly Column[] = [
  text('domain'),
  {
    name: 'id',
    type: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
    collect: () =>
      new FixedColumn(16, (row, at, target, to) => {
        row.copy(target, to, at, at + 16)
        return Number.NaN
      }),
  },
  moment('ts'),
  moment('received_at'),
  {
    name: 'day',
    type: { type: 'INT32', converted_type: 'DATE' },
    collect: () =>
      new FixedColumn(4, (row, at, target, to) => {
        const day = row.readInt32BE(at) + EPOCH_DAYS
        target.writeInt32LE(day, to)
        return day
      }),
  },
  text('event'),
  text('source'),
  uniqueText('session_id'),
  uniqueText('visit_id'),
  { name: 'opens_session', type: { type: 'BOOLEAN' }, collect: () => new BooleanColumn() },
  text('surface'),
  text('kind'),
  { name: 'confidence', type: { type: 'DOUBLE' }, collect: () => new FixedColumn(8, putReversed) },
  text('model', unpackModel),
  { ...text('ai_surface'), optional: true },
  {
    name: 'value',
    type: { type: 'INT64' },
    optional: true,
    collect: () => new FixedColumn(8, putReversed),
  },
  { ...text('currency'), optional: true },
  // Unspecified: besides the currency, the number of decimals of `value`: a sum in dollars then
  // needs no table of currencies, and `value` stays exact.
  {
    name: 'currency_digits',
    type: { type: 'INT32' },
    optional: true,
    collect: () =>
      new FixedColumn(4, (row, at, target, to) => {
        const digits = exponentOf(row.toString('latin1', at, at + 3))
        target.writeInt32LE(digits, to)
        return digits
      }),
  },
  uniqueText('properties'),
  { ...text('landing'), optional: true },
]

const SCHEMA: SchemaElement[] = [
  { name: 'events', num_children: COLUMNS.length },
  ...COLUMNS.map(({ name, type, optional }) => ({
    name,
    ...type,
    repetition_type: optional ? ('OPTIONAL' as const) : ('REQUIRED' as const),
  })),
]

// Unspecified: files are compressed with ZSTD, which is a third smaller here than Snappy, and which
// every recent reader knows. Level 3 would be 3 % smaller, for half as long again.
const zstd = (data: Uint8Array) =>
  zstdCompressSync(data, {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
    // Room for all of a page, which is otherwise put together from many pieces.
    chunkSize: Math.max(1024, data.length),
  })
const compressors: Compressors = { ZSTD: (data) => zstdDecompressSync(data) }

/** The maximum of bytes in a column of a group: it is held in memory. */
const GROUP_BYTES = 32_000_000

/** Written into each file, so that another export does not overwrite it. */
const MONTH_KEY = 'aisle.month'
const DOMAIN_KEY = 'aisle.domain'
const ALL_DOMAINS = '*'

/**
 * Writes events as one Parquet file, in groups of which one at a time is in memory: readers work on
 * them in parallel, and skip those without the domain. `copies` are of `copyMonth`.
 */
export async function writeEventsFile(
  append: (data: Uint8Array) => Promise<void>,
  { month, domain }: MonthOfEvents,
  copies: AsyncIterable<AsyncIterable<Buffer>>,
  onWritten: (rows: number) => void,
): Promise<void> {
  const bytes = new ByteWriter()
  const flush = async () => {
    await append(bytes.getBytes())
    bytes.index = 0
  }
  // What it holds and how is ours; the library writes the headers and the footer.
  const file = new ParquetWriter({
    writer: Object.assign(bytes, { flush, finish: flush }),
    schema: SCHEMA,
    // Whole names of domains, by which readers skip groups.
    statisticsTruncateLength: 64,
    kvMetadata: [
      { key: MONTH_KEY, value: month },
      { key: DOMAIN_KEY, value: domain ?? ALL_DOMAINS },
    ],
    createdBy: 'aisle',
  })
  const collectors = COLUMNS.map(({ collect }) => collect())
  const properties = collectors[COLUMNS.findIndex(({ name }) => name === 'properties')]
  let rows = 0
  const writeGroup = async () => {
    if (rows === 0) return
    const start = bytes.offset
    const columns = collectors.map((each, n) =>
      writeColumn(bytes, COLUMNS[n] as Column, each.take()),
    )
    file.row_groups.push({
      columns,
      total_byte_size: columns.reduce(
        (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
        0n,
      ),
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(bytes.offset - start),
    })
    file.num_rows += BigInt(rows)
    await flush()
    onWritten(rows)
    rows = 0
  }
  for await (const copy of copies) {
    let at = HEADER_BYTES
    for await (const chunk of copy) {
      // Postgres sends whole rows (https://www.postgresql.org/docs/current/protocol-flow.html).
      while (at < chunk.length) {
        if (chunk.readInt16BE(at) === END) break
        at = collectRow(chunk, at, collectors)
        rows += 1
        const isLarge = properties !== undefined && properties.size() >= GROUP_BYTES
        if (rows === GROUP_ROWS || isLarge) await writeGroup()
      }
      at = 0
    }
  }
  await writeGroup()
  await file.finish()
}

/** Of a copy in binary (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"). */
const HEADER_BYTES = 19
/** Instead of the number of fields, after the last row. */
const END = -1

/** Collects a row, and returns where the next one begins. */
function collectRow(chunk: Buffer, start: number, collectors: readonly ColumnCollector[]): number {
  let at = start + 2
  for (const collector of collectors) {
    const length = chunk.readInt32BE(at)
    at += 4
    collector.add(chunk, at, length)
    if (length > 0) at += length
  }
  return at
}

/** Writes a column of a group: its distinct values where it has them, and one page. */
function writeColumn(
  writer: ByteWriter,
  { name, type, optional }: Column,
  { encoding, data, levels, nulls, dictionary, min, max }: CollectedColumn,
): ColumnChunk {
  const start = writer.offset
  let uncompressed = 0
  const addPage = (
    header: Omit<PageHeader, 'uncompressed_page_size' | 'compressed_page_size'>,
    before: Uint8Array,
    page: Uint8Array,
  ) => {
    const packed = zstd(page)
    const headerStart = writer.offset
    writePageHeader(writer, {
      ...header,
      uncompressed_page_size: before.length + page.length,
      compressed_page_size: before.length + packed.length,
    })
    uncompressed += writer.offset - headerStart + before.length + page.length
    writer.appendBytes(before)
    writer.appendBytes(packed)
  }
  if (dictionary) {
    addPage(
      {
        type: 'DICTIONARY_PAGE',
        dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
      },
      NOTHING,
      dictionary.data,
    )
  }
  const dataStart = writer.offset
  const levelWriter = new ByteWriter()
  if (optional) writeRleBitPackedHybrid(levelWriter, levels, 1)
  addPage(
    {
      type: 'DATA_PAGE_V2',
      data_page_header_v2: {
        num_values: levels.length,
        num_nulls: nulls,
        num_rows: levels.length,
        encoding,
        definition_levels_byte_length: levelWriter.offset,
        repetition_levels_byte_length: 0,
        is_compressed: true,
      },
    },
    levelWriter.getBytes(),
    data,
  )
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: type.type,
      encodings: dictionary ? ['PLAIN', encoding] : [encoding],
      path_in_schema: [name],
      codec: 'ZSTD',
      num_values: BigInt(levels.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataStart),
      ...(dictionary && { dictionary_page_offset: BigInt(start) }),
      statistics: {
        null_count: BigInt(nulls),
        ...(min !== undefined && { min_value: boundOf(type, min) }),
        ...(max !== undefined && { max_value: boundOf(type, max) }),
      },
    },
  }
}

const NOTHING = new Uint8Array()

const boundOf = ({ type }: Type, bound: Uint8Array | number) =>
  type === 'INT64' && typeof bound === 'number' ? BigInt(bound) : bound

/** The sums of the events in a file, in any order. Rejects if it is not a Parquet file. */
export async function sumEventsFile(path: string): Promise<EventSum[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const sums: Sums = new Map()
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const found = {} as Found
    await parquetRead({
      file,
      metadata,
      columns: ['event', 'currency', 'value'],
      rowStart,
      rowEnd,
      compressors,
      onChunk: ({ columnName, columnData }) => {
        Object.assign(found, { [columnName]: columnData })
      },
    })
    addSums(sums, found)
    rowStart = rowEnd
  }
  return [...sums].flatMap(([event, ofEvent]) =>
    [...ofEvent].map(([currency, { events, value }]) => ({
      event,
      currency,
      events: BigInt(events),
      value,
    })),
  )
}

/** By event and currency. */
type Sums = Map<string, Map<string | null, { events: number; value: bigint }>>

/** The columns that sums are made of, as the schema has them. */
interface Found {
  event: ArrayLike<string>
  currency: ArrayLike<string | null>
  value: ArrayLike<bigint | null>
}

function addSums(sums: Sums, { event, currency, value }: Found): void {
  for (let n = 0; n < event.length; n += 1) {
    const name = event[n] as string
    const of = currency[n] ?? null
    const ofEvent = sums.get(name) ?? new Map()
    const sum = ofEvent.get(of) ?? { events: 0, value: 0n }
    if (sum.events === 0) sums.set(name, ofEvent.set(of, sum))
    sum.events += 1
    const more = value[n]
    if (more != null) sum.value += more
  }
}

/** The month and domains of a file; null if `aisle export` has not written it. */
export async function contentsOf(path: string): Promise<MonthOfEvents | null> {
  const metadata = await asyncBufferFromFile(path)
    .then((file) => parquetMetadataAsync(file))
    .catch(() => null)
  const said = new Map(metadata?.key_value_metadata?.map(({ key, value }) => [key, value]))
  const [month, domain] = [said.get(MONTH_KEY), said.get(DOMAIN_KEY)]
  if (month === undefined || domain === undefined) return null
  return { month, domain: domain === ALL_DOMAINS ? undefined : domain }
}
