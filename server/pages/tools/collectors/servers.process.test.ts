import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../../../shared/testing/wait.ts'
import { BUILT_IN_COPIES } from '../../../attribution/agents/published-lists.ts'
import { createAddressVerifier } from '../../../attribution/agents/verify-address.ts'
import { createFetchVerifier } from '../../../attribution/fetches/verify-fetch.ts'
import { packAisleNode } from '../../../build/aisle-node.ts'
import { logsCommand } from '../../../commands/logs.ts'
import { readTerminal } from '../../../commands/testing/read-terminal.ts'
import { freePort } from '../../../testing/free-port.ts'
import {
  AGENT,
  answerOf,
  CRAWLER,
  DOMAIN,
  openService,
  PAGE,
  PERSON,
  visit,
} from './testing/service.ts'

const NGINX = '/usr/sbin/nginx'
const CADDY = '/usr/bin/caddy'
/** Skipped by name where Debian's program is not installed. */
const testWithNginx = test.skipIf(!existsSync(NGINX))
const testWithCaddy = test.skipIf(!existsSync(CADDY))

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open() {
  const service = await openService()
  closing.push(() => service.close())
  const folder = await mkdtemp(join(tmpdir(), 'aisle-collector-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const log = join(folder, 'log')
  await mkdir(log)
  await writeFile(join(folder, 'key'), `Authorization: Bearer ${service.key}\n`)
  /** The file of a collector, with a folder of this test in place of the system's. */
  const codeOf = (path: string) =>
    service
      .codeOf(path)
      .replaceAll('/var/log/aisle', log)
      .replaceAll('/etc/aisle-key', join(folder, 'key'))
      .replaceAll('/run/nginx.pid', join(folder, 'nginx.pid'))
  const send = async (path: string) => {
    const file = join(folder, 'aisle-send')
    await writeFile(file, codeOf(path))
    await promisify(execFile)('sh', [file])
  }
  return { service, folder, log, codeOf, send }
}

/** Starts a server that ends with the test. Resolves when it answers. */
async function serve(command: readonly string[], origin: string, env: NodeJS.ProcessEnv = {}) {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  closing.unshift(() => stop(child))
  const state = async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
    return visit(origin, '/', PERSON).then(
      ({ status }) => status,
      () => 0,
    )
  }
  await eventually(state).toBe(200)
  return child
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
}

async function startNginx({ folder, codeOf }: Awaited<ReturnType<typeof open>>) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  await writeFile(join(folder, 'aisle.conf'), codeOf('nginx/aisle.conf'))
  const conf = join(folder, 'nginx.conf')
  // Workers open the log anew, as somebody who may go into the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n')
  await writeFile(
    conf,
    `${user} daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr; worker_processes 1;
events {}
http {
  access_log ${join(folder, 'all.log')};
  ${own}
  include ${join(folder, 'aisle.conf')};
  server {
    listen 127.0.0.1:${port};
    server_name ${DOMAIN};
    ${codeOf('nginx/server.conf')}
    location / { return 200 '${PAGE}'; }
    location /none { return 404; }
  }
}
`,
  )
  await serve([NGINX, '-c', conf, '-e', 'stderr'], origin)
  return origin
}

async function startCaddy({ folder, codeOf }: Awaited<ReturnType<typeof open>>) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const file = join(folder, 'Caddyfile')
  const site = codeOf('caddy/Caddyfile')
    .replace('shop.example {', `http://:${port} {\n\tbind 127.0.0.1`)
    .replace('# … what you have', `respond /none* 404\n\trespond "${PAGE}"`)
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  await serve([CADDY, 'run', '--config', file, '--adapter', 'caddyfile'], origin, env)
  return origin
}

/** Agents and a person ask for pages; answers are the store's. */
async function visitAll(origin: string) {
  for (const [path, userAgent] of [
    ['/products/boot?token=secret', AGENT],
    ['/none', CRAWLER],
    ['/products/boot', PERSON],
    ['/products/tent', PERSON],
  ] as const) {
    const { status, text } = await visit(origin, path, userAgent)
    expect(status).toBe(answerOf(path).status)
    if (status === 200) expect(text).toBe(PAGE)
  }
}
const COUNTED = [
  ['ChatGPT-User', '/products/boot', 200],
  ['GPTBot', '/none', 404],
] as const

