import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Metafile } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { onceInRun } from '../../shared/testing/once-in-run.ts'
import { createKey } from '../access/make-key.ts'
import { SCOPES } from '../db/access/scopes.ts'
import { testDatabase } from '../testing/app.ts'
import { bundle, PROGRAMS } from './bundler.ts'
import { compile } from './compile.ts'
import { LICENCES } from './licences.ts'
import { OUTSIDE } from './packages.ts'

const run = promisify(execFile)

/** Prints two stacks. */
const THROWER = 'server/build/testing/thrower.ts'

let folder: string
let outputs: Metafile['outputs']
let scripts: Map<string, string>

beforeAll(async () => {
  folder = await onceInRun('bundled', async (outdir) => {
    const made = await bundle({ ...PROGRAMS, thrower: THROWER }, outdir)
    await writeFile(join(outdir, 'meta.json'), JSON.stringify(made.outputs))
  })
  outputs = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8'))
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'))
  const ours = names.filter((name) => !/^(assets|attribution)/.test(name))
  scripts = new Map(
    await Promise.all(
      ours.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
    ),
  )
})

/**
 * The outputs that a program loads before it does anything, and with it the sources that it
 * imports.
 */
const loadedBy = (program: string, ...sources: string[]) => loadedOf(outputs, program, ...sources)

function loadedOf(outputs: Metafile['outputs'], program: string, ...sources: string[]): string[] {
  const start = Object.keys(outputs).find((path) => path.endsWith(`/${program}.js`))!
  const ofSource = (source: string) =>
    Object.keys(outputs).find((path) => outputs[path]!.entryPoint === source)!
  const found = new Set([start, ...sources.map(ofSource)])
  for (const path of found) {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && next in outputs) found.add(next)
    }
  }
  return [...found]
}

const sourcesOf = (paths: readonly string[]) =>
  paths.flatMap((path) => Object.keys(outputs[path]!.inputs))

test('every program is there', () => {
  for (const program of Object.keys(PROGRAMS)) expect(scripts.has(`${program}.js`)).toBe(true)
})

test('nothing outside of the bundle is imported but what is named, with its reason', () => {
  const outside = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path.replace(/^node:/, '')),
  )
  const known = [...builtinModules, 'sqlite', ...Object.keys(OUTSIDE)]
  expect(outside.filter((name) => !known.includes(name))).toEqual([])
})

test('no import is hidden from the bundler', () => {
  const hidden = [...scripts.values()].flatMap((code) =>
    [...code.matchAll(/\bimport\(\s*([^"'\s][^)]{0,60})\)/g)].map(([, of = '']) => of),
  )
  expect(hidden).toEqual([])
})

test('the service runs where no package is installed', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'aisle-bundle-'))
  await cp(folder, elsewhere, { recursive: true })
  const { db, url } = await testDatabase()
  const request = { name: 'test', scopes: [...SCOPES], domains: ['*'], expires_at: null }
  const { key } = await createKey(db, request, new Date())
  const child = spawn(process.execPath, ['main.js'], {
    cwd: elsewhere,
    env: { DATABASE_URL: url, PORT: '0', TEST_HOSTS: '*.example=http://127.0.0.1:9' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines = createInterface({ input: child.stdout })
    let port = 0
    for await (const line of lines) {
      if (!line.includes('"listening"')) continue
      port = JSON.parse(line).port
      break
    }
    // The first request that is counted loads what counts it.
    const audit = await fetch(`http://127.0.0.1:${port}/api/audit`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ domain: 'shop.example' }),
    })
    expect(await audit.json()).toMatchObject({ error: { code: 'domain_unreachable' } })
    const docs = await (await fetch(`http://127.0.0.1:${port}/docs`)).text()
    const [script] = /\/assets\/copy\.\w+\.js/.exec(docs)!
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200)
  } finally {
    child.kill('SIGKILL')
    await rm(elsewhere, { recursive: true, force: true })
  }
})

test('source maps name our files alone, and not their text', async () => {
  const maps = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.js\.map$/.test(name),
  )
  expect(maps.length).toBeGreaterThan(3)
  const read = await Promise.all(maps.map((name) => readFile(join(folder, name), 'utf8')))
  const sources = read.flatMap((map) => JSON.parse(map).sources)
  const isOurs = (source: string) => existsSync(source.replace(/^(\.\.\/)+/, ''))
  expect(sources.filter((source) => !isOurs(source) || /node_modules/.test(source))).toEqual([])
  expect(sources.some((source) => source.endsWith('server/start/serve.ts'))).toBe(true)
  expect(sources.some((source) => source.endsWith('shared/audit/score.ts'))).toBe(true)
  expect(read.filter((map) => map.includes('sourcesContent'))).toEqual([])
})

