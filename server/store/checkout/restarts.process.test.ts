import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { ownCluster } from '../../db/testing/own-cluster.ts'
import { program } from '../../testing/program.ts'
import { startTestPsp } from '../psp/test/server.ts'
import { BUYERS } from '../testing/buyers.ts'
import { ADDRESS, acpAgent } from '../testing/store.ts'

const CLIENTS = 16

/** All of them: RESTARTS=20. */
const RESTARTS = Number(process.env.RESTARTS ?? 3)

/** The database is away, or another call is under way. */
const ASKED_AGAIN = new Set([503, 409])

const STORE = await program('served-store')
const cluster = await ownCluster()
const bank = await startTestPsp({ webhookSecret: 'whsec_test' })
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await bank.close()
  await cluster.close()
})

async function startStore() {
  const config = { databaseUrl: cluster.url, payments: { psp: 'stripe', ...bank.access } }
  const child = spawn(process.execPath, [STORE, JSON.stringify(config)])
  children.push(child)
  let words = ''
  child.stderr.on('data', (chunk) => {
    words += chunk
  })
  const died = once(child, 'close').then(() => {
    throw new Error(`The store died. ${words}`)
  })
  died.catch(() => {})
  const [said] = await Promise.race([once(child.stdout, 'data'), died])
  const origin = `http://127.0.0.1:${Number(said)}`
  /** Errors that do not ask for the same call again. */
  const unhelpful: string[] = []
  const send = async (
    method: string,
    path: string,
    body: unknown,
    _host?: string,
    headers: Record<string, string> = {},
  ) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok && !(ASKED_AGAIN.has(answer.status) && answer.headers.has('retry-after'))) {
      unhelpful.push(`${answer.status} ${path}: ${text}`)
    }
    return { status: answer.status, headers: answer.headers, body: text, waited: [] }
  }
  return { child, send, died, unhelpful }
}

/** What another visitor of the database sees, who connects anew each time. */
async function ask<Row extends object>(text: string): Promise<Row[]> {
  const sql = postgres(cluster.url, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    return await sql.unsafe<Row[]>(text)
  } finally {
    await sql.end()
  }
}

const endConnections = () =>
  ask(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'aisle' and pid <> pg_backend_pid()`)

test(
  `Postgres goes away ${RESTARTS} times under ${CLIENTS} buyers: the store lives, and every charge has its order`,
  async () => {
    const { child, send, died, unhelpful } = await startStore()
    await ask('update store.stock set quantity = 1000000')
    const { newKey, create, complete } = acpAgent(send)
    let bought = 0
    let stopping = false
    const overSpec = async () => {
      // Each buys once: a buyer has a quota.
      const created = await create({ shipping_address: { ...ADDRESS, name: newKey() } })
      if (created.status !== 200) return false
      const { checkout_id } = JSON.parse(created.body)
      return (await complete(checkout_id, { idempotency_key: newKey() })).status === 200
    }
    const official = BUYERS['official ACP'](send)
    const overOfficial = async () => {
      const id = await official.open('ao-1101')
      return (await official.complete(id, newKey())).reads === 'paid'
    }
    const buy = async (buyOnce: () => Promise<boolean>) => {
      while (!stopping) {
        try {
          if (await buyOnce()) bought += 1
        } catch {
          // The connection to a store that died.
          if (child.exitCode !== null) return
        }
      }
    }
    const someBuy = () => {
      const before = bought
      const more = eventually(() => bought).toBeGreaterThan(before)
      return Promise.race([more, died])
    }
    const buyers = Array.from({ length: CLIENTS }, (_, at) =>
      buy(at % 2 === 0 ? overSpec : overOfficial),
    )
    const ways = [cluster.restart, cluster.crash, endConnections]
    for (let round = 0; round < RESTARTS; round += 1) {
      await someBuy()
      await sleep(round * 10)
      await ways[round % ways.length]?.()
    }
    await someBuy()
    stopping = true
    await Promise.all(buyers)

    child.kill('SIGUSR2')
    const orphans = async () => {
      const paid = await ask<{ session_id: string }>('select session_id from store.orders')
      const withOrder = new Set(paid.map(({ session_id }) => session_id))
      return bank.charges().filter(({ metadata }) => !withOrder.has(metadata.session_id ?? ''))
    }
    await eventually(orphans).toEqual([])
    const charged = bank.charges().map(({ metadata }) => metadata.session_id)
    expect(new Set(charged).size).toBe(charged.length)
    expect(child.exitCode).toBeNull()
    expect(unhelpful).toEqual([])
  },
  180_000 + RESTARTS * 60_000,
)
