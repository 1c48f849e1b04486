import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, inject, test } from 'vitest'
import { STOP_TIMES } from '../process/stop-times.ts'
import { sessions } from '../store/db/tables.ts'
import { storeDatabase } from '../store/db/testing/database.ts'
import { serveStore } from '../store/serve.ts'
import { BARE_CONFIG } from '../store/testing/store-config.ts'
import { program } from '../testing/program.ts'

const CLI = await program('cli')
const { db, url } = await storeDatabase()
const store = await serveStore(
  { ...BARE_CONFIG, databaseUrl: url, stopTimes: STOP_TIMES },
  () => {},
)
afterAll(() => store.stop())
const DATA_DIR = await mkdtemp(join(inject('runFolder'), 'closed-'))
const env = {
  ...process.env,
  TEST_HOSTS: `*.example=http://127.0.0.1:${store.port}`,
  DATA_DIR,
  NODE_ENV: '',
  BASE_URL: '',
  PORT: '',
}

const start = (args: readonly string[], stdout: 'pipe' | number) =>
  spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', stdout, 'pipe'] })

async function endOf(child: ChildProcess): Promise<{ code: number | null; err: string }> {
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  await once(child, 'close')
  return { code: child.exitCode, err }
}

test.each([
  ['explain --json', 0],
  ['audit shop.example --checks feed --json', 0],
  ['audit feed-missing.example --checks feed --fail-on low', 1],
])('%s ends without a word and with its own code where nobody reads it', async (line, code) => {
  const child = start(line.split(' '), 'pipe')
  child.stdout?.destroy()
  expect(await endOf(child)).toEqual({ code, err: '' })
})

test.runIf(process.platform === 'linux')('a full disk is one sentence, and code 2', async () => {
  await using full = await open('/dev/full', 'w')
  for (const args of [['explain'], ['audit', 'shop.example', '--checks', 'feed', '--json']]) {
    expect(await endOf(start(args, full.fd))).toEqual({
      code: 2,
      err: 'The output cannot be written: ENOSPC: no space left on device, write.\n',
    })
  }
})

test('a walk whose reader leaves cancels what is open, and ends', async () => {
  const child = start(
    ['walk', 'shop.example', '--yes-open-sessions', '--dialect', 'spec_acp'],
    'pipe',
  )
  if (child.stdout === null) throw new Error('It has no output.')
  const lines = createInterface({ input: child.stdout })
  // Like `head`: the first step of a purchase is printed when its checkout is open.
  let isBuying = false
  for await (const text of lines) {
    if (isBuying && text.includes('✓')) break
    isBuying ||= text.includes('cheapest_variant')
  }
  child.stdout.destroy()
  const { code, err } = await endOf(child)
  expect(err).toBe('')
  expect(code).toBe(2)
  const made = await db.select({ status: sessions.status }).from(sessions)
  expect([...new Set(made.map(({ status }) => status))]).toEqual(['canceled'])
  // A whole walk opens dozens.
  expect(made.length).toBeLessThan(10)
})
