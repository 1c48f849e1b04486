import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { vi } from 'vitest'
import { PATIENCE_MS } from '../../../../shared/testing/wait.ts'
import { zipPlugin } from '../../../build/connectors.ts'
import { freePort } from '../../../testing/free-port.ts'

const run = promisify(execFile)
const HERE = resolve('server/connectors/woocommerce/testing')

/**
 * A new shop of WordPress and WooCommerce, whose files are in `source`, with a MariaDB of its own.
 * `php` runs a script in it. It ends with `close`.
 */
export async function openWordPress(source: string) {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-wordpress-'))
  const shop = join(folder, 'shop')
  const socket = join(folder, 'db.sock')
  const data = join(folder, 'db')
  await cp(source, shop, { recursive: true })
  await run('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, '--user=root'])
  const options = [`--datadir=${data}`, `--socket=${socket}`, '--skip-networking', '--user=root']
  const database = spawn('mariadbd', ['--no-defaults', ...options], { stdio: 'ignore' })
  const sql = (text: string) => run('mariadb', ['--no-defaults', `-S${socket}`, '-e', text])
  await vi.waitFor(() => sql('SELECT 1'), { timeout: PATIENCE_MS })
  await sql("CREATE DATABASE shop; CREATE USER shop@localhost IDENTIFIED BY 'shop'")
  await sql('GRANT ALL ON shop.* TO shop@localhost')

  const port = await freePort()
  const url = `http://localhost:${port}`
  await cp(join(HERE, 'wp-config.php'), join(shop, 'wp-config.php'))
  const env = { PATH: process.env.PATH, SHOP_URL: url, SHOP_SOCKET: socket }
  const php = async (script: string, ...given: string[]) => {
    const { stdout } = await run('php', [join(HERE, script), shop, ...given], { env })
    return stdout
  }
  for (const script of ['install.php', 'seed.php']) await php(script)
  const served = ['-d', 'memory_limit=512M', '-S', `localhost:${port}`, '-t', shop]
  const server = spawn('php', [...served, join(HERE, 'router.php')], {
    stdio: 'ignore',
    env: { ...env, PHP_CLI_SERVER_WORKERS: '6' },
    // Its workers end with it.
    detached: true,
  })
  await vi.waitFor(() => fetch(`${url}/shop/`), { timeout: PATIENCE_MS })

  return {
    url,
    php,
    /** As a merchant installs it, or an update does: the files of the plugin are replaced. */
    async install() {
      await rm(join(shop, 'wp-content/plugins/aisle'), { recursive: true, force: true })
      for (const [name, bytes] of Object.entries(unzipSync(await zipPlugin()))) {
        const path = join(shop, 'wp-content/plugins', name)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, bytes)
      }
      await php('activate.php')
    },
    async close() {
      if (server.pid) process.kill(-server.pid)
      const ended = new Promise((done) => database.once('exit', done))
      database.kill()
      await ended
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
