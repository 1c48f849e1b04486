import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  asyncBufferFromFile,
  type Compressors,
  type Encoding,
  parquetMetadataAsync,
  parquetReadObjects,
  type SchemaElement,
} from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { exponentOf } from '../../../shared/commerce/iso.ts'
import type { EventSum, MonthEvent, MonthOfEvents } from '../../db/events/month-events.ts'

// The columns of the table of events, in types that every reader of Parquet knows
// (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md).

type Type = Omit<SchemaElement, 'name' | 'repetition_type'>

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
  /** Where the writer's default is not the best. */
  encoding?: Encoding
  of: (event: MonthEvent) => unknown
}

/** A text column with the field of its name. */
const text = (name: keyof MonthEvent): Column => ({
  name,
  type: STRING,
  of: (event) => event[name],
})
const moment = (name: 'ts' | 'received_at'): Column => ({
  name,
  type: MOMENT,
  encoding: 'DELTA_BINARY_PACKED',
  of: (event) => BigInt(event[name]),
})

const COLUMNS: readonly Column[] = [
  text('domain'),
  {
    name: 'id',
    type: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } },
    encoding: 'PLAIN',
    of: ({ id }) => Buffer.from(id.replaceAll('-', ''), 'hex'),
  },
  moment('ts'),
  moment('received_at'),
  { name: 'day', type: { type: 'INT32', converted_type: 'DATE' }, of: ({ day }) => day },
  text('event'),
  text('source'),
  text('session_id'),
  text('visit_id'),
  {
    name: 'opens_session',
    type: { type: 'BOOLEAN' },
    of: ({ opens_session }) => opens_session,
  },
  text('surface'),
  text('kind'),
  { name: 'confidence', type: { type: 'DOUBLE' }, of: ({ confidence }) => confidence },
  text('model'),
  { ...text('ai_surface'), optional: true },
  {
    name: 'value',
    type: { type: 'INT64' },
    optional: true,
    of: ({ value }) => (value === null ? null : BigInt(value)),
  },
  { ...text('currency'), optional: true },
  // Unspecified: besides the currency, the number of decimals of `value`: a sum in dollars then
  // needs no table of currencies, and `value` stays exact.
  {
    name: 'currency_digits',
    type: { type: 'INT32' },
    optional: true,
    of: ({ currency }) => (currency === null ? null : exponentOf(currency)),
  },
  text('properties'),
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
// every recent reader knows.
const codec = 'ZSTD'
const zstd = (data: Uint8Array) =>
  zstdCompressSync(data, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })
const compressors: Compressors = { ZSTD: (data) => zstdDecompressSync(data) }

/** Readers work on the groups of a file in parallel, and skip those without the domain. */
const GROUP_ROWS = 50_000
/** The maximum of characters in the properties of a group: it is held in memory. */
const GROUP_CHARS = 32_000_000

/** Written into each file, so that another export does not overwrite it. */
const MONTH_KEY = 'aisle.month'
const DOMAIN_KEY = 'aisle.domain'
const ALL_DOMAINS = '*'

/** Writes events as one Parquet file, in groups of which one at a time is in memory. */
export async function writeEventsFile(
  append: (data: Uint8Array) => Promise<void>,
  { month, domain }: MonthOfEvents,
  pages: AsyncIterable<readonly MonthEvent[]>,
): Promise<void> {
  const bytes = new ByteWriter()
  const flush = async () => {
    await append(bytes.getBytes())
    bytes.index = 0
  }
  const writer = new ParquetWriter({
    writer: Object.assign(bytes, { flush, finish: flush }),
    schema: SCHEMA,
    codec,
    compressors: { ZSTD: zstd },
    // Whole names of domains, by which readers skip groups.
    statisticsTruncateLength: 64,
    kvMetadata: [
      { key: MONTH_KEY, value: month },
      { key: DOMAIN_KEY, value: domain ?? ALL_DOMAINS },
    ],
    createdBy: 'aisle',
  })
  let group: MonthEvent[] = []
  let chars = 0
  const writeGroup = async () => {
    if (group.length === 0) return
    const columnData = COLUMNS.map(({ name, encoding, of }) => ({
      name,
      data: group.map(of),
      ...(encoding && { encoding }),
    }))
    await writer.write({ columnData, rowGroupSize: group.length })
    group = []
    chars = 0
  }
  for await (const page of pages) {
    for (const event of page) {
      group.push(event)
      chars += event.properties.length
      if (group.length >= GROUP_ROWS || chars >= GROUP_CHARS) await writeGroup()
    }
  }
  await writeGroup()
  await writer.finish()
}

/** The sums of the events in a file, in any order. Rejects if it is not a Parquet file. */
export async function sumEventsFile(path: string): Promise<EventSum[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const sums = new Map<string, EventSum>()
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const columns = ['event', 'currency', 'value']
    const rows = await parquetReadObjects({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      compressors,
    })
    for (const { event, currency, value } of rows) {
      const key = `${event} ${currency}`
      const sum = sums.get(key) ?? { event, currency, events: 0n, value: 0n }
      sum.events += 1n
      sum.value += value ?? 0n
      sums.set(key, sum)
    }
    rowStart = rowEnd
  }
  return [...sums.values()]
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
