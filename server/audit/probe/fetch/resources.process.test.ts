import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { createBrotliCompress, createGzip, gzipSync, constants as zlib } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../../../shared/testing/wait.ts'
import { createFetcher } from './fetch.ts'
import { BODY_CAPS } from './request.ts'

const MIB = 1024 * 1024

/** 200 MB of nothing, as the compressor leaves it. */
async function pack(compressor: Transform): Promise<Buffer> {
  const zeros = Readable.from(Array(200).fill(Buffer.alloc(MIB)))
  return Buffer.concat(await zeros.pipe(compressor).toArray())
}

const whole = (headers: string, body: Buffer) => (socket: Socket) => {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${headers}\r\n`)
  socket.end(body)
}

/** Each path's answer, byte for byte: no HTTP server would send most of them. */
const answers: Record<string, (socket: Socket) => void> = {
  '/drip': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  },
  '/slow-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('x-a: b\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  },
  '/headers': whole(`x-big: ${'a'.repeat(30_000)}\r\n`, Buffer.from('x')),
  '/lies-short': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789'),
  '/lies-long': (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n${'x'.repeat(5000)}`),
  '/two-lengths': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n012345'),
  '/endless': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk)) {}
    }
    socket.on('drain', fill)
    fill()
  },
  '/endless-info': (socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
    socket.on('close', () => clearInterval(timer))
  },
  '/noise': (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  '/silence': (socket) => socket.end(),
  '/reset': (socket) => socket.resetAndDestroy(),
}

const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', (request) => {
    const path = request.toString('latin1').split(' ')[1] ?? ''
    const answer = answers[path]
    if (answer) answer(socket)
    else socket.destroy()
  })
})
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  const fast = { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } }
  const [gzip, brotli] = await Promise.all([pack(createGzip()), pack(createBrotliCompress(fast))])
  answers['/gzip'] = whole('Content-Encoding: gzip\r\n', gzip)
  answers['/brotli'] = whole('Content-Encoding: br\r\n', brotli)
  answers['/double'] = whole('Content-Encoding: gzip, gzip\r\n', gzipSync(gzip))
  answers['/twice'] = whole('Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n', gzipSync(gzip))
  const page = randomBytes(BODY_CAPS.page / 2).toString('hex')
  answers['/page'] = whole('Content-Encoding: gzip\r\n', gzipSync(page))
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.close()
})

const BOUNDS = [
  ['/gzip', { kind: 'no_answer', why: 'too_large' }],
  ['/brotli', { kind: 'no_answer', why: 'too_large' }],
  ['/double', { kind: 'no_answer', why: 'protocol' }],
  ['/twice', { kind: 'no_answer', why: 'protocol' }],
  ['/drip', { kind: 'no_answer', why: 'timeout' }],
  ['/slow-headers', { kind: 'no_answer', why: 'timeout' }],
  ['/headers', { kind: 'no_answer', why: 'too_large' }],
  ['/lies-short', { kind: 'no_answer', why: 'protocol' }],
  ['/lies-long', { kind: 'answer', status: 200, body: 'xxxxx', truncated: false }],
  ['/two-lengths', { kind: 'no_answer', why: 'protocol' }],
  ['/endless', { kind: 'answer', status: 200, truncated: true }],
  ['/endless-info', { kind: 'no_answer', why: 'timeout' }],
  ['/noise', { kind: 'no_answer', why: 'protocol' }],
  ['/silence', { kind: 'no_answer', why: 'protocol' }],
  ['/reset', { kind: 'no_answer', why: 'protocol' }],
] as const

test.each(BOUNDS)('%s is bounded', async (path, expected) => {
  const fetcher = createFetcher({
    userAgent: 'Test/1',
    testHosts: [{ pattern: '*.example', origin: origin() }],
    // What ends by itself is given the time that a busy machine takes for it.
    limits: { totalMs: 'why' in expected && expected.why === 'timeout' ? 1500 : PATIENCE_MS },
  })
  const url = `https://shop.example${path}`
  const seen = await fetcher.open().request({ url, maxBytes: BODY_CAPS.page })
  await fetcher.close()
  expect(seen).toMatchObject(expected)
  if (seen.kind === 'answer') expect(seen.body.length).toBeLessThanOrEqual(BODY_CAPS.page)
})

/** Run by a process of its own, so that the peak is the fetcher's and not this test's. */
const CHILD = `
import { createFetcher } from './server/audit/probe/fetch/fetch.ts'
import { BODY_CAPS } from './server/audit/probe/fetch/request.ts'
const [origin, ...paths] = process.argv.slice(1)
const ask = async (path, totalMs) => {
  const fetcher = createFetcher({
    userAgent: 'Test/1',
    testHosts: [{ pattern: '*.example', origin }],
    limits: { totalMs },
  })
  const url = 'https://shop.example' + path
  const seen = await fetcher.open().request({ url, maxBytes: BODY_CAPS.page })
  await fetcher.close()
  return seen.kind
}
if ((await ask('/page', ${PATIENCE_MS})) !== 'answer') throw new Error('The page was not read.')
const before = process.resourceUsage().maxRSS
let asked = 0
for (const path of paths) {
  await ask(path, 1500)
  asked += 1
}
console.log(asked, process.resourceUsage().maxRSS - before)
`

test('all of them raise the peak of memory by 32 MiB at most over an ordinary page', async () => {
  // A small young generation: what counts is what is held, not what waits for its collection.
  const args = ['--max-semi-space-size=1', '--input-type=module-typescript', '--eval', CHILD]
  const paths = BOUNDS.map(([path]) => path)
  const { stdout } = await promisify(execFile)(process.execPath, [...args, origin(), ...paths])
  const [asked, grownKib] = stdout.split(' ').map(Number)
  const grownMib = (grownKib ?? Number.NaN) / 1024
  process.stdout.write(`peak memory over ${paths.length} attacks: +${grownMib.toFixed(1)} MiB\n`)
  expect(asked).toBe(paths.length)
  expect(grownMib).toBeLessThanOrEqual(32)
})
