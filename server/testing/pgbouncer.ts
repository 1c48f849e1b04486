import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import postgres from 'postgres'
import { PATIENCE_MS } from '../../shared/testing/wait.ts'
import { findAccount } from '../db/embedded/binaries.ts'
import { freePort } from './free-port.ts'

/** Debian installs it outside of a plain user's PATH. */
export function findPgbouncer(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file)) ?? null
}

/** The settings of an operator's machine; the rest of the file is unchanged. */
type Place = Record<'address' | 'listen_port' | 'auth_file' | 'pool', string>

/**
 * PgBouncer in front of a database, with `deploy/pgbouncer.ini` except for addresses, passwords and
 * the size of its pool. `url` is the database's through it.
 */
export async function startPgbouncer(file: string, databaseUrl: string, pool: number) {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-pgbouncer-'))
  const at = new URL(databaseUrl)
  const [user, password] = [at.username, at.password].map(decodeURIComponent)
  const url = new URL(databaseUrl)
  url.host = '127.0.0.1'
  url.port = String(await freePort())
  url.pathname = '/aisle'
  const users = join(folder, 'userlist.txt')
  await writeFile(users, `"${user}" "${password}"\n`)
  const config = join(folder, 'pgbouncer.ini')
  const text = await readFile('deploy/pgbouncer.ini', 'utf8')
  const address = `host=${at.hostname} port=${at.port || 5432} dbname=${at.pathname.slice(1)}`
  const place = { address, listen_port: url.port, auth_file: users, pool: String(pool) }
  await writeFile(config, `${placed(text, place)}\nunix_socket_dir =\n`)
  // It refuses to run as root.
  const account = await findAccount(join(folder, 'none'))
  if (account !== null) {
    await chmod(folder, 0o755)
    for (const each of [users, config]) await chown(each, account.uid, account.gid)
  }
  const child = spawn(file, [config], { ...account, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  }
  const until = performance.now() + PATIENCE_MS
  while (!(await answers(url.href))) {
    if (child.exitCode === null && performance.now() < until) continue
    await stop()
    throw new Error(`PgBouncer does not answer:\n${said}`)
  }
  return { url: url.href, stop }
}

/** Each line is replaced once; a file that lacks one is not the expected one. */
function placed(text: string, { address, listen_port, auth_file, pool }: Place): string {
  const lines: [RegExp, string][] = [
    [/(?<=^aisle = )host=\S+ port=\S+ dbname=\S+/m, address],
    [/(?<=^listen_port = ).*$/m, listen_port],
    [/(?<=^auth_file = ).*$/m, auth_file],
    [/(?<=^default_pool_size = ).*$/m, pool],
    [/(?<=^max_db_connections = ).*$/m, pool],
  ]
  return lines.reduce((done, [line, by]) => {
    if (!line.test(done)) throw new Error(`deploy/pgbouncer.ini has no line ${line}.`)
    return done.replace(line, by)
  }, text)
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, fetch_types: false, connect_timeout: 1, onnotice: () => {} })
  try {
    await sql.unsafe('select 1')
    return true
  } catch {
    return false
  } finally {
    await sql.end()
  }
}
