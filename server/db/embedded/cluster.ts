import { randomBytes } from 'node:crypto'
import { appendFile, chown, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type Account, findAccount, preparePostgres, type RunPostgres } from './binaries.ts'
import { type FileLock, lockFile } from './file-lock.ts'
import { makeFolder } from './make-folder.ts'

/**
 * How long starting, stopping or joining may take, in milliseconds: a recovery after a crash takes
 * a while.
 */
const START_MS = 60_000

/** Loopback only, and no socket file: its path may be longer than the system allows. */
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
timezone = 'UTC'
log_checkpoints = off
`

/** Longer than any restart: after this time without a server, none is coming back. */
const GONE_MS = 10_000

/** A running cluster, as one of its users. `url` holds the password. */
interface Membership {
  url: string
  /**
   * Resolves, with what to do about it, once the server has stopped although we did not stop it.
   */
  gone: Promise<string>
  /** Stops the cluster if it has no other users. */
  leave: () => Promise<void>
}

/**
 * Joins the private Postgres cluster under `dataDir`, which is created and started if need be.
 * Every process that uses it holds a shared lock on `users.lock`; a process that leaves and can
 * lock it exclusively is the last one. `findPort` says on which port it is started.
 */
export async function joinCluster(dataDir: string, findPort = freePort): Promise<Membership> {
  const folder = join(resolve(dataDir), 'postgres')
  try {
    const account = await findAccount(folder)
    // Before the folder: without a Postgres to start, none is left behind.
    const run = await preparePostgres(account)
    await makeFolder(folder)
    if (account) await chown(folder, account.uid, account.gid)
    return await joinAs(account, folder, run, findPort)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new Error(
      `Cannot run a Postgres in ${folder} (${error.message}). Set DATA_DIR to a folder that this user may write to, or DATABASE_URL to a Postgres.`,
      { cause: error },
    )
  }
}

/**
 * Locks are taken in one order, `change` before `users`, here and when leaving: no deadlock, and no
 * cluster stops while another process joins it.
 */
async function joinAs(
  account: Account | null,
  folder: string,
  run: RunPostgres,
  findPort: () => Promise<number>,
): Promise<Membership> {
  const change = await lockForChange(folder)
  try {
    const users = await lockFile(join(folder, 'users.lock'), 'shared', START_MS)
    if (!users) throw new Error(`Cannot join the Postgres in ${folder}: users.lock is held.`)
    try {
      const password = await createCluster(folder, account, run)
      const url = await startCluster(folder, password, run, findPort)
      const { gone, stop } = watchCluster(folder)
      return {
        url,
        gone,
        leave: () => {
          stop()
          return leaveCluster(folder, users, run)
        },
      }
    } catch (error) {
      users.release()
      throw error
    }
  } finally {
    change.release()
  }
}

/**
 * Only a process that starts, starts a server: those that use one that died must say so, and end.
 */
function watchCluster(folder: string): { gone: Promise<string>; stop: () => void } {
  let stop = () => {}
  const gone = new Promise<string>((resolveGone) => {
    let seen = performance.now()
    const timer = setInterval(async () => {
      const [pid] = await readPidFile(join(folder, 'cluster'))
      if (isAlive(Number(pid))) seen = performance.now()
      if (performance.now() - seen < GONE_MS) return
      stop()
      resolveGone(
        `The private Postgres under ${folder} has stopped. Start again: that starts it too. See ${join(folder, 'log')}.`,
      )
    }, GONE_MS / 10)
    timer.unref()
    stop = () => clearInterval(timer)
  })
  return { gone, stop: () => stop() }
}

/** Stops the cluster if this was its last user, which alone holds the shared lock. */
async function leaveCluster(folder: string, users: FileLock, run: RunPostgres): Promise<void> {
  const change = await lockForChange(folder)
  try {
    users.release()
    const last = await lockFile(join(folder, 'users.lock'), 'exclusive', 0)
    if (!last) return
    try {
      await stopCluster(join(folder, 'cluster'), run)
    } finally {
      last.release()
    }
  } finally {
    change.release()
  }
}

/**
 * `fast` ends connections and keeps all that was committed
 * (https://www.postgresql.org/docs/current/app-pg-ctl.html).
 */
async function stopCluster(cluster: string, run: RunPostgres): Promise<void> {
  if (!(await readPostmaster(cluster))) return
  try {
    await run('pg_ctl', ['stop', '-w', '-m', 'fast', '-D', cluster])
  } catch (error) {
    // One that dies while pg_ctl waits leaves its pid file behind, which pg_ctl takes for a
    // failure.
    if (await readPostmaster(cluster)) throw error
  }
}

/** One process at a time creates, starts or stops the cluster. */
async function lockForChange(folder: string): Promise<FileLock> {
  const lock = await lockFile(join(folder, 'change.lock'), 'exclusive', START_MS)
  if (lock) return lock
  throw new Error(
    `Another process has been starting or stopping the Postgres under ${folder} for a minute. See ${join(folder, 'log')}.`,
  )
}

/** Returns the password. A folder `cluster` is complete: initdb works under another name. */
async function createCluster(folder: string, account: Account | null, run: RunPostgres) {
  const passwordFile = join(folder, 'password')
  const cluster = join(folder, 'cluster')
  const known = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  if (known !== null) return readFile(passwordFile, 'utf8')

  const password = randomBytes(32).toString('hex')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account) await chown(passwordFile, account.uid, account.gid)
  await removeUnfinished(folder)
  const unfinished = join(folder, `${UNFINISHED}-${randomBytes(4).toString('hex')}`)
  await run('initdb', [
    `--pgdata=${unfinished}`,
    '--username=aisle',
    `--pwfile=${passwordFile}`,
    // Other users of this machine reach the port too, so that the password protects the data.
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorting must not depend on the machine: a locale of the system changes with its libraries.
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ])
  await appendFile(join(unfinished, 'postgresql.conf'), SETTINGS)
  // A rename is atomic: a crash before it leaves no cluster that looks complete.
  await rename(unfinished, cluster)
  return password
}

/** How the folder is called, without what tells tries apart, while initdb works in it. */
const UNFINISHED = 'unfinished'

/**
 * Removes what tries have begun that were killed. Their initdb may live on for a second or two: it
 * adds files, which removing waits for, and deletes its own folder when it fails.
 */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(UNFINISHED)) continue
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 20 })
  }
}

/**
 * The URL of the running server, started if need be. One that is still starting or recovering is
 * waited for.
 */
async function startCluster(
  folder: string,
  password: string,
  run: RunPostgres,
  findPort: () => Promise<number>,
): Promise<string> {
  const cluster = join(folder, 'cluster')
  const urlOf = (port: number) => `postgres://aisle:${password}@127.0.0.1:${port}/postgres`
  const until = performance.now() + START_MS
  for (let found = await readPostmaster(cluster); found; found = await readPostmaster(cluster)) {
    if (await answers(urlOf(found.port))) return urlOf(found.port)
    if (performance.now() > until) {
      throw new Error(
        `Postgres (process ${found.pid}) under ${cluster} does not answer on port ${found.port}. See ${join(folder, 'log')}.`,
      )
    }
    await sleep(50)
  }
  const log = join(folder, 'log')
  for (;;) {
    await rm(log, { force: true })
    const port = await findPort()
    try {
      await run('pg_ctl', ['start', '-w', '-s', '-D', cluster, '-l', log, '-o', `-p ${port}`])
      return urlOf(port)
    } catch (cause) {
      const output = await readFile(log, 'utf8').catch(() => '')
      if (OTHER_VERSION.test(output)) {
        throw new Error(
          `The private Postgres under ${folder} is of another major version than the one that is installed. Start it with the release of Aisle that made it, and move it to a Postgres of your own: "The private Postgres" in docs/operator/operating.md says how.`,
          { cause },
        )
      }
      if (!PASSES.test(output) || performance.now() > until) {
        throw new Error(`Postgres does not start: ${output.trim() || String(cause)}`, { cause })
      }
      await sleep(50)
    }
  }
}

