import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { ApiError } from '../http/api-error.ts'
import { limitBodyTo } from '../http/body-limit.ts'
import { createListener } from './listener.ts'
import { STOP_TIMES } from './stop-times.ts'

const COUNT = 1_000
/** What the system allows, and this process. */
const allowed = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8').catch(() => 0))

/** Below the second after which a client asks again that was not heard. */
const BEFORE_RETRY_MS = 800

/** A connection's states in /proc/net/tcp (net/tcp_states.h). */
const ESTABLISHED = '01'

/** The sockets of this process, as /proc/net/tcp names them. */
const ownSockets = (): Set<string | undefined> =>
  new Set(readdirSync('/proc/self/fd').map((fd) => /^socket:\[(\d+)/.exec(fileOf(fd))?.[1]))

function fileOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    // That of the folder itself is closed by now.
    return ''
  }
}

test.skipIf(allowed < COUNT)('a thousand clients at once all get through', async () => {
  const listener = createListener(STOP_TIMES)
  const port = await listener.listen(() => new Response(), {
    host: '127.0.0.1',
    port: 0,
    setting: 'PORT',
  })
  const sockets = Array.from({ length: COUNT }, () =>
    connect(port, '127.0.0.1').on('error', () => {}),
  )
  // They are asked for in the next tick, and accepted in a turn of the event loop that has not
  // come.
  await new Promise((resolve) => process.nextTick(resolve))
  // There may be connections of others to an earlier server that had the same port.
  const own = ownSockets()
  const target = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const read = () =>
    readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , remote, , , , , , , inode]) => remote === target && own.has(inode))
      .map(([, , , state]) => state)
  // A busy kernel shakes hands a moment later. Without a turn of the event loop, nothing is
  // accepted meanwhile.
  let states = read()
  const until = performance.now() + BEFORE_RETRY_MS
  while (states.some((state) => state !== ESTABLISHED) && performance.now() < until) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    states = read()
  }
  for (const socket of sockets) socket.destroy()
  await listener.stop()
  expect(states).toHaveLength(COUNT)
  expect(states.filter((state) => state === ESTABLISHED)).toHaveLength(COUNT)
})

test('who takes nothing of an answer is disconnected, and who waits for one is not', async () => {
  const listener = createListener(STOP_TIMES, 50)
  const asked = Promise.withResolvers<void>()
  const later = Promise.withResolvers<Response>()
  const gone = Promise.withResolvers<void>()
  const port = await listener.listen(
    ({ url }) => {
      if (url.endsWith('/later')) {
        asked.resolve()
        return later.promise
      }
      const pull = (body: ReadableByteStreamController) => body.enqueue(new Uint8Array(1_000_000))
      return new Response(new ReadableStream({ type: 'bytes', pull, cancel: () => gone.resolve() }))
    },
    { host: '127.0.0.1', port: 0, setting: 'PORT' },
  )
  const ask = (path: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    return socket
  }
  const waiting = ask('/later')
  // The time of the one that waits runs out before that of the other.
  await asked.promise
  const unread = ask('/endless').on('error', () => {})
  await gone.promise
  later.resolve(new Response('at last'))
  expect(await text(waiting)).toContain('at last')
  unread.destroy()
  await listener.stop()
})

test('a request with two Host headers is refused', async () => {
  const listener = createListener(STOP_TIMES)
  const asked: string[] = []
  const port = await listener.listen(
    ({ url }) => {
      asked.push(url)
      return new Response('answered')
    },
    { host: '127.0.0.1', port: 0, setting: 'PORT' },
  )
  const ask = (hosts: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
    return text(socket)
  }
  expect(await ask('Host: a\r\nhost: b\r\n')).toMatch(/^HTTP\/1.1 400 .*Send one\./s)
  expect(asked).toEqual([])
  expect(await ask('Host: a\r\n')).toContain('answered')
  await listener.stop()
})

test.each([
  ['a declared length', { 'Content-Length': 400_000 }],
  ['chunks', {}],
])('after a body with %s that is too large, the next request is answered', async (_, headers) => {
  const listener = createListener(STOP_TIMES)
  const app = new Hono().post('/', limitBodyTo(64), async (c) => c.text(await c.req.text()))
  app.onError((error, c) => c.text(error.message, error instanceof ApiError ? error.status : 500))
  const at = { host: '127.0.0.1', port: 0, setting: 'PORT' }
  const port = await listener.listen((request) => app.fetch(request), at)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = async (body: string, more: object = {}) => {
    const sent = request({ port, agent, method: 'POST', headers: { ...more } })
    const [answer] = await Promise.all([once(sent, 'response'), sent.end(body)])
    return [answer[0].statusCode, await text(answer[0])]
  }
  for (let n = 0; n < 4; n += 1) {
    expect((await post('x'.repeat(400_000), headers))[0]).toBe(413)
    expect(await post('small')).toEqual([200, 'small'])
  }
  agent.destroy()
  await listener.stop()
})
