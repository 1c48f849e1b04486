import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { createKey } from '../../access/make-key.ts'
import { SCOPES } from '../../db/access/scopes.ts'
import { connect, MIGRATIONS } from '../../db/connect.ts'
import { ownCluster } from '../../db/testing/own-cluster.ts'
import { buildServer, expectExactSums } from './testing/server.ts'

const CLIENTS = 16

/** All of them: RESTARTS=20. */
const RESTARTS = Number(process.env.RESTARTS ?? 3)

const cluster = await ownCluster()
const { start, killAll } = await buildServer()
afterAll(async () => {
  killAll()
  await cluster.close()
})
const open = (migrations: typeof MIGRATIONS | null) =>
  connect({ databaseUrl: cluster.url, dataDir: '', migrations })

test(
  `Postgres goes away ${RESTARTS} times under ${CLIENTS} senders: no acknowledged event is lost`,
  async () => {
    const { db, close } = await open(MIGRATIONS)
    const request = { name: 'test', scopes: [...SCOPES], domains: ['*'], expires_at: null }
    const { key } = await createKey(db, request, new Date())
    await close()
    const server = await start(cluster.url)
    const acknowledged = new Set<string>()
    const statuses = new Set<number>()
    let stopping = false
    let sent = 0
    const send = async () => {
      while (!stopping) {
        sent += 1
        const answer = await fetch(`${server.origin}/api/report`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({
            event: 'ai_checkout_initiated',
            domain: 'shop.example',
            session_id: `checkout_${sent}`,
            source: 'acp',
          }),
        })
        statuses.add(answer.status)
        const said = await answer.json()
        if (answer.status === 200) acknowledged.add(said.event_id)
        // Told to come later.
        else await sleep(20)
      }
    }
    const senders = Promise.all(Array.from({ length: CLIENTS }, send))
    const someArrive = () => {
      const before = acknowledged.size
      const more = eventually(() => acknowledged.size).toBeGreaterThan(before + 10 * CLIENTS)
      // A sender ends early only where the server has died.
      return Promise.race([more, senders])
    }
    const endConnections = async () => {
      const { sql, close: leave } = await open(null)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'aisle' and pid <> pg_backend_pid()`
      await leave()
    }
    const ways = [cluster.restart, cluster.crash, endConnections]
    for (let round = 0; round < RESTARTS; round += 1) {
      await someArrive()
      await sleep(round * 10)
      await ways[round % ways.length]?.()
    }
    await someArrive()
    stopping = true
    await senders

    const { sql, close: leave } = await open(null)
    const stored = new Set((await sql`select id from events`).map(({ id }) => id))
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
    await expectExactSums(sql)
    await leave()
    // What was not stored was answered as temporary.
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await server.kill('SIGTERM')).toBe(0)
  },
  180_000 + RESTARTS * 60_000,
)
