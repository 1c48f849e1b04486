import { expect, inject, test } from 'vitest'
import { noteFigure } from './testing/figures.ts'
import { startTraffic } from './testing/traffic.ts'
import { DOMAIN, openWorld, readSums, roll } from './testing/world.ts'

const REQUESTS = 50_000
const RATE = 2500

test.skipIf(inject('production') === null)(
  'replicas are restarted in turn, and no request fails',
  async () => {
    const world = await openWorld('rolling')
    const { production, cluster, replicas, origin } = world
    try {
      const { key } = await world.createKey()
      const traffic = startTraffic({ origin, key, domain: DOMAIN, rate: RATE })
      const rolls: Awaited<ReturnType<typeof roll>>[] = []
      do {
        for (const replica of replicas) rolls.push(await roll(replica, traffic))
      } while (traffic.requests() < REQUESTS)
      const peaks = await Promise.all(replicas.map((replica) => replica.memory()))
      const { requests, failures, orders, revenue, gapMs } = await traffic.stop()

      const note = (what: string, value: string) =>
        noteFigure(production.folder, `rolling restarts, ${what}`, value)
      const longest = (of: number[]) => `${Math.max(...of).toFixed(0)} ms`
      await note(
        'failed of all requests',
        `${failures.length} of ${requests}, in ${rolls.length} restarts`,
      )
      await note('longest stop', longest(rolls.map(({ stopMs }) => stopMs)))
      await note('longest start', longest(rolls.map(({ startMs }) => startMs)))
      await note('longest gap between answers', `${gapMs.toFixed(0)} ms`)
      await note('memory under load', peaks.map(({ now }) => `${now} MiB`).join(', '))

      expect(rolls.map(({ code }) => code)).toEqual(rolls.map(() => 0))
      expect(await readSums(cluster)).toEqual({
        rows: { orders, revenue },
        totals: { orders, revenue },
      })
      expect(summary(failures)).toEqual({})
    } finally {
      await world.close()
    }
  },
)

/** How often each failure was seen. */
const summary = (failures: { what: string }[]): Record<string, number> => {
  const kinds = Object.groupBy(failures, ({ what }) => what.replace(/"request_id".*/, '…'))
  return Object.fromEntries(Object.entries(kinds).map(([what, of]) => [what, of?.length ?? 0]))
}
