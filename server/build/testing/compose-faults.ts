import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { DCLinter } from 'dclint'
import { parseDocument, stringify } from 'yaml'
import * as z from 'zod'

// Docker itself is on no machine that runs the tests. The schema and rules of dclint see what a
// Compose file may say; what its parts say of each other and of this project is judged here.

const Names = z.union([
  z.array(z.string()).transform((names) => new Map(names.map((name) => [name, '']))),
  z
    .record(z.string(), z.unknown())
    .transform(
      (named) =>
        new Map(
          Object.entries(named).map(([name, of]) => [
            name,
            z.object({ condition: z.string() }).safeParse(of).data?.condition ?? '',
          ]),
        ),
    ),
])
const Healthcheck = z.looseObject({
  interval: z.string().optional(),
  timeout: z.string().optional(),
  start_period: z.string().optional(),
})
const Service = z.looseObject({
  image: z.string().optional(),
  build: z.unknown().optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  ports: z.array(z.coerce.string()).default([]),
  volumes: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
  networks: Names.default(new Map()),
  depends_on: Names.default(new Map()),
  healthcheck: Healthcheck.optional(),
  logging: z.object({ options: z.record(z.string(), z.coerce.string()).default({}) }).optional(),
  stop_grace_period: z.string().optional(),
  restart: z.string().optional(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  mem_limit: z.coerce.string().optional(),
  shm_size: z.coerce.string().optional(),
})
type Service = z.infer<typeof Service>

const Declared = z.record(z.string(), z.unknown()).default({})
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: Declared,
  volumes: Declared,
  secrets: Declared,
})
type Compose = z.infer<typeof Compose>

/** What a Compose file is judged beside. */
export interface Surroundings {
  /** The text of `.env.example`. */
  example: string
  /** The settings that the service and the store know. */
  settings: ReadonlySet<string>
  /** The settings that the code of a service of this name reads. */
  reads: Readonly<Record<string, ReadonlySet<string>>>
  /** The programs that the image holds, such as `dist/main.js`. */
  programs: ReadonlySet<string>
  /** The image that `build` makes says by itself whether it is healthy. */
  imageHasHealthcheck: boolean
}

/** Each fault of a Compose file as a sentence; none where it can be started. */
export function composeFaults(text: string, around: Surroundings): string[] {
  const document = parseDocument(text, { merge: true })
  if (document.errors.length > 0) return document.errors.map(({ message }) => message)
  const example = parseEnv(around.example)
  const variables = new Set<string>()
  const faults = overriddenFaults(around.example)
  const filled = mapStrings(document.toJS(), (value) => {
    const { text, used, fault } = interpolate(value, example)
    for (const name of used) variables.add(name)
    if (fault !== null) faults.push(fault)
    return text
  })
  for (const name of variables) {
    // Also one with a default: who runs it has to know that it is there.
    if (!(name in example)) faults.push(`${name} is not in .env.example.`)
  }
  for (const name of Object.keys(example)) {
    if (!variables.has(name)) faults.push(`${name} of .env.example is not used.`)
  }
  faults.push(...lintFaults(filled))
  const compose = Compose.safeParse(filled)
  if (!compose.success) return [...faults, z.prettifyError(compose.error)]
  return [
    ...faults,
    ...referenceFaults(compose.data, around),
    ...serviceFaults(compose.data, around),
  ]
}

/** The last assignment of a name counts: one that is uncommented above it would do nothing. */
function overriddenFaults(example: string): string[] {
  const faults: string[] = []
  const commented = new Set<string>()
  for (const [, sign, name = ''] of example.matchAll(/^(#\s*)?([A-Z][A-Z0-9_]*)=/gm)) {
    if (sign !== undefined) commented.add(name)
    else if (commented.has(name)) {
      faults.push(`${name} of .env.example is a comment above the line that sets it.`)
    }
  }
  return faults
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, mapStrings(of, map)]))
}

/** https://docs.docker.com/reference/compose-file/interpolation/, without nesting. */
const VARIABLE = /\$(?:(\$)|(\w+)|\{(\w+)(?:(:?[-?+])([^${}]*))?\}|(.?))/g

