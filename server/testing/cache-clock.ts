import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, vi } from 'vitest'

/** The clock of lru-cache, which a test file can move: otherwise it stands still. */
export function cacheClock(): { pass: (ms: number) => Promise<void> } {
  let clock = 0
  beforeEach(() => {
    clock = 1_000
    vi.spyOn(performance, 'now').mockImplementation(() => clock)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  return {
    async pass(ms) {
      clock += ms
      // The cache keeps a time for a tenth of a second.
      await sleep(150)
    },
  }
}
