import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../shared/testing/median.ts'
import { createFetcher, type Fetcher } from './probe/fetch/fetch.ts'
import { parseTestHosts } from './probe/fetch/test-hosts.ts'
import { auditHere } from './testing/audit-here.ts'

// A catalog of a hundred times as many products takes no more memory to read: all of it, judging
// included, happens in this process.

const MOST_RATIO = 1.5

let store: ChildProcess
let fetcher: Fetcher

beforeAll(async () => {
  store = spawn(process.execPath, ['server/audit/testing/large-store.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(store.stdout!, 'data')
  const testHosts = parseTestHosts(`*.example=http://127.0.0.1:${Number(port)}`, 'test')
  fetcher = createFetcher({ userAgent: 'Aisle (bench)', testHosts })
})

afterAll(async () => {
  await fetcher.close()
  store.kill()
})

/** The most resident memory while all of a catalog is read, in MiB. */
async function mostWhile(domain: string): Promise<number> {
  let most = 0
  const { catalog_seen } = await auditHere(
    {
      domain,
      checks: ['catalog'],
      whole: {
        ms: 600_000,
        onPage: () => {
          most = Math.max(most, process.memoryUsage().rss)
        },
      },
    },
    {
      fetcher,
      pause: async () => {},
    },
  )
  const products = Number(/\d+/.exec(domain)?.[0])
  expect(catalog_seen).toMatchObject({ products, of: products })
  return most / 2 ** 20
}

test.each(['spec', 'ucp'])('%s: memory does not grow with the catalog', async (dialect) => {
  // As many products of small catalogs: garbage waits to be collected in either case.
  let small = 0
  for (let run = 0; run < 100; run += 1) {
    small = Math.max(small, await mostWhile(`${dialect}-1000.example`))
  }
  const large = await mostWhile(`${dialect}-100000.example`)
  process.stdout.write(
    `${dialect}: a hundred of 1,000 products ${small.toFixed(0)} MiB, one of 100,000 ${large.toFixed(0)} MiB: ${(large / small).toFixed(2)}\n`,
  )
  expect(large / small).toBeLessThan(MOST_RATIO)
})

/** Milliseconds of processor for one audit, judging included; the store is another process. */
async function cpuOf(domain: string, isWhole: boolean): Promise<number> {
  const { user, system } = process.cpuUsage()
  const order = { domain, checks: ['catalog' as const], ...(isWhole && { whole: { ms: 600_000 } }) }
  await auditHere(order, { fetcher, pause: async () => {} })
  const used = process.cpuUsage()
  return (used.user + used.system - user - system) / 1000
}

test('what a catalog costs does not grow with it by default, and a product no more in a large one', async () => {
  const costs: Record<'usual' | 'whole', number[]> = { usual: [], whole: [] }
  // Once for the compiler.
  for (let run = 0; run < 3; run += 1) await cpuOf('spec-1000.example', true)
  for (const products of [100, 1_000, 10_000]) {
    const of = async (isWhole: boolean) => {
      const runs: number[] = []
      for (let run = 0; run < 5; run += 1) {
        runs.push(await cpuOf(`spec-${products}.example`, isWhole))
      }
      return median(runs)
    }
    const [usual, whole] = [await of(false), await of(true)]
    costs.usual.push(usual)
    costs.whole.push((1000 * (whole - usual)) / products)
    process.stdout.write(
      `${products} products: ${usual.toFixed(0)} ms of processor by default, ${whole.toFixed(0)} for all, ${costs.whole.at(-1)?.toFixed(0)} µs more a product\n`,
    )
  }
  expect(costs.usual.at(-1)! / costs.usual[0]!).toBeLessThan(MOST_RATIO)
  expect(costs.whole.at(-1)! / costs.whole[1]!).toBeLessThan(MOST_RATIO)
})
