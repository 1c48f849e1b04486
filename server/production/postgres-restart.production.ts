import { expect, onTestFinished, test } from 'vitest'
import { noteFigure } from './testing/figures.ts'
import { startTraffic } from './testing/traffic.ts'
import { until } from './testing/until.ts'
import { DOMAIN, isSkipped, openWorld, production, readSums } from './testing/world.ts'

const RATE = 1000
/** Between the restarts, and after the last. */
const REQUESTS = 2000

test.skipIf(isSkipped())(
  'no event is lost, and none counts twice, while Postgres restarts',
  async () => {
    const { cluster, replicas, origin, createKey } = await openWorld(onTestFinished)
    const { key } = await createKey()
    const pids = replicas.map(({ pid }) => pid())
    const traffic = startTraffic({ origin, key, domain: DOMAIN, rate: RATE })
    const answered = () => replicas.map(({ port }) => traffic.servedBy(port))
    const everyReplicaAnswers = async () => {
      const before = answered()
      await until('every replica answers', () =>
        answered().every((now, i) => now > (before[i] ?? 0) + REQUESTS / replicas.length),
      )
    }
    await everyReplicaAnswers()
    for (const mode of ['fast', 'immediate'] as const) {
      await cluster.restart(mode)
      await everyReplicaAnswers()
    }
    const { requests, failures, orders, revenue, gapMs } = await traffic.stop()

    const note = (what: string, value: string) =>
      noteFigure(production(), `restarts of Postgres: ${what}`, value)
    await note('requests refused meanwhile', `${failures.length} of ${requests}, in 2 restarts`)
    await note('longest gap between answers', `${gapMs.toFixed(0)} ms`)

    const sums = { orders, revenue }
    expect(await readSums(cluster)).toEqual({ rows: sums, totals: sums })
    expect(replicas.map(({ pid }) => pid())).toEqual(pids)
  },
)
