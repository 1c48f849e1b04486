import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { registryEnvironment } from '../../testing/registry.ts'
import { findPlainAccount } from './account.ts'
import { makeTemplate } from './cluster.ts'
import { findOrInstall } from './debian.ts'
import { printFigures } from './figures.ts'
import { buildStages, type Image } from './image.ts'
import type { Production } from './production.ts'

/** Builds the image by the Dockerfile, once for the run. */
export default async function setUp(project: TestProject) {
  const programs = findOrInstall()
  if (programs === null) {
    const missing =
      'The tests of the production path need Debian’s Postgres and Caddy. Install them: apt-get install postgresql caddy.'
    if (project.config.provide.productionRequired) throw new Error(missing)
    process.stdout.write(`${missing} They are skipped.\n`)
    project.provide('production', null)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'aisle-production-'))
  // The plain user has to get through to what is its own.
  await chmod(folder, 0o755)
  const account = await findPlainAccount()
  const stages = join(folder, 'stages')
  await mkdir(stages)
  const began = performance.now()
  try {
    const { last: image, stages: built } = await buildStages({
      dockerfile: resolve('Dockerfile'),
      context: resolve('.'),
      into: stages,
      // It installs a browser, as root.
      without: ['browser'],
      node: { path: process.execPath, version: process.versions.node },
      account,
      env: registryEnvironment(),
    })
    const cli = built.get('cli')
    if (cli === undefined) throw new Error('The Dockerfile has no stage cli.')
    seal(image)
    seal(cli)
    const postgres = await makeTemplate(programs, account, join(folder, 'postgres-template'))
    process.stdout.write(
      `The image was built in ${((performance.now() - began) / 1000).toFixed(0)} s.\n`,
    )
    const production: Production = { image, cli, programs, account, postgres, folder }
    project.provide('production', production)
  } catch (error) {
    await remove(folder)
    throw error
  }
  return async () => {
    await printFigures(folder)
    await remove(folder)
  }
}

/** As `read_only` does: files are root's where there is a root, and nobody may write any. */
function seal({ root }: Image): void {
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'root:root', root])
  execFileSync('chmod', ['-R', 'a-w,a+rX', root])
}

async function remove(folder: string): Promise<void> {
  execFileSync('chmod', ['-R', 'u+w', folder])
  await rm(folder, { recursive: true, force: true })
}
