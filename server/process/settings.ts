import { readFileSync } from 'node:fs'
import * as z from 'zod'

type Env = Record<string, string | undefined>

/** Reads settings by name. Surrounding spaces are trimmed; an empty one counts as unset. */
export interface Settings {
  read: (name: string) => string | undefined
  /** Also from the file that the environment names as NAME_FILE. */
  secret: (name: string) => string | undefined
  /** The same untrimmed: passwords may have spaces. */
  exactSecret: (name: string) => string | undefined
}

/**
 * The settings of `env`. Reading an invalid one throws what to do about it, without repeating a
 * secret.
 */
export function settingsOf(env: Env): Settings {
  const read = (name: string) => env[name]?.trim() || undefined
  const exactSecret = (name: string) => {
    const path = read(`${name}_FILE`)
    const value = env[name] || undefined
    if (path === undefined) return value
    if (value === undefined) return readSecretFile(`${name}_FILE`, path)
    throw new Error(`${name} and ${name}_FILE are both set. Unset one of them.`)
  }
  return { read, secret: (name) => exactSecret(name)?.trim() || undefined, exactSecret }
}

/** Without line breaks at the end, like the image of Postgres reads the same file. */
function readSecretFile(name: string, path: string): string {
  const content = contentOf(name, path).replace(/\n+$/, '')
  // Only spaces would count as unset, and so disable the protection.
  if (content.trim() !== '') return content
  throw new Error(`${name} is ${path}, but that file is empty. Write the secret into it.`)
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(
      `${name} is ${path}, but that file cannot be read (${code}). Check that it exists and that this user may read it.`,
      { cause },
    )
  }
}

/** The port in a setting, 0 for any free one; undefined if it is not set. */
export function readPort({ read }: Settings, name: string): number | undefined {
  const text = read(name)
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new Error(`${name} is "${text}". Give a number from 0 to 65535.`)
}

/**
 * A secret that grants access to its bearer: allowed in a header (RFC 6750 §2.1), and hard to
 * guess. The message does not repeat it.
 */
export function readBearer({ secret }: Settings, name: string): string | undefined {
  const text = secret(name)
  if (text === undefined || /^(?=.{16})[\w.~+/-]+=*$/.test(text)) return text
  throw new Error(
    `${name} is too short, or has characters that a header cannot carry. Set it to at least 16 letters and digits: openssl rand -hex 32.`,
  )
}

const NODE_ENVS = ['production', 'development', 'test'] as const

/**
 * NODE_ENV; undefined if it is not set. Any other word is a mistake: `prod` would enable what is
 * for development only.
 */
export function readNodeEnv({ read }: Settings): (typeof NODE_ENVS)[number] | undefined {
  const text = read('NODE_ENV')
  const known = NODE_ENVS.find((each) => each === text)
  if (text === undefined || known !== undefined) return known
  throw new Error(`NODE_ENV is "${text}". Set it to production, development or test, or unset it.`)
}

/** Whether a program may change the tables; it may unless MIGRATE says otherwise. */
export function readMigrate({ read }: Settings): boolean {
  const text = read('MIGRATE') ?? 'true'
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Error(`MIGRATE is "${text}". Set it to true or false.`)
}

const EXAMPLE = 'postgres://user@host:5432/database'

/**
 * DATABASE_URL with the password from DATABASE_PASSWORD, if there is one. Either may hold a
 * password, so no message repeats them.
 */
export function readDatabaseUrl({ secret, exactSecret }: Settings): string | undefined {
  const text = secret('DATABASE_URL')
  const password = exactSecret('DATABASE_PASSWORD')
  if (text === undefined) {
    if (password === undefined) return undefined
    throw new Error(
      `DATABASE_PASSWORD is set, but DATABASE_URL is not. Set DATABASE_URL, such as ${EXAMPLE}.`,
    )
  }
  const url = URL.parse(text)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || !isDecodable(url.password)) {
    throw new Error(
      `DATABASE_URL is not a Postgres URL (${EXAMPLE}). If the password in it has other characters than letters and digits, set it as DATABASE_PASSWORD instead.`,
    )
  }
  if (password === undefined) return text
  if (url.password !== '') {
    throw new Error(
      'DATABASE_PASSWORD is set, and DATABASE_URL has a password too. Remove it from DATABASE_URL.',
    )
  }
  if (url.username === '') {
    throw new Error(
      `DATABASE_PASSWORD is set, but DATABASE_URL names no user. Add it, such as ${EXAMPLE}.`,
    )
  }
  // The URL's setter leaves "%" as it is, so that "%zz" would not be a valid escape.
  url.password = encodeURIComponent(password)
  return url.href
}

// Unspecified: a process has at most ten connections to the database unless DATABASE_CONNECTIONS is
// set. Below four, a migration would leave too few to answer with; above 500, Postgres is slower
// than with fewer.
const Connections = z.coerce.number().int().min(4).max(500)

/** The maximum of connections to the database from this process, of all kinds. */
export function readDatabaseConnections({ read }: Settings): number {
  const text = read('DATABASE_CONNECTIONS')
  const connections = Connections.safeParse(text ?? 10)
  if (connections.success) return connections.data
  throw new Error(`DATABASE_CONNECTIONS is "${text}". Give a number from 4 to 500.`)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