/** What `aisle logs` reads in a file, without storing it. */
async function readByCommand(file: string) {
  const { terminal, read } = readTerminal()
  const ranges = createAddressVerifier(BUILT_IN_COPIES)
  const verifierFor = createFetchVerifier({
    ...{ addresses: async () => ranges, names: null, callers: null },
  })
  await logsCommand([file], { json: true }, { verifierFor, store: null }, terminal)
  const { files, agents } = JSON.parse(read())
  return { ...files[0], agents: agents.map(({ agent }: { agent: string }) => agent).toSorted() }
}

const SCRIPTS = [
  ['nginx', testWithNginx, startNginx, 'nginx/aisle-send.sh'],
  ['Caddy', testWithCaddy, startCaddy, 'caddy/aisle-send.sh'],
] as const

testWithNginx('nginx: what agents read is in the report', async () => {
  const made = await open()
  const { service, log, send } = made
  const origin = await startNginx(made)
  await visitAll(origin)
  const written = await readFile(join(log, 'aisle.log'), 'utf8')
  expect(written.trim().split('\n')).toHaveLength(2)
  expect(written).not.toMatch(/Chrome|secret/)
  const kept = join(log, 'kept')
  await copyFile(join(log, 'aisle.log'), kept)
  expect(await readByCommand(kept)).toMatchObject({
    lines: 2,
    agents: ['ChatGPT-User', 'GPTBot'],
    unread: {},
  })
  await send('nginx/aisle-send.sh')
  await service.expectCounted(COUNTED)
  // nginx writes on in a new file, and nothing is sent while there is nothing new.
  await send('nginx/aisle-send.sh')
  expect(service.bodies).toHaveLength(1)
  await visit(origin, '/products/tent', AGENT)
  // An answer that was lost: the same part once more.
  await copyFile(kept, join(log, 'part.1.aa'))
  await send('nginx/aisle-send.sh')
  expect(service.bodies).toHaveLength(3)
  await service.expectCounted([...COUNTED, ['ChatGPT-User', '/products/tent', 200]])
  expect((await readdir(log)).filter((name) => name.startsWith('part'))).toEqual([])
})

testWithCaddy('Caddy: what agents read is in the report', async () => {
  const made = await open()
  const { service, log, send } = made
  const origin = await startCaddy(made)
  await visitAll(origin)
  const file = join(log, 'aisle.log')
  const written = async () => (await readFile(file, 'utf8').catch(() => '')).trim().split('\n')
  await eventually(written).toHaveLength(2)
  expect((await written()).join()).not.toMatch(/Chrome|secret/)
  expect(await readByCommand(file)).toMatchObject({
    lines: 2,
    agents: ['ChatGPT-User', 'GPTBot'],
    unread: {},
  })
  await send('caddy/aisle-send.sh')
  await service.expectCounted(COUNTED)
  await send('caddy/aisle-send.sh')
  expect(service.bodies).toHaveLength(1)
  // All of the file is sent when it has grown.
  await visit(origin, '/products/tent', AGENT)
  await eventually(written).toHaveLength(3)
  await send('caddy/aisle-send.sh')
  expect(service.bodies).toHaveLength(2)
  await service.expectCounted([...COUNTED, ['ChatGPT-User', '/products/tent', 200]])
  expect((await readdir(log)).toSorted()).toEqual(['aisle.log', 'lock', 'sent'])
})

testWithCaddy(
  'Caddy: when it begins another file, both are sent, and each request counts once',
  async () => {
    const made = await open()
    const { service, log, send } = made
    const origin = await startCaddy(made)
    // Some of the first megabyte is sent before it is full.
    const crawl = async (from: number, to: number) => {
      for (let n = from; n < to; n += 1) await visit(origin, `/${n}`, `GPTBot ${'x'.repeat(7000)}`)
    }
    const lines = async () => {
      const files = (await readdir(log)).filter((name) => name.endsWith('.log'))
      const texts = await Promise.all(files.map((name) => readFile(join(log, name), 'utf8')))
      return texts.join('').split('\n').length - 1
    }
    await crawl(0, 100)
    await eventually(lines).toBe(100)
    await send('caddy/aisle-send.sh')
    await crawl(100, 180)
    await eventually(lines).toBe(180)
    expect((await readdir(log)).filter((name) => name.endsWith('.log'))).toHaveLength(2)
    await send('caddy/aisle-send.sh')
    expect(service.bodies).toHaveLength(3)
    const counted = Array.from({ length: 180 }, (_, n) => ['GPTBot', `/${n}`, 200] as const)
    await service.expectCounted(counted)
    expect((await readdir(log)).toSorted()).toEqual(['aisle.log', 'lock', 'sent'])
  },
)

