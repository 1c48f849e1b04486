import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres, { type Sql } from 'postgres'
import { freePort } from '../../testing/free-port.ts'
import type { PlainAccount } from './account.ts'
import type { DebianPrograms } from './debian.ts'
import type { ClusterTemplate, Production } from './production.ts'
import { spawnBound } from './spawn-bound.ts'
import { until } from './until.ts'

const run = promisify(execFile)

/** Makes what `startCluster` copies. */
export async function makeTemplate(
  programs: DebianPrograms,
  account: PlainAccount,
  folder: string,
): Promise<ClusterTemplate> {
  await mkdir(folder)
  const password = randomBytes(16).toString('hex')
  const file = join(folder, 'password')
  await writeFile(file, password)
  if (account) {
    await chown(folder, account.uid, account.gid)
    await chown(file, account.uid, account.gid)
  }
  await runPostgres(programs, account, folder, 'initdb', [
    ...['-D', join(folder, 'data'), '-U', 'postgres', '--pwfile', file],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
  ])
  return { folder, password }
}

async function runPostgres(
  programs: DebianPrograms,
  account: PlainAccount,
  cwd: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  const options = { cwd, env: { PATH: '/usr/bin:/bin' }, maxBuffer: 64 * 2 ** 20 }
  const { stdout } = await run(join(programs.postgres, program), args, { ...options, ...account })
  return stdout
}

/** Debian's Postgres on loopback, with a database `aisle` whose owner is no superuser. */
export interface Cluster {
  /** Where its account may write. */
  folder: string
  /** As the service connects. */
  url: string
  /** For statements of the test, as the superuser, in the same database. */
  sql: Sql
  restart: (mode: 'fast' | 'immediate') => Promise<void>
  /** Runs pg_dump, pg_restore and the like; resolves with what they print. */
  run: (program: string, args: readonly string[]) => Promise<string>
  close: () => Promise<void>
}

export async function startCluster(production: Production): Promise<Cluster> {
  const { account, folder: parent, postgres: template } = production
  const folder = join(parent, `postgres-${randomBytes(4).toString('hex')}`)
  await run('cp', ['-a', template.folder, folder])
  const port = await freePort()
  const data = join(folder, 'data')
  const runProgram = (program: string, args: readonly string[]) =>
    runPostgres(production.programs, account, folder, program, args)
  const isReady = () =>
    runProgram('pg_isready', ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    )
  const start = async () => {
    const own = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder]
    const command = [join(production.programs.postgres, 'postgres'), ...own]
    spawnBound(command, { cwd: folder, env: {}, stdio: 'ignore', ...account }, 'INT')
    await until('Postgres is ready', isReady)
  }
  const stop = async (mode: 'fast' | 'immediate') => {
    await runProgram('pg_ctl', ['stop', '-w', '-s', '-D', data, '-m', mode])
  }
  await start()

  const rolePassword = randomBytes(16).toString('hex')
  const admin = postgres(`postgres://postgres:${template.password}@127.0.0.1:${port}/postgres`, {
    max: 1,
  })
  await admin.unsafe(`create role aisle login password '${rolePassword}'`)
  await admin.unsafe('create database aisle owner aisle')
  await admin.end()
  const sql = postgres(`postgres://postgres:${template.password}@127.0.0.1:${port}/aisle`, {
    max: 2,
    onnotice: () => {},
  })
  return {
    folder,
    url: `postgres://aisle:${rolePassword}@127.0.0.1:${port}/aisle`,
    sql,
    restart: async (mode) => {
      await stop(mode)
      await start()
    },
    run: runProgram,
    close: async () => {
      await sql.end({ timeout: 5 })
      await stop('fast')
    },
  }
}
