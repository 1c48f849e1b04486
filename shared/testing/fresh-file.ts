import { vi } from 'vitest'

// A worker runs many test files, so that it loads the packages once. Modules of the project start
// anew for each file, and what the file before it stubbed is as it was.

vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()
vi.resetModules()
