import type { Sql } from 'postgres'
import { counted } from '../../shared/web/text/english-count.ts'
import { printable, printableLines } from '../../shared/web/text/printable.ts'
import type { Db } from '../db/connect.ts'
import { applyShards, hasCitus, pendingShardStatements } from '../db/sharding/apply.ts'
import {
  listNodes,
  planMoves,
  planSplit,
  readNodeSettings,
  settingsToMake,
  splitStatement,
} from '../db/sharding/rebalance.ts'
import { detectShards } from '../db/sharding/shards.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

/**
 * Spreads the tables over a Citus cluster, or prints the statements for it. Run again, it
 * continues. Events that arrive meanwhile wait for the table that is being moved.
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
  const nodes = await namesOfNodes(sql)
  terminal.print(
    done.length === 0
      ? printable`The tables are spread already, over ${nodes}.`
      : printable`Ran ${done.length} statements. The tables are spread over ${nodes}.`,
  )
}

/** Prints how to even out the nodes, and the commands for it. It moves nothing. */
export async function rebalanceCommand(db: Db, terminal: Terminal): Promise<void> {
  const sql = db.$client
  if (!(await detectShards(sql))) {
    throw new CommandError(
      printable`The tables are not spread over a Citus cluster. Run "aisle db shard" first.`,
    )
  }
  const moves = await planMoves(sql)
  if (moves.length > 0) {
    return terminal.print(
      printableLines([
        ...moves.map(
          ({ shards, bytes, from, to }) =>
            `${counted(shards, 'shard')} (${inMegabytes(bytes)}) from ${from} to ${to}`,
        ),
        '',
        ...(await firstSettings(sql, { toSplit: false })),
        'To move them, run this with psql on the coordinator. Events are accepted meanwhile; each shard stops writes for a moment at the end of its move.',
        '  select citus_rebalance_start();',
        '  select * from citus_rebalance_status();',
        '',
        'Then run this command again.',
      ]),
    )
  }
  const split = await planSplit(sql)
  if (split === null) {
    return terminal.print(
      printableLines([
        `The nodes are even: ${await namesOfNodes(sql)}.`,
        '',
        'To add one, run this with psql on the coordinator, and then this command again:',
        "  select citus_add_node('<host>', 5432);",
      ]),
    )
  }
  const to = [...new Set(split.to.map(({ name }) => name))].join(' and ')
  terminal.print(
    printableLines([
      `${split.from.name} has more than its share of the domains, and no whole shard that another node has room for.`,
      '',
      ...(await firstSettings(sql, { toSplit: true })),
      `To split one of its shards (${inMegabytes(split.bytes)}) and give the halves to ${to}, run this with psql on the coordinator. Events are accepted meanwhile; the shard stops writes for a moment at the end.`,
      `  ${splitStatement(split)};`,
      '',
      'Then run this command again.',
    ]),
  )
}

/** The settings that the nodes need first, followed by an empty line. */
async function firstSettings(sql: Sql, purpose: { toSplit: boolean }): Promise<string[]> {
  const toMake = settingsToMake(await readNodeSettings(sql), purpose)
  return toMake.flatMap(({ nodes, statements, restart }) => [
    `First run this with psql as a superuser on ${nodes.join(' and on ')}${restart ? ', and restart Postgres there' : ''}:`,
    ...statements.map((statement) => `  ${statement};`),
    '',
  ])
}

const namesOfNodes = async (sql: Sql): Promise<string> =>
  (await listNodes(sql)).map(({ name }) => name).join(', ')

const inMegabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`
