import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { WALK_DIALECTS, type WalkDialectName } from '../../../../shared/walk/dialect.ts'
import { createJudges } from '../../judging/judges.ts'
import { createFetcher } from '../../probe/fetch/fetch.ts'
import { parseTestHosts } from '../../probe/fetch/test-hosts.ts'
import { createWalker } from './walker.ts'

// Walks a store on the port of its first argument again and again, and prints what each walk took:
// a process of its own, so that nothing else is in its memory.

const WARM_UP = 5
const ROUNDS = 15

/**
 * What the walks of one dialect took: milliseconds of each, and bytes beside what was there before.
 */
export interface Walking {
  dialect: WalkDialectName
  requests: number
  ms: number[]
  /** The most objects in use while a purchase was made; they may be garbage. */
  heapMost: number
  /** What is left after all of them. */
  heapLeft: number
  rssLeft: number
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const port = Number(process.argv[2])
const judges = createJudges()
const fetcher = createFetcher({
  userAgent: 'Aisle (bench)',
  testHosts: parseTestHosts(`*.example=http://127.0.0.1:${port}`, undefined),
})
const { walk } = createWalker({ fetcher, judges })

async function walkOnce(dialect: WalkDialectName): Promise<number> {
  const domain = dialect.startsWith('ucp') ? 'ucp.example' : 'shop.example'
  const { routes } = await walk(domain, 'look', ['cheapest_variant'], [dialect])
  const purchases = routes.flatMap((route) => route.purchases)
  if (purchases.length !== 1 || purchases[0]?.outcome !== 'passed') {
    throw new Error(`The purchase over ${dialect} did not pass: ${purchases[0]?.why}`)
  }
  return routes.flatMap(({ browsing, purchases }) =>
    [...browsing, ...purchases.flatMap(({ steps }) => steps)].flatMap((step) => step.exchanges),
  ).length
}

for (const dialect of WALK_DIALECTS) {
  let requests = 0
  for (let round = 0; round < WARM_UP; round += 1) requests = await walkOnce(dialect)
  collect()
  const before = process.memoryUsage()
  let heapMost = 0
  const ms: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    collect()
    const look = setInterval(() => {
      heapMost = Math.max(heapMost, process.memoryUsage().heapUsed - before.heapUsed)
    }, 5)
    const started = performance.now()
    await walkOnce(dialect)
    ms.push(performance.now() - started)
    clearInterval(look)
  }
  collect()
  const after = process.memoryUsage()
  const walking: Walking = {
    dialect,
    requests,
    ms,
    heapMost,
    heapLeft: after.heapUsed - before.heapUsed,
    rssLeft: after.rss - before.rss,
  }
  process.stdout.write(`${JSON.stringify(walking)}\n`)
}
await fetcher.close()
await judges.close()
