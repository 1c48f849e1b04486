import { expect, test } from 'vitest'
import { readConfig, readLogLevel } from './config.ts'
import { parseTrustProxy } from './http/client-address.ts'

test('without settings it is a private service on loopback', () => {
  expect(readConfig({ PORT: '', UNKNOWN: 'x' })).toEqual({
    port: 8787,
    host: '127.0.0.1',
    baseUrl: 'http://127.0.0.1:8787',
    databaseUrl: undefined,
    databaseConnections: 10,
    dataDir: './data',
    secretsKey: null,
    migrate: true,
    publicUrl: null,
    testHosts: [],
    localShops: true,
    trustedProxies: [],
    retentionMonths: 13,
    sessionsPerSecond: 300,
    auditRetentionDays: 90,
    mail: null,
    metrics: { token: undefined, port: undefined, host: '127.0.0.1' },
    help: { text: null, email: null },
    loggedRequests: { share: 1 },
    stopTimes: { delayMs: 3000, graceMs: 9000 },
  })
})

test('behind a public address it audits no shop on its own machine', () => {
  expect(readConfig({ BASE_URL: 'https://aisle.example' }).localShops).toBe(false)
  expect(readConfig({ BASE_URL: 'http://localhost:8787' }).localShops).toBe(true)
  expect(readConfig({ HOST: '0.0.0.0', BASE_URL: 'http://localhost:8787' }).localShops).toBe(false)
})

test('every setting is read', () => {
  expect(
    readConfig({
      PORT: '80',
      HOST: '::',
      DATABASE_URL: 'postgresql://u:p@db:5432/aisle',
      DATABASE_CONNECTIONS: '25',
      DATA_DIR: '/var/aisle',
      SECRETS_KEY: 'ab'.repeat(32),
      MIGRATE: 'false',
      TEST_HOSTS: '*.example=http://127.0.0.1:8788',
      TRUST_PROXY: '10.1.2.3',
      RETENTION_MONTHS: '25',
      SESSIONS_PER_SECOND: '1200',
      AUDIT_RETENTION_DAYS: '30',
      METRICS_TOKEN: 'a-token-of-the-operator',
      METRICS_PORT: '9464',
      METRICS_HOST: '0.0.0.0',
      HELP_TEXT: 'Ask the shop team.',
      HELP_EMAIL: 'help@aisle.example',
      LOG_REQUESTS: '0.01',
      STOP_DELAY: '0',
      STOP_GRACE: '28.5',
      SMTP_URL: 'smtps://aisle:s%20ecret@mail.example:465',
      MAIL_FROM: 'Aisle <alerts@aisle.example>',
    }),
  ).toEqual({
    port: 80,
    host: '::',
    baseUrl: 'http://[::]',
    databaseUrl: 'postgresql://u:p@db:5432/aisle',
    databaseConnections: 25,
    dataDir: '/var/aisle',
    secretsKey: Buffer.alloc(32, 0xab),
    migrate: false,
    publicUrl: null,
    testHosts: [{ pattern: '*.example', origin: 'http://127.0.0.1:8788' }],
    localShops: false,
    trustedProxies: parseTrustProxy('10.1.2.3/32'),
    retentionMonths: 25,
    sessionsPerSecond: 1200,
    auditRetentionDays: 30,
    metrics: { token: 'a-token-of-the-operator', port: 9464, host: '0.0.0.0' },
    help: { text: 'Ask the shop team.', email: 'help@aisle.example' },
    loggedRequests: { share: 0.01 },
    stopTimes: { delayMs: 0, graceMs: 28_500 },
    mail: {
      smtpUrl: 'smtps://aisle:s%20ecret@mail.example:465',
      from: { name: 'Aisle', address: 'alerts@aisle.example' },
    },
  })
  expect(readConfig({ BASE_URL: 'https://aisle.example/x/' }).baseUrl).toBe(
    'https://aisle.example/x',
  )
})