for (const [name, testIt, start, script] of SCRIPTS) {
  testIt.each([401, 429, 500, 503])(
    `${name}: what Aisle refuses with HTTP %s waits on the disk`,
    async (status) => {
      const made = await open()
      const { service, log, send } = made
      const origin = await start(made)
      service.answer(status)
      await visitAll(origin)
      await eventually(() => stat(join(log, 'aisle.log')).then(({ size }) => size > 0)).toBe(true)
      await send(script)
      expect(service.bodies).toHaveLength(1)
      service.answer('well')
      await send(script)
      await service.expectCounted(COUNTED)
    },
  )

  testIt(`${name}: a service that does not answer or is away holds nobody up`, async () => {
    const made = await open()
    const { service, send } = made
    const origin = await start(made)
    await visitAll(origin)
    service.answer('never')
    const sending = send(script)
    await eventually(() => service.bodies.length).toBe(1)
    // Another minute's script finds the first at work.
    await send(script)
    for (let n = 0; n < 5; n += 1)
      expect(await visit(origin, '/', PERSON)).toMatchObject(answerOf('/'))
    service.answer('well')
    await sending
    await send(script)
    await service.expectCounted(COUNTED)
  })
}

/** Stands for Express: its middleware, its files, and how it listens. */
const EXPRESS = `
import { createServer } from 'node:http'
export default function express() {
  const used = []
  const answer = (request, response) => {
    const [next, ...rest] = request.left
    if (next === undefined) return response.writeHead(404).end()
    request.left = rest
    next(request, response, () => answer(request, response))
  }
  return {
    use: (each) => used.push(each),
    listen: (port) =>
      createServer((request, response) => {
        request.left = used
        answer(request, response)
      }).listen(port, '127.0.0.1'),
  }
}
express.static = () => (request, response, next) =>
  request.url.startsWith('/none') ? next() : response.end('${PAGE}')
`

async function startNode({ folder, service, codeOf }: Awaited<ReturnType<typeof open>>) {
  const shop = join(folder, 'shop')
  const packed = parseTar(new Uint8Array(gunzipSync(await packAisleNode())))
  const files = new Map([
    ['package.json', '{ "type": "module" }'],
    ['server.js', codeOf('node/server.js')],
    ['node_modules/express/package.json', '{ "type": "module", "main": "index.js" }'],
    ['node_modules/express/index.js', EXPRESS],
    ...packed.map(
      ({ name, text }) =>
        [name.replace(/^package/, 'node_modules/aisle-node'), text ?? ''] as const,
    ),
  ])
  for (const [name, text] of files) {
    await mkdir(join(shop, name, '..'), { recursive: true })
    await writeFile(join(shop, name), text)
  }
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), AISLE_URL: service.origin, AISLE_KEY: service.key }
  const child = await serve([process.execPath, join(shop, 'server.js')], origin, env)
  return { origin, child }
}

test('Node: what agents read is in the report', async () => {
  const made = await open()
  const { origin, child } = await startNode(made)
  await visitAll(origin)
  // It sends what waits before it ends.
  await stop(child)
  await made.service.expectCounted(COUNTED)
  expect(made.service.bodies.join()).not.toMatch(/secret|Chrome/)
})

test.each([401, 429, 500, 'never'] as const)(
  'Node: a service that answers %s holds nobody up',
  async (answers) => {
    const made = await open()
    const { origin, child } = await startNode(made)
    made.service.answer(answers)
    await visitAll(origin)
    await eventually(() => made.service.bodies.length).toBeGreaterThan(0)
    await visitAll(origin)
    expect(await made.service.rows()).toEqual([])
    if (answers === 'never') made.service.answer('well')
    await stop(child)
  },
)
