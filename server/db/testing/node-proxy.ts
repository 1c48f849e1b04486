import type { Sql } from 'postgres'
import { type Proxied, proxyTo } from './proxy.ts'

/** One node of a cluster, which a test takes away from its coordinator, or holds up. */
export interface ProxiedNode extends Omit<Proxied, 'port'> {
  /** As the coordinator calls it. */
  name: string
}

/** Puts a proxy before one node of the cluster, as far as this one database knows. */
export async function proxyNode(sql: Sql): Promise<ProxiedNode> {
  const [node] = await sql<{ id: number; host: string; port: number }[]>`
    select nodeid as id, nodename as host, nodeport as port from pg_dist_node
    where groupid > 0 order by nodeid desc limit 1`
  if (node === undefined) throw new Error('The cluster has no worker.')
  await waitLongForNodes(sql)
  const { port, ...proxy } = await proxyTo(node)
  await sql`select citus_update_node(${node.id}, '127.0.0.1', ${port})`
  // Citus informs the nodes within a minute: until then it sends them no function.
  await sql`select start_metadata_sync_to_all_nodes()`
  return { name: `127.0.0.1:${port}`, ...proxy }
}

/**
 * Citus gives up connecting to a node that hangs after seconds that a cluster sets, and on busy
 * cores that is before others were served: here each of its sessions waits for a minute.
 */
const waitLongForNodes = (sql: Sql) =>
  sql.begin(async (tx) => {
    await tx.unsafe(`do $$ begin execute format(
      'alter database %I set citus.node_connection_timeout = 60000', current_database()); end $$`)
    await tx`select set_config('citus.node_connection_timeout', '60000', false)`
    await tx`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  })
