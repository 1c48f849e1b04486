import { ByteWriter } from 'hyparquet-writer'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'

/*
 * The fields of many rows, as Postgres sends them in binary, collected column by column in the
 * bytes that Parquet has for them
 * (https://github.com/apache/parquet-format/blob/master/Encodings.md).
 * Nothing becomes a JavaScript value on the way: that, and comparing and encoding the values, took
 * five times as long.
 */

/** How many rows are collected at most before they are written: a group of the file. */
export const GROUP_ROWS = 50_000

/** A column of a group of rows, encoded and not compressed yet. */
export interface CollectedColumn {
  encoding: 'PLAIN' | 'RLE' | 'RLE_DICTIONARY'
  data: Uint8Array
  /** For each row 1, or 0 where it is null. */
  levels: Uint8Array
  nulls: number
  /** Distinct values, to which `data` refers. */
  dictionary?: { data: Uint8Array; count: number } | undefined
  /** In the order of the type, where they are known. */
  min?: Uint8Array | number | undefined
  max?: Uint8Array | number | undefined
}

export interface ColumnCollector {
  /** Takes the field of `length` bytes at `at`; -1: it is null. */
  add(row: Buffer, at: number, length: number): void
  /** How many bytes its values take. */
  size(): number
  /** What was collected, valid until more is added; then it begins anew. */
  take(): CollectedColumn
}

/** A buffer that grows. */
class Bytes {
  all = Buffer.allocUnsafe(1 << 16)
  length = 0

  reserve(more: number): void {
    if (this.length + more <= this.all.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.all.length, this.length + more))
    this.all.copy(larger, 0, 0, this.length)
    this.all = larger
  }

  /** A value of variable length: its length and its bytes. */
  addText(from: Buffer, at: number, length: number): void {
    this.reserve(4 + length)
    const { all } = this
    let to = all.writeInt32LE(length, this.length)
    // A call of `copy` takes longer than a short loop.
    if (length > 64) to += from.copy(all, to, at, at + length)
    else for (let n = at; n < at + length; n += 1) all[to++] = from[n] as number
    this.length = to
  }

  get written(): Buffer {
    return this.all.subarray(0, this.length)
  }
}

/** Which rows have a value. */
class Levels {
  readonly all = new Uint8Array(GROUP_ROWS)
  rows = 0
  nulls = 0

  /** Returns whether the row has one. */
  add(length: number): boolean {
    const isThere = length >= 0
    this.all[this.rows++] = isThere ? 1 : 0
    if (!isThere) this.nulls += 1
    return isThere
  }

  take(): Pick<CollectedColumn, 'levels' | 'nulls'> {
    const taken = { levels: this.all.subarray(0, this.rows), nulls: this.nulls }
    this.rows = 0
    this.nulls = 0
    return taken
  }
}

/** With more distinct values, each is written where it stands. */
const MOST_DISTINCT = 4096
const SLOTS = 4 * MOST_DISTINCT

/** Texts; few distinct ones are written once. */
export class TextColumn implements ColumnCollector {
  readonly #levels = new Levels()
  /** With `#isListed` the distinct values, else all. */
  #values = new Bytes()
  #isListed: boolean
  readonly #canList: boolean
  readonly #unpack: ((stored: string) => string) | undefined
  /** Where each distinct value begins. */
  readonly #starts = new Uint32Array(MOST_DISTINCT)
  #distinct = 0
  /** By the hash of a value, one more than its place among the distinct ones. */
  readonly #slots = new Uint16Array(SLOTS)
  readonly #indexes = new Int32Array(GROUP_ROWS)
  #last = 0

  /** `isUnique`: most values are; `unpack` makes the value of what is stored. */
  constructor(how: { isUnique?: boolean; unpack?: (stored: string) => string } = {}) {
    this.#canList = !how.isUnique
    this.#isListed = this.#canList
    this.#unpack = how.unpack
  }

