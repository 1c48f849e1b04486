import type { Variables } from './match.ts'

/** What one row plays in. */
export interface Scene {
  variables: Variables
  /** To the hosted API, by whom the row names. */
  keys: Map<string | null, string>
  /** Puts things back as they were: called in reverse when the row is over. */
  undo: (() => Promise<unknown>)[]
}