function interpolate(value: string, example: Readonly<Record<string, string | undefined>>) {
  const used: string[] = []
  let fault: string | null = null
  const text = value.replace(VARIABLE, (all, dollar, bare, braced, how, word = '') => {
    if (dollar) return '$'
    const name: string | undefined = bare ?? braced
    if (name === undefined) {
      fault = `"${value}" has a "$" that starts no variable.`
      return all
    }
    used.push(name)
    const given = example[name] || undefined
    if (how?.endsWith('+')) return given === undefined ? '' : word
    if (how?.endsWith('-')) return given ?? word
    return given ?? ''
  })
  return { text, used, fault }
}

/** Its rules on order and quotes are a matter of taste. */
const LINTED = {
  'no-build-and-image': 2,
  'no-duplicate-container-names': 2,
  'no-duplicate-exported-ports': 0,
  'no-quotes-in-volumes': 0,
  'no-unbound-port-interfaces': 2,
  'no-version-field': 2,
  'require-project-name-field': 0,
  'require-quotes-in-ports': 0,
  'service-container-name-regex': 2,
  'service-dependencies-alphabetical-order': 0,
  'service-image-require-explicit-tag': 2,
  'service-keys-order': 0,
  'service-ports-alphabetical-order': 0,
  'services-alphabetical-order': 0,
  'top-level-properties-order': 0,
} as const

