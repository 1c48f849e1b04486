import * as z from 'zod'
import { isLoopback } from '../shared/web/address/loopback.ts'
import { parseTestHosts, type TestHosts } from './audit/probe/fetch/test-hosts.ts'
import { readOwnSecretsKey } from './db/sealing/secrets-key.ts'
import { parseTrustProxy, type TrustedProxies } from './http/client-address.ts'
import type { LoggedRequests } from './http/request.ts'
import { type MetricsSettings, readMetricsSettings } from './metrics/settings.ts'
import {
  readDatabaseConnections,
  readDatabaseUrl,
  readMigrate,
  readNodeEnv,
  readPort,
  type Settings,
  settingsOf,
} from './process/settings.ts'
import { readStopTimes, type StopTimes } from './process/stop-times.ts'
import type { MailSettings } from './watch/channels/mail/smtp.ts'

/** What visitors without a key read. */
export interface OperatorHelp {
  /** In the operator's words. */
  text: string | null
  email: string | null
}

/** The gravest first: a level includes those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

export interface Config {
  port: number
  host: string
  /** Without a trailing slash. */
  baseUrl: string
  /** The same if BASE_URL is set; null: there is no public address to link to. */
  publicUrl: string | null
  /** Undefined: the private Postgres under `dataDir`. */
  databaseUrl: string | undefined
  /** The maximum of connections to it from this process. */
  databaseConnections: number
  dataDir: string
  /** What secrets in the database are sealed with; null: the key of a file in `dataDir`. */
  secretsKey: Buffer | null
  /** Whether starting migrates the database; otherwise it waits until someone has. */
  migrate: boolean
  testHosts: TestHosts
  /**
   * Whether shops on this machine may be audited: the service listens on loopback, and its address
   * says so, so that who asks is on this machine too.
   */
  localShops: boolean
  /** Proxies whose X-Forwarded-For header is trusted; none by default. */
  trustedProxies: TrustedProxies
  help: OperatorHelp
  /** How many whole months of events are kept in addition to the current one. */
  retentionMonths: number
  /** How many sessions of one property are stored per second, by each replica. */
  sessionsPerSecond: number
  /** How many days every audit is kept; the newest of a domain stays. */
  auditRetentionDays: number
  metrics: MetricsSettings
  /** Which requests have a line in the log. */
  loggedRequests: LoggedRequests
  stopTimes: StopTimes
  /** BROWSER, as `findBrowser` reads it. */
  browser: string | undefined
  /** The mail server; null: the service sends no mail. */
  mail: MailSettings | null
}

const Days = z.coerce.number().int().min(1).max(36_500)
const Share = z.coerce.number().min(0).max(1)
const PerSecond = z.coerce.number().int().min(1).max(100_000)
const Months = z.coerce.number().int().min(2).max(1200)

/**
 * Reads the service's settings from the environment, and from the files that it names for secrets.
 * An empty variable counts as unset.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const settings = settingsOf(env)
  const { read } = settings
  const host = read('HOST') ?? '127.0.0.1'
  const port = readPort(settings, 'PORT') ?? 8787
  const named = read('BASE_URL')
  const publicUrl = named === undefined ? null : readBaseUrl(named)
  return {
    host,
    port,
    baseUrl: publicUrl ?? urlAt(host, port),
    publicUrl,
    databaseUrl: readDatabaseUrl(settings),
    databaseConnections: readDatabaseConnections(settings),
    dataDir: read('DATA_DIR') ?? './data',
    secretsKey: readOwnSecretsKey(settings),
    migrate: readMigrate(settings),
    testHosts: readTestHosts(settings),
    localShops: isLoopback(urlAt(host, port)) && isLoopback(publicUrl ?? urlAt(host, port)),
    trustedProxies: parseTrustProxy(read('TRUST_PROXY')),
    help: { text: read('HELP_TEXT') ?? null, email: readEmail(read('HELP_EMAIL')) },
    retentionMonths: readRetention(read('RETENTION_MONTHS')),
    sessionsPerSecond: readSessionsPerSecond(read('SESSIONS_PER_SECOND')),
    auditRetentionDays: readAuditRetention(read('AUDIT_RETENTION_DAYS')),
    metrics: readMetricsSettings(settings, 'METRICS_PORT', { name: 'PORT', host, port }),
    loggedRequests: readLoggedRequests(read('LOG_REQUESTS')),
    stopTimes: readStopTimes(read),
    browser: read('BROWSER'),
    mail: readMail(settings),
  }
}

/** Reads LOG_LEVEL from the environment. It is needed first, to report other errors. */
export function readLogLevel(env: Record<string, string | undefined>): LogLevel {
  const text = env.LOG_LEVEL?.trim() || 'info'
  const level = LOG_LEVELS.find((each) => each === text)
  if (level !== undefined) return level
  throw new Error(`LOG_LEVEL is "${text}". Give ${LOG_LEVELS.slice(0, -1).join(', ')} or debug.`)
}

