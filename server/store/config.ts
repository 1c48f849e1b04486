import { parseTestHosts, type TestHosts } from '../audit/probe/fetch/test-hosts.ts'
import { readStopTimes, type StopTimes } from '../listener.ts'
import { namedFaults } from './faults/hosts.ts'

/** Which PSP takes the payments; `test` is our own, which makes no real charges. */
export type PspConfig =
  | { psp: 'stripe'; secretKey: string; webhookSecrets: string[] }
  | { psp: 'razorpay'; keyId: string; keySecret: string; webhookSecrets: string[] }
  | { psp: 'test' }

export interface StoreConfig {
  port: number
  host: string
  /** Undefined: the private Postgres under `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  faults: string[]
  /** Hosts speak official UCP. */
  official: boolean
  snippetUrl: string | undefined
  payments: PspConfig
  /** The hosts that the store answers for, such as `*.example`; undefined: any. */
  hosts: readonly string[] | undefined
  /** The key to the merchant's own routes. */
  adminKey: string | undefined
  /** The hosted API that checkouts are reported to. */
  reporting: { url: string; key: string } | undefined
  testHosts: TestHosts
  stopTimes: StopTimes
}

type Env = Record<string, string | undefined>

/** Reads the store's settings from the environment. An empty variable counts as unset. */
export function readStoreConfig(env: Env): StoreConfig {
  const read = (name: string) => env[name]?.trim() || undefined
  const faults = listOf(read('STORE_FAULTS'))
  namedFaults(faults)
  return {
    port: readPort(read('STORE_PORT') ?? '8788'),
    host: read('HOST') ?? '127.0.0.1',
    databaseUrl: readDatabaseUrl(read('DATABASE_URL')),
    dataDir: read('DATA_DIR') ?? './data',
    faults,
    official: readProfile(read('STORE_PROFILE') ?? '1.0'),
    snippetUrl: read('STORE_SNIPPET_URL'),
    payments: readPayments(read),
    hosts: readHosts(listOf(read('STORE_HOSTS')), read('NODE_ENV')),
    adminKey: read('STORE_ADMIN_KEY'),
    reporting: readReporting(read),
    testHosts: parseTestHosts(read('TEST_HOSTS'), read('NODE_ENV')),
    stopTimes: readStopTimes(read),
  }
}

/**
 * Orders, receipts and webhooks contain the requested host, so it must be one of the store's own.
 */
function readHosts(hosts: string[], nodeEnv: string | undefined): StoreConfig['hosts'] {
  const wrong = hosts.find((host) => !HOST.test(host))
  if (wrong !== undefined) {
    throw new Error(
      `STORE_HOSTS: "${wrong}" is not a host name such as shop.example or *.shop.example.`,
    )
  }
  if (hosts.length > 0) return hosts.map((host) => host.toLowerCase())
  if (nodeEnv !== 'production') return undefined
  throw new Error(
    'STORE_HOSTS is not set. Set it to the host names of the store, such as shop.example.',
  )
}

const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/i

function readReporting(read: (name: string) => string | undefined): StoreConfig['reporting'] {
  const [url, key] = [read('AISLE_URL'), read('AISLE_KEY')]
  if (url && key) return { url, key }
  if (!url && !key) return undefined
  throw new Error(`${url ? 'AISLE_KEY' : 'AISLE_URL'} is not set. Set both, or neither.`)
}

const listOf = (text = ''): string[] => text.split(',').flatMap((part) => part.trim() || [])

function readPayments(read: (name: string) => string | undefined): PspConfig {
  const secretKey = read('STRIPE_SECRET_KEY')
  const keyId = read('RAZORPAY_KEY_ID')
  if (secretKey && keyId) {
    throw new Error(
      'STRIPE_SECRET_KEY and RAZORPAY_KEY_ID are both set. A store has one PSP: unset one of them.',
    )
  }
  if (secretKey) {
    return { psp: 'stripe', secretKey, webhookSecrets: listOf(read('STRIPE_WEBHOOK_SECRETS')) }
  }
  if (keyId) {
    const webhookSecrets = listOf(read('RAZORPAY_WEBHOOK_SECRETS'))
    return { psp: 'razorpay', keyId, keySecret: read('RAZORPAY_KEY_SECRET') ?? '', webhookSecrets }
  }
  if (read('NODE_ENV') !== 'production') return { psp: 'test' }
  throw new Error(
    'There is no PSP. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRETS, or RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRETS; the test PSP is not for production.',
  )
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new Error(`STORE_PORT is "${text}". Set it to a number from 0 to 65535.`)
}

function readProfile(text: string): boolean {
  if (text === 'ucp' || text === '1.0') return text === 'ucp'
  throw new Error(`STORE_PROFILE is "${text}". Set it to 1.0 or ucp.`)
}

/** The address may hold a password, so the message does not repeat it. */
function readDatabaseUrl(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text)
  if (text === undefined || (url && /^postgres(ql)?:$/.test(url.protocol))) return text
  throw new Error(
    'DATABASE_URL is not a Postgres URL (postgres://user:password@host:5432/database).',
  )
}
