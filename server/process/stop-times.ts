import * as z from 'zod'

/** While it drains, a request that is still being sent gets this long. */
export const SLOW_MS = 2_000

/** Part of the grace for the work after the last request: queues, the database. */
export const CLOSING_MS = 1_000

/** How a program stops, in milliseconds from the signal. */
export interface StopTimes {
  /** It is not ready, closes connections after their answer, and still accepts every request. */
  delayMs: number
  /** By then everything is over. */
  graceMs: number
}

// Unspecified: after SIGTERM a program answers for three more seconds, so that proxies notice, and
// everything is over after nine: Docker kills after ten.
export const STOP_TIMES: StopTimes = { delayMs: 3_000, graceMs: 9_000 }

const Seconds = z.coerce.number().min(0).max(3600)

/** Reads STOP_DELAY and STOP_GRACE, in seconds. The error says how to fix it. */
export function readStopTimes(read: (name: string) => string | undefined): StopTimes {
  const msOf = (name: string, otherwise: number) => {
    const text = read(name)
    const seconds = Seconds.safeParse(text ?? otherwise / 1000)
    if (seconds.success) return seconds.data * 1000
    throw new Error(`${name} is "${text}". Give a number of seconds from 0 to 3600.`)
  }
  const delayMs = msOf('STOP_DELAY', STOP_TIMES.delayMs)
  const graceMs = msOf('STOP_GRACE', STOP_TIMES.graceMs)
  if (graceMs - delayMs >= SLOW_MS + CLOSING_MS) return { delayMs, graceMs }
  throw new Error(
    `STOP_GRACE is ${graceMs / 1000} seconds and STOP_DELAY ${delayMs / 1000}. Leave at least ${(SLOW_MS + CLOSING_MS) / 1000} seconds between them, in which requests end.`,
  )
}
