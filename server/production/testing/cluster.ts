import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres, { type Sql } from 'postgres'
import { freePort } from './free-port.ts'
import type { Production } from './set-up.ts'

const run = promisify(execFile)

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

export async function startCluster({
  programs,
  account,
  folder: parent,
}: Production): Promise<Cluster> {
  const folder = join(parent, `postgres-${randomBytes(4).toString('hex')}`)
  await mkdir(folder)
  const password = randomBytes(16).toString('hex')
  await writeFile(join(folder, 'password'), password)
  if (account) {
    await chown(folder, account.uid, account.gid)
    await chown(join(folder, 'password'), account.uid, account.gid)
  }
  const port = await freePort()
  const data = join(folder, 'data')
  const runProgram = async (program: string, args: readonly string[]) => {
    const options = { cwd: folder, env: { PATH: '/usr/bin:/bin' }, maxBuffer: 64 * 2 ** 20 }
    const { stdout } = await run(join(programs.postgres, program), args, { ...options, ...account })
    return stdout
  }
  await runProgram('initdb', [
    ...['-D', data, '-U', 'postgres', '--pwfile', join(folder, 'password')],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8'],
  ])
  const own = `-p ${port} -h 127.0.0.1 -k ${folder}`
  const control = (...args: string[]) =>
    runProgram('pg_ctl', ['-w', '-s', '-D', data, '-l', join(folder, 'log'), '-o', own, ...args])
  await control('start')

  const rolePassword = randomBytes(16).toString('hex')
  const admin = postgres(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`, { max: 1 })
  await admin.unsafe(`create role aisle login password '${rolePassword}'`)
  await admin.unsafe('create database aisle owner aisle')
  await admin.end()
  const sql = postgres(`postgres://postgres:${password}@127.0.0.1:${port}/aisle`, {
    max: 2,
    onnotice: () => {},
  })
  return {
    folder,
    url: `postgres://aisle:${rolePassword}@127.0.0.1:${port}/aisle`,
    sql,
    restart: async (mode) => {
      await control('restart', '-m', mode)
    },
    run: runProgram,
    close: async () => {
      await sql.end({ timeout: 5 })
      await control('stop', '-m', 'fast')
    },
  }
}
