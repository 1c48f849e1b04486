import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/**
 * How many keys are remembered: with more senders than this, those that sent nothing for the longest
 * time start anew. Who floods comes back all the time, and is not forgotten.
 */
export const MOST_KEYS = 10_000

/** So many per key, in a window of so many seconds that begins with a key's first. */
export interface WindowOptions {
  most: number
  seconds: number
  now: () => Date
}

/**
 * Counts one more under a key. Null while there are not too many; otherwise the seconds until the
 * window ends, at least 1.
 */
export type CountInWindow = (key: string) => number | null

/**
 * A limit in the memory of this process. Its size is fixed, where the memory limiter of
 * rate-limiter-flexible holds a timer and a record for each key that anyone thinks up, for a day.
 */
export function createWindow({ most, seconds, now }: WindowOptions): CountInWindow {
  const windows = new LRUCache<string, { used: number; ends: number }>({ max: MOST_KEYS })
  return (key) => {
    const at = now().getTime()
    const known = windows.get(key)
    const window =
      known !== undefined && known.ends > at ? known : { used: 0, ends: at + seconds * 1000 }
    if (window !== known) windows.set(key, window)
    window.used += 1
    return window.used <= most ? null : Math.max(1, Math.ceil((window.ends - at) / 1000))
  }
}

/**
 * A function that turns what identifies a sender into a key that says nothing about it: hashed with
 * a secret that ends with this process. In one call: an HMAC object for each costs five times as much,
 * and what it prevents, hashes that are made longer, needs the whole hash of another.
 */
export function createKeyOf(): (...parts: string[]) => string {
  const secret = randomBytes(32).toString('base64url')
  return (...parts) => hash('sha256', secret + JSON.stringify(parts), 'base64url').slice(0, 16)
}
