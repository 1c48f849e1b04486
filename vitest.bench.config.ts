import { defineConfig } from 'vitest/config'

/** Benchmarks run one after the other and apart from the tests: they print, and hold to ratios. */
export default defineConfig({
  test: {
    include: ['{shared,server,snippet,extension}/**/*.bench.ts'],
    globalSetup: 'shared/testing/chromium.ts',
    provide: { browserRequired: false },
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    disableConsoleIntercept: true,
  },
})
