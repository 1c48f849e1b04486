import fc from 'fast-check'
import { vi } from 'vitest'

// A worker runs many test files, so that it loads the packages once. Modules of the project start
// anew for each file, and what the file before it stubbed is as it was.

vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()
vi.resetModules()

// The same examples in each run: a property that fails once fails again. `SEED=<number> npm test`
// looks at others, and `RUNS=<number>` at more.
fc.configureGlobal({
  seed: Number(process.env.SEED ?? 1),
  numRuns: Number(process.env.RUNS ?? 50),
})
