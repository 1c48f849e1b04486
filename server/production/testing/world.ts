import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { eventually } from '../../../shared/testing/wait.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { freePort } from './free-port.ts'
import { createProgram, type Program, runInImage } from './program.ts'
import { startProxy } from './proxy.ts'
import type { Production } from './set-up.ts'
import type { Traffic } from './traffic.ts'

export const DOMAIN = 'shop.example'

/** The production path as it stands: a Postgres, two replicas and the proxy before them. */
export interface World {
  production: Production
  cluster: Cluster
  replicas: Program[]
  /** Milliseconds from the start of its process until a replica was ready. */
  startMs: number[]
  origin: string
  /** Runs `aisle` with these arguments, as an operator does in the image. */
  aisle: (...args: string[]) => ReturnType<typeof runInImage>
  /** A key of the domain with all scopes. */
  createKey: () => Promise<{ id: string; key: string }>
  close: () => Promise<void>
}

/** Starts both replicas at the same time on an empty database, or on the one that is given. */
export async function openWorld(name: string, given?: Cluster): Promise<World> {
  const production = inject('production')
  if (production === null) throw new Error('The tests of the production path are skipped.')
  const cluster = given ?? (await startCluster(production, name))
  const ports = [await freePort(), await freePort()]
  const settings = { HOST: '127.0.0.1', TRUST_PROXY: 'loopback', DATABASE_URL: cluster.url }
  const replicas = ports.map((port) =>
    createProgram(production, {
      port,
      readyPath: '/readyz',
      env: { ...settings, BASE_URL: 'http://aisle.example', PORT: String(port) },
    }),
  )
  const startMs = await Promise.all(replicas.map((replica) => replica.start()))
  const proxy = await startProxy(production, ports)
  const aisle = (...args: string[]) =>
    runInImage(production, ['node', 'dist/cli.js', ...args], { DATABASE_URL: cluster.url })
  return {
    production,
    cluster,
    replicas,
    startMs,
    origin: proxy.origin,
    aisle,
    createKey: async () => {
      const scopes = 'audit,manifest,report:read,report:write'
      const { stdout, stderr } = await aisle(
        ...['keys', 'create', '--scopes', scopes, '--domains', DOMAIN, '--json'],
      )
      if (stderr !== '') throw new Error(stderr)
      return JSON.parse(stdout)
    },
    close: async () => {
      await proxy.close()
      await Promise.all(replicas.filter(({ pid }) => pid() !== null).map(({ stop }) => stop()))
      await cluster.close()
    },
  }
}

/** A replica goes and comes back, as a deployment does it; waits until the proxy uses it again. */
export async function roll(
  replica: Program,
  traffic: Traffic,
): Promise<{ code: number | null; stopMs: number; startMs: number }> {
  const { code, ms: stopMs } = await replica.stop()
  const startMs = await replica.start()
  const before = traffic.servedBy(replica.port)
  await eventually(() => traffic.servedBy(replica.port)).toBeGreaterThan(before + 20)
  return { code, stopMs, startMs }
}

/** What the database holds of the orders, as rows and as the report's totals. */
export async function readSums({ sql }: Cluster, domain = DOMAIN) {
  const [rows] = await sql<{ orders: number; revenue: number }[]>`
    select count(*)::int as orders, coalesce(sum(value), 0)::int as revenue from events
    where domain = ${domain} and event = 'ai_checkout_completed'`
  const [totals] = await sql<{ orders: number; revenue: number }[]>`
    select coalesce(sum(completed), 0)::int as orders, coalesce(sum(revenue), 0)::int as revenue
    from rollup_daily where domain = ${domain}`
  return { rows, totals }
}

export const pause = (ms: number): Promise<void> => sleep(ms)
