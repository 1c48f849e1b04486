import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, vi } from 'vitest'

/** The clock of lru-cache, which the tests of a file move: it stands still otherwise. */
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
      // The cache takes a time for a tenth of a second.
      await sleep(150)
    },
  }
}