/**
 * What another try finds otherwise: a program has taken the port that was free, or what a killed
 * Postgres has begun is still ending (src/backend/libpq/pqcomm.c, ListenServerPort;
 * src/backend/port/sysv_shmem.c).
 */
const PASSES = /Is another postmaster already running on port|pre-existing shared memory block/

/** src/backend/utils/init/miscinit.c, ValidatePgVersion */
const OTHER_VERSION = /database files are incompatible with server/

/** The server that postmaster.pid names, if it runs. Postgres removes the file of a dead one. */
async function readPostmaster(cluster: string): Promise<{ pid: number; port: number } | null> {
  const lines = await readPidFile(cluster)
  const pid = Number(lines[0])
  if (!isAlive(pid)) return null
  if (await isPostgres(pid)) return { pid, port: Number(lines[3]) }
  await rm(join(cluster, PID_FILE))
  return null
}

const PID_FILE = 'postmaster.pid'

/** The id of the process, its folder, when it started, its port. */
const readPidFile = async (cluster: string): Promise<string[]> =>
  (await readFile(join(cluster, PID_FILE), 'utf8').catch(() => '')).split('\n')

/** Signal 0 only asks (kill(2)); EPERM means that the process exists and is another user's. */
function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** After a crash the id may belong to another program. True where /proc is missing (proc(5)). */
const isPostgres = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (command) => command.includes('postgres'),
    () => true,
  )

/** Whether a server accepts our password there: the port alone could be another program's. */
async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A port that was free a moment ago; another program may take it meanwhile. */
function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolvePort(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
