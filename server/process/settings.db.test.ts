import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { connect } from '../db/connect.ts'
import { testOnOnePostgres } from '../db/testing/locks.ts'
import { readStoreConfig } from '../store/config.ts'
import { testDatabase } from '../testing/app.ts'
import { settingsOf } from './settings.ts'

const folder = await mkdtemp(join(tmpdir(), 'aisle-settings-'))
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function fileWith(content: string): Promise<string> {
  files += 1
  const path = join(folder, `secret-${files}`)
  await writeFile(path, content)
  return path
}

test.each([
  ['hush', 'hush'],
  ['hush\n', 'hush'],
  ['hush\n\n', 'hush'],
  [' hu sh \n', ' hu sh '],
])('the content %j of a file is the secret %j', async (content, secret) => {
  const { exactSecret } = settingsOf({ TOKEN_FILE: await fileWith(content) })
  expect(exactSecret('TOKEN')).toBe(secret)
})

test('an empty variable counts as unset, and so does an empty name of a file', async () => {
  expect(settingsOf({ TOKEN: '', TOKEN_FILE: '' }).secret('TOKEN')).toBeUndefined()
  expect(settingsOf({ TOKEN: ' ' }).secret('TOKEN')).toBeUndefined()
  expect(settingsOf({ TOKEN: 'hush', TOKEN_FILE: '' }).secret('TOKEN')).toBe('hush')
  const TOKEN_FILE = await fileWith(' hush \n')
  expect(settingsOf({ TOKEN: '', TOKEN_FILE }).secret('TOKEN')).toBe('hush')
})

test.each([
  ['a missing file', async () => join(folder, 'nothing'), 'cannot be read (ENOENT)'],
  ['a folder', async () => folder, 'cannot be read (EISDIR)'],
  ['an empty file', () => fileWith('\n'), 'is empty'],
  ['a file of spaces', () => fileWith(' \n \n'), 'is empty'],
])('%s is named, with what to do', async (_, path, says) => {
  const TOKEN_FILE = await path()
  expect(() => settingsOf({ TOKEN_FILE }).secret('TOKEN')).toThrow(`TOKEN_FILE is ${TOKEN_FILE},`)
  expect(() => settingsOf({ TOKEN_FILE }).secret('TOKEN')).toThrow(says)
})

test('a secret is given once', async () => {
  const TOKEN_FILE = await fileWith('hush')
  expect(() => settingsOf({ TOKEN: 'hush', TOKEN_FILE }).secret('TOKEN')).toThrow(
    'TOKEN and TOKEN_FILE are both set.',
  )
})

const SECRETS = {
  DATABASE_URL: 'postgres://aisle@db/aisle',
  DATABASE_PASSWORD: 'hush-database',
  STORE_ADMIN_KEY: 'hush-admin-of-the-store',
  STORE_ACP_KEYS: 'hush-agent',
  STORE_ACP_SIGNING_KEYS: 'hush-signing',
  AISLE_KEY: 'hush-key',
  STRIPE_SECRET_KEY: 'sk_test_hush',
  STRIPE_WEBHOOK_SECRETS: 'whsec_hush1,whsec_hush2',
}
const RAZORPAY = {
  RAZORPAY_KEY_SECRET: 'hush-razorpay',
  RAZORPAY_WEBHOOK_SECRETS: 'hush-3',
}

async function asFiles(secrets: Record<string, string>): Promise<Record<string, string>> {
  const named = Object.entries(secrets).map(
    async ([name, secret]) => [`${name}_FILE`, await fileWith(`${secret}\n`)] as const,
  )
  return Object.fromEntries(await Promise.all(named))
}

test.each([
  { secrets: SECRETS, rest: { AISLE_URL: 'https://aisle.example' } },
  { secrets: RAZORPAY, rest: { RAZORPAY_KEY_ID: 'rzp_test_1' } },
])('the store takes each secret from a file: $secrets', async ({ secrets, rest }) => {
  const config = readStoreConfig({ ...rest, ...(await asFiles(secrets)) })
  expect(config).toEqual(readStoreConfig({ ...rest, ...secrets }))
  expect(JSON.stringify(config).match(/hush/g)).toHaveLength(
    Object.values(secrets).join().match(/hush/g)!.length,
  )
})

test('the service takes the address of the database and its password from files', async () => {
  const { DATABASE_URL, DATABASE_PASSWORD } = SECRETS
  const env = await asFiles({ DATABASE_URL, DATABASE_PASSWORD })
  expect(readConfig(env).databaseUrl).toBe('postgres://aisle:hush-database@db/aisle')
})

test.each([
  {
    env: { DATABASE_PASSWORD: 'hush' },
    says: 'DATABASE_PASSWORD is set, but DATABASE_URL is not.',
  },
  {
    env: { DATABASE_URL: 'postgres://aisle:hush@db/aisle', DATABASE_PASSWORD: 'hush' },
    says: 'DATABASE_URL has a password too',
  },
  {
    env: { DATABASE_URL: 'postgres://db/aisle', DATABASE_PASSWORD: 'hush' },
    says: 'DATABASE_URL names no user',
  },
  {
    env: { DATABASE_URL: 'postgres://aisle:hush#1@db/aisle' },
    says: 'set it as DATABASE_PASSWORD instead',
  },
  {
    env: { DATABASE_URL: 'postgres://aisle:hush%zz@db/aisle' },
    says: 'set it as DATABASE_PASSWORD instead',
  },
])('$env is refused by the service and the store', ({ env, says }) => {
  for (const read of [readConfig, readStoreConfig]) {
    expect(() => read(env)).toThrow(says)
    expect(() => read(env)).not.toThrow('hush')
  }
})

const PASSWORDS = [
  'aB3/xY+z=',
  'p#q',
  'p%zz',
  'p%41',
  '%',
  ' a b ',
  'a:b@c?d&e',
  'it\'s "quoted" \\ $HOME `id`',
  'Ünï-ß-密-🔑',
]

testOnOnePostgres('any password opens the database', async () => {
  const { sql, url } = await testDatabase()
  const role = `any_password_${Date.now()}`
  await sql.unsafe(`create role ${role} login`)
  const own = new URL(url)
  own.username = role
  own.password = ''
  const as = (DATABASE_PASSWORD: string) =>
    readConfig({ DATABASE_URL: own.href, DATABASE_PASSWORD }).databaseUrl
  const open = async (databaseUrl: string | undefined) => {
    const opened = await connect({ databaseUrl, dataDir: '', migrations: null })
    try {
      const [row] = await opened.sql<{ role: string }[]>`select current_user as role`
      return row?.role
    } finally {
      await opened.close()
    }
  }
  try {
    for (const password of PASSWORDS) {
      const quoted = `'${password.replaceAll("'", "''")}'`
      await sql.unsafe(`alter role ${role} password ${quoted}`)
      expect(await open(as(password)), password).toBe(role)
    }
    await expect(open(as('another'))).rejects.toThrow('password authentication failed')
  } finally {
    await sql.unsafe(`drop role ${role}`)
  }
})