test.each([
  { env: { PORT: '-1' }, says: 'PORT is "-1"' },
  { env: { PORT: '65536' }, says: 'PORT is "65536"' },
  { env: { PORT: '80x' }, says: 'PORT is "80x"' },
  { env: { BASE_URL: 'aisle.example' }, says: 'BASE_URL is "aisle.example"' },
  { env: { BASE_URL: 'ftp://aisle.example' }, says: 'BASE_URL' },
  { env: { DATABASE_URL: 'mysql://u:hush@db/x' }, says: 'postgres://' },
  { env: { DATABASE_CONNECTIONS: '3' }, says: 'DATABASE_CONNECTIONS is "3". Give a number from 4' },
  { env: { DATABASE_CONNECTIONS: '501' }, says: 'DATABASE_CONNECTIONS is "501"' },
  { env: { DATABASE_CONNECTIONS: 'many' }, says: 'DATABASE_CONNECTIONS is "many"' },
  { env: { TEST_HOSTS: 'x.example=http://10.0.0.1' }, says: 'TEST_HOSTS' },
  { env: { RETENTION_MONTHS: '1' }, says: 'RETENTION_MONTHS is "1"' },
  { env: { AUDIT_RETENTION_DAYS: '0' }, says: 'AUDIT_RETENTION_DAYS is "0"' },
  { env: { SESSIONS_PER_SECOND: '0' }, says: 'SESSIONS_PER_SECOND is "0"' },
  { env: { RETENTION_MONTHS: 'all' }, says: 'RETENTION_MONTHS is "all"' },
  { env: { METRICS_TOKEN: 'hush' }, says: 'METRICS_TOKEN is too short' },
  { env: { SECRETS_KEY: 'hush' }, says: 'SECRETS_KEY is not a key of 32 bytes' },
  { env: { METRICS_TOKEN: 'hush hush hush hush' }, says: 'METRICS_TOKEN' },
  { env: { METRICS_PORT: 'x' }, says: 'METRICS_PORT is "x"' },
  { env: { PORT: '8795', METRICS_PORT: '8795' }, says: 'METRICS_PORT and PORT are both 8795.' },
  {
    env: { HOST: '0.0.0.0', METRICS_PORT: '8787', METRICS_HOST: '10.1.2.3' },
    says: 'METRICS_PORT and PORT are both 8787.',
  },
  { env: { HOST: '999.1.1.1' }, says: 'HOST is "999.1.1.1". Give the address to listen on' },
  { env: { HOST: 'a/b' }, says: 'HOST is "a/b"' },
  { env: { LOG_REQUESTS: 'some' }, says: 'LOG_REQUESTS is "some". Give all, errors, off' },
  { env: { LOG_REQUESTS: '2' }, says: 'LOG_REQUESTS is "2"' },
  { env: { STOP_DELAY: '-1' }, says: 'STOP_DELAY is "-1"' },
  { env: { STOP_GRACE: 'long' }, says: 'STOP_GRACE is "long"' },
  { env: { STOP_DELAY: '10', STOP_GRACE: '12' }, says: 'Leave at least 3 seconds between them' },
  {
    env: { SMTP_URL: 'smtp://u:hush@mail.example' },
    says: 'SMTP_URL is set, but MAIL_FROM is not',
  },
  { env: { MAIL_FROM: 'a@b.example' }, says: 'MAIL_FROM is set, but SMTP_URL is not' },
  { env: { SMTP_URL: 'https://u:hush@mail.example', MAIL_FROM: 'a@b.example' }, says: 'SMTP_URL' },
  { env: { SMTP_URL: 'smtp://u:hush%@mail.example', MAIL_FROM: 'a@b.example' }, says: 'SMTP_URL' },
  { env: { SMTP_URL: 'smtp://mail.example/?x=hush', MAIL_FROM: 'a@b.example' }, says: 'SMTP_URL' },
  { env: { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'aisle' }, says: 'MAIL_FROM is "aisle"' },
  {
    env: { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'A <a@b.example>, C <c@d.example>' },
    says: 'MAIL_FROM',
  },
  { env: { TRUST_PROXY: 'true' }, says: 'TRUST_PROXY: "true"' },
  {
    env: { TEST_HOSTS: 'x.example=http://127.0.0.1', NODE_ENV: 'production' },
    says: 'TEST_HOSTS',
  },
  {
    env: { TEST_HOSTS: 'x.example=http://127.0.0.1', NODE_ENV: 'prod' },
    says: 'NODE_ENV is "prod". Set it to production',
  },
])('$env is refused', ({ env, says }) => {
  expect(() => readConfig(env)).toThrow(says)
  expect(() => readConfig(env)).not.toThrow('hush')
})

test('two ports of one number may be of two addresses, or any that are free', () => {
  const apart = { HOST: '10.1.2.3', PORT: '9464', METRICS_PORT: '9464' }
  expect(readConfig(apart)).toMatchObject({ port: 9464, metrics: { port: 9464 } })
  const free = { PORT: '0', METRICS_PORT: '0' }
  expect(readConfig(free)).toMatchObject({ port: 0, metrics: { port: 0 } })
})

test('where no test host is named, any NODE_ENV will do', () => {
  expect(readConfig({ NODE_ENV: 'staging' }).testHosts).toEqual([])
})

test('the level of the log is one of four words', () => {
  expect(readLogLevel({})).toBe('info')
  expect(readLogLevel({ LOG_LEVEL: ' warn ' })).toBe('warn')
  for (const wrong of ['trace', 'INFO', '30']) {
    expect(() => readLogLevel({ LOG_LEVEL: wrong })).toThrow(
      `LOG_LEVEL is "${wrong}". Give error, warn, info or debug.`,
    )
  }
})
