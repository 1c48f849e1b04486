import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../shared/testing/wait.ts'
import { freePort } from './free-port.ts'

const HAPROXY = '/usr/sbin/haproxy'

/** Debian's haproxy, installed if that needs no password; otherwise null. */
export function findHaproxy(): string | null {
  if (existsSync(HAPROXY)) return HAPROXY
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  try {
    execFileSync('apt-get', ['update'], { stdio: 'inherit' })
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'haproxy'], {
      stdio: 'inherit',
    })
  } catch {
    // apt-get's own message is above.
  }
  return existsSync(HAPROXY) ? HAPROXY : null
}

/** A proxy as operators run it: checks readiness twice a second, and keeps its connections. */
export async function startHaproxy(file: string, backends: readonly number[]) {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'aisle-haproxy-'))
  const config = join(folder, 'haproxy.cfg')
  const servers = backends.map(
    (each, n) => `  server r${n} 127.0.0.1:${each} check inter 500ms fall 1 rise 1`,
  )
  await writeFile(
    config,
    `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend front
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  option httpchk GET /readyz
${servers.join('\n')}
`,
  )
  const child: ChildProcess = spawn(file, ['-f', config, '-db'], { stdio: 'ignore' })
  await eventually(() =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ status }) => status,
      () => 0,
    ),
  ).toBe(200)
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM')
      await rm(folder, { recursive: true })
    },
  }
}
