import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { AuditResult } from '../../shared/audit/result/result.ts'
import { scratchFolder } from '../../shared/testing/scratch.ts'
import { eventually } from '../../shared/testing/wait.ts'
import { createKey } from '../access/make-key.ts'
import { beacon, CHROME, SHOP } from '../attribution/beacon/testing/beacon.ts'
import { createProperty } from '../attribution/properties.ts'
import { SCOPES } from '../db/access/scopes.ts'
import { api_keys, rate_limits } from '../db/access/tables.ts'
import { beacon_days } from '../db/attribution/tables.ts'
import { audits, walk_events, walk_sessions } from '../db/audit/tables.ts'
import { findWalk } from '../db/audit/walks.ts'
import { dropped_months } from '../db/events/tables.ts'
import { connectAgain, testDatabase } from '../testing/app.ts'
import { program } from '../testing/program.ts'
import { DAY_AHEAD } from '../testing/wrong-clock.ts'

const SERVER = await program('test-server')

/** What belongs to the operator goes where the run's own things are. */
const QUICK = { PORT: '0', STOP_DELAY: '0', DATA_DIR: dirname(SERVER) }

const running = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all([...running].map((child) => child.exitCode ?? once(child, 'exit')))
})

interface Started {
  child: ChildProcess
  origin: string
  lines: string[]
  exited: Promise<number | null>
}

async function start(env: Record<string, string>, nodeOptions = ''): Promise<Started> {
  const child = spawn(process.execPath, [SERVER, JSON.stringify({ ...QUICK, ...env })], {
    env: { ...process.env, NODE_OPTIONS: nodeOptions },
  })
  running.add(child)
  const lines: string[] = []
  const exited = once(child, 'exit').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
  const output = createInterface({ input: child.stdout })
  const port = new Promise<number>((resolve, reject) => {
    output.on('line', (line) => {
      lines.push(line)
      if (line.includes('"listening"')) resolve(JSON.parse(line).port)
    })
    exited.then(() => reject(new Error(lines.join('\n'))))
  })
  return { child, lines, exited, origin: `http://127.0.0.1:${await port}` }
}

async function withKey() {
  const database = await testDatabase()
  const request = { name: 'test', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  const { key } = await createKey(database.db, request, new Date())
  const ask = (origin: string, body: unknown) =>
    fetch(`${origin}/api/audit`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { ...database, key, ask }
}

test('two servers on one database count together', async () => {
  const { url, ask } = await withKey()
  const [one, two] = await Promise.all([start({ DATABASE_URL: url }), start({ DATABASE_URL: url })])
  const statuses: number[] = []
  let shed = 0
  const CLIENTS = 8
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const { origin } = client % 2 === 0 ? one : two
      for (let n = client; n < 62; n += CLIENTS) {
        const audit = () => ask(origin, { domain: `n${n}.example`, checks: ['feed'] })
        let answer = await audit()
        // A machine with other work sheds some, perhaps after they were counted: as told, they are
        // sent again.
        for (; answer.status === 503; shed += 1) answer = await audit()
        statuses.push(answer.status)
      }
    }),
  )
  const audited = statuses.filter((status) => status === 200).length
  expect(audited).toBeLessThanOrEqual(60)
  expect(audited).toBeGreaterThanOrEqual(60 - shed)
  expect(statuses.filter((status) => status === 429)).toHaveLength(62 - audited)
  const more = await ask(one.origin, { domain: 'more.example' })
  expect(more.status).toBe(429)
  expect(Number(more.headers.get('Retry-After'))).toBeGreaterThan(3500)
})

test('killed in the middle of audits, it starts again and every stored result is whole', async () => {
  const { url, db, ask } = await withKey()
  for (let round = 0; round < 3; round += 1) {
    const { child, exited, origin } = await start({ DATABASE_URL: url })
    const asked = Array.from({ length: 15 }, (_, n) =>
      ask(origin, { domain: `r${round}n${n}.example`, checks: ['feed'] }).catch(() => null),
    )
    await Promise.any(asked)
    child.kill('SIGKILL')
    await exited
    await Promise.all(asked)
  }
  const { origin } = await start({ DATABASE_URL: url })
  const rows = await db.select().from(audits)
  expect(rows.length).toBeGreaterThanOrEqual(3)
  for (const row of rows) expect(AuditResult.strict().parse(row.result).passed).toHaveLength(500)
  const domain = rows[0]?.domain
  const answer = await ask(origin, { domain, checks: ['feed'], dry_run: true })
  expect(await answer.json()).toEqual(rows[0]?.result)
})

