import { v7 } from 'uuid'

/** Random bytes that one id takes. */
const RANDOM_BYTES = 16

/** Random bytes for many ids together: asking for each costs more than making its id. */
const pool = new Uint8Array(256 * RANDOM_BYTES)
let used = pool.length

function takeRandom(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += RANDOM_BYTES
  return pool.subarray(used - RANDOM_BYTES, used)
}

/**
 * The millisecond of the id before: ids of one millisecond are counted (RFC 9562, 6.2, method 1).
 */
let msecs = 0
let seq = 0

/**
 * An id of an event (UUID of version 7): a later one of this process sorts after an earlier one.
 */
export function newEventId(): string {
  const random = takeRandom()
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    // Begins in the lower half, so that no millisecond has more than there is room for.
    seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else {
    seq += 1
  }
  return v7({ msecs, seq, random })
}
