import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../shared/testing/wait.ts'
import { parseTrustProxy } from '../http/client-address.ts'
import { testApp } from '../testing/app.ts'
import { freePort } from '../testing/free-port.ts'
import { onLoopback } from '../testing/on-loopback.ts'

const hasCaddy = () => {
  try {
    return execFileSync('caddy', ['version'], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
}

const OUTER = '127.0.0.9'
const TRIES = 20

/**
 * Visitors have loopback addresses here, which the service trusts as it trusts private ones in
 * Compose. So only Caddy can keep them from claiming another.
 */
describe.skipIf(!hasCaddy())('deploy/Caddyfile, where Debian’s caddy is installed', () => {
  let folder: string
  let caddy: ChildProcess
  let port: number
  const servers: { close: () => Promise<void> }[] = []

  beforeAll(async () => {
    const made = await testApp({ trustedProxies: parseTrustProxy('loopback') })
    const service = await onLoopback(made.app)
    servers.push(service)
    const behind = service.port

    port = await freePort()
    folder = await mkdtemp(join(tmpdir(), 'aisle-caddy-'))
    const given = await readFile('deploy/Caddyfile', 'utf8')
    const here = given
      .replace('dynamic a aisle 8787', `dynamic a localhost ${behind}`)
      .replace(/^\{\n/m, `{\n\thttp_port ${await freePort()}\n\tskip_install_trust\n`)
    expect(here).toContain(`localhost ${behind}`)
    await writeFile(join(folder, 'Caddyfile'), here)
    caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        SITE_ADDRESS: `https://localhost:${port}`,
        STORE_SITE_ADDRESS: `http://localhost:${await freePort()}`,
        TRUSTED_PROXIES: `${OUTER}/32`,
      },
      stdio: 'ignore',
    })
  })

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()))
    if (caddy.exitCode === null) {
      caddy.kill('SIGKILL')
      await once(caddy, 'exit')
    }
    await rm(folder, { recursive: true })
  })

  async function ask(
    from: string,
    method: string,
    path: string,
    { body = '', headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ) {
    const sent = request({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      localAddress: from,
      // Its own authority made the certificate.
      rejectUnauthorized: false,
      agent: false,
      method,
      path,
      headers: {
        Host: `localhost:${port}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        ...headers,
      },
    })
    sent.end(body)
    const [answer] = await once(sent, 'response')
    await text(answer)
    return { status: answer.statusCode as number }
  }

  const signIn = (from: string, with_: string, forwarded?: string) =>
    ask(from, 'POST', '/sign-in', {
      body: String(new URLSearchParams({ key: with_ })),
      headers: forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded },
    }).then(({ status }) => status)

  const isServing = () => {
    const status = () => ask('127.0.0.1', 'GET', '/livez').then(({ status }) => status, String)
    return eventually(status).toBe(200)
  }

  async function failToSignIn(from: string, forwarded?: string) {
    for (let n = 0; n < TRIES; n += 1) expect(await signIn(from, 'wrong', forwarded)).toBe(401)
    expect(await signIn(from, 'wrong', forwarded)).toBe(429)
  }

  test('over TLS each visitor counts by their own address, and can claim no other', async () => {
    await isServing()
    await failToSignIn('127.0.0.2')
    expect(await signIn('127.0.0.2', 'wrong', '203.0.113.7')).toBe(429)
    expect(await signIn('127.0.0.2', 'wrong', '127.0.0.3')).toBe(429)
    expect(await signIn('127.0.0.3', 'wrong')).toBe(401)
  })

  test('behind a proxy that TRUSTED_PROXIES names, each of its visitors counts', async () => {
    await isServing()
    await failToSignIn(OUTER, '203.0.113.20')
    expect(await signIn(OUTER, 'wrong', '198.51.100.1, 203.0.113.20')).toBe(429)
    expect(await signIn(OUTER, 'wrong', '203.0.113.21')).toBe(401)
  })
})
