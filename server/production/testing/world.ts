import { inject } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { Production } from './production.ts'
import { createProgram, type Program, runInImage } from './program.ts'
import { startProxy } from './proxy.ts'
import type { Traffic } from './traffic.ts'
import { until } from './until.ts'

export const DOMAIN = 'shop.example'

/** Whether the packages for these tests are missing. Then they are skipped by name. */
export const isSkipped = (): boolean => inject('production') === null

/** The image and the programs; throws where tests are skipped. */
export function production(): Production {
  const given = inject('production')
  if (given === null) throw new Error('The tests of the production path are skipped.')
  return given
}

/** The production path as it stands: a Postgres, two replicas and the proxy before them. */
export interface World {
  cluster: Cluster
  replicas: Program[]
  /** Milliseconds from the start of its process until a replica was ready. */
  startMs: number[]
  /** The proxy's. */
  origin: string
  /** Runs `aisle` with these arguments, as an operator does in the image. */
  aisle: (...args: string[]) => ReturnType<typeof runInImage>
  /** A key of the domain with all scopes. */
  createKey: () => Promise<{ id: string; key: string }>
}

const REPLICAS = 2
/** How many answers show that the proxy has taken a replica back. */
const SEVERAL = 20

/**
 * Starts the replicas at the same time, on an empty database or on the one that is given. All ends
 * with the test.
 */
export async function openWorld(
  onTestFinished: (end: () => Promise<void>) => void,
  given?: Cluster,
): Promise<World> {
  const cluster = given ?? (await startCluster(production()))
  if (!given) onTestFinished(cluster.close)
  const ports = await Promise.all(Array.from({ length: REPLICAS }, freePort))
  const replicas = ports.map((port) => createReplica(cluster, port))
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.end()))
  })
  const startMs = await Promise.all(replicas.map((replica) => replica.start()))
  const proxy = await startProxy(production(), ports)
  onTestFinished(proxy.close)
  const aisle = aisleOn(cluster)
  return {
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
  }
}

/** The image's `aisle` with a database. */
export const aisleOn =
  (cluster: Cluster): World['aisle'] =>
  (...args) =>
    runInImage(production(), ['node', 'dist/cli.js', ...args], { DATABASE_URL: cluster.url })

/** The service as the image starts it, on a database that is there. */
export const createReplica = (cluster: Cluster, port: number): Program =>
  createProgram(production(), {
    port,
    readyPath: '/readyz',
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: 'http://aisle.example',
      TRUST_PROXY: 'loopback',
      DATABASE_URL: cluster.url,
    },
  })

/** How a replica went and came back. */
export interface Restart {
  code: number | null
  stopMs: number
  startMs: number
}

/** Restarts a replica, as a deployment does it, and waits until the proxy uses it again. */
export async function restart(replica: Program, traffic: Traffic): Promise<Restart> {
  const { code, ms: stopMs } = await replica.stop()
  const startMs = await replica.start()
  const before = traffic.servedBy(replica.port)
  await until(
    'the proxy uses the replica again',
    () => traffic.servedBy(replica.port) > before + SEVERAL,
  )
  return { code, stopMs, startMs }
}

/** What the database holds of the orders, as rows and as the report's totals. */
export async function readSums({ sql }: Cluster) {
  const [rows] = await sql<{ orders: number; revenue: number }[]>`
    select count(*)::int as orders, coalesce(sum(value), 0)::int as revenue from events
    where domain = ${DOMAIN} and event = 'ai_checkout_completed'`
  const [totals] = await sql<{ orders: number; revenue: number }[]>`
    select coalesce(sum(completed), 0)::int as orders, coalesce(sum(revenue), 0)::int as revenue
    from rollup_daily where domain = ${DOMAIN}`
  return { rows, totals }
}
