import { defineConfig } from 'vitest/config'

/** The production path, from the Dockerfile to a restored dump, one file after the other. */
export default defineConfig({
  test: {
    include: ['server/production/**/*.production.ts'],
    globalSetup: 'server/production/testing/set-up.ts',
    provide: {
      productionRequired: process.env.CI === 'true',
      requests: Number(process.env.REQUESTS ?? 50_000),
    },
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
})
