import { readCommaList } from '../../shared/web/text/comma-list.ts'
import { parseTestHosts, type TestHosts } from '../audit/probe/fetch/test-hosts.ts'
import { readOwnSecretsKey } from '../db/sealing/secrets-key.ts'
import { parseTrustProxy, type TrustedProxies } from '../http/client-address.ts'
import { type MetricsSettings, readMetricsSettings } from '../metrics/settings.ts'
import {
  readBearer,
  readDatabaseConnections,
  readDatabaseUrl,
  readMigrate,
  readNodeEnv,
  readPort,
  type Settings,
  settingsOf,
} from '../process/settings.ts'
import { readStopTimes, type StopTimes } from '../process/stop-times.ts'
import { type AcpSettings, type Acquirer, TEST_ACP } from './dialects/acp/settings.ts'
import { namedFaults } from './faults/hosts.ts'
import type { GooglePay } from './psp/acceptance.ts'

/** The PSP that takes the payments; `test` is our own and makes no real charges. */
export type PspConfig =
  | {
      psp: 'stripe'
      secretKey: string
      webhookSecrets: string[]
      /** Stripe's key for browsers; without it the checkout page takes no card. */
      publishableKey?: string
      googlePay?: GooglePay
    }
  | { psp: 'razorpay'; keyId: string; keySecret: string; webhookSecrets: string[] }
  | { psp: 'test' }

/**
 * Whether this PSP takes real money. For Stripe, the secret key decides: it is the one that
 * charges, and always set.
 */
export const takesRealMoney = (payments: PspConfig): boolean =>
  (payments.psp === 'stripe' && payments.secretKey.includes('_live_')) ||
  (payments.psp === 'razorpay' && payments.keyId.startsWith('rzp_live_'))

export interface StoreConfig {
  port: number
  host: string
  /** Undefined: the private Postgres under `dataDir`. */
  databaseUrl: string | undefined
  /** The most connections to it that this process may have; ten unless given. */
  databaseConnections?: number
  dataDir: string
  /** What secrets in the database are sealed with; null: the key of a file in `dataDir`. */
  secretsKey: Buffer | null
  /** Whether the store migrates its database when it starts. */
  migrate: boolean
  faults: string[]
  /** Hosts speak official UCP. */
  official: boolean
  snippetUrl: string | undefined
  payments: PspConfig
  /** The agreement with agents of official ACP. */
  acp: AcpSettings
  /** Platforms of official UCP need no signature: for development. */
  trustsProfiles: boolean
  /** The hosts that the store answers for, such as `*.example`; undefined: any. */
  hosts: readonly string[] | undefined
  /** The proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: TrustedProxies
  /** The key to the merchant's own routes. */
  adminKey: string | undefined
  /** The hosted API that checkouts are reported to. */
  reporting: { url: string; key: string } | undefined
  testHosts: TestHosts
  metrics: MetricsSettings
  stopTimes: StopTimes
}

type Env = Record<string, string | undefined>

/**
 * Reads the store's settings from the environment, and from the files that it names for secrets. An
 * empty variable counts as unset.
 */
export function readStoreConfig(env: Env): StoreConfig {
  const settings = settingsOf(env)
  const { read } = settings
  const faults = readCommaList(read('STORE_FAULTS') ?? '')
  namedFaults(faults)
  const nodeEnv = readNodeEnv(settings)
  const host = read('HOST') ?? '127.0.0.1'
  const port = readPort(settings, 'STORE_PORT') ?? 8788
  const payments = readPayments(settings, nodeEnv)
  return {
    port,
    host,
    databaseUrl: readDatabaseUrl(settings),
    databaseConnections: readDatabaseConnections(settings),
    dataDir: read('DATA_DIR') ?? './data',
    secretsKey: readOwnSecretsKey(settings),
    migrate: readMigrate(settings),
    faults,
    official: readProfile(read('STORE_PROFILE') ?? '1.0'),
    snippetUrl: readSnippetUrl(read('STORE_SNIPPET_URL')),
    payments,
    acp: readAcp(settings, payments),
    trustsProfiles: readTrust(read('STORE_TRUST_PROFILES'), nodeEnv),
    hosts: readHosts(readCommaList(read('STORE_HOSTS') ?? ''), nodeEnv),
    trustedProxies: parseTrustProxy(read('TRUST_PROXY')),
    adminKey: readBearer(settings, 'STORE_ADMIN_KEY'),
    reporting: readReporting(settings),
    testHosts: parseTestHosts(read('TEST_HOSTS'), nodeEnv),
    metrics: readMetricsSettings(settings, 'STORE_METRICS_PORT', {
      name: 'STORE_PORT',
      host,
      port,
    }),
    stopTimes: readStopTimes(read),
  }
}

