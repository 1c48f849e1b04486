#!/usr/bin/env node
import { Command } from 'commander'
import { auditCommand } from './commands/audit.ts'
import { CommandError } from './commands/command-error.ts'
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './commands/keys.ts'
import { storeFaultsCommand } from './commands/store.ts'
import { listOrdersCommand, moveOrderCommand, ORDER_MOVES } from './commands/store-orders.ts'
import { terminalOf } from './commands/terminal.ts'
import { validateCommand } from './commands/validate.ts'
import { readConfig } from './config.ts'
import { connect, type Db, MIGRATIONS } from './db/connect.ts'
import { DomainUnreadable } from './probe/audit.ts'
import { STORE_MIGRATIONS } from './store/db/store-database.ts'

const terminal = terminalOf(process.stdout, process.stderr, process.env)
const config = () => readConfig(process.env)
const program = new Command('aisle').description(
  'Tells whether AI agents can find, understand and buy from a store.',
)

/** Runs a command on the database that the server or the store uses, also while they run. */
const withTables =
  (migrations: typeof MIGRATIONS) =>
  async (work: (db: Db) => Promise<void>): Promise<void> => {
    const database = await connect({ ...config(), migrations })
    try {
      await work(database.db)
    } finally {
      await database.close()
    }
  }
const withDatabase = withTables(MIGRATIONS)
const withStore = withTables(STORE_MIGRATIONS)

program
  .command('audit')
  .argument('<domain>', 'such as shop.example')
  .description('audit a store from here, without a server')
  .option('--json', 'the result as JSON')
  .option('--checks <names>', 'a comma-separated list, such as catalog,checkout')
  .option('--fail-under <score>', 'exit with 1 when the score is lower')
  .action(async (domain, flags) => {
    process.exitCode = await auditCommand(domain, flags, config(), terminal)
  })

program
  .command('validate')
  .argument('<file or url>', 'a manifest, or where one is published')
  .description('judge a manifest of the specification or an official UCP profile')
  .option('--json', 'the verdict as JSON')
  .action(async (source, flags) => {
    process.exitCode = await validateCommand(source, flags, config(), terminal)
  })

const keys = program.command('keys').description('API keys of the service')
keys
  .command('create')
  .description('create a key and show it, once')
  .option('--name <name>', 'what it is for', 'unnamed')
  .requiredOption('--scopes <list>', 'audit, manifest, report:read, report:write')
  .option('--domains <list>', 'whose reports it may touch; * for all', '*')
  .option('--expires <date>', 'when it ends')
  .option('--json', 'as JSON')
  .action((flags) => withDatabase((db) => createKeyCommand(flags, db, terminal)))
keys
  .command('list')
  .description('list the keys, newest first')
  .option('--json', 'as JSON')
  .action((flags) => withDatabase((db) => listKeysCommand(flags, db, terminal)))
keys
  .command('revoke')
  .argument('<id>', 'the eight characters after aisle_live_')
  .description('end a key at once')
  .option('--json', 'as JSON')
  .action((id, flags) => withDatabase((db) => revokeKeyCommand(id, flags, db, terminal)))

const store = program.command('store').description('the reference store')
store
  .command('faults')
  .description('list each way that the store can be wrong')
  .option('--json', 'as JSON')
  .action((flags) => storeFaultsCommand(flags, terminal))
store
  .command('orders')
  .description('list the newest orders')
  .option('--json', 'as JSON')
  .action((flags) => withStore((db) => listOrdersCommand(flags, db, terminal)))
for (const [command, { description, to }] of Object.entries(ORDER_MOVES)) {
  const move = store
    .command(command)
    .argument('<order>', 'its id, as aisle store orders lists it')
    .description(description)
    .option('--json', 'as JSON')
    .action((id, flags) => withStore((db) => moveOrderCommand(id, to, flags, db, terminal)))
  if (to !== 'shipped') continue
  move
    .option('--tracking <number>', "the parcel's number")
    .option('--carrier <name>', 'who brings it')
    .option('--tracking-url <url>', 'where it can be followed')
}

program
  .command('demo')
  .description('the service, the reference store and a broken twin, audited')
  .option('--once', 'exit after the reports')
  .action(async (flags) => {
    const { demoCommand } = await import('./commands/demo.ts')
    await demoCommand(flags, config(), terminal)
  })

program
  .command('corpus')
  .argument('<folder>', 'with pages/, profiles/ and acp/')
  .description('measure the readers on real pages and profiles')
  .action(async (folder) => {
    const { runCorpus } = await import('./corpus.ts')
    const { runProfileCorpus } = await import('./corpus-profiles.ts')
    await runCorpus(folder, terminal.print)
    await runProfileCorpus(folder, terminal.print)
  })

try {
  await program.parseAsync()
} catch (error) {
  terminal.endProgress()
  const isKnown = error instanceof CommandError || error instanceof DomainUnreadable
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${text}\n`)
  if (!isKnown && error instanceof Error && process.env.DEBUG)
    process.stderr.write(`${error.stack}\n`)
  process.exitCode = 2
}
