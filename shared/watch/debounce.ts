/**
 * How one watched thing was seen in a check. `unknown`: it was looked for and could not be seen,
 * which is neither good nor bad.
 */
export type Seen = 'wrong' | 'well' | 'unknown'

/** The state of one thing after the checks so far. Times are ISO 8601, UTC. */
export interface Watched {
  /** `suspected`: seen wrong once. `clearing`: wrong until now, and seen well once. */
  is: 'well' | 'suspected' | 'wrong' | 'clearing'
  /** When it was last seen well; null if never. */
  well_at: string | null
  /** Since when it is wrong or suspected. */
  since: string | null
  /** How many suspicions were not confirmed, and when the last one was. */
  flaps: number
  flapped_at?: string
}

/** By the name of the watched thing. */
export type WatchState = Record<string, Watched>

/** The result of one more check. */
export interface Advanced {
  state: WatchState
  /** Seen wrong twice in a row: a notice goes out. */
  opened: string[]
  /** Wrong at the first check: nothing changed, so no notice goes out. */
  known: string[]
  /** Seen well twice in a row after it was wrong. */
  closed: string[]
  /** Seen once, and needs a second check to confirm. */
  checkAgain: boolean
}

/**
 * Adds one check. A change counts when two checks in a row see it, so a single flapping answer
 * opens and closes nothing. What could not be seen changes nothing: a suspicion waits.
 */
export function advance(state: WatchState, seen: ReadonlyMap<string, Seen>, at: string): Advanced {
  const next: WatchState = { ...state }
  const result: Advanced = {
    state: next,
    opened: [],
    known: [],
    closed: [],
    checkAgain: false,
  }
  for (const [name, now] of seen) {
    if (now === 'unknown') continue
    const before = state[name]
    if (before === undefined) {
      if (now === 'wrong') {
        result.known.push(name)
        next[name] = { is: 'wrong', well_at: null, since: at, flaps: 0 }
      } else next[name] = { is: 'well', well_at: at, since: null, flaps: 0 }
      continue
    }
    next[name] = now === 'wrong' ? seenWrong(before, at) : seenWell(before, at)
    const is = next[name].is
    if (is === before.is) continue
    if (is === 'wrong' && before.is === 'suspected') result.opened.push(name)
    if (is === 'well' && before.is === 'clearing') result.closed.push(name)
    if (is === 'suspected' || is === 'clearing') result.checkAgain = true
  }
  return result
}

function seenWrong(before: Watched, at: string): Watched {
  if (before.is === 'well') return { ...before, is: 'suspected', since: at }
  return { ...before, is: 'wrong' }
}

function seenWell(before: Watched, at: string): Watched {
  if (before.is === 'wrong') return { ...before, is: 'clearing' }
  const well = { ...before, is: 'well', well_at: at, since: null } as const
  return before.is === 'suspected' ? { ...well, flaps: before.flaps + 1, flapped_at: at } : well
}
