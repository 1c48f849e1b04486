/**
 * Hashes of texts and the places that first had them: hash tables of eight bytes a slot, as plain
 * data. There are many small ones, so that only one of them is copied when it grows.
 */
export interface Known {
  /** Two numbers a slot: see `firstPlaceOf`. Which table has a hash is said by its first bits. */
  tables: Uint32Array<ArrayBuffer>[]
  /** How many hashes each table has. */
  counts: Uint32Array<ArrayBuffer>
  size: number
}

/** A slot has 43 bits of a hash of 52, and a place; nine more bits say which table it is in. */
const TABLES = 512
const PLACE_BITS = 21

/** Later places are not noted. */
export const MAX_PLACE = 2 ** PLACE_BITS - 1

/** How full a table gets; then it grows by a quarter. So a hash takes from 11 to 14 bytes. */
const FULL = 0.75
const FIRST_SLOTS = 8

export function known(): Known {
  const empty = new Uint32Array(0)
  const tables = Array.from({ length: TABLES }, () => empty)
  return { tables, counts: new Uint32Array(TABLES), size: 0 }
}

/**
 * The place, such as a row's number from 1, that first had the text with this hash; null if it is
 * new. Then notes it, as long as fewer than `most` are known.
 */
export function firstPlaceOf(
  known: Known,
  hash: number,
  place: number,
  most: number,
): number | null {
  const low = hash >>> 0
  const high = Math.floor(hash / 2 ** 32)
  const number = high % TABLES
  // With a place, which is never 0, it tells a slot that is taken.
  const rest = (Math.floor(high / TABLES) << PLACE_BITS) >>> 0
  let table = known.tables[number] ?? new Uint32Array(0)
  let at = slotOf(table, low, rest)
  const found = at === null ? 0 : (table[at + 1] ?? 0)
  if (found > 0) return found - rest
  if (known.size >= most || place > MAX_PLACE) return null
  const count = (known.counts[number] ?? 0) + 1
  if (at === null || count > (table.length / 2) * FULL) {
    table = grown(table)
    known.tables[number] = table
    at = slotOf(table, low, rest) ?? 0
  }
  table[at] = low
  table[at + 1] = rest + place
  known.counts[number] = count
  known.size += 1
  return null
}

/** Where the hash stands, or the free slot for it; null in a table without slots. */
function slotOf(table: Uint32Array, low: number, rest: number): number | null {
  const { length } = table
  if (length === 0) return null
  let at = 2 * Math.floor((low / 2 ** 32) * (length / 2))
  for (;;) {
    const taken = table[at + 1] ?? 0
    if (taken === 0 || (table[at] === low && taken >>> PLACE_BITS === rest >>> PLACE_BITS))
      return at
    at = at + 2 === length ? 0 : at + 2
  }
}

function grown(table: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const slots = Math.max(FIRST_SLOTS, Math.ceil((table.length / 2) * 1.25))
  const larger = new Uint32Array(2 * slots)
  for (let from = 0; from < table.length; from += 2) {
    const [low = 0, taken = 0] = [table[from], table[from + 1]]
    if (taken === 0) continue
    const at = slotOf(larger, low, taken) ?? 0
    larger[at] = low
    larger[at + 1] = taken
  }
  // Frees it now: left to be collected, what all tables were before would be there as well.
  if (table.length > 0) table.buffer.transfer(0)
  return larger
}

/**
 * 52 bits, never 0: among 100,000 different texts, two have the same hash once in a million lists.
 * Two multiplicative 32-bit hashes, mixed at the end as in MurmurHash3.
 */
export function hashOf(text: string): number {
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
