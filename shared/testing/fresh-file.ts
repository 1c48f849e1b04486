import fc from 'fast-check'
import { vi } from 'vitest'

// A worker runs many test files, and loads packages once. Modules of the project start anew for
// each file, and stubs of the file before are undone.

vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()
vi.resetModules()

// The same examples in each run: a property that fails once fails again. `SEED=<number> npm test`
// tries others, and `RUNS=<number>` more of them.
fc.configureGlobal({
  seed: Number(process.env.SEED ?? 1),
  numRuns: Number(process.env.RUNS ?? 50),
})
