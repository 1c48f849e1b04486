import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/app.ts'
import { rowLists } from './events.ts'

const { sql } = await testDatabase()

const COLUMNS = {
  n: 'int',
  domain: 'text',
  id: 'uuid',
  at: 'timestamptz',
  day: 'date',
  value: 'bigint',
  share: 'float8',
  is_new: 'boolean',
  properties: 'jsonb',
  keys: 'text[]',
} as const

const ASKED = Object.fromEntries(
  Object.entries(COLUMNS).map(([name, type]) => [
    name,
    [type, (row: Record<string, unknown>) => row[name]] as const,
  ]),
)

const FULL = {
  n: 7,
  domain: 'shop.example',
  id: '01920000-0000-7000-8000-000000000001',
  at: new Date('2026-11-27T23:59:59.123Z'),
  day: '2026-11-28',
  value: Number.MAX_SAFE_INTEGER,
  share: 0.1 + 0.2,
  is_new: false,
  properties: { 'a "b" \\ c': [null, 1.5, { d: "it's" }] },
  keys: [
    'plain',
    '',
    'null',
    'NULL',
    ' a ',
    'a,b',
    '{c}',
    'd"e',
    'f\\g',
    '\\"',
    "it's",
    'line\nline',
    'ü€😀',
  ],
}
const EMPTY = { domain: 'other.example' }

test('rows arrive as they were sent, and as they would by the names of their columns', async () => {
  const { query, list } = rowLists<Record<string, unknown>>(ASKED)
  const rows = [FULL, EMPTY, { ...EMPTY, keys: [], properties: {} }]
  const read = await sql.unsafe(query, [JSON.stringify(rows.map(list))])
  const types = Object.entries(COLUMNS).map((column) => column.join(' '))
  const byName = await sql.unsafe(
    `select * from jsonb_to_recordset($1::jsonb) as given(${types.join()})`,
    [JSON.stringify(rows)],
  )
  expect([...read]).toEqual([...byName])
  expect(read[0]).toEqual({
    ...FULL,
    value: String(FULL.value),
    at: '2026-11-27 23:59:59.123+00',
  })
  expect(read[1]).toEqual({
    ...Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, null])),
    domain: 'other.example',
  })
})

test('what is left out is null', async () => {
  const { query, list } = rowLists<Record<string, unknown>>(ASKED)
  const nulls = Object.keys(COLUMNS).map((name) => `${name} is null as ${name}`)
  const [row] = await sql.unsafe(`select ${nulls.join()} from (${query}) as given`, [
    JSON.stringify([list(EMPTY)]),
  ])
  expect(Object.entries(row ?? {}).filter(([, isNull]) => !isNull)).toEqual([['domain', false]])
})
