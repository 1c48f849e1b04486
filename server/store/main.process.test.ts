import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { program } from '../testing/program.ts'
import { DAY_AHEAD } from '../testing/wrong-clock.ts'
import { storeDatabase } from './db/testing/database.ts'
import { acpAgent } from './testing/store.ts'

const { url: DATABASE_URL } = await storeDatabase()
const MAIN = await program('store-main')

/** Runs the store's entry point, and waits for its first words. */
async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      DATABASE_URL,
      STORE_FAULTS: '',
      STORE_PROFILE: '',
      STORE_PORT: '0',
      STOP_DELAY: '0',
      HOST: '127.0.0.1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code]) => code)
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
  return { child, exited, said: String(said) }
}

test('it listens, says where, refuses a taken port and stops on SIGTERM', async () => {
  const store = await run({ STORE_FAULTS: 'catalog-empty' })
  expect(store.said).toContain(' (payments: the test PSP, which takes no money)')
  const port = /127\.0\.0\.1:(\d+)/.exec(store.said)?.[1] ?? ''
  const answer = await fetch(`http://127.0.0.1:${port}/ucp/products`)
  expect(await answer.json()).toMatchObject({ products: [] })

  const second = await run({ STORE_PORT: port })
  expect(second.said).toContain(
    `Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or set STORE_PORT`,
  )
  expect(await second.exited).toBe(1)

  const silent = connect(Number(port), '127.0.0.1')
  silent.on('error', () => {})
  await once(silent, 'connect')
  store.child.kill('SIGTERM')
  expect(await store.exited).toBe(0)
  silent.destroy()
})

test.each([
  ['sk_test_1', 'Stripe, in test mode, which takes no money', 'test'],
  ['rk_live_1', 'Stripe', 'live'],
])('with %s it says whether money is taken, also to agents', async (key, words, environment) => {
  const stripe = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRETS: 'whsec_1' }
  const { child, exited, said } = await run({ STORE_PROFILE: 'ucp', ...stripe })
  expect(said).toContain(` (payments: ${words})`)
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
  const profile = await (await fetch(`${origin}/.well-known/ucp`)).text()
  expect(profile).toContain(`"environment":"${environment}"`)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('STORE_PROFILE=ucp serves the official profile', async () => {
  const { child, exited, said } = await run({ STORE_PROFILE: 'ucp' })
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
  const answer = await fetch(`${origin}/.well-known/ucp`)
  expect(await answer.json()).toMatchObject({ ucp: { version: '2026-08-25' } })
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('a replica whose clock is wrong goes by the database’s', async () => {
  const { child, exited, said } = await run({ NODE_OPTIONS: DAY_AHEAD })
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
  const { create } = acpAgent(async (method, path, body) => {
    const answer = await fetch(`${origin}${path}`, { method, body: JSON.stringify(body) })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  })
  const { expires_at } = JSON.parse((await create()).body)
  expect(Math.abs(Date.parse(expires_at) - Date.now() - 15 * 60_000)).toBeLessThan(60_000)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test.each([
  [{ STORE_FAULTS: 'no-such-fault' }, 'Unknown fault "no-such-fault"'],
  [{ STORE_PROFILE: 'acp' }, 'STORE_PROFILE is "acp"'],
  [{ STORE_PORT: 'http' }, 'STORE_PORT is "http"'],
  [{ STORE_PORT: '70000' }, 'STORE_PORT is "70000"'],
  [{ NODE_ENV: 'production' }, 'There is no PSP.'],
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, "The secret of Stripe's webhook endpoint is missing"],
  [{ STRIPE_SECRET_KEY: 'sk_1', RAZORPAY_KEY_ID: 'rzp_1' }, 'A store has one PSP'],
  [{ DATABASE_URL: 'localhost' }, 'DATABASE_URL is not a Postgres URL'],
])('%o is refused with what to do', async (env, words) => {
  const { exited, said } = await run(env)
  expect(said).toContain(words)
  expect(await exited).toBe(1)
})
