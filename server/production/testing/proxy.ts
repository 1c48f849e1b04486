import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../testing/free-port.ts'
import type { Production } from './production.ts'
import { spawnBound } from './spawn-bound.ts'
import { statusOf, until } from './until.ts'

/** Says in every answer which replica gave it, as `127.0.0.1:<port>`. */
export const SERVED_BY = 'x-served-by'

/**
 * Debian's Caddy before the replicas. It asks each every second whether it is ready, and sends a
 * request to another only if a replica did not accept its connection, or if it changes nothing. Not
 * `round_robin`: while one of two is out, Caddy 2.6 finds none for requests that choose together.
 */
export async function startProxy(
  { programs, account, folder: parent }: Production,
  ports: readonly number[],
): Promise<{ origin: string; close: () => Promise<void> }> {
  const folder = join(parent, `proxy-${randomBytes(4).toString('hex')}`)
  await mkdir(folder)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const file = join(folder, 'Caddyfile')
  await writeFile(
    file,
    `{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy ${ports.map((each) => `127.0.0.1:${each}`).join(' ')} {
    lb_policy least_conn
    lb_try_duration 5s
    lb_try_interval 100ms
    health_uri /readyz
    health_interval 1s
    health_timeout 10s
    header_down ${SERVED_BY} {http.reverse_proxy.upstream.hostport}
  }
}
`,
  )
  if (account) await chown(folder, account.uid, account.gid)
  const command = [programs.caddy, 'run', '--config', file, '--adapter', 'caddyfile']
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  const child = spawnBound(command, { cwd: folder, env, stdio: 'ignore', ...account })
  await until('the proxy answers', async () => (await statusOf(`${origin}/livez`)) === 200)
  return {
    origin,
    close: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
