import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './free-port.ts'
import { onLoopback } from './on-loopback.ts'
import { installPackages, registryEnvironment } from './registry.ts'

/** Asks the registry at a port of loopback for a package, with a cache of its own. */
async function installFrom(port: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return installPackages(join(folder, 'installed'), ['a-package@1.0.0'], {
    ...registryEnvironment(),
    npm_config_registry: `http://127.0.0.1:${port}`,
    npm_config_cache: join(folder, 'cache'),
    NO_PROXY: '127.0.0.1',
  })
}

test('a registry that cannot be reached is told from one that has no such package', async () => {
  expect(await installFrom(await freePort())).toBe(false)
  const empty = await onLoopback((_, response) => response.writeHead(404).end('{}'))
  onTestFinished(empty.close)
  await expect(installFrom(empty.port)).rejects.toThrow(/code E404/)
})
