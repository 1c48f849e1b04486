import { expect } from 'vitest'

/** Only what fails takes this long: it is generous, for machines with other work. */
export const PATIENCE_MS = 25_000

/** `await eventually(read).toBe(1)`: asks again until it holds. Nothing else in a test waits. */
export const eventually = <T>(read: () => T) =>
  expect.poll(read, { timeout: PATIENCE_MS, interval: 20 })
