#!/usr/bin/env node
import { Command } from 'commander'
import { loadSnippet } from './attribution/snippet/asset.ts'
import { DomainUnreadable } from './audit/audit-domain.ts'
import { auditCommand } from './commands/audit.ts'
import { shardCommand } from './commands/db.ts'
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './commands/keys.ts'
import {
  createPropertyCommand,
  listPropertiesCommand,
  type PropertyDeps,
} from './commands/properties.ts'
import { forgetCommand, rebuildCommand } from './commands/report.ts'
import { storeFaultsCommand } from './commands/store.ts'
import { listOrdersCommand, moveOrderCommand, ORDER_MOVES } from './commands/store-orders.ts'
import { CommandError } from './commands/terminal/command-error.ts'
import { terminalOf } from './commands/terminal/terminal.ts'
import { validateCommand } from './commands/validate.ts'
import { readConfig } from './config.ts'
import { connect, type Db, MIGRATIONS } from './db/connect.ts'
import { STORE_MIGRATIONS } from './store/db/migrations.ts'

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
const withProperties = (work: (deps: PropertyDeps) => Promise<void>) =>
  withDatabase(async (db) => work({ db, baseUrl: config().baseUrl, snippet: await loadSnippet() }))
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
  .description('end a key: it reads nothing at once, and reports nothing after five seconds')
  .option('--json', 'as JSON')
  .action((id, flags) => withDatabase((db) => revokeKeyCommand(id, flags, db, terminal)))

const properties = program.command('properties').description('storefronts that embed the snippet')
properties
  .command('create')
  .description('create a property and show its script tag')
  .requiredOption('--domain <domain>', 'such as shop.example')
  .option('--origins <list>', 'where its pages are; the domain and its subdomains by default')
  .option('--json', 'as JSON')
  .action((flags) => withProperties((deps) => createPropertyCommand(flags, deps, terminal)))
properties
  .command('list')
  .description('list the properties with their script tags, newest first')
  .option('--json', 'as JSON')
  .action((flags) => withProperties((deps) => listPropertiesCommand(flags, deps, terminal)))

const report = program.command('report').description('what the attribution report is made of')
report
  .command('rebuild')
  .description('compare the daily sums with the events and mend them, also while the server runs')
  .option('--domain <domain>', 'only this one')
  .option('--dry-run', 'mend nothing, and exit with 1 when there is something to mend')
  .option('--json', 'as JSON')
  .action((flags) =>
    withDatabase(async (db) => {
      const { retentionMonths } = config()
      const deps = { db, retentionMonths, now: () => new Date() }
      process.exitCode = await rebuildCommand(flags, deps, terminal)
    }),
  )
report
  .command('forget')
  .argument('<session_id>', "the merchant's id of it, or the browser's")
  .description('erase a session, for good')
  .option('--domain <domain>', 'whose it is')
  .option('--json', 'as JSON')
  .action((id, flags) =>
    withDatabase(async (db) => {
      process.exitCode = await forgetCommand(id, flags, db, terminal)
    }),
  )

program
  .command('db')
  .description('the database')
  .command('shard')
  .description('how to spread the tables over a Citus cluster')
  .option('--print', 'print the statements')
  .action((flags) => shardCommand(flags, terminal))

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
    const { demoCommand } = await import('./commands/demo/demo.ts')
    await demoCommand(flags, config(), terminal)
  })

program
  .command('corpus')
  .argument('<folder>', 'with pages/, profiles/ and acp/')
  .description('measure the readers on real pages and profiles')
  .action(async (folder) => {
    const { runCorpus } = await import('./corpus/pages.ts')
    const { runProfileCorpus } = await import('./corpus/profiles.ts')
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
