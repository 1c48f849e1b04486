import { printable, printableLines } from '../../shared/web/printable.ts'
import type { Db } from '../db/connect.ts'
import {
  applyShards,
  hasCitus,
  listNodes,
  pendingShardStatements,
  planRebalance,
} from '../db/shards/apply.ts'
import { detectShards } from '../db/shards/shards.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

/**
 * Spreads the tables over a Citus cluster, or prints the statements that would. Run again, it does
 * what is left. Events that come meanwhile wait for the table that is being moved.
 */
export async function shardCommand(
  flags: { print?: boolean },
  db: Db,
  terminal: Terminal,
): Promise<void> {
  const sql = db.$client
  if (flags.print) {
    const statements = await pendingShardStatements(sql)
    return terminal.print(
      statements.length === 0
        ? printable`-- Nothing is left to do.`
        : printableLines(statements.map((statement) => `${statement};`)),
    )
  }
  if (!(await hasCitus(sql))) {
    throw new CommandError(
      printable`This Postgres has no Citus, so nothing was changed. Install Citus on every node, name it first in shared_preload_libraries, and run "create extension citus" in this database on each of them. Then add the nodes on the coordinator, to which DATABASE_URL leads: select citus_add_node('<host>', 5432)`,
    )
  }
  const done = await applyShards(sql)
  const nodes = await listNodes(sql)
  terminal.print(
    done.length === 0
      ? printable`The tables are spread already, over ${nodes.join(', ')}.`
      : printable`Ran ${done.length} statements. The tables are spread over ${nodes.join(', ')}.`,
  )
}

/** Says what would even out the nodes, and what to run for it. It moves nothing. */
export async function rebalanceCommand(db: Db, terminal: Terminal): Promise<void> {
  const sql = db.$client
  if (!(await detectShards(sql))) {
    throw new CommandError(
      printable`The tables are not spread over a Citus cluster. Run "aisle db shard" first.`,
    )
  }
  const nodes = await listNodes(sql)
  const moves = await planRebalance(sql)
  if (moves.length === 0) {
    return terminal.print(
      printableLines([
        `The nodes are even: ${nodes.join(', ')}.`,
        '',
        'To add one, run this with psql on the coordinator, and then this command again:',
        "  select citus_add_node('<host>', 5432);",
      ]),
    )
  }
  terminal.print(
    printableLines([
      ...moves.map(
        ({ shards, bytes, from, to }) =>
          `${shards} ${shards === 1 ? 'shard' : 'shards'} (${(bytes / 2 ** 20).toFixed(0)} MB) from ${from} to ${to}`,
      ),
      '',
      'To move them, run this with psql on the coordinator. Events are accepted meanwhile; each shard stops writes for a moment at the end of its move.',
      '  select citus_rebalance_start();',
      '  select * from citus_rebalance_status();',
    ]),
  )
}
