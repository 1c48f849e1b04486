import { expect, inject, onTestFinished, test } from 'vitest'
import type { Cluster } from './testing/cluster.ts'
import { noteFigure } from './testing/figures.ts'
import { kindsOf, startTraffic } from './testing/traffic.ts'
import { until } from './testing/until.ts'
import {
  DOMAIN,
  isSkipped,
  openWorld,
  production,
  type Restart,
  readSums,
  restart,
} from './testing/world.ts'

const REQUESTS = inject('requests')
const RESTARTS = 8
const RATE = 2500
/** For a share of the requests, on a machine with other work. */
const LONG_MS = 120_000

test.skipIf(isSkipped())('no request fails while replicas are restarted in turn', async () => {
  const { cluster, replicas, origin, createKey } = await openWorld(onTestFinished)
  const { key } = await createKey()
  const traffic = startTraffic({ origin, key, domain: DOMAIN, rate: RATE })
  const restarts: Restart[] = []
  while (restarts.length < RESTARTS) {
    for (const replica of replicas) restarts.push(await restart(replica, traffic))
    const share = (REQUESTS * restarts.length) / RESTARTS
    await until('the traffic is under way', () => traffic.requests() >= share, LONG_MS)
  }
  const memory = await Promise.all(replicas.map((replica) => replica.memory()))
  const { requests, failures, orders, revenue, gapMs } = await traffic.stop()

  const note = (what: string, value: string) =>
    noteFigure(production(), `restarts of replicas: ${what}`, value)
  const longest = (of: number[]) => `${Math.max(...of).toFixed(0)} ms`
  await note('failed requests', `${failures.length} of ${requests}, in ${restarts.length} restarts`)
  await note('longest stop', longest(restarts.map(({ stopMs }) => stopMs)))
  await note('longest start', longest(restarts.map(({ startMs }) => startMs)))
  await note('longest gap between answers', `${gapMs.toFixed(0)} ms`)
  await note('memory of each after it', memory.map(({ now }) => `${now} MiB`).join(', '))

  const bytes = await bytesOfOrders(cluster)
  await note('disk per order', `${(bytes / orders).toFixed(0)} bytes`)

  expect(restarts.map(({ code }) => code)).toEqual(restarts.map(() => 0))
  const sums = { orders, revenue }
  expect(await readSums(cluster)).toEqual({ rows: sums, totals: sums })
  expect(kindsOf(failures)).toEqual({})
})

/** Of the tables that grow with each order, with their indexes. */
async function bytesOfOrders({ sql }: Cluster): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(oid))::float as bytes from pg_class
    where relkind = 'r' and (relispartition or relname in ('event_keys', 'ai_sessions'))`
  return row?.bytes ?? Number.NaN
}
