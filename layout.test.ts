import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { FAULTS } from './server/store/faults/faults.ts'
import { CHECKS, GAP_RULES } from './shared/audit/checks/index.ts'
import { provingFault } from './shared/audit/gap/record.ts'
import { ACP } from './shared/protocols/acp/versions.ts'
import { UCP } from './shared/protocols/ucp/versions.ts'

/*
 * Keeps the map in CONTRIBUTING true. Where a test fails, move the code to where the map says, or
 * change the map and the list here together.
 */

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
const codeOf = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]))

/** Tests, and what only they use: that stands in a folder called `testing`. */
const isTest = (file: string) =>
  /\.(test|e2e|bench|production)\.tsx?$|^vitest\.|(^|\/)testing\//.test(file)

interface Import {
  file: string
  /** A file below the root, or the name of a package. */
  target: string
  /** It takes types alone, and is gone when the program runs. */
  isType: boolean
}

/** Imports and re-exports, dynamic and type imports included; relative ones from the root. */
const imports: Import[] = [...codeOf].flatMap(([file, code]) =>
  [
    ...code.matchAll(
      /^(import|export)( type)?\b[^'"]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm,
    ),
  ].map(([, , type, from, dynamic, effect]) => {
    const name = from ?? dynamic ?? effect ?? ''
    const target = name.startsWith('.') ? normalize(join(dirname(file), name)) : name
    return { file, target, isType: type !== undefined }
  }),
)

const said = ({ file, target }: Import) => `${file} → ${target}`
const offenders = (isWrong: (each: Import) => boolean) =>
  imports.filter((each) => !isTest(each.file) && isWrong(each)).map(said)

const room = (file: string) => file.split('/')[0] ?? ''
const ROOMS = ['shared', 'server', 'snippet', 'extension', 'aisle-node']
const isOurs = (target: string) => codeOf.has(target)
const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`)

test('there are five rooms, and everything else at the top is configuration', () => {
  const top = new Set(sources.filter((file) => file.includes('/')).map(room))
  expect([...top].filter((name) => !ROOMS.includes(name))).toEqual([])
})

/** What a room may import of the others: files or folders, and whether types alone. */
const MAY_IMPORT: { from: string; of: Record<string, 'all' | 'types'> }[] = [
  { from: 'shared', of: {} },
  { from: 'snippet', of: { shared: 'all' } },
  { from: 'aisle-node', of: {} },
  { from: 'extension', of: { shared: 'all', 'server/app.ts': 'types' } },
  {
    from: 'server/store',
    of: {
      shared: 'all',
      'aisle-node': 'all',
      'server/process': 'all',
      'server/db/connect.ts': 'all',
      'server/db/leases': 'all',
      'server/db/signatures/columns.ts': 'all',
      'server/db/sealing': 'all',
      'server/db/rate-limits.ts': 'all',
      'server/db/connection/readiness.ts': 'all',
      'server/db/connection/retry-write.ts': 'all',
      'server/db/retention/sweep.ts': 'all',
      'server/audit/probe/fetch': 'all',
      'server/http/client-address.ts': 'all',
      'server/http/mcp-post.ts': 'all',
      'server/metrics': 'all',
      'server/jobs': 'all',
      'server/signatures': 'all',
    },
  },
  // Plugins run in shops: they are built on `aisle-node`, and know nothing of the service.
  { from: 'server/connectors', of: { shared: 'all', 'aisle-node': 'all' } },
  // The bundle holds the snippet, and nothing else of the service knows the other rooms' code.
  { from: 'server/build', of: { shared: 'all', server: 'all', snippet: 'all' } },
  { from: 'server', of: { shared: 'all' } },
]

test.each(MAY_IMPORT)('$from imports of the other rooms only what the map says', ({ from, of }) => {
  const isNarrower = (file: string) =>
    MAY_IMPORT.some((each) => isIn(each.from, from) && each.from !== from && isIn(file, each.from))
  const isAllowed = ({ target, isType }: Import) =>
    isIn(target, from) ||
    Object.entries(of).some(([place, what]) => isIn(target, place) && (what === 'all' || isType))
  expect(
    offenders(
      (each) =>
        isIn(each.file, from) &&
        !isNarrower(each.file) &&
        isOurs(each.target) &&
        ROOMS.includes(room(each.target)) &&
        !isAllowed(each),
    ),
  ).toEqual([])
})

test('shared knows neither Node nor a package of the service', () => {
  const packages = ['zod', 'cache-control-parser', 'parse5']
  const isView = (file: string) => isIn(file, 'shared/view')
  expect(
    offenders(
      ({ file, target }) =>
        isIn(file, 'shared') &&
        !isOurs(target) &&
        // Data that tests write.
        !/^shared\/.*\.json$/.test(target) &&
        !packages.some((name) => isIn(target, name)) &&
        !(isView(file) && isIn(target, 'preact')),
    ),
  ).toEqual([])
})

test('aisle-node needs no package and nothing of Node, so that it runs in any shop', () => {
  expect(
    offenders(({ file, target }) => isIn(file, 'aisle-node') && !isIn(target, 'aisle-node')),
  ).toEqual([])
})

/** From the ground up: a place imports of those above it in this list, never of those below. */
const ORDERS: Record<string, string[]> = {
  shared: [
    'web',
    'commerce',
    'attribution',
    'markup',
    'protocols',
    'manifest',
    'walk',
    'audit',
    'watch',
    'view',
  ],
  server: [
    'version.ts',
    'process',
    'metrics',
    'jobs',
    'db',
    'http',
    'signatures',
    'access',
    'attribution',
    'audit',
    'watch',
    'ops',
    'config.ts',
    'deps.ts',
    'mcp',
    'routes',
    'pages',
    'app.ts',
    'start',
    'main.ts',
    'build',
    'store',
    'commands',
    'cli.ts',
    'connectors',
  ],
  'server/store': [
    'db',
    'http',
    'shop',
    'psp',
    'signatures',
    'orders',
    'outbox',
    'checkout',
    'buyer',
    'dialects',
    'faults',
    'config.ts',
    'ops',
    'app.ts',
    'open.ts',
    'serve.ts',
    'main.ts',
  ],
  extension: [
    'read-capped.ts',
    'page',
    'api',
    'browser',
    'stored',
    'export',
    'views',
    'entrypoints',
    'icon',
    'wxt.config.ts',
  ],
}

test.each(Object.entries(ORDERS))(
  'imports inside %s/ follow the order of its places',
  (top, order) => {
    const placeOf = (file: string) => file.slice(top.length + 1).split('/')[0] ?? ''
    const rank = (file: string) => order.indexOf(placeOf(file))
    const here = sources.filter((file) => isIn(file, top) && !isTest(file))
    expect(here.filter((file) => rank(file) < 0)).toEqual([])
    expect(
      offenders(
        ({ file, target }) =>
          isIn(file, top) && isIn(target, top) && isOurs(target) && rank(target) > rank(file),
      ),
    ).toEqual([])
  },
)

test('no file imports itself over others, types included', () => {
  const targets = new Map<string, string[]>()
  for (const { file, target } of imports) {
    if (isOurs(target)) targets.set(file, [...(targets.get(file) ?? []), target])
  }
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push([...path.slice(start), file].join(' → '))
    if (start >= 0 || done.has(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  expect(circles).toEqual([])
})

test('nothing but the entry points and the demo knows the store', () => {
  const allowed = ['server/store', 'server/cli.ts', 'server/commands']
  expect(
    offenders(
      ({ file, target }) =>
        isIn(target, 'server/store') && !allowed.some((place) => isIn(file, place)),
    ),
  ).toEqual([])
})

test('what only tests use stands in a folder called testing, and only tests import it', () => {
  expect(sources.filter((file) => /(^|\/)testing\.tsx?$/.test(file))).toEqual([])
  expect(offenders(({ target }) => isOurs(target) && isTest(target))).toEqual([])
})

/** Where tests get their databases. */
const DATABASES = ['server/testing/app.ts', 'server/store/db/testing/database.ts']
const importsOf = Map.groupBy(imports, ({ file }) => file)

/** Whether a test imports one of these, itself or over what only tests use. */
const needs = (file: string, wanted: readonly string[], seen = new Set<string>()): boolean =>
  (importsOf.get(file) ?? []).some(({ target, isType }) => {
    if (isType || seen.has(target)) return false
    seen.add(target)
    return wanted.includes(target) || (isTest(target) && needs(target, wanted, seen))
  })

test('tests say by their name what they need: a process, else a database', () => {
  const needOf = (file: string) => {
    if (needs(file, ['node:child_process'])) return 'process'
    return needs(file, DATABASES) ? 'db' : ''
  }
  const wrong = sources
    .filter((file) => /\/.*\.test\.tsx?$/.test(file))
    .map((file) => ({ file, need: needOf(file) }))
    .filter(({ file, need }) => (/\.(db|process)\.test/.exec(file)?.[1] ?? '') !== need)
  expect(wrong).toEqual([])
})

test('a long table of which npm test runs a part is called so', () => {
  const isPart = (file: string) => /fewRows\(|inject\('change'\)/.test(codeOf.get(file) ?? '')
  const tests = sources.filter((file) => /\/.*\.test\.tsx?$/.test(file))
  expect(tests.filter(isPart)).toEqual(tests.filter((file) => file.includes('.table.')))
})

test('only server/audit/probe/fetch reaches the network', () => {
  const clients = /^(undici|nodemailer|node:(http|https|net|tls|dns|dns\/promises))$/
  // A free port for the private Postgres, and the programs' own: they listen, and call nobody.
  const allowed = [
    'server/audit/probe/fetch',
    'server/db/embedded/cluster.ts',
    'server/process/listener.ts',
    // The operator's own mail server, which nobody else names; its time is bounded there.
    'server/watch/channels/mail/smtp.ts',
  ]
  expect(
    offenders(
      ({ file, target, isType }) =>
        clients.test(target) && !isType && !allowed.some((place) => isIn(file, place)),
    ),
  ).toEqual([])
  const callers = [...codeOf].filter(
    ([file, code]) => room(file) === 'server' && !isTest(file) && /(?<![\w.])fetch\(/.test(code),
  )
  // The commands and the pages' own scripts ask our own service, and so do plugins, in a shop; a
  // shop on this machine is asked once its owner has named it.
  const own = [
    'server/commands',
    'server/connectors',
    'server/pages/browser',
    'server/audit/probe/fetch/local-shops.ts',
  ]
  expect(
    callers.map(([file]) => file).filter((file) => !own.some((place) => isIn(file, place))),
  ).toEqual([])
})

test('only entry points read the environment', () => {
  const readers = [...codeOf].filter(([file, code]) => !isTest(file) && /process\.env\b/.test(code))
  const entries = [
    'server/main.ts',
    'server/store/main.ts',
    'server/cli.ts',
    'server/build/prepack.ts',
  ]
  const own = readers.map(([file]) => file).filter((file) => file.includes('/'))
  expect(own.filter((file) => !entries.includes(file))).toEqual([])
})

test('only server/process/output.ts and the log write to the terminal, and the tag and the edge to a console', () => {
  const writes =
    /\bprocess\.(stdout|stderr)\b|\bconsole\.\w|\bwriteSync\(|\bpino\.destination\([12]?\)|node:console/
  const allowed = [
    ...['server/process/output.ts', 'server/process/log.ts'],
    ...['snippet/attribution.ts', 'aisle-node/edge.ts'],
  ]
  const writers = [...codeOf].filter(
    ([file, code]) => file.includes('/') && !isTest(file) && writes.test(code),
  )
  expect(writers.map(([file]) => file).filter((file) => !allowed.includes(file))).toEqual([])
})

test('only its versions.ts names a version of a protocol, and none is compared as text', () => {
  const dates = new RegExp(`(?<!\\d)(?:${[...UCP.all, ...ACP.all].join('|')})(?![\\dT])`)
  const compared =
    /(?:\bv|V)ersion\)? [<>]=? |\bdialect [<>]=? |(?<!=)[<>]=? (?:\w+\.)*(?:v|\w*V)ersion\b|(?<!=)[<>]=? \w+\.newest\b/
  // Comments name the source that they follow, and the texts about gaps show examples.
  const isText = (file: string) => file.endsWith('words.ts')
  const homes = ['ucp', 'acp', '.'].map((folder) => join('shared/protocols', folder, 'versions.ts'))
  const wrong = [...codeOf].flatMap(([file, code]) => {
    if (isTest(file) || homes.includes(file) || !file.includes('/')) return []
    const bare = code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    const found = bare.split('\n').filter((line) => dates.test(line) || compared.test(line))
    return isText(file) ? [] : found.map((line) => `${file}: ${line.trim()}`)
  })
  expect(wrong).toEqual([])
})

test('relative imports end in their extension', () => {
  expect(
    imports
      .filter(({ target }) => ROOMS.includes(room(target)) && !/\.(tsx?|json|css)$/.test(target))
      .map(said),
  ).toEqual([])
})

test('the docs name files and folders that exist', () => {
  const missing = docs.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`([\w-]+\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      // What is built is not in git.
      .filter((path) => ROOMS.includes(room(path)) && !/\.output/.test(path))
      .filter((path) => !existsSync(path))
      .map((path) => `${file}: ${path}`),
  )
  expect(missing).toEqual([])
})