test('on SIGTERM it answers what is under way, refuses what is new, and exits 0', async () => {
  const { url, db, ask } = await withKey()
  const { child, exited, origin } = await start({ DATABASE_URL: url })
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  const asked = ask(origin, { domain: 'late.example', checks: ['feed'] })
  // It is counted before it begins.
  await eventually(() => db.$count(rate_limits)).toBe(1)
  child.kill('SIGTERM')
  expect((await asked).status).toBe(200)
  expect(await exited).toBe(0)
  await expect(fetch(`${origin}/livez`)).rejects.toThrow()
})

test('on SIGTERM it writes and logs what it counted of sessions', async () => {
  const { url, db } = await withKey()
  const { id } = await createProperty(db, { domain: 'shop.example' }, new Date())
  const { child, exited, lines, origin } = await start({ DATABASE_URL: url })
  const send = () =>
    fetch(`${origin}/sessions?id=${id}`, {
      method: 'POST',
      headers: { Origin: SHOP, 'Content-Type': 'text/plain', 'User-Agent': CHROME },
      body: beacon({}),
    })
  const answers = await Promise.all(Array.from({ length: 150 }, send))
  const aside = answers.filter(({ status }) => status === 429).length
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  const days = await db.select().from(beacon_days)
  expect(days.reduce((sum, each) => sum + each.over_address, 0)).toBe(aside)
  expect(lines.filter((line) => line.includes('over_address'))).toHaveLength(1)
  expect(JSON.parse(lines.find((line) => line.includes('over_address'))!).count).toBe(aside)
})

async function withWalk(url: string, key: string, origin: string) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ domain: 'walked.example', intents: ['po_box'] })
  const answer = await fetch(`${origin}/api/walk`, { method: 'POST', headers, body })
  const { id } = await answer.json()
  const database = await connectAgain(url)
  const open = () => database.db.select().from(walk_sessions)
  // It has opened one and told its first step, and waits there.
  await eventually(async () => (await open())[0]?.session).toMatch(/^session-/)
  await eventually(() => database.db.$count(walk_events)).toBe(4)
  const read = async (from: string) => (await fetch(`${from}/api/walk/${id}`, { headers })).json()
  return { id, open, read, ...database }
}

test('on SIGTERM it ends its walks, and what they have open in stores is cancelled', async () => {
  const { url, key } = await withKey()
  const { child, exited, origin, lines } = await start({ DATABASE_URL: url, STOP_DELAY: '1' })
  const { id, open, db } = await withWalk(url, key, origin)
  const stream = await fetch(`${origin}/api/walk/${id}/events`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  child.kill('SIGTERM')
  // Neither the walk nor who watches it keeps the process.
  await stream.text()
  expect(await exited).toBe(0)
  expect(await open()).toEqual([])
  expect(await findWalk(db, id, ['*'])).toMatchObject({
    state: 'ended',
    stopped: 'The service was restarted. Start the walk again.',
  })
  expect(lines.join()).toContain('"outcome":"stopped"')
})

test('killed in the middle of a walk, the next server ends it and cancels what it left open', async () => {
  const { url, key } = await withKey()
  const first = await start({ DATABASE_URL: url })
  const { open, read, sql, id } = await withWalk(url, key, first.origin)
  first.child.kill('SIGKILL')
  await first.exited
  expect(await open()).toHaveLength(1)
  // As if half a minute had passed.
  await sql`update walks set leased_until = now() - interval '1 second' where id = ${id}`
  const second = await start({ DATABASE_URL: url })
  await eventually(async () => (await open()).length).toBe(0)
  const { state, stopped, transcript } = await read(second.origin)
  expect([state, stopped]).toEqual(['ended', transcript.stopped])
  expect(stopped).toMatch(/^The server that made this walk stopped/)
  expect(transcript.routes[0].purchases[0].steps).toHaveLength(1)
})

test('under npm it stops when the shell between is gone', async () => {
  const { url } = await testDatabase()
  const env = { ...QUICK, DATABASE_URL: url, npm_lifecycle_event: 'start' }
  const quoted = `'${process.execPath}' '${SERVER}' '${JSON.stringify(env)}'`
  const shell = spawn('sh', ['-c', `${quoted}; true`])
  const lines: string[] = []
  const output = createInterface({ input: shell.stdout }).on('line', (line) => lines.push(line))
  const ended = once(output, 'close')
  await eventually(() => lines.join()).toContain('"listening"')
  shell.kill('SIGTERM')
  await ended
  expect(lines.join()).toContain('npm is gone')
})

test('a body of 1 MB is refused over the wire, declared or not', async () => {
  const { url, key } = await withKey()
  const { origin, lines } = await start({ DATABASE_URL: url })
  const body = new TextEncoder().encode(`{"domain":"${'a'.repeat(1_000_000)}"}`)
  const chunks = () =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(body)
        controller.close()
      },
    })
  for (const each of [body, chunks()]) {
    const answer = await fetch(`${origin}/api/audit`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: each,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
    expect((await answer.json()).error.code).toBe('body_too_large')
  }
  expect(lines.join('\n')).not.toContain(key)
})

