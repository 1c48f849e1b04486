import type { Variables } from './match.ts'

/** The scene of one row. */
export interface Scene {
  variables: Variables
  /** Sends to the hosted API, as the caller that the row names. */
  keys: Map<string | null, string>
  /** Restore the former state: called in reverse when the row is over. */
  undo: (() => Promise<unknown>)[]
}