function readLoggedRequests(text = 'all'): LoggedRequests {
  if (text === 'off') return 'off'
  const share = text === 'all' ? 1 : text === 'errors' ? 0 : Share.safeParse(text).data
  if (share !== undefined) return { share }
  throw new Error(
    `LOG_REQUESTS is "${text}". Give all, errors, off, or a share from 0 to 1, such as 0.01 for errors and one in a hundred of the other requests.`,
  )
}

/**
 * NODE_ENV decides nothing else here, and commands run in environments that set it freely: in a
 * pipeline it may be `staging`.
 */
function readTestHosts(settings: Settings): TestHosts {
  const text = settings.read('TEST_HOSTS')
  return text === undefined ? [] : parseTestHosts(text, readNodeEnv(settings))
}

// Unspecified: events are kept for 13 months unless RETENTION_MONTHS says otherwise, so that a
// month can be compared with last year's.
function readRetention(text: string | undefined): number {
  const months = Months.safeParse(text ?? 13)
  if (months.success) return months.data
  throw new Error(`RETENTION_MONTHS is "${text}". Give a number of months from 2 to 1200.`)
}

// Unspecified: each replica stores 300 sessions per second of one property unless
// SESSIONS_PER_SECOND is set, so that one property does not take the capacity of the others.
function readSessionsPerSecond(text: string | undefined): number {
  const sessions = PerSecond.safeParse(text ?? 300)
  if (sessions.success) return sessions.data
  throw new Error(
    `SESSIONS_PER_SECOND is "${text}". Give a number of sessions per second and property, from 1 to 100000.`,
  )
}

// Unspecified: every audit is kept for 90 days unless AUDIT_RETENTION_DAYS says otherwise; the
// newest of a domain for each set of checks stays.
function readAuditRetention(text: string | undefined): number {
  const days = Days.safeParse(text ?? 90)
  if (days.success) return days.data
  throw new Error(`AUDIT_RETENTION_DAYS is "${text}". Give a number of days from 1 to 36500.`)
}

function readEmail(text: string | undefined): string | null {
  if (text === undefined || /^[^\s@:?&]+@[^\s@:?&]+$/.test(text)) return text ?? null
  throw new Error(`HELP_EMAIL is "${text}". Give an address such as help@aisle.example.`)
}

/** The address of this service if BASE_URL is not set. */
function urlAt(host: string, port: number): string {
  const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  if (url !== null && url.pathname === '/') return url.origin
  throw new Error(
    `HOST is "${host}". Give the address to listen on, such as 127.0.0.1, or 0.0.0.0 for all of this machine's.`,
  )
}

function readBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username) {
    return url.href.replace(/\/+$/, '')
  }
  throw new Error(`BASE_URL is "${text}". Give a URL such as https://aisle.example.`)
}

/** Without SMTP_URL, no mail is sent. It holds a password, so no message repeats it. */
function readMail({ read, secret }: Settings): MailSettings | null {
  const smtpUrl = secret('SMTP_URL')
  const from = read('MAIL_FROM')
  if (smtpUrl === undefined && from === undefined) return null
  if (smtpUrl === undefined || from === undefined) {
    const [set, missing] =
      from === undefined ? ['SMTP_URL', 'MAIL_FROM'] : ['MAIL_FROM', 'SMTP_URL']
    throw new Error(`${set} is set, but ${missing} is not. Mail needs both.`)
  }
  if (!isSmtpUrl(smtpUrl)) {
    throw new Error(
      'SMTP_URL is not the URL of a mail server, such as smtps://user:password@mail.example:465 or smtp://mail.example:587. Write other characters than letters and digits in the password as %XX.',
    )
  }
  const [, name = '', address = from] = /^([^<>]*)<([^<>]*)>$/.exec(from) ?? []
  const sender = readMailbox(address.trim())
  if (sender !== null && /^[^\p{Cc}"]*$/u.test(name)) {
    return { smtpUrl, from: { name: name.trim(), address: sender } }
  }
  throw new Error(
    `MAIL_FROM is "${from}". Give an address such as alerts@aisle.example, or Aisle <alerts@aisle.example>.`,
  )
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return false
  try {
    return decodeURIComponent(url.username + url.password) !== undefined
  } catch {
    return false
  }
}

const readMailbox = (text: string): string | null =>
  /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text) ? text : null
