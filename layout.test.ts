import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { FAULTS } from './server/store/faults/faults.ts'
import { CHECKS } from './shared/audit/checks/index.ts'

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
const isTest = (file: string) =>
  /\.(test|e2e|bench)\.tsx?$/.test(file) || /(^|\/)testing(\/|\.ts$)/.test(file)

interface Import {
  file: string
  target: string
}

/** Static and dynamic imports, relative ones resolved against the root. */
const imports: Import[] = sources.flatMap((file) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b[^'"]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'|^import\s+'([^']+)'/gm,
    ),
  ].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? ''
    return { file, target: name.startsWith('.') ? normalize(join(dirname(file), name)) : name }
  }),
)
const room = (file: string) => file.split('/')[0] ?? ''
const ROOMS = ['shared', 'server', 'snippet', 'extension']
const offenders = (isWrong: (each: Import) => boolean) =>
  imports
    .filter((each) => !isTest(each.file) && isWrong(each))
    .map(({ file, target }) => `${file} → ${target}`)

test('there are four rooms, and everything else at the top is configuration', () => {
  const top = new Set(sources.filter((file) => file.includes('/')).map(room))
  expect([...top].filter((name) => !ROOMS.includes(name))).toEqual([])
})

test('shared imports nothing of ours but shared, and nothing of Node', () => {
  expect(
    offenders(
      ({ file, target }) =>
        room(file) === 'shared' &&
        (target.startsWith('node:') || (ROOMS.includes(room(target)) && room(target) !== 'shared')),
    ),
  ).toEqual([])
})

test('the snippet imports shared only, the extension shared and the type of the API', () => {
  expect(
    offenders(
      ({ file, target }) =>
        (room(file) === 'snippet' && ['server', 'extension'].includes(room(target))) ||
        (room(file) === 'extension' && room(target) === 'server' && target !== 'server/app.ts'),
    ),
  ).toEqual([])
})

test('the store knows of the server only its database connection and its fetch', () => {
  const allowed = ['server/db/connect.ts', 'server/audit/probe/fetch/fetch.ts']
  expect(
    offenders(
      ({ file, target }) =>
        file.startsWith('server/store/') &&
        room(target) === 'server' &&
        !target.startsWith('server/store/') &&
        !allowed.includes(target),
    ),
  ).toEqual([])
})

test('nothing but the entry points and the demo knows the store', () => {
  const allowed = /^server\/(store|cli\.ts|commands|bundle\.ts)/
  expect(
    offenders(({ file, target }) => target.startsWith('server/store/') && !allowed.test(file)),
  ).toEqual([])
})

test('only server/audit/probe/fetch/fetch.ts and its parts reach the network', () => {
  const clients = [
    'undici',
    'node:http',
    'node:https',
    'node:net',
    'node:tls',
    'node:dns',
    'node:dns/promises',
  ]
  expect(
    offenders(
      ({ file, target }) =>
        clients.includes(target) &&
        // address.ts resolves names for fetch.ts to test.
        !['server/audit/probe/fetch/fetch.ts', 'server/audit/probe/fetch/address.ts'].includes(
          file,
        ) &&
        // A free port for the private Postgres: it listens, it does not call.
        file !== 'server/db/embedded/cluster.ts',
    ),
  ).toEqual([])
  const callers = sources.filter(
    (file) =>
      room(file) === 'server' &&
      !isTest(file) &&
      /(?<![\w.])fetch\(/.test(readFileSync(file, 'utf8')),
  )
  expect(callers.filter((file) => !file.startsWith('server/commands/'))).toEqual([])
})

test('only entry points read the environment', () => {
  const readers = sources.filter(
    (file) => !isTest(file) && /process\.env\b/.test(readFileSync(file, 'utf8')),
  )
  const entries = ['server/main.ts', 'server/store/main.ts', 'server/cli.ts', 'vitest.config.ts']
  expect(readers.filter((file) => !entries.includes(file))).toEqual([])
})

test('relative imports end in their extension', () => {
  expect(
    imports.filter(
      ({ target }) => ROOMS.includes(room(target)) && !/\.(tsx?|json|css)$/.test(target),
    ),
  ).toEqual([])
})

test('files are kebab-case, components PascalCase, and no name says nothing', () => {
  const names = sources.map((file) => file.split('/').at(-1) ?? '')
  expect(
    names.filter(
      (name) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.tsx?$/.test(name) &&
        !/^[A-Z]\w+(\.test)?\.tsx$/.test(name),
    ),
  ).toEqual([])
  expect(
    files.filter((file) => /(^|\/)(utils?|helpers?|lib|common|types)(\/|\.)/.test(file)),
  ).toEqual([])
  expect(files.filter((file) => /\.tmp\./.test(file))).toEqual([])
})

test('the only barrel is shared/audit/checks/index.ts', () => {
  expect(
    sources.filter((file) => /(^|\/)index\.tsx?$/.test(file) && !file.startsWith('extension/')),
  ).toEqual(['shared/audit/checks/index.ts'])
})

test('one rule, one fault', () => {
  const rules = Object.entries(CHECKS).flatMap(([check, list]) =>
    list.map((each) => ({ check, each })),
  )
  const gaps = rules.flatMap(({ each }) => (each.gap === null ? [] : [each.gap]))
  expect(new Set(gaps).size).toBe(gaps.length)
  expect(FAULTS.map(({ gap }) => gap).sort()).toEqual([...gaps].sort())
  for (const { fault, gap } of FAULTS) expect(fault).toBe(gap.replaceAll('_', '-'))
  for (const { check, each } of rules) expect(each.check).toBe(check)
  const passed = rules.map(({ each }) => each.passed)
  expect(new Set(passed).size).toBe(passed.length)
})
