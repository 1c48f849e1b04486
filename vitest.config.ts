import { writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'

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

/** What `npm run check` runs. */
const CHECKED = [
  'layout.test.ts',
  'words.test.ts',
  'snippet/size.test.ts',
  'server/build/compose.test.ts',
]

/**
 * Small files that take long, and tables that make hundreds of audits. Where no earlier run has
 * left its times, files are run by their size.
 */
const LONG = [
  'server/watch/look.db.test.ts',
  'server/audit/faults.db.test.ts',
  'server/store/faults/faults.db.test.ts',
  'server/contract/spec.db.test.ts',
  'server/attribution/ingest/durability.process.test.ts',
  'server/replicas.process.test.ts',
]

/** Begins with what takes long: at the end it would run alone. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { long = [], short = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      LONG.some((file) => moduleId.endsWith(file)) ? 'long' : 'short',
    )
    return [...long, ...short]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    reporters: ['default', lastLine()],
    globalSetup: 'server/db/testing/postgres.ts',
    provide: {
      givenDatabaseUrl: process.env.DATABASE_URL ?? null,
      citusUrl: process.env.CITUS_URL ?? null,
    },
    // Two more than there are cores: tests of processes and browsers wait at times. A project that
    // set a number of its own would run after the others, and leave cores idle.
    maxWorkers: availableParallelism() + 2,
    // Generous: only what hangs takes as long, and a machine may have other work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    isolate: false,
    // Most of what a test makes is garbage at its end. With room for it, little is copied before.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: 'shared/testing/fresh-file.ts',
    // Takes the browser's API where it is loaded, so each file loads it anew, after its stub.
    server: { deps: { inline: [/\/wxt\/dist\/browser\.mjs/, /\/@wxt-dev\/browser\//] } },
    projects: [
      { extends: true, test: { name: 'layout', include: CHECKED } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{shared,server,snippet,extension,aisle-node}/**/*.test.{ts,tsx}'],
          exclude: CHECKED,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['{snippet,extension,server}/**/*.e2e.ts'],
          globalSetup: 'shared/testing/chromium.ts',
          provide: {
            browserRequired: process.env.CI === 'true',
            screenshots: process.env.SCREENSHOTS === '1',
            nextjs: process.env.NEXTJS ?? '',
          },
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
