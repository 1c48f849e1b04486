import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as workflows from '@actions/workflow-parser'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, readLogLevel } from '../config.ts'

// What hosts other than Docker Compose, and GitHub, read. No tool of theirs runs here, so what the
// files say of this project is judged here, and workflows by GitHub's own parser.

const read = (file: string) => readFileSync(file, 'utf8')
const project = JSON.parse(read('package.json'))

/** What the service reads from its environment. */
const settings = new Set<string>()
const noting = new Proxy({}, { get: (_, name) => void settings.add(String(name)) })
readConfig(noting)
readLogLevel(noting)

/** Bundled: it imports JSON in a way that Node does not take. */
const folder = mkdtempSync(join(tmpdir(), 'aisle-parser-'))
afterAll(() => rmSync(folder, { recursive: true }))
const outfile = join(folder, 'parser.cjs')
await build({
  ...{ entryPoints: ['@actions/workflow-parser'], outfile },
  ...{ bundle: true, platform: 'node', format: 'cjs' },
})
const { NoOperationTraceWriter, parseWorkflow }: typeof workflows = await import(outfile)

const WORKFLOWS = readdirSync('.github/workflows').map((name) => `.github/workflows/${name}`)

test.each(WORKFLOWS)('GitHub can read %s, and each script in it exists', (file) => {
  const content = read(file)
  const faultsIn = (text: string) => {
    const { context } = parseWorkflow({ name: file, content: text }, new NoOperationTraceWriter())
    return context.errors.getErrors().map(({ message }) => message)
  }
  expect(faultsIn(content)).toEqual([])
  expect(faultsIn(content.replace('runs-on:', 'run-on:'))).toHaveLength(2)
  const scripts = [...content.matchAll(/npm run (\S+)/g)].map(([, name]) => name!)
  expect(scripts.filter((name) => !(name in project.scripts))).toEqual([])
})

test.each([
  ['deploy/kubernetes/deployment.yaml', /- name: ([A-Z_]+)$/gm],
  ['deploy/kubernetes/kustomization.yaml', /- ([A-Z_]+)=/g],
  ['deploy/hosted.yml', /^ {6}((?!POSTGRES)[A-Z_]+):/gm],
  ['render.yaml', /- key: ([A-Z_]+)/g],
])('%s sets what the service reads', (file, name) => {
  const names = [...read(file).matchAll(name)].map(([, found]) => found!)
  expect(names.length).toBeGreaterThan(1)
  expect(names.filter((found) => !settings.has(found))).toEqual([])
})

test('a pasted Compose file starts Postgres as deploy/postgres.sql does', () => {
  const { configs, services } = parse(read('deploy/hosted.yml'))
  const statements = read('deploy/postgres.sql').replace(/^--.*\n/gm, '')
  expect(configs.first_start.content).toBe(statements)
  const { image } = parse(read('docker-compose.yml')).services.postgres
  expect(services.postgres.image).toBe(image)
})

test('everything that is released has one version', () => {
  const { version } = project
  const registry = JSON.parse(read('server.json'))
  const plugin = read('server/connectors/woocommerce/aisle/aisle.php')
  const readme = read('server/connectors/woocommerce/aisle/readme.txt')
  const [image] = parse(read('deploy/kubernetes/kustomization.yaml')).images
  expect({
    registry: registry.version,
    package: registry.packages[0].version,
    aisleNode: JSON.parse(read('aisle-node/package.json')).version,
    plugin: plugin.match(/^ \* Version: (\S+)$/m)?.[1],
    constant: plugin.match(/AISLE_VERSION = '(.+)'/)?.[1],
    readme: readme.match(/^Stable tag: (\S+)$/m)?.[1],
    image: image.newTag,
  }).toEqual({
    registry: version,
    package: version,
    aisleNode: version,
    plugin: version,
    constant: version,
    readme: version,
    image: version,
  })
})
