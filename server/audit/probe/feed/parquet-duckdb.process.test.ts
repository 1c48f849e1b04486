import { mkdtemp, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { HAS_DUCKDB, queryDuckDb } from '../../../commands/export/testing/readers.ts'
import { firstState } from './format.ts'
import { readParquet } from './parquet.ts'
import { parquetInFile } from './parquet-file.ts'

// What DuckDB writes is read as it meant it, and what `hyparquet-writer` writes, as the reference
// store does, DuckDB reads: each type that a feed may have, under the name of a field.

const ROWS = 5_000

/** The types of DuckDB by a field's name, of row `i`, and the same as text. */
const COLUMNS: Record<string, { made: string; text?: string }> = {
  item_id: { made: `'T-' || i` },
  title: { made: `'Zelt für zwei, ☃ ' || i || repeat(' x', i % 40)` },
  // As written, and from a dictionary, with and without nulls.
  brand: { made: `CASE i % 3 WHEN 0 THEN 'Fjell' WHEN 1 THEN 'Vik' END` },
  description: { made: `CASE WHEN i % 7 = 0 THEN NULL ELSE 'About ' || i END` },
  color: { made: `NULL::VARCHAR` },
  size: { made: `(['S', 'M', 'L'])[i % 3 + 1]::ENUM ('S', 'M', 'L')` },
  price: { made: `(i * 1.01 + 0.09)::DECIMAL(9, 2)` },
  sale_price: { made: `(i * 1.01 + 0.09)::DECIMAL(18, 2)` },
  shipping_price: { made: `(i * 1.01 - 9.09)::DECIMAL(30, 2)` },
  weight: { made: `i / 7::DOUBLE`, text: 'round(weight, 9)' },
  length: { made: `((i % 200) / 100)::FLOAT` },
  review_count: { made: `i` },
  return_deadline_in_days: { made: `(i % 200)::UTINYINT` },
  store_review_count: { made: `(i * 100000)::UINTEGER` },
  age_restriction: { made: `CASE WHEN i % 2 = 0 THEN i::SMALLINT END` },
  is_digital: { made: `i % 5 = 0` },
  is_eligible_search: { made: `CASE WHEN i % 5 > 1 THEN i % 5 = 2 END` },
  gtin: { made: `(4006381333931 + i)::BIGINT` },
  availability_date: {
    made: `DATE '2026-11-01' + (i % 90)::INTEGER`,
    text: `strftime(availability_date, '%Y-%m-%dT00:00:00.000Z')`,
  },
  expiration_date: {
    made: `TIMESTAMP '2026-11-01 09:30:00.250' + to_seconds(i)`,
    text: `strftime(expiration_date, '%Y-%m-%dT%H:%M:%S.%gZ')`,
  },
  sale_price_effective_date: {
    made: `(TIMESTAMP '2026-11-01 09:30:00' + to_seconds(i))::TIMESTAMP_NS`,
    text: `strftime(sale_price_effective_date, '%Y-%m-%dT%H:%M:%S.%gZ')`,
  },
  offer_id: { made: `md5(i::VARCHAR)::UUID` },
  target_countries: {
    made: `CASE WHEN i % 4 = 3 THEN NULL ELSE (['US', 'DE', 'CA'])[1:i % 4] END`,
    text: `to_json(target_countries)`,
  },
  additional_image_urls: {
    made: `['https://shop.example/' || i || '.jpg', NULL]`,
    text: `to_json(additional_image_urls)`,
  },
  dimensions: {
    made: `{'length': i % 9, 'unit': CASE WHEN i % 2 = 0 THEN 'cm' END}`,
    text: `to_json(dimensions)`,
  },
  variant_dict: { made: `MAP {'color': 'Blue'}`, text: `to_json(variant_dict)` },
  ads_metadata: { made: `('{"a":' || i || '}')::JSON` },
}
const NAMES = Object.keys(COLUMNS)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(inject('runFolder'), 'duckdb-'))
})

async function readRows(path: string): Promise<(string | null)[][]> {
  const handle = await open(path)
  const rows: (string | null)[][] = []
  const state = firstState()
  try {
    const { size } = await handle.stat()
    await readParquet(state, parquetInFile(handle, size), {
      take(cells) {
        const row = new Map(cells)
        rows.push(NAMES.map((name) => row.get(name) ?? null))
        return true
      },
    })
  } finally {
    await handle.close()
  }
  expect(state.problem).toBeNull()
  return rows
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text))

/** Numbers without zeros at their end; lists and structs as values. */
const comparable = (rows: readonly (string | null)[][]) =>
  rows.map((row) =>
    row.map((value, n) => {
      const { made = '', text = '' } = COLUMNS[NAMES[n] ?? ''] ?? {}
      if (text.startsWith('to_json') || made.endsWith('JSON')) return parsed(value)
      return /DECIMAL|FLOAT|DOUBLE/.test(made) && value !== null
        ? Number(Number(value).toFixed(9))
        : value
    }),
  )

describe.skipIf(!HAS_DUCKDB)('DuckDB', () => {
  test.each(
    ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli'].flatMap((codec) =>
      ['V1', 'V2'].map((version) => [codec, version]),
    ),
  )(
    'what it writes with %s as %s has the same values here',
    async (codec, version) => {
      const made = NAMES.map((name) => `${COLUMNS[name]?.made} AS "${name}"`).join(', ')
      const path = join(folder, `${codec}-${version}.parquet`)
      const options = `FORMAT parquet, CODEC '${codec}', PARQUET_VERSION '${version}', ROW_GROUP_SIZE 2048`
      const texts = NAMES.map((name) => `(${COLUMNS[name]?.text ?? `"${name}"`})::VARCHAR`)
      const expected = await queryDuckDb(
        folder,
        `COPY (SELECT ${made} FROM range(${ROWS}) r(i)) TO '${path}' (${options})`,
        `SELECT ${texts.join(', ')} FROM '${path}'`,
      )
      const rows = await readRows(path)
      expect(rows).toHaveLength(ROWS)
      expect(comparable(rows)).toEqual(comparable(expected as (string | null)[][]))
    },
    60_000,
  )

  test('it reads what is written here', async () => {
    const column = <Value>(value: (n: number) => Value) =>
      Array.from({ length: ROWS }, (_, n) => (n % 7 === 3 ? null : value(n)))
    const data = {
      item_id: column((n) => `T-${n}`),
      title: column((n) => `Zelt für zwei, ☃ ${n % 5}`),
      is_eligible_search: column((n) => n % 2 === 0),
      return_deadline_in_days: column((n) => n % 90),
      variant_dict: column((n) => JSON.stringify({ size: `${n}` })),
    }
    const columnData = Object.entries(data).map(([name, data]) => ({ name, data, nullable: true }))
    const path = join(folder, 'ours.parquet')
    await writeFile(path, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 1500 })))
    const names = Object.keys(data)
    const rows = await queryDuckDb(folder, `SELECT ${names.join(', ')} FROM '${path}'`)
    const expected = Array.from({ length: ROWS }, (_, n) =>
      Object.values(data).map((values) => values[n] ?? null),
    )
    expect(rows).toEqual(expected)
  })
})