const docs = files.filter((file) => file.endsWith('.md'))

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(docs)('the links of %s lead somewhere', (file) => {
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]+))?\)/g)]
  const broken = links.filter(([, path, anchor]) => {
    const target = path ? join(dirname(file), path) : file
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

test('the front door is small, and leads to every page of the docs', () => {
  const readme = readFileSync('README.md', 'utf8')
  const pages = docs.filter((file) => file.startsWith('docs/'))
  expect(pages.filter((page) => !readme.includes(`](${page})`))).toEqual([])
  expect(Buffer.byteLength(readme)).toBeLessThan(10_000)
  expect(Buffer.byteLength(readFileSync('CONTRIBUTING.md'))).toBeLessThan(15_000)
})

/** A line that is nothing else. */
const COMMENT = /^\s*(\/\/|\/?\*)/
/** An address, or an order to a tool. */
const UNBREAKABLE = /https?:|biome-ignore/

test('lines of comments keep to the 100 columns of the code', () => {
  // The formatter leaves comments as they are.
  const wide = [...codeOf].flatMap(([file, code]) =>
    code
      .split('\n')
      .map((line, n) => ({ line, at: `${file}:${n + 1}` }))
      .filter(({ line }) => line.length > 100 && COMMENT.test(line) && !UNBREAKABLE.test(line))
      .map(({ at }) => at),
  )
  expect(wide).toEqual([])
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

test('the only barrel is the record of the checks', () => {
  expect(
    sources.filter((file) => /(^|\/)index\.tsx?$/.test(file) && !file.startsWith('extension/')),
  ).toEqual(['shared/audit/checks/index.ts'])
  const passing = [...codeOf].filter(([, code]) => /^export\b[^'"=(]*\bfrom\s+'/m.test(code))
  expect(passing.map(([file]) => file)).toEqual([])
})

test('what a file exports, another one names', () => {
  const filesOf = new Map<string, number>()
  for (const code of codeOf.values()) {
    for (const word of new Set(code.match(/[A-Za-z_$][\w$]*/g))) {
      filesOf.set(word, (filesOf.get(word) ?? 0) + 1)
    }
  }
  const alone = [...codeOf].flatMap(([file, code]) =>
    [...code.matchAll(/^export (?:async )?(?:interface|type|const|class|function) ([\w$]+)/gm)]
      .filter(([, name = '']) => filesOf.get(name) === 1)
      .map(([, name]) => `${file}: ${name}`),
  )
  expect(alone).toEqual([])
})

test('an exported name has one meaning', () => {
  const places = new Map<string, Set<string>>()
  const exported = /^export (?:async )?(?:const|function\*?|class|interface|type)\s+(\w+)/gm
  for (const [file, code] of codeOf) {
    if (isTest(file)) continue
    for (const [, name = ''] of code.matchAll(exported)) {
      places.set(name, (places.get(name) ?? new Set()).add(file))
    }
  }
  const shared = [...places].filter(([, in_]) => in_.size > 1)
  expect(shared.map(([name, in_]) => `${name}: ${[...in_].join(', ')}`)).toEqual([])
})

test('one rule, one fault that proves it', () => {
  const rules = Object.entries(CHECKS).flatMap(([check, list]) =>
    list.map((each) => ({ check, each })),
  )
  const gaps = rules.flatMap(({ each }) => (each.gap === null ? [] : [each.gap]))
  expect(new Set(gaps).size).toBe(gaps.length)
  const faults = FAULTS.filter(({ gap }) => gap !== null)
  const isWalked = ({ needsWalk = false, needsBrowser = false }) => needsWalk || needsBrowser
  const proves = faults.map((each) => `${each.fault} ${each.gap} ${isWalked(each)}`)
  for (const each of GAP_RULES) {
    const { fault, needs_walk } = provingFault(each)
    expect(proves).toContain(`${fault} ${each.gap} ${needs_walk}`)
  }
  for (const each of faults) {
    const { fault, gap } = each
    if (isWalked(each)) continue
    expect([gap, `ucp_${gap}`]).toContain(fault.replaceAll('-', '_'))
  }
  for (const { check, each } of rules) expect(each.check).toBe(check)
  const passed = rules.map(({ each }) => each.passed)
  expect(new Set(passed).size).toBe(passed.length)
})
