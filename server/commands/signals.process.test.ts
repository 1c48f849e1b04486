import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scratchFolder } from '../../shared/testing/scratch.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { freePort } from '../testing/free-port.ts'
import { program } from '../testing/program.ts'

const CLI = await program('cli')
const folder = await mkdtemp(join(scratchFolder(), 'aisle-signals-'))
afterAll(() => rm(folder, { recursive: true }))

/** The files that exist once Postgres has begun to start, and while initdb works. */
const STARTED = /^cluster\/postmaster\.pid$/
const UNFINISHED = /^unfinished/

test.each([
  ['keys list', UNFINISHED, 'SIGINT', 130],
  ['keys list', STARTED, 'SIGINT', 130],
  ['db migrate --store', STARTED, 'SIGTERM', 143],
  ['store orders', STARTED, 'SIGTERM', 143],
  ['demo', UNFINISHED, 'SIGINT', 130],
  ['demo', STARTED, 'SIGINT', 130],
] as const)(
  '%s, once there is %s: %s stops Postgres, and ends it with %d',
  async (line, there, signal, code) => {
    const dataDir = await mkdtemp(join(folder, 'data-'))
    // The demo has its own folder.
    const postgres = join(dataDir, line === 'demo' ? 'demo/postgres' : 'postgres')
    const files = async () => [
      ...(await readdir(postgres).catch(() => [])),
      ...(await readdir(join(postgres, 'cluster')).catch(() => [])).map(
        (name) => `cluster/${name}`,
      ),
    ]
    const child = spawn(process.execPath, [CLI, ...line.split(' ')], {
      env: {
        ...process.env,
        DATABASE_URL: '',
        DATA_DIR: dataDir,
        PORT: String(await freePort()),
        BASE_URL: '',
        NODE_ENV: '',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let err = ''
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    const closed = once(child, 'close')
    await eventually(async () => (await files()).some((name) => there.test(name))).toBe(true)
    child.kill(signal)
    // npm and npx send it a second time.
    child.kill(signal)
    await closed
    const left = (await files()).filter((name) => STARTED.test(name))
    const pid = Number(
      (await readFile(join(postgres, 'cluster/postmaster.pid'), 'utf8').catch(() => '')).split(
        '\n',
      )[0],
    )
    if (pid > 0) process.kill(pid, 'SIGKILL')
    // Before it was stopped the demo said what it does.
    const said = err.replace(/^Starting the database …\n/, '')
    expect({ code: child.exitCode, said, left }).toEqual({ code, said: '', left: [] })
  },
)
