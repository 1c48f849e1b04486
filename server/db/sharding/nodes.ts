import type { Sql } from 'postgres'
import { isAnswer } from '../connection/pool.ts'

// Each node of a Citus cluster knows where everything is, and runs what is its own without asking
// another (https://docs.citusdata.com/en/stable/admin_guide/cluster_management.html). So a
// statement of one node's shards goes to that node, and the coordinator, of which there is one,
// does not work for each event. Where a node cannot be reached from here, the coordinator hands the
// statement on, as it would anyway.

/** Asks a node something by the connections that are given, and resolves to its answer. */
type NodeQuestion<Answer> = (by: Sql) => Promise<Answer>

export interface Nodes {
  /**
   * Asks a node by connections of its own, or by those of the coordinator where it cannot be
   * reached. `which` asks who answers: it has to be the same server by either.
   */
  ask<Answer>(node: string, ask: NodeQuestion<Answer>, which: NodeQuestion<string>): Promise<Answer>
  /** How many are reached. */
  reached(): number
  close(): Promise<void>
}

interface NodesOptions {
  coordinator: Sql
  /** A pool of connections to `host:port`. */
  open: (node: string) => Sql
  /** When a node that has not answered is taken for one that cannot be reached, in milliseconds. */
  answersWithinMs: number
  /** How long the coordinator is asked instead, in milliseconds. */
  retryMs?: number
  /** Milliseconds from any starting point. */
  clock?: () => number
}

const RETRY_MS = 10_000

/** What is under way on other connections to a node may end, after one of them was lost. */
const GRACE_SECONDS = 5

/** Callers do not wait for a node to be reached: until then the coordinator is asked. */
export function createNodes({
  coordinator,
  open,
  answersWithinMs,
  retryMs = RETRY_MS,
  clock = () => performance.now(),
}: NodesOptions): Nodes {
  const pools = new Map<string, Sql>()
  const triedAt = new Map<string, number>()
  let isClosed = false

  async function reach(node: string, which: NodeQuestion<string>): Promise<void> {
    const began = clock()
    // Two simultaneous tries would both open connections, and the first would never be closed.
    triedAt.set(node, Number.POSITIVE_INFINITY)
    const own = open(node)
    const late = setTimeout(end, answersWithinMs, own)
    try {
      // A name may lead elsewhere from here than from the coordinator.
      const [here, there] = await Promise.all([which(own), which(coordinator)])
      if (here === there && !isClosed) {
        pools.set(node, own)
        return
      }
    } catch {
      // It cannot be reached, or does not let us in: the coordinator is asked.
    } finally {
      clearTimeout(late)
      triedAt.set(node, began)
    }
    await end(own)
  }

  function lose(node: string, own: Sql, seconds: number) {
    if (pools.get(node) !== own) return
    pools.delete(node)
    triedAt.set(node, clock())
    void end(own, seconds)
  }

  return {
    async ask(node, ask, which) {
      const own = pools.get(node)
      if (own === undefined) {
        const since = clock() - (triedAt.get(node) ?? Number.NEGATIVE_INFINITY)
        if (!isClosed && since > retryMs) void reach(node, which)
        return ask(coordinator)
      }
      // A node that hangs does not keep its own time limit of a statement.
      const late = setTimeout(lose, answersWithinMs, node, own, 0)
      try {
        return await ask(own)
      } catch (error) {
        if (!isAnswer(error)) lose(node, own, GRACE_SECONDS)
        throw error
      } finally {
        clearTimeout(late)
      }
    },
    reached: () => pools.size,
    async close() {
      isClosed = true
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((own) => end(own)))
    },
  }
}

/** What is under way then is rejected. */
const end = (pool: Sql, seconds = 0): Promise<void> =>
  pool.end({ timeout: seconds }).catch(() => {})
