/** Hashes of texts and the places that first had them: an open hash table, as plain data. */
export interface Known {
  hashes: Float64Array<ArrayBuffer>
  rows: Uint32Array<ArrayBuffer>
  size: number
}

export const known = (slots = 1024): Known => ({
  hashes: new Float64Array(slots),
  rows: new Uint32Array(slots),
  size: 0,
})

/**
 * The place, such as a row's number, that first had the text with this hash; null if it is new.
 * Then notes it, as long as fewer than `most` are known.
 */
export function firstPlaceOf(
  table: Known,
  hash: number,
  place: number,
  most: number,
): number | null {
  let slot = slotOf(table, hash)
  if (table.hashes[slot] === hash) return table.rows[slot] ?? null
  if (table.size >= most) return null
  if (table.size * 2 >= table.hashes.length) {
    grow(table)
    slot = slotOf(table, hash)
  }
  table.hashes[slot] = hash
  table.rows[slot] = place
  table.size += 1
  return null
}

/** The slot that holds the hash, or the free one where it belongs. */
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
