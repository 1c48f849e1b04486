import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { packCli } from '../build/cli-package.ts'
import { installPackages, registryEnvironment } from '../testing/registry.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'
import { noteFigure } from './testing/figures.ts'
import { runInImage } from './testing/program.ts'
import { createStore } from './testing/store.ts'
import { DOMAIN, isSkipped, production } from './testing/world.ts'

/** The oldest Node that the package says it runs on. */
const OLDEST = '22.19.0'

/** A twin of the store with one fault. */
const BROKEN = 'feed-missing.example'

interface Ran {
  code: unknown
  stdout: string
  stderr: string
}

const run = (program: string, args: string[], options: { cwd: string; env: Env }): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
type Env = Record<string, string>

/** The folder of a Node; null where the registry cannot be reached. */
async function binOf(version: string): Promise<string | null> {
  if (version === process.versions.node) return dirname(process.execPath)
  const folder = join(production().folder, `node-${version}`)
  const name = `node-${process.platform}-${process.arch}`
  const isThere = await installPackages(folder, [`${name}@${version}`])
  return isThere ? join(folder, 'node_modules', name, 'bin') : null
}

/** The store, and where all names of it lead. */
async function openStore(): Promise<{ cluster: Cluster; testHosts: string }> {
  const cluster = await startCluster(production())
  onTestFinished(cluster.close)
  const store = await createStore(cluster, { NODE_ENV: 'development' }, [DOMAIN, BROKEN])
  onTestFinished(store.end)
  await store.start()
  return { cluster, testHosts: `*.example=http://127.0.0.1:${store.port}` }
}

describe.skipIf(isSkipped())('the package of the commands', () => {
  let tarball: string
  beforeAll(async () => {
    const made = await packCli()
    tarball = join(production().folder, made.file)
    await writeFile(tarball, made.tarball)
    const kib = (made.tarball.length / 1024).toFixed(0)
    await noteFigure(production(), 'the package of the commands', `${kib} KiB`)
  })

  test.each([OLDEST, process.versions.node])(
    'is installed in an empty folder and works there, on Node %s',
    async (version) => {
      const bin = await binOf(version)
      if (bin === null) throw new Error('The registry cannot be reached, which has this Node.')
      const { cluster, testHosts } = await openStore()
      const folder = join(production().folder, `installed-${version}`)
      await mkdir(folder)
      await writeFile(join(folder, 'package.json'), '{ "private": true }')
      const outside = registryEnvironment()
      const env = { PATH: `${bin}:${outside.PATH}`, HOME: folder }
      const install = ['install', '--offline', '--no-audit', '--no-fund', tarball]
      const installed = await run('npm', install, { cwd: folder, env })
      expect(installed).toMatchObject({ code: 0, stderr: '' })
      expect(installed.stdout).toContain('added 1 package')
      const settings: Env = { ...env, TEST_HOSTS: testHosts }
      const aisle = (more: Env, ...args: string[]) =>
        run(join(folder, 'node_modules/.bin/aisle'), args, {
          cwd: folder,
          env: { ...settings, ...more },
        })

      const audit = await aisle({}, 'audit', DOMAIN, '--json')
      expect(audit).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(audit.stdout)).toMatchObject({ score: 100, gaps: [] })
      const broken = await aisle({}, 'audit', BROKEN, '--json', '--fail-under', '100')
      expect(broken).toMatchObject({ code: 1 })
      expect(broken.stderr).toMatch(/^\S+: The score is 90, and has to be at least 100\.\n$/)
      expect(JSON.parse(broken.stdout).gaps).toMatchObject([{ id: 'feed_missing' }])

      const url = `https://${DOMAIN}/.well-known/ucp`
      const published = await aisle({}, 'validate', url, '--json')
      expect(published).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(published.stdout)).toMatchObject({ valid: true, shoppable: true })
      await writeFile(join(folder, 'ucp.json'), '{ "version": "1.0" }')
      const file = await aisle({}, 'validate', 'ucp.json', '--json')
      expect(file).toMatchObject({ code: 1, stderr: 'ucp.json: The manifest is invalid.\n' })
      expect(JSON.parse(file.stdout)).toMatchObject({ valid: false })

      const look = ['--yes-open-sessions', '--intent', 'cheapest_variant', '--output', 'walk.json']
      const walk = await aisle({}, 'walk', DOMAIN, ...look)
      expect(walk).toMatchObject({ code: 0, stderr: 'Wrote walk.json.\n' })
      const transcript = JSON.parse(await readFile(join(folder, 'walk.json'), 'utf8'))
      expect(transcript.domain).toBe(DOMAIN)

      const explain = await aisle({}, 'explain', 'feed_missing')
      expect(explain).toMatchObject({ code: 0, stderr: '' })
      expect(explain.stdout).toContain('How to fix it')
      const mcp = new Client({ name: 'production', version: '1.0.0' })
      onTestFinished(() => mcp.close())
      const command = join(folder, 'node_modules/.bin/aisle')
      await mcp.connect(
        new StdioClientTransport({ command, args: ['mcp'], env: settings, cwd: folder }),
      )
      const called = await mcp.callTool({ name: 'audit', arguments: { domain: BROKEN } })
      expect(called.structuredContent).toMatchObject({ gaps: [{ id: 'feed_missing' }] })

      const faults = await aisle({}, 'store', 'faults', '--json')
      expect(faults).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(faults.stdout).length).toBeGreaterThan(100)

      const without = await aisle({}, 'keys', 'list')
      expect(without).toMatchObject({ code: 2, stdout: '' })
      expect(without.stderr).toMatch(/^DATABASE_URL is not set, .*\n$/)
      const keys = await aisle({ DATABASE_URL: cluster.url }, 'keys', 'list', '--json')
      expect(keys).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    },
  )

  test('is the entry point of an image of its own', async () => {
    const { testHosts } = await openStore()
    const { cli } = production()
    expect(cli).toMatchObject({ user: 'node', command: ['--help'] })
    expect(existsSync(join(cli.root, 'opt/aisle/THIRD-PARTY.txt'))).toBe(true)
    expect(basename(cli.entrypoint.at(-1) ?? '')).toBe('cli.js')
    const inCli = (...args: string[]) =>
      runInImage({ ...production(), image: cli }, [...cli.entrypoint, ...args], {
        TEST_HOSTS: testHosts,
      })
    const help = await inCli(...cli.command)
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: aisle /)
    const audit = await inCli('audit', DOMAIN, '--json')
    expect(audit).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(audit.stdout)).toMatchObject({ score: 100 })
  })
})