test('a stack names the file and line of the source, and of a package the place in the bundle', async () => {
  const thrower = (await readFile(THROWER, 'utf8')).split('\n')
  const place = (text: string) =>
    `/${THROWER}:${thrower.findIndex((each) => each.includes(text)) + 1}:`
  const { stdout } = await run(process.execPath, [
    '--enable-source-maps',
    join(folder, 'thrower.js'),
  ])
  const [ours, parsed] = JSON.parse(stdout)
  expect(ours).toContain(place("Error('from below')"))
  expect(ours).toContain(place('failBelow()'))
  expect(parsed).toContain(place("parse('not a number')"))
  expect(parsed).toMatch(/\/(chunk-\w+|thrower)\.js:\d+:\d+/)
})

test('the licence of every package is there, with its text', async () => {
  const text = await readFile(join(folder, LICENCES), 'utf8')
  const packages = new Set(
    sourcesOf(Object.keys(outputs)).flatMap(
      (file) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
    ),
  )
  expect(packages.size).toBeGreaterThan(40)
  const rule = '-'.repeat(80)
  const parts = text.split(`${rule}\n`)
  for (const name of packages) {
    const at = parts.findIndex((part) => part.startsWith(`${name} `))
    expect(at, name).toBeGreaterThan(0)
    expect(parts[at + 1]!.length, name).toBeGreaterThan(200)
  }
  // It has no file of its own with the text.
  expect(text).toMatch(
    /drizzle-orm [\d.]+ \(Apache-2\.0\)\n-+\nCopyright .*\n[\s\S]{0,200}Apache License/,
  )
})

const packagesOf = (files: readonly string[]) =>
  new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))

test('the help loads what declares the commands, and no command', () => {
  const files = sourcesOf(loadedBy('cli'))
  expect([...packagesOf(files)]).toEqual(['commander'])
  expect(sum(loadedBy('cli'))).toBeLessThan(130_000)
})

/** Bytes of code. */
const sum = (paths: readonly string[]) =>
  paths.reduce((bytes, path) => bytes + outputs[path]!.bytes, 0)

/** What no command that goes out to a store needs: databases, servers, pages, payments. */
const OF_SERVERS =
  /^(stripe|@modelcontextprotocol\/server|postgres|drizzle-orm|preact|preact-render-to-string|prom-client|rate-limiter-flexible|standardwebhooks|pino|hono|@hono\/.*)$/

const WALK = [
  'config',
  'process/settings',
  'commands/walk/walk',
  'commands/walk/walk-network',
].concat('audit/judging/judges-at-hand')

/**
 * Code that is loaded is compiled first: half a megabyte takes some 20 ms. What passes a limit
 * loads something that it should not, or has grown by rules and texts.
 */
test.each([
  ['validate of a file', ['config', 'commands/validate'], 820_000],
  // It judges most stores itself: a worker would load as much again.
  ['audit', ['config', 'commands/audit'], 2_280_000],
  ['walk', WALK, 2_445_000],
  ['explain', ['commands/explain'], 1_050_000],
])('%s loads nothing of a server, and no more than it needs', (_, sources, most) => {
  const paths = loadedBy('cli', ...sources.map((source) => `server/${source}.ts`))
  // Twenty lines, in the reader of TRUST_PROXY.
  const files = sourcesOf(paths).filter((file) => !file.endsWith('/node-server/dist/conninfo.mjs'))
  const packages = [...packagesOf(files)]
  expect(packages).toContain('zod')
  expect(packages.filter((name) => OF_SERVERS.test(name))).toEqual([])
  expect(sum(paths)).toBeLessThan(most)
})