  add(row: Buffer, at: number, length: number): void {
    const n = this.#levels.rows - this.#levels.nulls
    if (!this.#levels.add(length)) return
    if (this.#isListed) {
      const index = this.#find(row, at, length)
      if (index >= 0) {
        this.#indexes[n] = index
        return
      }
      this.#writeOut(n)
    }
    this.#values.addText(row, at, length)
  }

  size(): number {
    return this.#values.length
  }

  /** The place of a value among the distinct ones; -1: there is no room for it. */
  #find(row: Buffer, at: number, length: number): number {
    if (this.#distinct > 0 && this.#isAt(this.#last, row, at, length)) return this.#last
    let hash = length
    for (let n = at; n < at + length; n += 1) hash = Math.imul(hash ^ (row[n] as number), 16777619)
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    while (this.#slots[slot] !== 0) {
      const index = (this.#slots[slot] as number) - 1
      if (this.#isAt(index, row, at, length)) {
        this.#last = index
        return index
      }
      slot = (slot + 1) & (SLOTS - 1)
    }
    if (this.#distinct === MOST_DISTINCT) return -1
    const index = this.#distinct++
    this.#slots[slot] = index + 1
    this.#starts[index] = this.#values.length
    this.#values.addText(row, at, length)
    this.#last = index
    return index
  }

  #isAt(index: number, row: Buffer, at: number, length: number): boolean {
    const { all } = this.#values
    const start = this.#starts[index] as number
    if (all.readInt32LE(start) !== length) return false
    for (let n = 0; n < length; n += 1) if (all[start + 4 + n] !== row[at + n]) return false
    return true
  }

  /** Puts each of the first `count` values in its place, instead of the distinct ones. */
  #writeOut(count: number): void {
    const listed = this.#values
    this.#values = new Bytes()
    for (let n = 0; n < count; n += 1) {
      const start = this.#starts[this.#indexes[n] as number] as number
      this.#values.addText(listed.all, start + 4, listed.all.readInt32LE(start))
    }
    this.#isListed = false
  }

  take(): CollectedColumn {
    const taken = this.#levels.take()
    const values = this.#unpack
      ? unpacked(this.#values.written, this.#unpack)
      : this.#values.written
    const count = this.#distinct
    const collected: CollectedColumn = this.#isListed
      ? {
          ...taken,
          encoding: 'RLE_DICTIONARY',
          data: indexData(this.#indexes.subarray(0, taken.levels.length - taken.nulls), count),
          dictionary: { data: values, count },
          ...boundsOf(values),
        }
      : { ...taken, encoding: 'PLAIN', data: values }
    this.#values.length = 0
    this.#distinct = 0
    this.#slots.fill(0)
    this.#isListed = this.#canList
    return collected
  }
}

function indexData(indexes: Int32Array, distinct: number): Uint8Array {
  const writer = new ByteWriter(indexes.length)
  const bits = Math.ceil(Math.log2(Math.max(distinct, 1)))
  writer.appendUint8(bits)
  writeRleBitPackedHybrid(writer, indexes, bits)
  return writer.getBytes()
}

/** Each value of variable length. */
function* textsIn(values: Buffer): Generator<Buffer> {
  for (let at = 0; at < values.length; ) {
    const end = at + 4 + values.readInt32LE(at)
    yield values.subarray(at + 4, end)
    at = end
  }
}

function unpacked(values: Buffer, unpack: (stored: string) => string): Buffer {
  const bytes = new Bytes()
  for (const value of textsIn(values)) {
    const text = Buffer.from(unpack(value.toString()))
    bytes.addText(text, 0, text.length)
  }
  return bytes.written
}

function boundsOf(values: Buffer): Pick<CollectedColumn, 'min' | 'max'> {
  let min: Buffer | undefined
  let max: Buffer | undefined
  for (const value of textsIn(values)) {
    if (min === undefined || Buffer.compare(value, min) < 0) min = value
    if (max === undefined || Buffer.compare(value, max) > 0) max = value
  }
  return { min, max }
}

/**
 * Writes a field in the bytes of the file; returns the number that its values are ordered by, NaN
 * where no number is exact.
 */
type Put = (row: Buffer, at: number, target: Buffer, to: number) => number

/** Values of one length. */
export class FixedColumn implements ColumnCollector {
  readonly #levels = new Levels()
  readonly #values: Buffer
  readonly #width: number
  readonly #put: Put
  #length = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY

  constructor(width: number, put: Put) {
    this.#width = width
    this.#put = put
    this.#values = Buffer.allocUnsafe(width * GROUP_ROWS)
  }

  add(row: Buffer, at: number, length: number): void {
    if (!this.#levels.add(length)) return
    const number = this.#put(row, at, this.#values, this.#length)
    this.#length += this.#width
    if (number < this.#min) this.#min = number
    if (number > this.#max) this.#max = number
  }

  size(): number {
    return this.#length
  }

  take(): CollectedColumn {
    const collected: CollectedColumn = {
      ...this.#levels.take(),
      encoding: 'PLAIN',
      data: this.#values.subarray(0, this.#length),
      ...(this.#min <= this.#max && { min: this.#min, max: this.#max }),
    }
    this.#length = 0
    this.#min = Number.POSITIVE_INFINITY
    this.#max = Number.NEGATIVE_INFINITY
    return collected
  }
}

export class BooleanColumn implements ColumnCollector {
  readonly #levels = new Levels()
  readonly #values = new Uint8Array(GROUP_ROWS)
  #length = 0

  add(row: Buffer, at: number, length: number): void {
    if (this.#levels.add(length)) this.#values[this.#length++] = row[at] as number
  }

  size(): number {
    return this.#length
  }

  take(): CollectedColumn {
    const writer = new ByteWriter(this.#length)
    // The length comes first, and is known last.
    writer.appendUint32(0)
    const length = writeRleBitPackedHybrid(writer, this.#values.subarray(0, this.#length), 1)
    writer.view.setUint32(0, length, true)
    this.#length = 0
    return { ...this.#levels.take(), encoding: 'RLE', data: writer.getBytes() }
  }
}
