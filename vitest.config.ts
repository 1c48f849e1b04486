import { writeSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import type { Reporter, TestModule } from 'vitest/node'

/** Writes `N passed, N failed` as the very last line. A file that cannot be read is one failure. */
function lastLine(): Reporter {
  return {
    onTestRunEnd: (modules, unhandled) => {
      const states = modules.flatMap(statesOf)
      const failed = states.filter((state) => state === 'failed').length + unhandled.length
      const passed = states.filter((state) => state === 'passed').length
      process.once('exit', () => writeSync(1, `${passed} passed, ${failed} failed\n`))
    },
  }
}

function statesOf(module: TestModule): string[] {
  const states = [...module.children.allTests()].map((test) => test.result().state)
  return module.state() === 'failed' && !states.includes('failed') ? [...states, 'failed'] : states
}

export default defineConfig({
  test: {
    reporters: ['default', lastLine()],
    projects: [
      { test: { name: 'layout', include: ['layout.test.ts'] } },
      {
        test: {
          name: 'unit',
          include: ['{shared,server,snippet,extension}/**/*.test.{ts,tsx}'],
          globalSetup: 'server/db/testing.ts',
          provide: { givenDatabaseUrl: process.env.DATABASE_URL ?? null },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