/**
 * Orders, receipts and webhooks contain the requested host, so it must be one of the store's own.
 */
function readHosts(hosts: string[], nodeEnv: string | undefined): StoreConfig['hosts'] {
  const wrong = hosts.find((host) => !isHost(host))
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

const HOST = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(\d{1,5}))?$/i

/** A name, or all those below it, with its port unless that is the scheme's default. */
function isHost(text: string): boolean {
  const match = HOST.exec(text)
  return match !== null && Number(match[1] ?? 443) <= 65_535
}

/** Every page of the store uses it as the address of a script. */
function readSnippetUrl(text: string | undefined): string | undefined {
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new Error(
    `STORE_SNIPPET_URL is "${text}". Give the address of a script, such as https://aisle.example/attribution.js.`,
  )
}

function readReporting({ read, secret }: Settings): StoreConfig['reporting'] {
  const [url, key] = [read('AISLE_URL'), secret('AISLE_KEY')]
  if (url && key) return { url, key }
  if (!url && !key) return undefined
  const [given, missing] = url ? ['AISLE_URL', 'AISLE_KEY'] : ['AISLE_KEY', 'AISLE_URL']
  throw new Error(`${given} is set and ${missing} is not. Set both to report orders, or neither.`)
}

const GOOGLE_PAY = ['MERCHANT_ID', 'MERCHANT_NAME', 'GATEWAY_MERCHANT_ID'] as const

/** All of it, or none: with a part the store would offer a payment that cannot work. */
function readGooglePay(read: Settings['read']): GooglePay | undefined {
  const [merchantId, merchantName, gatewayMerchantId] = GOOGLE_PAY.map((name) =>
    read(`GOOGLE_PAY_${name}`),
  )
  if (!merchantId && !merchantName && !gatewayMerchantId) return undefined
  if (!merchantId || !merchantName || !gatewayMerchantId) {
    throw new Error(
      `Google Pay needs all of ${GOOGLE_PAY.map((name) => `GOOGLE_PAY_${name}`).join(', ')}. Set the missing ones, or none.`,
    )
  }
  const environment = read('GOOGLE_PAY_ENVIRONMENT') ?? 'TEST'
  if (environment !== 'TEST' && environment !== 'PRODUCTION') {
    throw new Error('GOOGLE_PAY_ENVIRONMENT has to be TEST or PRODUCTION.')
  }
  return { environment, merchantId, merchantName, gateway: 'stripe', gatewayMerchantId }
}

function readPayments(settings: Settings, nodeEnv: string | undefined): PspConfig {
  const { read, secret } = settings
  const secretKey = secret('STRIPE_SECRET_KEY')
  const keyId = read('RAZORPAY_KEY_ID')
  if (secretKey && keyId) {
    throw new Error(
      'STRIPE_SECRET_KEY and RAZORPAY_KEY_ID are both set. A store has one PSP: unset one of them.',
    )
  }
  refuseStray(settings, secretKey, 'STRIPE_SECRET_KEY', OF_STRIPE)
  refuseStray(settings, keyId, 'RAZORPAY_KEY_ID', OF_RAZORPAY)
  if (secretKey) {
    const mode = stripeModeOf(secretKey)
    const publishableKey = readPublishableKey(read('STRIPE_PUBLISHABLE_KEY'), mode)
    const googlePay = readGooglePay(read)
    return {
      psp: 'stripe',
      secretKey,
      webhookSecrets: readStripeWebhooks(secret('STRIPE_WEBHOOK_SECRETS')),
      ...(publishableKey && { publishableKey }),
      ...(googlePay && { googlePay }),
    }
  }
  if (keyId) {
    if (!/^rzp_(test|live)_\w+$/.test(keyId)) {
      throw new Error('RAZORPAY_KEY_ID must begin with "rzp_live_" or "rzp_test_".')
    }
    const webhookSecrets = readCommaList(secret('RAZORPAY_WEBHOOK_SECRETS') ?? '')
    return {
      psp: 'razorpay',
      keyId,
      keySecret: secret('RAZORPAY_KEY_SECRET') ?? '',
      webhookSecrets,
    }
  }
  if (nodeEnv !== 'production') return { psp: 'test' }
  throw new Error(
    'There is no PSP. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRETS, or RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRETS; the test PSP is not for production.',
  )
}

