import type { Command } from 'commander'
import type { Surroundings } from './surroundings.ts'

/** The commands for the database of the service, and for both schemas. */
export function addDatabaseCommands(
  program: Command,
  { terminal, config, withDatabase, withSchema }: Surroundings,
): void {
  const database = program.command('db').description('database administration')
  database
    .command('stats')
    .description('list the tables: rows, bytes, the oldest row, and what is kept')
    .option('--json', 'print JSON')
    .action((flags) =>
      withDatabase(async (db) => {
        const { statsCommand } = await import('../db.ts')
        await statsCommand(flags, db, await config(), terminal)
      }),
    )
  database
    .command('status')
    .description(
      'list the migrations that are applied and pending; exit with code 1 if some are needed',
    )
    .option('--store', 'those of the reference store')
    .option('--json', 'print JSON')
    .action((flags) =>
      withSchema(flags.store ?? false, async (schema) => {
        const { statusCommand } = await import('../schema.ts')
        process.exitCode = await statusCommand(flags, schema, terminal)
      }),
    )
  database
    .command('migrate')
    .description('apply the pending migrations; safe while the server runs')
    .option('--store', 'those of the reference store')
    .option('--wait <minutes>', 'how long to try while others hold a table', '15')
    .option('--json', 'print JSON')
    .action((flags) =>
      withSchema(flags.store ?? false, async (schema) => {
        const { migrateCommand } = await import('../schema.ts')
        process.exitCode = await migrateCommand(flags, schema, terminal)
      }),
    )
  database
    .command('shard')
    .description('spread the tables over a Citus cluster; run again, it does what is left')
    .option('--print', 'print the statements, and run none')
    .action((flags) =>
      withDatabase(async (db) => {
        const { shardCommand } = await import('../shards.ts')
        await shardCommand(flags, db, terminal)
      }),
    )
  database
    .command('rebalance')
    .description('say what to run so that the nodes of a cluster hold as much; it moves nothing')
    .requiredOption('--plan', 'print the plan')
    .action(() =>
      withDatabase(async (db) => {
        const { rebalanceCommand } = await import('../shards.ts')
        await rebalanceCommand(db, terminal)
      }),
    )
}
