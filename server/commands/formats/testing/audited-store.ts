import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { STOP_TIMES } from '../../../process/stop-times.ts'
import { storeDatabase } from '../../../store/db/testing/database.ts'
import { serveStore } from '../../../store/serve.ts'
import { BARE_CONFIG } from '../../../store/testing/store-config.ts'
import { program } from '../../../testing/program.ts'
import { warmProgram } from '../../testing/run-program.ts'

/**
 * The reference store and its broken variants on a port of this machine, and the command that
 * audits them.
 */
export async function auditedStore() {
  const cli = await program('cli')
  const runWarm = warmProgram(cli)
  const { url } = await storeDatabase()
  const store = await serveStore(
    { ...BARE_CONFIG, databaseUrl: url, stopTimes: STOP_TIMES },
    () => {},
  )
  afterAll(() => store.stop())
  const env = {
    ...process.env,
    TEST_HOSTS: `*.example=http://127.0.0.1:${store.port}`,
    NODE_ENV: '',
    BASE_URL: '',
    PORT: '',
    GITHUB_OUTPUT: '',
    GITHUB_STEP_SUMMARY: '',
  }
  const folderOf = () => mkdtemp(join(inject('runFolder'), 'formats-'))
  return {
    cli,
    env,
    folderOf,
    /** Runs `aisle` in a folder like a pipeline, without a process. */
    aisle: (args: readonly string[], cwd: string, more: Record<string, string> = {}) =>
      runWarm(args, { cwd, env: { ...env, ...more } }),
    /** Makes a package of the command in a folder, without what an audit does not need. */
    async packIn(packed: string) {
      await cp(dirname(cli), join(packed, 'dist'), { recursive: true })
      await writeFile(
        join(packed, 'package.json'),
        JSON.stringify({
          name: 'aisle',
          version: '0.1.0',
          type: 'module',
          bin: { aisle: 'dist/cli.js' },
        }),
      )
    },
  }
}