const OF_STRIPE = [
  'STRIPE_WEBHOOK_SECRETS',
  'STRIPE_PUBLISHABLE_KEY',
  ...GOOGLE_PAY.map((name) => `GOOGLE_PAY_${name}`),
  'GOOGLE_PAY_ENVIRONMENT',
]
const OF_RAZORPAY = ['RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRETS']

/** If they were ignored, the merchant would believe that this PSP takes the money. */
function refuseStray(
  { read }: Settings,
  key: string | undefined,
  keyName: string,
  names: readonly string[],
): void {
  const strays = names.filter((name) => read(name) ?? read(`${name}_FILE`))
  if (key !== undefined || strays.length === 0) return
  const [verb, them] = strays.length === 1 ? ['is', 'it'] : ['are', 'them']
  throw new Error(
    `${strays.join(', ')} ${verb} set, but ${keyName} is not. Set that as well, or unset ${them}.`,
  )
}

type StripeMode = 'live' | 'test'

/** Whether a secret or restricted key charges real money. The message does not repeat it. */
function stripeModeOf(secretKey: string): StripeMode {
  const mode = /^[sr]k_(live|test)_\w+$/.exec(secretKey)?.[1]
  if (mode === 'live' || mode === 'test') return mode
  throw new Error(
    'STRIPE_SECRET_KEY must begin with "sk_live_", "rk_live_", "sk_test_" or "rk_test_".',
  )
}

/** A missing key is refused where the PSP is made. The message repeats none. */
function readStripeWebhooks(text = ''): string[] {
  const secrets = readCommaList(text)
  if (secrets.every((each) => each.startsWith('whsec_'))) return secrets
  throw new Error(
    'STRIPE_WEBHOOK_SECRETS must each begin with "whsec_": copy the signing secret of the webhook endpoint.',
  )
}

/**
 * It is public, so it must not be the secret key by mistake. One of the other mode would make
 * payment methods in the browser that the secret key cannot charge.
 */
function readPublishableKey(key: string | undefined, mode: StripeMode): string | undefined {
  if (key === undefined || (/^pk_\w+$/.test(key) && key.startsWith(`pk_${mode}_`))) return key
  throw new Error(
    `STRIPE_PUBLISHABLE_KEY must begin with "pk_${mode}_", as STRIPE_SECRET_KEY is of the ${mode} mode: every buyer sees it.`,
  )
}

/** Otherwise anyone who names a profile could read the orders of its buyers. */
function readTrust(text: string | undefined, nodeEnv: string | undefined): boolean {
  if (text !== undefined && text !== 'true' && text !== 'false') {
    throw new Error('STORE_TRUST_PROFILES has to be true or false.')
  }
  if (text === 'true' && nodeEnv === 'production') {
    throw new Error('STORE_TRUST_PROFILES is for development. Unset it: platforms sign instead.')
  }
  return text === 'true'
}

/** By default, the store with the test PSP has the test PSP's merchant and acquirer. */
function readAcp(settings: Settings, { psp }: PspConfig): AcpSettings {
  const { read } = settings
  const { merchantId, acquirer } = psp === 'test' ? TEST_ACP : { merchantId: null, acquirer: null }
  return {
    keys: readKeys(settings, 'STORE_ACP_KEYS') ?? null,
    signingKeys: readKeys(settings, 'STORE_ACP_SIGNING_KEYS') ?? [],
    merchantId: read('STORE_ACP_MERCHANT_ID') ?? merchantId,
    acquirer: readAcquirer(read('STORE_ACP_ACQUIRER')) ?? acquirer,
  }
}

/** Undefined if unset. A value of only commas would open what the keys should close. */
function readKeys({ secret }: Settings, name: string): string[] | undefined {
  const text = secret(name)
  if (text === undefined) return undefined
  const keys = readCommaList(text)
  if (keys.length > 0) return keys
  throw new Error(
    `${name} has commas, but no key. Write the keys with commas between them, or unset it.`,
  )
}

function readAcquirer(text: string | undefined): Acquirer | null {
  if (text === undefined) return null
  const match = /^(\d{6,11}),([A-Z]{2}),([\w.-]{1,35})$/.exec(text.replaceAll(' ', ''))
  if (match) {
    const [, bin = '', country = '', merchantId = ''] = match
    return { bin, country, merchantId }
  }
  throw new Error(
    `STORE_ACP_ACQUIRER is "${text}". Set it to the BIN, the country and your merchant id of your acquirer, such as 400000,US,shop-1.`,
  )
}

function readProfile(text: string): boolean {
  if (text === 'ucp' || text === '1.0') return text === 'ucp'
  throw new Error(`STORE_PROFILE is "${text}". Set it to 1.0 or ucp.`)
}
