import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import type { Sql } from 'postgres'

/** One node of a cluster, which a test takes away from its coordinator, or holds up. */
export interface ProxiedNode {
  /** As the coordinator calls it. */
  name: string
  /** Its connections end, and nothing listens any more. */
  die(): Promise<void>
  /** Its connections stay open, and nothing goes through them. */
  hang(): void
  /** It is there again. */
  recover(): Promise<void>
  close(): Promise<void>
}

/** Puts a proxy before one node of the cluster, as far as this one database knows. */
export async function proxyNode(sql: Sql): Promise<ProxiedNode> {
  const [node] = await sql<{ id: number; host: string; port: number }[]>`
    select nodeid as id, nodename as host, nodeport as port from pg_dist_node
    where groupid > 0 order by nodeid desc limit 1`
  if (node === undefined) throw new Error('The cluster has no worker.')
  await waitLongForNodes(sql)
  const open = new Set<Socket>()
  let isHung = false
  const server = createServer((from) => {
    const to = connect(node.port, node.host)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.on('data', (data) => other.write(data))
      if (isHung) one.pause()
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  await sql`select citus_update_node(${node.id}, '127.0.0.1', ${port})`
  // Citus tells the nodes of it within a minute: until then it sends them no function.
  await sql`select start_metadata_sync_to_all_nodes()`
  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  return {
    name: `127.0.0.1:${port}`,
    die: stop,
    hang() {
      isHung = true
      for (const socket of open) socket.pause()
    },
    async recover() {
      isHung = false
      for (const socket of open) socket.resume()
      if (!server.listening) await listen(port)
    },
    close: async () => {
      if (server.listening) await stop()
    },
  }
}

/**
 * Citus gives up connecting to a node that hangs after seconds that a cluster sets, and on busy cores
 * that is before others were served: here each of its sessions waits for a minute.
 */
const waitLongForNodes = (sql: Sql) =>
  sql.begin(async (tx) => {
    await tx.unsafe(`do $$ begin execute format(
      'alter database %I set citus.node_connection_timeout = 60000', current_database()); end $$`)
    await tx`select set_config('citus.node_connection_timeout', '60000', false)`
    await tx`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  })
