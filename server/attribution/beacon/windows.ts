import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/**
 * How many keys are remembered: with more senders than this, those that sent nothing for the longest
 * time start anew. Who floods comes back all the time, and is not forgotten.
 */
export const MOST_KEYS = 10_000

/** So many per key, in a window of so many seconds that begins with a key's first. */
export interface WindowSize {
  most: number
  seconds: number
}

/** What was counted under a key: `ends` is in milliseconds since 1970. */
interface Window {
  used: number
  ends: number
}

/**
 * Limits in the memory of this process, several per key. Their size is fixed, where the memory limiter
 * of rate-limiter-flexible holds a timer and a record for each key that anyone thinks up, for a day.
 */
export interface Windows<Name extends string> {
  /** What is known under a key, which is looked up once for all of its limits. */
  of(key: string): Record<Name, Window>
  /**
   * Counts one more. Null while there are not too many; otherwise the seconds until the window ends,
   * at least 1.
   */
  count(known: Record<Name, Window>, name: Name): number | null
}

export function createWindows<Name extends string>(
  sizes: Readonly<Record<Name, WindowSize>>,
  now: () => Date,
): Windows<Name> {
  const kept = new LRUCache<string, Record<Name, Window>>({ max: MOST_KEYS })
  const empty = (): Record<Name, Window> => {
    const windows: Partial<Record<Name, Window>> = {}
    for (const name in sizes) windows[name] = { used: 0, ends: 0 }
    return windows as Record<Name, Window>
  }
  return {
    of(key) {
      const known = kept.get(key)
      if (known !== undefined) return known
      const begun = empty()
      kept.set(key, begun)
      return begun
    },
    count(known, name) {
      const { most, seconds } = sizes[name]
      const window = known[name]
      const at = now().getTime()
      if (window.ends <= at) {
        window.used = 0
        window.ends = at + seconds * 1000
      }
      window.used += 1
      return window.used <= most ? null : Math.max(1, Math.ceil((window.ends - at) / 1000))
    },
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