/** The schema of the Compose specification, and rules on tags and ports. */
function lintFaults(filled: unknown): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-compose-'))
  try {
    const file = join(folder, 'docker-compose.yml')
    writeFileSync(file, stringify(filled, { aliasDuplicateObjects: false }))
    const linter = new DCLinter({ rules: LINTED, quiet: true, debug: false, exclude: [] })
    return linter
      .lintFiles([file], false)
      .flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const isNamed = (source: string) => !/^[./~]/.test(source)
const sourceOf = (volume: string) => volume.split(':')[0] ?? ''

/** Names that are used but not declared, or the other way round, and files that are not there. */
function referenceFaults({ services, networks, volumes, secrets }: Compose, around: Surroundings) {
  const faults: string[] = []
  const all = Object.entries(services)
  const judge = (
    what: string,
    declared: object,
    usedBy: (service: Service) => Iterable<string>,
  ) => {
    const used = new Set<string>()
    for (const [name, service] of all) {
      for (const each of usedBy(service)) {
        used.add(each)
        if (!(each in declared))
          faults.push(`${name} uses the ${what} ${each}, which is not declared.`)
      }
    }
    return used
  }
  const judgeBoth = (...[what, declared, usedBy]: Parameters<typeof judge>) => {
    const used = judge(what, declared, usedBy)
    for (const each of Object.keys(declared)) {
      if (!used.has(each)) faults.push(`The ${what} ${each} is not used.`)
    }
  }
  judgeBoth('network', networks, ({ networks }) => networks.keys())
  judgeBoth('volume', volumes, ({ volumes }) => volumes.map(sourceOf).filter(isNamed))
  judgeBoth('secret', secrets, ({ secrets }) => secrets)
  judge('service', services, ({ depends_on }) => depends_on.keys())
  for (const [name, { volumes, depends_on, environment, secrets }] of all) {
    for (const source of volumes.map(sourceOf)) {
      if (!isNamed(source) && !existsSync(source))
        faults.push(`${name} mounts ${source}, which is missing.`)
    }
    for (const [other, condition] of depends_on) {
      const on = services[other]
      const saysSo = on?.healthcheck ?? (on?.build !== undefined && around.imageHasHealthcheck)
      if (condition === 'service_healthy' && on && !saysSo) {
        faults.push(`${name} waits until ${other} is healthy, which has no healthcheck.`)
      }
    }
    for (const path of Object.values(environment)) {
      const secret = /^\/run\/secrets\/(.*)/.exec(path)?.[1]
      if (secret !== undefined && !secrets.includes(secret)) {
        faults.push(`${name} reads ${path}, but is not given that secret.`)
      }
    }
  }
  return faults
}

/** Settings that a service of the Compose file is not given, and why. */
const WITHHELD: Readonly<Record<string, string>> = {
  PORT: 'the image sets it, and Caddy asks there',
  HOST: 'the image sets it',
  STORE_PORT: 'Caddy asks at its default',
  DATA_DIR: 'nothing is kept outside Postgres',
  NODE_ENV: 'the image sets it',
  TEST_HOSTS: 'it leads to this machine, for development',
  STORE_FAULTS: 'each fault has a host of its own',
  STORE_TRUST_PROFILES: 'it is for development',
}

/** Compose passes nothing by itself: a setting of .env that is not named here would be ignored. */
function settingFaults(name: string, { environment }: Service, around: Surroundings): string[] {
  const passed = new Set(Object.keys(environment).map((key) => key.replace(/_FILE$/, '')))
  return [...(around.reads[name] ?? [])]
    .filter((setting) => !passed.has(setting) && !(setting in WITHHELD))
    .map((setting) => `It is not given ${setting}.`)
}

const DURATION = /^(\d+(\.\d+)?(us|ms|s|m|h))+$/
const SIZE = /^\d+([kmg]b?|b)?$/i

/** What each service must say for itself. */
function serviceFaults({ services }: Compose, around: Surroundings): string[] {
  /** What others wait for until it has ended. */
  const ends = (name: string) =>
    Object.values(services).some(
      ({ depends_on }) => depends_on.get(name) === 'service_completed_successfully',
    )
  return Object.entries(services).flatMap(([name, service]) => {
    const faults: (string | false)[] = []
    const { healthcheck, environment, logging, command, build } = service
    const durations = [
      service.stop_grace_period,
      healthcheck?.interval,
      healthcheck?.timeout,
      healthcheck?.start_period,
    ]
    for (const each of durations) {
      faults.push(each !== undefined && !DURATION.test(each) && `"${each}" is not a duration.`)
    }
    for (const each of [service.mem_limit, service.shm_size, logging?.options['max-size']]) {
      faults.push(each !== undefined && !SIZE.test(each) && `"${each}" is not a size.`)
    }
    faults.push(
      service.stop_grace_period === undefined && 'It has no stop_grace_period.',
      service.restart !== (ends(name) ? 'on-failure' : 'unless-stopped') &&
        'It is not started again.',
      !(logging?.options['max-size'] && logging.options['max-file']) && 'Its log is not rotated.',
      !service.read_only && 'Its files are not read-only.',
      !service.cap_drop.includes('ALL') && 'It keeps capabilities.',
      !service.security_opt.includes('no-new-privileges:true') && 'It may gain privileges.',
    )
    for (const port of service.ports) {
      faults.push(!isLoopback(port) && `The port ${port} is open to all interfaces.`)
    }
    for (const [key, value] of Object.entries(environment)) {
      const hasPassword = (URL.parse(value)?.password ?? '') !== ''
      const isSecret = /(PASSWORD|SECRET|SECRETS|TOKEN|_KEY)$/.test(key)
      faults.push((hasPassword || (isSecret && value !== '')) && `${key} holds a secret.`)
    }
    faults.push(...settingFaults(name, service, around))
    if (build !== undefined) {
      for (const key of Object.keys(environment)) {
        const setting = key.replace(/_FILE$/, '')
        faults.push(!around.settings.has(setting) && `${setting} is not a setting.`)
      }
      const programs = [command ?? []].flat().filter((each) => /^dist\//.test(each))
      for (const each of programs) {
        faults.push(!around.programs.has(each) && `${each} is not in the image.`)
      }
    }
    return faults.flatMap((fault) => (fault === false ? [] : [`${name}: ${fault}`]))
  })
}

/** `127.0.0.1:8787:80/tcp`, or with an IPv6 address in brackets. */
function isLoopback(port: string): boolean {
  const host = /^(?:\[([^\]]+)\]|([\d.]+)):\d+:\d+/.exec(port)
  const address = host?.[1] ?? host?.[2] ?? ''
  return isIP(address) !== 0 && (address === '::1' || address.startsWith('127.'))
}
