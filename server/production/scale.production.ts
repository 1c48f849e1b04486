import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { reportOrder } from './testing/events.ts'
import { noteFigure } from './testing/figures.ts'
import { startTraffic } from './testing/traffic.ts'
import { until } from './testing/until.ts'
import { createReplica, DOMAIN, isSkipped, openWorld, production } from './testing/world.ts'

const REQUESTS = 3000
/** The pool of one replica. */
const CONNECTIONS = 10

test.skipIf(isSkipped())('a third replica comes and goes beside two that are busy', async () => {
  const { cluster, replicas, origin, createKey } = await openWorld(onTestFinished)
  const { key } = await createKey()
  const traffic = startTraffic({ origin, key, domain: DOMAIN, rate: 1000 })
  const third = createReplica(cluster, await freePort())
  onTestFinished(third.end)
  await third.start()
  const there = `http://127.0.0.1:${third.port}`
  expect(await reportOrder(there, key, 'order_third')).toEqual({ status: 200, replayed: false })
  expect(await reportOrder(origin, key, 'order_third')).toEqual({ status: 200, replayed: true })
  await until('the traffic is under way', () => traffic.requests() > REQUESTS)
  const [row] = await cluster.sql<{ connections: number }[]>`
    select count(*)::int as connections from pg_stat_activity where application_name = 'aisle'`
  expect(row?.connections).toBeLessThanOrEqual(CONNECTIONS * (replicas.length + 1))
  await noteFigure(
    production(),
    'connections of three replicas under load',
    String(row?.connections),
  )

  const pids = replicas.map(({ pid }) => pid())
  expect(await third.stop()).toMatchObject({ code: 0 })
  const { failures } = await traffic.stop()
  expect(failures).toEqual([])
  expect(replicas.map(({ pid }) => pid())).toEqual(pids)
})
