/**
 * How one thing that is watched was seen in a look. `unknown`: it was looked for and could not be
 * seen, which is neither well nor wrong.
 */
export type Seen = 'wrong' | 'well' | 'unknown'

/** What is known of one thing from the looks so far. Moments are ISO 8601, UTC. */
export interface Watched {
  /** `suspected`: seen wrong once. `clearing`: wrong until now, and seen well once. */
  is: 'well' | 'suspected' | 'wrong' | 'clearing'
  /** When it was last seen well; null before that. */
  well_at: string | null
  /** Wrong or suspected: since when. */
  since: string | null
  /** How often a suspicion came to nothing, and when it last did. */
  flaps: number
  flapped_at?: string
}

/** By the name of what is watched. */
export type WatchState = Record<string, Watched>

/** What follows from one more look. */
export interface Advanced {
  state: WatchState
  /** Seen wrong twice in a row: to be told. */
  opened: string[]
  /** Wrong when it was seen for the first time: nothing changed, so nobody is told. */
  known: string[]
  /** Seen well twice in a row after it was wrong. */
  closed: string[]
  /** Something was seen once that has to be seen twice. */
  lookAgain: boolean
}

/**
 * Takes one more look into account. Changes are believed when they are seen twice with nothing else
 * between, so that one answer that flaps opens and closes nothing. What could not be seen changes
 * nothing: a suspicion waits.
 */
export function advance(state: WatchState, seen: ReadonlyMap<string, Seen>, at: string): Advanced {
  const next: WatchState = { ...state }
  const result: Advanced = {
    state: next,
    opened: [],
    known: [],
    closed: [],
    lookAgain: false,
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
    if (is === 'suspected' || is === 'clearing') result.lookAgain = true
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
