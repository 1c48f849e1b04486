interface Saved {
  status: number
  text: string
  /** The connection is dropped in its place. */
  hangUp?: boolean
}

/** Only this number of keys is remembered; older ones are forgotten. */
const MOST_KEYS = 10_000

export interface Replay {
  /** Null: the caller does the work, and ends it. Otherwise the answer to give instead. */
  begin(key: string, fingerprint: string): Saved | null
  /** Null stores nothing: the next request with this key does the work again. */
  end(key: string, saved: Saved | null): void
}

/** The answers for a key that was used for another request, and for one that is still in use. */
interface Conflicts {
  other: Saved
  running: Saved
}

/** Idempotency: the work for a key is done once, and its answer repeated. */
export function createReplay(conflicts: Conflicts = STRIPE): Replay {
  const keys = new Map<string, { fingerprint: string; saved: Saved | null }>()
  return {
    begin(key, fingerprint) {
      const known = keys.get(key)
      if (known === undefined) {
        keys.set(key, { fingerprint, saved: null })
        const [oldest] = keys.keys()
        if (keys.size > MOST_KEYS && oldest !== undefined) keys.delete(oldest)
        return null
      }
      if (known.fingerprint !== fingerprint) {
        return conflicts.other
      }
      return known.saved ?? conflicts.running
    },
    end(key, saved) {
      const known = keys.get(key)
      if (known === undefined) return
      if (saved === null) keys.delete(key)
      else known.saved = saved
    },
  }
}

const error = (status: number, type: string, message: string): Saved => ({
  status,
  text: JSON.stringify({ error: { type, message } }),
})

const STRIPE: Conflicts = {
  other: error(400, 'idempotency_error', 'The key was used with other parameters.'),
  running: error(409, 'idempotency_error', 'The key is in use.'),
}
