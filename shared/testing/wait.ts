import { expect } from 'vitest'

/** Only a failure takes this long: it is generous, for busy machines. */
export const PATIENCE_MS = 60_000

/** `await eventually(read).toBe(1)`: polls until it is true. Nothing else in a test waits. */
export const eventually = <T>(read: () => T) =>
  expect.poll(read, { timeout: PATIENCE_MS, interval: 20 })
