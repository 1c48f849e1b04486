import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import { vi } from 'vitest'

/** A start of a shop takes that long on a busy machine. */
const START_MS = 240_000

/**
 * A new shop: the packages of `source`, a folder in which a platform was installed, with a plugin
 * of ours and these files. It ends with `close`.
 */
export async function openInstalled(
  source: string,
  plugin: { name: string; packed: Uint8Array },
  files: Record<string, string>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-installed-'))
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  for (const name of await readdir(join(source, 'node_modules'))) {
    await symlink(resolve(source, 'node_modules', name), join(modules, name))
  }
  const own = join(modules, plugin.name)
  await rm(own, { recursive: true, force: true })
  const packed = parseTar(new Uint8Array(gunzipSync(plugin.packed))).map(
    ({ name, text }): [string, string] => [join(own, name.replace(/^package\//, '')), text],
  )
  const given = Object.entries(files).map(([name, text]): [string, string] => [
    join(folder, name),
    text,
  ])
  for (const [path, text] of [...packed, ...given]) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const running = new Set<ChildProcess>()
  let said = ''

  const launch = (args: readonly string[], env: Record<string, string>) => {
    const child = spawn('node', args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        said += text
      })
    }
    return child
  }

  return {
    /** What its programs have written. */
    log: () => said,
    /** Runs a program to its end, and resolves to what it wrote. */
    async run(args: readonly string[], env: Record<string, string>): Promise<string> {
      const from = said.length
      const [code] = await once(launch(args, env), 'close')
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said.slice(from)}`)
      return said.slice(from)
    },
    /** Starts a program, and waits until this address answers. */
    async start(args: readonly string[], env: Record<string, string>, url: string) {
      const child = launch(args, env)
      await vi.waitFor(
        async () => {
          if (child.exitCode !== null) throw new Error(said)
          if (!(await fetch(url)).ok) throw new Error(`${url} is not there yet.`)
        },
        { timeout: START_MS, interval: 200 },
      )
      /** As if the machine lost power. */
      return async () => {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }
    },
    async close() {
      for (const child of running) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
