import { hash, randomBytes } from 'node:crypto'

/**
 * How many keys are remembered at most. Who sends nothing while half as many others do starts anew;
 * who floods comes back all the time, and is not forgotten.
 */
export const MOST_KEYS = 10_000

/** The limit per key in a window of some seconds, which begins with a key's first call. */
interface WindowSize {
  most: number
  seconds: number
}

/**
 * What was counted under a key: for each of its limits how many there were, and when the window
 * ends, in milliseconds since 1970. In one list, as there is one for each sender: it takes the
 * least memory and time so.
 */
type Counted = number[]

/**
 * Limits in the memory of this process, several per key. Their size is fixed, where the memory
 * limiter of rate-limiter-flexible holds a timer and a record for each key that anyone thinks up,
 * for a day.
 */
export interface Windows<Name extends string> {
  /** What is known under a key, which is looked up once for all of its limits. */
  of(key: string): Counted
  /**
   * Counts one more at this moment, in milliseconds since 1970. Null while there are not too many;
   * otherwise the seconds until the window ends, at least 1.
   */
  count(known: Counted, name: Name, at: number): number | null
}

/** Counts by key in windows of these sizes, in memory alone. */
export function createWindows<Name extends string>(
  sizes: Readonly<Record<Name, WindowSize>>,
): Windows<Name> {
  const names = Object.keys(sizes)
  const empty = names.flatMap(() => [0, 0])
  // Two generations: the older is forgotten when the newer is full. As good as a list in order of
  // use, and a third of its time, as each visitor is a new key.
  let newer = new Map<string, Counted>()
  let older = new Map<string, Counted>()
  return {
    of(key) {
      const kept = newer.get(key)
      if (kept !== undefined) return kept
      const known = older.get(key) ?? [...empty]
      if (newer.size >= MOST_KEYS / 2) {
        older = newer
        newer = new Map()
      }
      newer.set(key, known)
      return known
    },
    count(known, name, at) {
      const { most, seconds } = sizes[name]
      const place = 2 * names.indexOf(name)
      const [before = 0, until = 0] = [known[place], known[place + 1]]
      const [used, ends] = until > at ? [before + 1, until] : [1, at + seconds * 1000]
      known[place] = used
      known[place + 1] = ends
      return used <= most ? null : Math.max(1, Math.ceil((ends - at) / 1000))
    },
  }
}

/**
 * A function that turns what identifies a sender into a key that says nothing about it: hashed with
 * a secret that ends with this process. In one call: an HMAC object for each costs five times as
 * much, and what it prevents, hashes that are made longer, needs the whole hash of another.
 */
export function createKeyOf(): (...parts: string[]) => string {
  const secret = randomBytes(32).toString('base64url')
  return (...parts) => hash('sha256', secret + JSON.stringify(parts), 'base64url').slice(0, 16)
}
