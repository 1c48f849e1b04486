import type { FeedRow, FeedTally, FeedVendor, RowFault } from '../../../commerce/feed.ts'
import { judgeRow } from './judge-row.ts'
import { countOptIns, noOptIns } from './opt-ins.ts'
import { GOOGLE } from './vendors/google.ts'
import { OPENAI } from './vendors/openai.ts'
import { PLATFORM } from './vendors/platform.ts'
import { statedValue, type VendorTable } from './vendors/table.ts'

/** Of each kind of fault; they show what to look for. */
const MAX_EXAMPLES = 3

/** Characters of a value in an example. */
const MAX_SHOWN = 120

/** Ids, and variants, that are kept to find the same one again; in all, a few hundred KB. */
const MAX_KNOWN = 16_384

const TABLES: Record<FeedVendor, VendorTable> = { google: GOOGLE, openai: OPENAI }

/** What is kept between two parts of a feed: plain data, and of bounded size. */
export interface TallyState extends FeedTally {
  ids: Known
  variants: Known
}

/** Hashes of texts and the rows that first had them: an open hash table. */
export interface Known {
  hashes: Float64Array
  rows: Uint32Array
  size: number
}

const known = (slots = 1024): Known => ({
  hashes: new Float64Array(slots),
  rows: new Uint32Array(slots),
  size: 0,
})

export const emptyTally = (): TallyState => ({
  rows: 0,
  incomplete: 0,
  with_gtin: 0,
  with_id: 0,
  faults: [],
  opt_ins: noOptIns(),
  ids: known(),
  variants: known(),
})

/** Counts one row. `vendor` is null for the product list of a platform. */
export function countRow(tally: TallyState, row: FeedRow, vendor: FeedVendor | null): void {
  const table = vendor === null ? PLATFORM : TABLES[vendor]
  tally.rows += 1
  const [idRule] = table.fields
  const id = (idRule && statedValue(row, idRule)) ?? null
  const faults = judgeRow(row, table)
  if (row.get('gtin')) tally.with_gtin += 1
  if (faults.some(({ kind }) => kind === 'missing')) tally.incomplete += 1
  if (id !== null) {
    tally.with_id += 1
    faults.push(...repeated(tally, id))
  }
  faults.push(...sameVariant(tally, row, table))
  if (vendor !== null) countOptIns(tally.opt_ins, row, vendor, faults)
  for (const fault of faults) keep(tally, fault, id)
}

/** The id of an earlier row. */
function repeated(tally: TallyState, id: string): RowFault[] {
  const first = rowOf(tally.ids, id, tally.rows)
  if (first === null) return []
  const expected = 'an id of its own'
  return [{ field: 'id', kind: 'duplicate', value: `the id of row ${first}`, expected }]
}

/** A variant that states nothing by which it differs from an earlier one of its group. */
function sameVariant(tally: TallyState, row: FeedRow, table: VendorTable): RowFault[] {
  const group = row.get(table.group) ?? row.get('item_group_id')
  if (group === undefined) return []
  const stated = table.variant.map((name) => row.get(name) ?? '')
  const first = rowOf(tally.variants, JSON.stringify([group, ...stated]), tally.rows)
  if (first === null) return []
  return [
    {
      field: table.group,
      kind: 'variants',
      value: group,
      expected: 'variants of a group that differ in title, color, size or another attribute',
    },
  ]
}

function keep(tally: TallyState, fault: RowFault, id: string | null): void {
  const { field, kind, expected } = fault
  const value = fault.value === null ? null : fault.value.slice(0, MAX_SHOWN)
  let count = tally.faults.find((each) => each.field === field && each.kind === kind)
  if (count === undefined) {
    count = { field, kind, expected, count: 0, examples: [] }
    tally.faults.push(count)
  }
  count.count += 1
  if (count.examples.length < MAX_EXAMPLES) {
    count.examples.push({ row: tally.rows, id: id === null ? null : id.slice(0, MAX_SHOWN), value })
  }
}

/** The row that first had this text; notes the text otherwise, as long as there is room. */
function rowOf(table: Known, text: string, row: number): number | null {
  const hash = hashOf(text)
  let slot = slotOf(table, hash)
  if (table.hashes[slot] === hash) return table.rows[slot] ?? null
  if (table.size >= MAX_KNOWN) return null
  if (table.size * 2 >= table.hashes.length) {
    grow(table)
    slot = slotOf(table, hash)
  }
  table.hashes[slot] = hash
  table.rows[slot] = row
  table.size += 1
  return null
}

/** Where the hash is, or where it belongs. */
function slotOf({ hashes }: Known, hash: number): number {
  const mask = hashes.length - 1
  let slot = (hash % hashes.length) & mask
  while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & mask
  return slot
}

function grow(table: Known): void {
  const { hashes, rows } = table
  table.hashes = new Float64Array(hashes.length * 2)
  table.rows = new Uint32Array(hashes.length * 2)
  for (const [index, hash] of hashes.entries()) {
    if (hash === 0) continue
    const slot = slotOf(table, hash)
    table.hashes[slot] = hash
    table.rows[slot] = rows[index] ?? 0
  }
}

/**
 * 52 bits, never 0: of 16,384 different texts, two have the same once in 30 million feeds. Two
 * multiplicative hashes of 32 bits, mixed at the end as in MurmurHash3.
 */
function hashOf(text: string): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (1048575 & b) + (a >>> 0) + 1
}
