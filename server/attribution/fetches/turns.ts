import { setImmediate } from 'node:timers/promises'

/** How long lines are read in one go, in milliseconds. */
const TURN_MS = 0.2

interface Turns {
  isOver: () => boolean
  /** Orders that came in meanwhile are answered. */
  rest: () => Promise<void>
}

/** Reads many lines by turns, so that orders do not wait for a whole file. */
export function takeTurns(rest: () => Promise<unknown> = setImmediate): Turns {
  let began = performance.now()
  return {
    isOver: () => performance.now() - began > TURN_MS,
    async rest() {
      await rest()
      began = performance.now()
    },
  }
}
