import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { storeDatabase } from '../store/db/testing/database.ts'
import { testDatabase } from '../testing/app.ts'
import { program } from '../testing/program.ts'
import { ask, load, prepareReplica, type Replica } from '../testing/replicas.ts'

const SERVER = await program('test-server')
const STORE = await program('store-main')
const replicas: Replica[] = []
afterEach(() => {
  for (const { kill } of replicas.splice(0)) void kill()
})

async function prepareService(env: Record<string, string>) {
  const replica = await prepareReplica(SERVER, { LOG_REQUESTS: 'errors', ...env })
  replicas.push(replica)
  return replica
}

async function prepareStore(env: Record<string, string>) {
  const replica = await prepareReplica(STORE, env, 'STORE_PORT')
  replicas.push(replica)
  return replica
}

test('two replicas are stopped and started in turn, and no request of a pool fails', async () => {
  const { url } = await testDatabase()
  const env = { DATABASE_URL: url, STOP_DELAY: '4' }
  const both = [await prepareService(env), await prepareService(env)]
  for (const { start } of both) await start()

  // As proxies do: asked ten times a second whether they are ready, and connections kept meanwhile.
  let ready = both.map(({ port }) => port)
  const asking = new Agent()
  const watch = setInterval(async () => {
    const statuses = await Promise.all(
      both.map(({ port }) => ask(asking, port, { path: '/readyz' })),
    )
    ready = both.filter((_, n) => statuses[n] === '200').map(({ port }) => port)
  }, 100)
  const { end } = load(
    8,
    (n) => ready[n % ready.length] ?? null,
    () => ({ method: 'POST', path: '/sign-out', headers: { Accept: 'application/json' } }),
    // A connection that lies idle is what a server that stops closes, perhaps too early.
    10,
  )
  for (let round = 0; round < 2; round += 1) {
    for (const { port, start, stop } of both) {
      await eventually(() => ready).toHaveLength(2)
      expect(await stop()).toBe(0)
      expect(ready).not.toContain(port)
      await start()
    }
  }
  clearInterval(watch)
  const outcomes = await end()
  expect(Object.keys(outcomes)).toEqual(['303'])
  // There were requests all the time, on a slow machine as well.
  expect(outcomes['303']).toBeGreaterThan(100)
})

/** Sends a byte of a body now and then, for ever; resolves to what came back when it is cut. */
async function trickle(port: number, path: string): Promise<{ cut: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n\r\n`,
  )
  // Seldom: what is written after the answer, and before it is read here, takes the answer away.
  const drip = setInterval(() => socket.write(' '), 500)
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk
  })
  // What was sent too late to be read resets the connection, after the answer.
  socket.on('error', () => {})
  const cut = new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(drip)
      resolve(got)
    })
  })
  return { cut }
}

test.each([
  ['service', prepareService, '/sign-in', async () => (await testDatabase()).url],
  ['store', prepareStore, '/acp/checkout/create', async () => (await storeDatabase()).url],
] as const)('a %s cuts a body that trickles, in time', async (_, prepare, path, databaseOf) => {
  const { start, stop, port } = await prepare({ DATABASE_URL: await databaseOf(), STOP_DELAY: '1' })
  await start()
  const { cut } = await trickle(port, path)
  // By itself within its grace of nine seconds, or it would exit with 1; Docker's is ten.
  expect(await stop()).toBe(0)
  expect(await cut).toMatch(/^HTTP\/1.1 408 /)
})

test('while it is announced it answers as ever, but is not ready and keeps no connection', async () => {
  const { url } = await testDatabase()
  const { start, stop, port } = await prepareService({ DATABASE_URL: url, STOP_DELAY: '3' })
  await start()
  const look = async (path: string) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`)
    return [status, headers.get('connection')]
  }
  expect(await look('/readyz')).toEqual([200, 'keep-alive'])
  const stopped = stop()
  await eventually(() => look('/readyz')).toEqual([503, 'close'])
  expect(await look('/livez')).toEqual([200, 'close'])
  expect(await stopped).toBe(0)
})

test('a proxy may ask in HTTP/1.0, which has no Host', async () => {
  const { url } = await testDatabase()
  const { start, port } = await prepareService({ DATABASE_URL: url })
  await start()
  const socket = connect(port, '127.0.0.1')
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk
  })
  socket.write('GET /readyz HTTP/1.0\r\n\r\n')
  await once(socket, 'close')
  expect(got).toMatch(/^HTTP\/1.1 200 /)
})

const LONG = { STOP_DELAY: '600', STOP_GRACE: '610' }

test.each([
  ['a second SIGTERM does not wait', ['SIGTERM', 'SIGTERM'], 1],
  ['SIGINT after SIGTERM does not wait', ['SIGTERM', 'SIGINT'], 1],
  ['SIGINT alone announces nothing', ['SIGINT'], 0],
] as const)('%s', async (_, signals, code) => {
  const { url } = await testDatabase()
  const env = { PORT: '0', DATABASE_URL: url, DATA_DIR: dirname(SERVER), ...LONG }
  const child = spawn(process.execPath, [SERVER, JSON.stringify(env)])
  const exited = once(child, 'exit')
  let words = ''
  child.stdout.on('data', (chunk) => {
    words += chunk
  })
  await eventually(() => words).toContain('"listening"')
  for (const [n, signal] of signals.entries()) {
    if (n > 0) await eventually(() => words).toContain('"stopping"')
    child.kill(signal)
  }
  expect(await exited).toEqual([code, null])
})

test('what does not end is ended by the grace, with a line that says so', async () => {
  const code = `
    import { runUntilSignal } from '${new URL('../process/until-signal.ts', import.meta.url)}'
    const never = new Promise(() => setInterval(() => {}, 1000))
    await runUntilSignal({}, async () => ({ failed: never, stop: () => never, graceMs: 300 }), {
      started: () => console.log('started'),
      stopping: () => {},
      failed: ({ message }) => console.log(message),
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code])
  const exited = once(child, 'exit')
  let words = ''
  child.stdout.on('data', (chunk) => {
    words += chunk
  })
  await eventually(() => words).toContain('started')
  child.kill('SIGTERM')
  expect(await exited).toEqual([1, null])
  expect(words).toContain('It has not stopped within 0.3 seconds.')
})