test('a fresh database is given one key, in a file of its owner’s and in no log, that works', async () => {
  const { url } = await testDatabase()
  const dataDir = join(await mkdtemp(join(tmpdir(), 'aisle-first-')), 'made')
  const env = { DATABASE_URL: url, DATA_DIR: dataDir }
  const both = await Promise.all([start(env), start(env)])
  const all = () => both.flatMap(({ lines }) => lines)
  const told = () => all().filter((line) => line.includes('the first key'))
  await eventually(told).toHaveLength(1)
  const { path } = JSON.parse(told()[0]!)
  expect(dirname(path)).toBe(dataDir)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const key = (await readFile(path, 'utf8')).trim()
  const answer = await fetch(`${both[0].origin}/api/audit`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{"domain":"shop.example"}',
  })
  expect(answer.status).toBe(200)
  const later = await start(env)
  await fetch(`${later.origin}/livez`)
  await eventually(() => later.lines.join()).toContain('keys already. \\"aisle keys create\\"')
  expect(all().concat(later.lines).join()).not.toMatch(/aisle_live_/)
  expect(await readdir(dataDir)).toHaveLength(1)
  await rm(dirname(dataDir), { recursive: true })
})

test('a start that fails leaves no key behind that nobody was told', async () => {
  const { db, url } = await testDatabase()
  await db.insert(dropped_months).values({ month: 'never' })
  await expect(start({ DATABASE_URL: url })).rejects.toThrow('Invalid time value')
  expect(await db.$count(api_keys)).toBe(0)
})

test.each([
  {
    name: 'no Postgres',
    env: { DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/x' },
    says: /127\.0\.0\.1:1 .*DATABASE_URL/,
  },
  { name: 'no address', env: { DATABASE_URL: 'localhost:hush' }, says: /DATABASE_URL/ },
  { name: 'no folder', env: { DATA_DIR: '/proc/aisle' }, says: /\/proc\/aisle.*DATA_DIR/ },
  { name: 'a wrong port', env: { PORT: 'http' }, says: /PORT is "http"/ },
  { name: 'a wrong level', env: { LOG_LEVEL: 'loud' }, says: /LOG_LEVEL is "loud".*warn/ },
])('$name: it says what to do and exits', async ({ env, says }) => {
  const failure = await start(env).catch((error: Error) => error.message)
  expect(failure).toMatch(says)
  expect(failure).not.toContain('hush')
})

test('a taken port is named', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const { url } = await testDatabase()
  const failure = await start({ DATABASE_URL: url, PORT: String(port) }).catch(
    (e: Error) => e.message,
  )
  expect(failure).toMatch(new RegExp(`Port ${port} of 127.0.0.1 is already in use`))
  taken.close()
})

test('a replica whose clock is wrong goes by the database’s', async () => {
  const { url, sql } = await testDatabase()
  await start({ DATABASE_URL: url }, DAY_AHEAD)
  const [key] = await sql`
    select abs(extract(epoch from now() - created_at))::int as seconds from api_keys`
  expect(key?.seconds).toBeLessThan(60)
})

test('without the private Postgres, service and store say so and exit for their supervisor', async () => {
  const dataDir = await mkdtemp(join(scratchFolder(), 'aisle-gone-'))
  const service = await start({ DATA_DIR: dataDir })
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', STORE_PORT: '0' }
  const store = spawn(process.execPath, [await program('store-main')], { env })
  running.add(store)
  const left = once(store, 'exit')
  let complaint = ''
  store.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  await once(store.stdout, 'data')
  const pid = await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')
  process.kill(Number.parseInt(pid, 10), 'SIGKILL')
  expect(await service.exited).toBe(1)
  expect(await left).toEqual([1, null])
  const words = /^The private Postgres under .* has stopped\. Start again/
  await eventually(() => service.lines.some((line) => words.test(line))).toBe(true)
  await eventually(() => complaint.split('\n').filter((line) => words.test(line))).toHaveLength(1)
  await rm(dataDir, { recursive: true })
})
