import { writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'
import { readChange } from './shared/testing/read-change.ts'

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

/** What `npm run check` runs, and the two modes do not. */
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
  'server/audit/faults.table.db.test.ts',
  'server/audit/walk/walk.table.db.test.ts',
  'server/contract/spec.table.db.test.ts',
  'server/attribution/ingest/durability.process.test.ts',
  'server/start/replicas.process.test.ts',
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

const ROOMS = '{shared,server,snippet,extension,aisle-node}/**'
const TESTS = `${ROOMS}/*.test.{ts,tsx}`
const IN_BROWSERS = `${ROOMS}/*.e2e.ts`

/**
 * `npm test` is the mode `quick`, and leaves the mode `rest` to `npm run test:all`: files whose
 * name says that they start programs (`.process.`), open a browser (`.e2e.`, but for `.smoke.`) or
 * take long (`.whole.`). Both run long tables (`.table.`): a few rows, and all. Without a mode
 * every file runs, whole.
 */
const MODES: Record<string, { unit: Globs; e2e: Globs }> = {
  quick: {
    unit: { include: [TESTS], exclude: [`${ROOMS}/*.{process,whole}.*`] },
    e2e: { include: [`${ROOMS}/*.smoke.e2e.ts`], exclude: [] },
  },
  rest: {
    unit: { include: [`${ROOMS}/*.{process,whole,table}.*`], exclude: [IN_BROWSERS] },
    e2e: { include: [IN_BROWSERS], exclude: [`${ROOMS}/*.smoke.e2e.ts`] },
  },
  test: { unit: { include: [TESTS], exclude: [] }, e2e: { include: [IN_BROWSERS], exclude: [] } },
}
type Globs = Record<'include' | 'exclude', string[]>

export default defineConfig(({ mode }) => {
  const { unit, e2e } = MODES[mode] ?? (MODES.test as (typeof MODES)[string])
  const layout = { extends: true as const, test: { name: 'layout', include: CHECKED } }
  return {
    test: {
      sequence: { sequencer: LongFirst },
      reporters: ['default', lastLine()],
      globalSetup: ['server/db/testing/postgres.ts', 'server/build/testing/judging-worker.ts'],
      provide: {
        givenDatabaseUrl: process.env.DATABASE_URL ?? null,
        citusUrl: process.env.CITUS_URL ?? null,
        change: mode === 'quick' ? readChange() : null,
      },
      // Two more than there are cores: tests of processes and browsers wait at times. A project
      // that set a number of its own would run after the others, and leave cores idle.
      maxWorkers: availableParallelism() + 2,
      // Generous: only what hangs takes as long, and a machine may have other work.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      teardownTimeout: 60_000,
      isolate: false,
      // Most of what a test makes is garbage at its end. With room for it, little is copied before.
      execArgv: ['--max-semi-space-size=64'],
      setupFiles: 'shared/testing/fresh-file.ts',
      // Takes the browser's API where it is loaded, so each file loads it anew, after its stub.
      server: { deps: { inline: [/\/wxt\/dist\/browser\.mjs/, /\/@wxt-dev\/browser\//] } },
      projects: [
        ...(mode === 'test' ? [layout] : []),
        {
          extends: true,
          test: { name: 'unit', include: unit.include, exclude: [...unit.exclude, ...CHECKED] },
        },
        {
          extends: true,
          test: {
            name: 'e2e',
            ...e2e,
            globalSetup: 'shared/testing/chromium.ts',
            provide: {
              browserRequired: process.env.CI === 'true',
              screenshots: process.env.SCREENSHOTS === '1',
              nextjs: process.env.NEXTJS ?? '',
              wordpress: process.env.WORDPRESS ?? '',
              medusa: process.env.MEDUSA ?? '',
              vendure: process.env.VENDURE ?? '',
            },
          },
        },
      ],
    },
  }
})
