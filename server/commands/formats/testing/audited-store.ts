import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { STOP_TIMES } from '../../../stop-times.ts'
import { storeDatabase } from '../../../store/db/testing/database.ts'
import { serveStore } from '../../../store/serve.ts'
import { BARE_CONFIG } from '../../../store/testing/store-config.ts'
import { program } from '../../../testing/program.ts'

/** The reference store and its twins on a port of this machine, and the command that audits them. */
export async function auditedStore() {
  const cli = await program('cli')
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
    /** Runs `aisle` in a folder, as a pipeline does. */
    async aisle(args: readonly string[], cwd: string, more: Record<string, string> = {}) {
      const child = spawn(process.execPath, [cli, ...args], {
        cwd,
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const read = async (stream: NodeJS.ReadableStream) => {
        let text = ''
        for await (const chunk of stream.setEncoding('utf8')) text += chunk
        return text
      }
      const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
      const [out, err, code] = await Promise.all([read(child.stdout), read(child.stderr), closed])
      return { out, err, code }
    },
  }
}
