import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { testApp } from '../../testing/app.ts'
import { ensureMonths } from '../events/partitions.ts'
import { rebuildRollup } from '../events/rebuild.ts'
import { type ProxiedNode, proxyNode } from '../testing/node-proxy.ts'
import { shardsOf } from './shards.ts'

// These need a Citus cluster: CITUS_URL leads to a database of its coordinator.

/** On busy cores the plans of every statement that a node has forgotten take seconds. */
const PATIENCE_MS = 240_000

const MONTH = new Date().toISOString().slice(0, 7)

describe.skipIf(inject('citusUrl') === null)(
  'on a cluster, while one node',
  { timeout: PATIENCE_MS },
  async () => {
    if (inject('citusUrl') === null) return
    const { app, key, db, sql, database } = await testApp()
    // As the service does in advance: while a node is away, no month can be made.
    await ensureMonths(sql, [MONTH])
    const node: ProxiedNode = await proxyNode(sql)
    afterEach(() => node.recover())
    afterAll(() => node.close())

    /** Domains whose rows are on that node, and others. */
    const there: string[] = []
    const elsewhere: string[] = []
    for (let n = 0; there.length < 4 || elsewhere.length < 4; n += 1) {
      const domain = `shop-${n}.example`
      const shard = await shardsOf(sql).find(domain)
      const list = shard.node === node.name ? there : elsewhere
      if (list.length < 4) list.push(domain)
    }
    const [away = '', other = ''] = [there[0], elsewhere[0]]

    const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
      const text = body === undefined ? null : JSON.stringify(body)
      const authorised = { Authorization: `Bearer ${key}`, ...headers }
      if (text === null) return app.request(path, { headers: authorised })
      const described = {
        'Content-Type': 'application/json',
        'Content-Length': String(text.length),
      }
      return app.request(path, {
        method: 'POST',
        headers: { ...authorised, ...described },
        body: text,
      })
    }
    const send = (domain: string, id: string = randomUUID()) =>
      ask(
        '/api/report',
        {
          event: 'ai_checkout_completed',
          domain,
          session_id: id,
          source: 'acp',
          ai_surface: 'chatgpt',
          properties: { value: 100, currency: 'USD' },
        },
        { 'Idempotency-Key': id },
      )
    const sendUntilStored = async (domain: string, id: string = randomUUID()) => {
      // What was not confirmed is sent again, as the answer says.
      while ((await send(domain, id)).status === 503) await sleep(50)
    }
    beforeAll(async () => {
      for (const domain of [...there, ...elsewhere]) await sendUntilStored(domain)
    })
    const report = (domain: string) =>
      ask(`/api/report?domain=${domain}&start=${MONTH}-01&end=${MONTH}-28`)
    const storedOf = async (domain: string) => {
      const rows = await sql<{ id: string }[]>`
      select session_id as id from events where domain = ${domain} order by 1`
      return rows.map(({ id }) => id)
    }
    const differencesOf = (domain: string) =>
      rebuildRollup(db, { domain, since: MONTH, dryRun: true })

    test('is there, batches go to all nodes by themselves', async () => {
      const [workers] = await sql<{ count: number }[]>`
        select count(*)::int from pg_dist_node where groupid > 0`
      await eventually(async () => {
        await sendUntilStored(away)
        await sendUntilStored(other)
        return database.reachedNodes()
      }).toBe(workers?.count)
      const id = randomUUID()
      await sendUntilStored(away, id)
      expect(await storedOf(away)).toContain(id)
      expect(await differencesOf(away)).toEqual([])
    })

    test('is down, only what is there is refused, and nothing is lost', async () => {
      await node.die()
      const id = randomUUID()
      for (const answer of [await send(away, id), await report(away)]) {
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      }
      const audits = await ask(`/api/audits/history?domain=${away}`)
      expect(audits.status).toBe(503)
      for (const domain of elsewhere) {
        expect((await send(domain)).status).toBe(200)
        expect((await report(domain)).status).toBe(200)
        expect((await ask(`/api/audits/history?domain=${domain}`)).status).toBe(200)
        expect(await differencesOf(domain)).toEqual([])
      }
      await node.recover()
      await sendUntilStored(away, id)
      await sendUntilStored(away, id)
      expect((await storedOf(away)).filter((each) => each === id)).toHaveLength(1)
      expect(await differencesOf(away)).toEqual([])
    })

    test('is down, somebody signs in, and makes a key and a property of any domain', async () => {
      await node.die()
      const property = await ask('/api/properties', { domain: away })
      expect(property.status).toBe(200)
      const form = new URLSearchParams({ key })
      const signedIn = await app.request('/sign-in', {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: form,
      })
      expect(signedIn.status).toBe(303)
    })

    test('hangs, others are stored and read before it answers', async () => {
      node.hang()
      const held = there.flatMap((domain) => Array.from({ length: 10 }, () => send(domain)))
      const reads = there.flatMap((domain) => Array.from({ length: 10 }, () => report(domain)))
      let answered = 0
      for (const each of [...held, ...reads]) {
        void each.then(() => {
          answered += 1
        })
      }
      for (let round = 0; round < 5; round += 1) {
        for (const domain of elsewhere) {
          expect((await send(domain)).status).toBe(200)
          expect((await report(domain)).status).toBe(200)
        }
      }
      expect(answered).toBe(0)
      await node.recover()
      await Promise.all([...held, ...reads])
      for (const domain of [...there, ...elsewhere]) {
        await sendUntilStored(domain)
        expect(await differencesOf(domain)).toEqual([])
      }
    })

    test('dies ten times under load, what was acknowledged is there, and once', async () => {
      const acknowledged = new Map<string, string[]>()
      let isOver = false
      const senders = [...there, ...elsewhere].map(async (domain) => {
        const ids: string[] = []
        acknowledged.set(domain, ids)
        while (!isOver) {
          const id = randomUUID()
          await sendUntilStored(domain, id)
          ids.push(id)
        }
      })
      for (let death = 0; death < 10; death += 1) {
        const before = acknowledged.get(other)?.length ?? 0
        await node.die()
        await eventually(() => acknowledged.get(other)?.length).toBeGreaterThan(before + 5)
        await node.recover()
        const here = acknowledged.get(away)?.length ?? 0
        await eventually(() => acknowledged.get(away)?.length).toBeGreaterThan(here + 2)
      }
      isOver = true
      await Promise.all(senders)
      for (const [domain, ids] of acknowledged) {
        const stored = await storedOf(domain)
        expect(stored).toEqual([...new Set(stored)])
        expect(stored).toEqual(expect.arrayContaining(ids))
        expect(await differencesOf(domain)).toEqual([])
      }
    })
  },
)
