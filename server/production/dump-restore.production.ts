import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { signIn } from './testing/browser.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'
import { reportOrder } from './testing/events.ts'
import { noteFigure } from './testing/figures.ts'
import { kindsOf, startTraffic } from './testing/traffic.ts'
import { until } from './testing/until.ts'
import {
  aisleOn,
  createReplica,
  DOMAIN,
  isSkipped,
  openWorld,
  production,
  readSums,
} from './testing/world.ts'

const ORDERS = 2000

test.skipIf(isSkipped())('a dump that is restored elsewhere is the whole service', async () => {
  const { cluster, origin, createKey, aisle } = await openWorld(onTestFinished)
  const { key } = await createKey()
  const revoked = await createKey()
  await aisle('keys', 'revoke', revoked.id)
  const browser = await signIn(origin, key)
  const shared = await browser.at(origin).shareReport(DOMAIN)
  expect(await reportOrder(origin, key, 'order_before')).toEqual({ status: 200, replayed: false })

  // The dump is of one moment, and no request waits for it.
  const traffic = startTraffic({ origin, key, domain: DOMAIN, rate: 1000 })
  await until('there are orders', () => traffic.requests() > ORDERS)
  const { rows: before } = await readSums(cluster)
  const file = join(cluster.folder, 'aisle.dump')
  const dumping = performance.now()
  await cluster.run('pg_dump', ['--format=custom', `--file=${file}`, `--dbname=${cluster.url}`])
  const dumpMs = performance.now() - dumping
  const { failures } = await traffic.stop()
  expect(kindsOf(failures)).toEqual({})
  const { rows: after } = await readSums(cluster)

  const restored = await startCluster(production())
  onTestFinished(restored.close)
  const restoring = performance.now()
  await restored.run('pg_restore', [
    ...['--no-owner', '--single-transaction', '--exit-on-error'],
    ...[`--dbname=${restored.url}`, file],
  ])
  const restoreMs = performance.now() - restoring
  const replica = createReplica(restored, await freePort())
  onTestFinished(replica.end)
  await replica.start()
  const there = `http://127.0.0.1:${replica.port}`

  const operator = aisleOn(restored)
  const compared = await operator('report', 'rebuild', '--domain', DOMAIN, '--dry-run')
  expect(compared).toMatchObject({ code: 0, stderr: '' })
  expect(await operator('db', 'stats')).toMatchObject({ code: 0, stderr: '' })
  const { rows, totals } = await readSums(restored)
  expect(rows).toEqual(totals)
  expect(rows?.orders).toBeGreaterThanOrEqual(before?.orders ?? Number.NaN)
  expect(rows?.orders).toBeLessThanOrEqual(after?.orders ?? Number.NaN)
  const structure = await structureOf(restored)
  expect(structure.partitions.length).toBeGreaterThan(1)
  expect(structure).toEqual(await structureOf(cluster))

  expect(await reportOrder(there, key, 'order_before')).toEqual({ status: 200, replayed: true })
  expect(await reportOrder(there, key, 'order_after')).toEqual({ status: 200, replayed: false })
  expect(await reportOrder(there, revoked.key, 'order_late')).toMatchObject({ status: 401 })
  const visitor = browser.at(there)
  expect(await visitor.get(`/report?domain=${DOMAIN}`)).toMatchObject({ status: 200 })
  const stranger = await fetch(`${there}${shared}`)
  expect(stranger.status).toBe(200)

  const size = await cluster.sql<{ mib: number }[]>`
    select pg_database_size(current_database()) / 1048576 as mib`
  await noteFigure(
    production(),
    'dump under load, and restore',
    `${dumpMs.toFixed(0)} ms, ${restoreMs.toFixed(0)} ms, of ${size[0]?.mib} MiB`,
  )
})

/** Partitions with their bounds, indexes, and who owns each table. */
async function structureOf({ sql }: Cluster) {
  const partitions = await sql`
    select relname, pg_get_expr(relpartbound, oid) as bounds from pg_class
    where relispartition and relkind = 'r' order by relname`
  const indexes = await sql`
    select indexdef from pg_indexes where schemaname = 'public' order by indexdef`
  const owners = await sql`
    select schemaname, tablename, tableowner from pg_tables
    where schemaname in ('public', 'drizzle') order by schemaname, tablename`
  return { partitions: [...partitions], indexes: [...indexes], owners: [...owners] }
}