test('a file is validated without what goes out to the network', () => {
  const files = sourcesOf(loadedBy('cli', 'server/config.ts', 'server/commands/validate.ts'))
  expect(
    files.filter((file) => /node_modules\/(undici|tldts|csv-parse|parse5)\//.test(file)),
  ).toEqual([])
})

test('of undici and zod there is only what is used', () => {
  const files = sourcesOf(Object.keys(outputs))
  expect(files).toContain('node_modules/undici/lib/dispatcher/agent.js')
  const left =
    /undici\/lib\/(mock|cache|web\/websocket|milo|interceptor)\/|zod\/v4\/locales\/(?!index|en\.)/
  expect(files.filter((file) => left.test(file))).toEqual([])
})

test('the judging worker loads nothing of a server, and Parquet only for a file of it', () => {
  const paths = loadedBy('judging-worker')
  const packages = [...packagesOf(sourcesOf(paths))]
  expect(packages.filter((name) => OF_SERVERS.test(name) || name === 'hyparquet')).toEqual([])
  // What a feed is held against is shared with the part that reads Parquet.
  expect(paths.length).toBeLessThan(3)
  expect(sum(paths)).toBeLessThan(1_195_000)
})

test('in the package, commands load half of zod, and nothing that only checkouts have is there', async () => {
  const { metafile } = await compile(
    { cli: PROGRAMS.cli },
    { outdir: folder, sourcemap: false, packaged: true },
  )
  const all = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
  expect([...packagesOf(all)]).not.toContain('@hono/zod-openapi')
  expect(all.filter((file) => /^server\/(app|start\/serve)\.ts$/.test(file))).toEqual([])
  const sources = ['server/config.ts', 'server/commands/audit.ts']
  const audit = loadedOf(metafile.outputs, 'cli', ...sources)
  // Each file costs a quarter of a millisecond of CPU.
  expect(audit.length).toBeLessThan(110)
  const inputs = audit.flatMap((path) => Object.entries(metafile.outputs[path]!.inputs))
  const ofZod = inputs.filter(([file]) => file.includes('/zod/'))
  expect(ofZod.reduce((bytes, [, { bytesInOutput }]) => bytes + bytesInOutput, 0)).toBeLessThan(
    190_000,
  )
  expect(audit.reduce((bytes, path) => bytes + metafile.outputs[path]!.bytes, 0)).toBeLessThan(
    2_125_000,
  )
})

test.each([
  ['an audit', ['config', 'commands/audit']],
  ['a walk', WALK],
])('%s loads what starts a worker only when it starts one', (_, sources) => {
  const paths = loadedBy('cli', ...sources.map((source) => `server/${source}.ts`))
  expect(sourcesOf(paths)).toContain('server/audit/judging/judges-at-hand.ts')
  expect(sourcesOf(paths)).not.toContain('server/audit/judging/judges.ts')
})

test('an audit loads nothing of Node that is large', () => {
  const paths = loadedBy('cli', 'server/config.ts', 'server/commands/audit.ts')
  const ofNode = paths.flatMap((file) =>
    outputs[file]!.imports.filter(({ kind, external }) => external && kind === 'import-statement'),
  )
  // Each makes Node compile some ten modules of its own.
  const heavy = /^(node:)?(worker_threads|perf_hooks|crypto|http2|tls)$/
  expect(ofNode.filter(({ path }) => heavy.test(path))).toEqual([])
})

test('a file has a `require` only where a package asks for it', () => {
  const makes = (code: string) => code.includes('createRequire as requireFrom')
  const asks = (code: string) => code.match(/\brequire\b/g)!.length > 1
  const those = [...scripts.values()].filter(makes)
  expect(those.length).toBeGreaterThan(0)
  expect(those.filter((code) => !asks(code))).toEqual([])
  expect(those.length).toBeLessThan(scripts.size / 4)
})

test('an audit loads what reads aisle.json and writes JUnit only when it is asked for', () => {
  const files = sourcesOf(loadedBy('cli', 'server/config.ts', 'server/commands/audit.ts'))
  expect(files.filter((file) => /\/(momoa|fast-xml-builder)\//.test(file))).toEqual([])
})

test('the faults of the store are listed without what serves it', () => {
  // A helper of a hundred lines, for pages in which a fault stands.
  const files = sourcesOf(loadedBy('cli', 'server/commands/store/store.ts')).filter(
    (file) => !/\/hono\/dist\/(helper\/html|utils)\//.test(file),
  )
  expect([...packagesOf(files)].filter((name) => OF_SERVERS.test(name))).toEqual([])
  expect(sum(loadedBy('cli', 'server/commands/store/store.ts'))).toBeLessThan(1_000_000)
})

test('the service loads neither the store nor its packages', () => {
  const files = sourcesOf(loadedBy('main'))
  expect(files).toContain('server/start/serve.ts')
  expect(files.filter((file) => /^server\/(store|commands)\/|\/(stripe|ajv)\//.test(file))).toEqual(
    [],
  )
})
