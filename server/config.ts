import * as z from 'zod'
import { parseTestHosts, type TestHosts } from './probe/test-hosts.ts'

export interface Config {
  port: number
  host: string
  /** Without a slash at the end. */
  baseUrl: string
  /** Undefined: the private Postgres under `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  testHosts: TestHosts
}

const Port = z.coerce.number().int().min(0).max(65_535)

/** Reads the service's settings from the environment. An empty variable counts as unset. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const read = (name: string) => env[name]?.trim() || undefined
  const host = read('HOST') ?? '127.0.0.1'
  const port = readPort(read('PORT'))
  return {
    host,
    port,
    baseUrl: readBaseUrl(
      read('BASE_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ),
    databaseUrl: readDatabaseUrl(read('DATABASE_URL')),
    dataDir: read('DATA_DIR') ?? './data',
    testHosts: parseTestHosts(read('TEST_HOSTS'), read('NODE_ENV')),
  }
}

function readPort(text: string | undefined): number {
  const port = Port.safeParse(text ?? 8787)
  if (port.success) return port.data
  throw new Error(`PORT is "${text}". Give a number from 0 to 65535.`)
}

function readBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) {
    return url.href.replace(/\/+$/, '')
  }
  throw new Error(`BASE_URL is "${text}". Give an address such as https://aisle.example.`)
}

/** The address may hold a password, so the message does not repeat it. */
function readDatabaseUrl(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text)
  if (text === undefined || (url && /^postgres(ql)?:$/.test(url.protocol))) return text
  throw new Error('DATABASE_URL is no address such as postgres://user:password@host:5432/database.')
}
