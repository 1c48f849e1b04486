#!/usr/bin/env node
// Not its parts by name: an older Node does not have them all, and could not say so.
import nodeModule from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { type Command, CommanderError, Option } from 'commander'
import { NoResult } from '../shared/audit/no-result.ts'
import { printable, printableError, printableLines } from '../shared/web/printable.ts'
import { addDevelopmentCommands } from './commands/development.ts'
import { EXCHANGES, type ExtraFormats, formatsInWords } from './commands/formats/formats.ts'
import type { PropertyDeps } from './commands/properties.ts'
import { ORDER_MOVES } from './commands/store/order-moves.ts'
import { AisleCommand } from './commands/terminal/aisle-command.ts'
import { codeCacheFolder } from './commands/terminal/code-cache.ts'
import { CommandError } from './commands/terminal/command-error.ts'
import { oldNodeText } from './commands/terminal/old-node.ts'
import { onDatabase } from './commands/terminal/on-database.ts'
import { shortLivedFlags } from './commands/terminal/short-lived.ts'
import { signalled } from './commands/terminal/signalled.ts'
import { type Terminal, terminalOf } from './commands/terminal/terminal.ts'
import type { WatchesDeps } from './commands/watches/watches.ts'
import type { ConnectConfig, Db } from './db/connect.ts'
import type { Schema } from './db/schema/schema.ts'
import { STDERR, STDOUT } from './output.ts'
import { FEED_FORMATS } from './store/shop/feeds/formats.ts'

/** Set where the program is built for the package of the commands (`server/build/compile.ts`). */
declare const PACKAGED_VERSION: string

// A command's code is imported when it runs, so that the others start without it.

const tooOld = oldNodeText(process.versions.node)
if (tooOld !== null) {
  STDERR.line(printable`${tooOld}`)
  process.exit(2)
}
for (const flag of shortLivedFlags(process.versions.v8)) setFlagsFromString(flag)
// In a checkout, each build would leave one behind. A folder that cannot be written is no failure.
if (typeof PACKAGED_VERSION !== 'undefined') {
  const folder = codeCacheFolder(PACKAGED_VERSION, process.env, process.platform)
  if (folder !== null) nodeModule.enableCompileCache(folder)
}

let hasPrinted = false
const terminal: Terminal = {
  ...terminalOf(STDOUT, STDERR, process.env),
  print: (text) => {
    hasPrinted = true
    STDOUT.line(text)
  },
}
// A reader may end early, as `head` does: the command does its work all the same.
let isOutputMissing = false
void STDOUT.lost.then((error) => {
  if (error.code === 'EPIPE') return
  isOutputMissing = true
  process.exitCode = 2
  terminal.endProgress()
  STDERR.line(printable`The output cannot be written: ${error.message}.`)
})
const config = async () => (await import('./config.ts')).readConfig(process.env)
const program = new AisleCommand('aisle').description(
  'Checks whether AI agents can find, understand and buy from a store.',
)
const helpOf = (text: string) => printableLines(text.trimEnd().split('\n'))
// Before the commands are added: they copy it.
program.configureOutput({
  writeOut: (text) => STDOUT.line(helpOf(text)),
  writeErr: (text) => STDERR.line(helpOf(text)),
  // Errors repeat what was typed.
  outputError: (text) => STDERR.line(printableError(text.trimEnd())),
})

// What was typed wrong ends as every failure does: below, with exit code 2.
program.exitOverride()
// A flag after the name of a command is that one's.
program.enablePositionalOptions()

/** Runs a command on the database of the server or the store. Both may be running meanwhile. */
const withTables =
  (migrations: () => Promise<ConnectConfig['migrations']>) =>
  async (work: (db: Db) => Promise<void>): Promise<void> => {
    const { connect } = await import('./db/connect.ts')
    const { migrate, ...where } = await config()
    const connecting = connect({
      ...where,
      migrations: await migrations(),
      migrate: migrate ? 'now' : 'never',
    })
    await onDatabase(connecting, ({ db }) => work(db))
  }
const withDatabase = withTables(async () => (await import('./db/connect.ts')).MIGRATIONS)
const withStore = withTables(
  async () => (await import('./store/db/migrations.ts')).STORE_MIGRATIONS,
)
/** The tables of the server, or of the store, as they are. */
const withSchema = async (isStore: boolean, work: (schema: Schema) => Promise<void>) => {
  const { connect, MIGRATIONS } = await import('./db/connect.ts')
  const { STORE_MIGRATIONS } = await import('./store/db/migrations.ts')
  const { databaseUrl, databaseConnections, dataDir } = await config()
  const migrations = isStore ? STORE_MIGRATIONS : MIGRATIONS
  const connecting = connect({
    databaseUrl,
    databaseConnections,
    dataDir,
    migrations,
    migrate: 'later',
  })
  await onDatabase(connecting, ({ schema }) => work(schema))
}
const withProperties = (work: (deps: PropertyDeps) => Promise<void>) =>
  withDatabase(async (db) => {
    const { loadSnippet } = await import('./attribution/snippet/asset.ts')
    await work({ db, baseUrl: (await config()).baseUrl, snippet: await loadSnippet() })
  })

/** The flags of commands whose result is read by people and by programs. */
const withFormats = <Made extends Command>(command: Made, extras?: ExtraFormats<string>): Made =>
  command
    .option('--json', 'the same as --format json')
    .option('--format <format>', `${formatsInWords(extras)} (default: text)`)
    .option(
      '--output <file>',
      'write it to a file; several, each with its own --output, have formats by their endings',
      (file: string, files: string[] = []) => [...files, file],
    )
/** What a runner of GitHub Actions gives each step. */
const runner = { summary: process.env.GITHUB_STEP_SUMMARY, output: process.env.GITHUB_OUTPUT }
const now = () => new Date()

withFormats(
  program
    .command('audit')
    .argument('[domains...]', 'such as shop.example; left out: those of aisle.json')
    .description('audit stores from here, without a server'),
)
  .option('--checks <names>', 'a comma-separated list, such as catalog,checkout')
  .option(
    '--config <file>',
    'what else to ask of the stores (default: aisle.json, if there is one)',
  )
  .option('--fail-under <score>', 'exit with code 1 if a score is lower')
  .option(
    '--fail-on <severity>',
    'exit with code 1 at a gap of this severity or worse: critical, high, medium, low or none',
  )
  .option('--baseline <file or url>', 'an earlier result as JSON: only new gaps exit with code 1')
  .option(
    '--agents',
    'also ask for its pages in the names of AI agents (up to 54 requests); for your own store',
  )
  .option(
    '--deep',
    'read all of its catalog, up to 2,000 pages or 100,000 products; for your own store',
  )
  .option('--deadline <minutes>', 'how long --deep may take (default: 30)')
  .option('--walk <file>', 'judge the checkout by this transcript of aisle walk as well')
  .addHelpText(
    'after',
    '\nExit code: 0 each store is as good as was asked for, 1 one is not, 2 one could not be audited.',
  )
  .action(async (domains, flags) => {
    const { auditCommand } = await import('./commands/audit.ts')
    const deps = { config: await config(), runner, now }
    process.exitCode = await auditCommand(domains, flags, deps, terminal)
  })

program
  .command('explain')
  .argument('[gap]', 'such as checkout_price_mismatch; left out: all are listed')
  .description('say what a gap means, why it matters and how to fix it')
  .option('--json', 'print JSON')
  .action(async (gap, flags) => {
    const { explainCommand } = await import('./commands/explain.ts')
    explainCommand(gap, flags, terminal)
  })

withFormats(
  program
    .command('walk')
    .argument('[domain]', 'such as shop.example; left out with --replay: that of the transcript')
    .description(
      'make purchases in your own store as AI agents do, and see where they stop; opens real checkouts and cancels them',
    ),
  EXCHANGES,
)
  .option('--yes-open-sessions', 'agree that checkouts are opened in the store (mode look)')
  .option('--intent <names>', 'a comma-separated list; default: all of the mode')
  .option('--intents', 'list the intents')
  .option(
    '--mode <mode>',
    'look pays nothing; sandbox pays with a token of your test PSP (default: look)',
  )
  .option('--dialect <names>', 'only these of the protocols that the store speaks')
  .option('--token-env <name>', 'the environment variable with a token that is charged')
  .option('--declined-token-env <name>', 'with a token that is declined')
  .option('--challenged-token-env <name>', 'with a token that the bank wants to confirm')
  .option('--agent-key-env <name>', 'with the key that the store wants of agents')
  .option('--token <token>', 'the token itself: other users of this machine can see it')
  .option('--declined-token <token>', 'the same')
  .option('--challenged-token <token>', 'the same')
  .option('--agent-key <key>', 'the same')
  .addOption(new Option('--out <file>', 'the older name of --output').hideHelp())
  .option('--replay <file>', 'walk as in this transcript, and show what has changed')
  .addHelpText(
    'after',
    '\nExit code: 0 no purchase failed, 1 one failed by a fault of the store, 2 it could not be walked.',
  )
  .action(async (domain, flags) => {
    const { walkCommand } = await import('./commands/walk/walk.ts')
    const { openWalkNetwork } = await import('./commands/walk/walk-network.ts')
    const { settingsOf } = await import('./settings.ts')
    const network = openWalkNetwork(await config())
    const stopping = new AbortController()
    void signalled().then(() => {
      stopping.abort()
      terminal.endProgress()
      terminal.remark(printable`Stopping: what is open is cancelled first.`)
    })
    // Nobody would see the other purchases.
    void STDOUT.lost.then(() => stopping.abort())
    const { secret } = settingsOf(process.env)
    try {
      const deps = { ...network, secret, runner, signal: stopping.signal }
      process.exitCode = await walkCommand(domain, flags, deps, terminal)
    } finally {
      await network.close()
    }
  })

withFormats(
  program
    .command('validate')
    .argument('<file or url>', 'a manifest file, or the URL of a published manifest')
    .description('validate a manifest: version 1.0 or an official UCP profile'),
)
  .addHelpText(
    'after',
    '\nExit code: 0 the manifest is valid, 1 it is not, 2 it could not be read.',
  )
  .action(async (source, flags) => {
    const { validateCommand } = await import('./commands/validate.ts')
    const deps = { config: await config(), runner, now }
    process.exitCode = await validateCommand(source, flags, deps, terminal)
  })

program
  .command('mcp')
  .description('offer the tools to an assistant, over MCP on stdin and stdout')
  .action(async () => {
    const { mcpCommand } = await import('./commands/mcp/mcp.ts')
    const { PROTOCOL_STREAMS } = await import('./output.ts')
    const stopping = new AbortController()
    void signalled().then(() => stopping.abort())
    await mcpCommand(PROTOCOL_STREAMS, await config(), terminal, stopping.signal)
  })

program
  .command('manifest')
  .argument('<domain>', 'such as shop.example')
  .description('print the file for /.well-known/ucp')
  .requiredOption('--catalog <url>', 'where the catalog is')
  .requiredOption('--checkout <url>', 'where carts are created')
  .option('--shipping <url>', 'where shipping is priced before confirmation')
  .option('--orders <url>', 'where the status of an order is')
  .option('--search', 'the catalog takes ?q=')
  .option('--filters <list>', 'parameters that the catalog takes, such as category,min_price')
  .option('--payment-methods <list>', 'such as card,paypal')
  .option('--format <format>', '1.0, or ucp for an official UCP profile')
  .action(async (domain, flags) => {
    const { manifestCommand } = await import('./commands/manifest.ts')
    manifestCommand(domain, flags, terminal)
  })

const keys = program.command('keys').description('API keys of the service')
keys
  .command('create')
  .description('create a key and show it once')
  .option('--name <name>', 'what the key is for', 'unnamed')
  .requiredOption(
    '--scopes <list>',
    'comma-separated: audit, manifest, report:read, report:write, walk',
  )
  .option(
    '--domains <list>',
    'domains that it covers: their reports, audits, watches and walks; * for all',
    '*',
  )
  .option('--expires <date>', 'the last day on which it is valid, in UTC, such as 2027-01-31')
  .option('--json', 'print JSON')
  .action((flags) =>
    withDatabase(async (db) => {
      const { createKeyCommand } = await import('./commands/keys.ts')
      await createKeyCommand(flags, db, terminal)
    }),
  )
keys
  .command('list')
  .description('list the keys, newest first')
  .option('--json', 'print JSON')
  .action((flags) =>
    withDatabase(async (db) => {
      const { listKeysCommand } = await import('./commands/keys.ts')
      await listKeysCommand(flags, db, terminal)
    }),
  )
keys
  .command('revoke')
  .argument('<id>', 'the eight characters after aisle_live_')
  .description('revoke a key: reads stop immediately, event reports within five seconds')
  .option('--json', 'print JSON')
  .action((id, flags) =>
    withDatabase(async (db) => {
      const { revokeKeyCommand } = await import('./commands/keys.ts')
      await revokeKeyCommand(id, flags, db, terminal)
    }),
  )

const properties = program.command('properties').description('storefronts that embed the snippet')
properties
  .command('create')
  .description('create a property and show its script tag')
  .requiredOption('--domain <domain>', 'such as shop.example')
  .option('--origins <list>', 'origins of its pages; default: the domain and its subdomains')
  .option('--currency <code>', 'what values without a currency are in, such as USD')
  .option('--time-zone <zone>', 'whose days the report counts in, such as Europe/Berlin')
  .option('--json', 'print JSON')
  .action((flags) =>
    withProperties(async (deps) => {
      const { createPropertyCommand } = await import('./commands/properties.ts')
      await createPropertyCommand(flags, deps, terminal)
    }),
  )
properties
  .command('list')
  .description('list the properties with their script tags, newest first')
  .option('--json', 'print JSON')
  .action((flags) =>
    withProperties(async (deps) => {
      const { listPropertiesCommand } = await import('./commands/properties.ts')
      await listPropertiesCommand(flags, deps, terminal)
    }),
  )
properties
  .command('set')
  .argument('<id>', 'such as prop_0123456789abcdefghij')
  .description('change the currency of values without one, or the time zone of the report')
  .option('--currency <code>', 'such as USD; none: that of most orders so far')
  .option('--time-zone <zone>', 'such as Europe/Berlin, for days from now on')
  .option('--json', 'print JSON')
  .action((id, flags) =>
    withDatabase(async (db) => {
      const { setPropertyCommand } = await import('./commands/properties.ts')
      await setPropertyCommand(id, flags, { db }, terminal)
    }),
  )

const withWatches = (work: (deps: WatchesDeps) => Promise<void>) =>
  withDatabase(async (db) => work({ db, now, baseUrl: (await config()).baseUrl }))
const listWatches = (flags: { json?: true }) =>
  withWatches(async (deps) => {
    const { listWatchesCommand } = await import('./commands/watches/watches.ts')
    await listWatchesCommand(flags, deps, terminal)
  })
const watches = program
  .command('watches')
  .argument('[command]')
  .usage('[options] [command]')
  .description('domains that the service looks at again and again; without a command, list them')
  .option('--json', 'print JSON')
  .helpCommand(true)
  .enablePositionalOptions()
  .action((typed, flags, group) => {
    if (typed !== undefined) group.refuseName(typed)
    return listWatches(flags)
  })
/** The settings of a watch. */
const withSettings = (command: Command): Command =>
  command
    .option('--period <period>', 'hourly, six_hourly, daily or weekly')
    .option('--severity <severity>', 'the least severity that is told: critical, high, medium, low')
    .option('--checks <names>', 'a comma-separated list, such as catalog,checkout')
    .option('--quiet-hours <hours>', 'when no alert is sent, such as 22:00-07:00; none: never')
    .option('--time-zone <zone>', 'of quiet hours and digests, such as Europe/Berlin')
    .option('--tags <list>', 'comma-separated words of your own')
    .option('--walk', 'make whole purchases up to the payment as well')
    .option('--no-walk', 'make none')
    .option('--report', 'say in alerts and digests what orders show')
    .option('--no-report', 'do not say it')
    .option('--json', 'print JSON')
watches
  .command('list')
  .description('list them, with their last look and their settings')
  .option('--json', 'print JSON')
  .action(listWatches)
withSettings(
  watches
    .command('add')
    .argument('<domain>', 'such as shop.example')
    .description('watch a domain; left out: hourly, alerts from high on, no walks'),
).action((domain, flags) =>
  withWatches(async (deps) => {
    const { addWatchCommand } = await import('./commands/watches/watches.ts')
    await addWatchCommand(domain, flags, deps, terminal)
  }),
)
withSettings(
  watches
    .command('change')
    .argument('<domain>', 'such as shop.example')
    .description('change how a domain is watched; what is left out stays'),
).action((domain, flags) =>
  withWatches(async (deps) => {
    const { changeWatchCommand } = await import('./commands/watches/watches.ts')
    await changeWatchCommand(domain, flags, deps, terminal)
  }),
)
for (const [command, paused, description] of [
  ['pause', true, 'stop looking until it is resumed, and send no alerts'],
  ['resume', false, 'look again'],
] as const) {
  watches
    .command(command)
    .argument('<domain>', 'such as shop.example')
    .description(description)
    .option('--json', 'print JSON')
    .action((domain, flags) =>
      withWatches(async (deps) => {
        const { pauseWatchCommand } = await import('./commands/watches/watches.ts')
        await pauseWatchCommand(domain, paused, flags, deps, terminal)
      }),
    )
}
watches
  .command('look')
  .argument('<domain>', 'such as shop.example')
  .description('have the running service look now')
  .option('--json', 'print JSON')
  .action((domain, flags) =>
    withWatches(async (deps) => {
      const { lookCommand } = await import('./commands/watches/watches.ts')
      await lookCommand(domain, flags, deps, terminal)
    }),
  )
watches
  .command('delete')
  .argument('<domain>', 'such as shop.example')
  .description('end a watch, and delete its channels')
  .option('--json', 'print JSON')
  .action((domain, flags) =>
    withWatches(async (deps) => {
      const { deleteWatchCommand } = await import('./commands/watches/watches.ts')
      await deleteWatchCommand(domain, flags, deps, terminal)
    }),
  )
watches
  .command('apply')
  .description('watch the domains of aisle.json as its "watch" says; run again, it changes nothing')
  .option('--config <file>', 'another file than aisle.json')
  .option('--dry-run', 'say what would be done, and do nothing')
  .option('--json', 'print JSON')
  .action((flags) =>
    withWatches(async (deps) => {
      const { applyWatchesCommand } = await import('./commands/watches/apply.ts')
      await applyWatchesCommand(flags, deps, terminal)
    }),
  )
program
  .command('incidents')
  .argument('[domain]', 'such as shop.example; left out: all that are watched')
  .description('list open incidents of watched domains, the worst first')
  .option('--all', 'those that are closed as well')
  .option('--json', 'print JSON')
  .action((domain, flags) =>
    withDatabase(async (db) => {
      const { incidentsCommand } = await import('./commands/watches/incidents.ts')
      await incidentsCommand(domain, flags, { db }, terminal)
    }),
  )

const report = program.command('report').description("maintain the report's totals")
report
  .command('rebuild')
  .description(
    'compare the daily totals with the events and repair them; safe while the server runs',
  )
  .option('--domain <domain>', 'only this domain')
  .option('--dry-run', 'repair nothing; exit with code 1 if there are differences')
  .option('--json', 'print JSON')
  .action((flags) =>
    withDatabase(async (db) => {
      const { rebuildCommand } = await import('./commands/report.ts')
      const { retentionMonths } = await config()
      const deps = { db, retentionMonths, now: () => new Date() }
      process.exitCode = await rebuildCommand(flags, deps, terminal)
    }),
  )
report
  .command('forget')
  .argument('<session_id>', "the merchant's session_id or the browser's visit_id")
  .description('erase a session permanently')
  .option('--domain <domain>', 'the domain of the session')
  .option('--json', 'print JSON')
  .action((id, flags) =>
    withDatabase(async (db) => {
      const { forgetCommand } = await import('./commands/report.ts')
      process.exitCode = await forgetCommand(id, flags, db, terminal)
    }),
  )

program
  .command('export')
  .description(
    'write the events of past months as Parquet files, for DuckDB, ClickHouse and others',
  )
  .requiredOption('--output <folder>', 'where month=2026-11/events.parquet and so on are written')
  .option('--months <months>', 'such as 2026-11 or 2026-01..2026-11 (default: all that are over)')
  .option('--domain <domain>', 'only the events of this domain')
  .option('--only-missing', 'leave the files that are there as they are')
  .option('--json', 'print JSON')
  .action((flags) =>
    withDatabase(async (db) => {
      const { exportCommand } = await import('./commands/export/export.ts')
      await exportCommand(flags, { db, now }, terminal)
    }),
  )

const database = program.command('db').description('database administration')
database
  .command('stats')
  .description('list the tables: rows, bytes, the oldest row, and what is kept')
  .option('--json', 'print JSON')
  .action((flags) =>
    withDatabase(async (db) => {
      const { statsCommand } = await import('./commands/db.ts')
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
      const { statusCommand } = await import('./commands/schema.ts')
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
      const { migrateCommand } = await import('./commands/schema.ts')
      process.exitCode = await migrateCommand(flags, schema, terminal)
    }),
  )
database
  .command('compact')
  .description(
    'store events in less space, once no replica of release 0.1.0 runs any more; safe while the server runs',
  )
  .action(() =>
    withDatabase(async (db) => {
      const { compactCommand } = await import('./commands/compact.ts')
      await compactCommand(db, terminal)
    }),
  )
database
  .command('shard')
  .description('spread the tables over a Citus cluster; run again, it does what is left')
  .option('--print', 'print the statements, and run none')
  .action((flags) =>
    withDatabase(async (db) => {
      const { shardCommand } = await import('./commands/shards.ts')
      await shardCommand(flags, db, terminal)
    }),
  )
database
  .command('rebalance')
  .description('say what to run so that the nodes of a cluster hold as much; it moves nothing')
  .requiredOption('--plan', 'print the plan')
  .action(() =>
    withDatabase(async (db) => {
      const { rebalanceCommand } = await import('./commands/shards.ts')
      await rebalanceCommand(db, terminal)
    }),
  )

const store = program.command('store').description('the reference store')
store
  .command('faults')
  .description('list the faults that the store can simulate')
  .option('--json', 'print JSON')
  .action(async (flags) => {
    const { storeFaultsCommand } = await import('./commands/store/store.ts')
    storeFaultsCommand(flags, terminal)
  })
store
  .command('orders')
  .description('list the newest orders')
  .option('--disputed', 'only those that a person must look at')
  .option('--json', 'print JSON')
  .action((flags) =>
    withStore(async (db) => {
      const { listOrdersCommand } = await import('./commands/store/orders.ts')
      await listOrdersCommand(flags, db, terminal)
    }),
  )
store
  .command('reviews')
  .description('list the payments that a person must look at, and why')
  .option('--json', 'print JSON')
  .action((flags) =>
    withStore(async (db) => {
      const { listReviewsCommand } = await import('./commands/store/reviews.ts')
      await listReviewsCommand(flags, db, terminal)
    }),
  )
store
  .command('reviewed')
  .argument('<id>', 'the id of a payment or an order, see aisle store reviews')
  .description('close what a person has looked at')
  .action((id) =>
    withStore(async (db) => {
      const { reviewedCommand } = await import('./commands/store/reviews.ts')
      await reviewedCommand(id, { db, now: () => new Date() }, terminal)
    }),
  )
store
  .command('feed')
  .description('write the catalog as a product feed, ready to be uploaded')
  .requiredOption('--format <name>', `one of ${FEED_FORMATS.join(', ')}`)
  .option('--gzip', 'compress it')
  .option('--out <file>', 'the file to write; replaced only when the feed is complete')
  .option('--origin <url>', 'where the store is served; default: the first of STORE_HOSTS')
  .action(async (flags) => {
    const { readFeedFlags, storeFeedCommand } = await import('./commands/store/feed.ts')
    const { readStoreConfig } = await import('./store/config.ts')
    const asked = readFeedFlags(flags, readStoreConfig(process.env))
    await withStore((db) => storeFeedCommand(asked, { db, now: () => new Date() }, terminal))
  })
const signingKeys = store
  .command('signing-keys')
  .description('the keys that the store signs its messages with')
signingKeys
  .command('list')
  .description('list the keys that its official profile publishes, oldest first')
  .option('--json', 'print JSON')
  .action((flags) =>
    withStore(async (db) => {
      const { listSigningKeysCommand } = await import('./commands/store/signing-keys.ts')
      await listSigningKeysCommand(flags, { db, now: () => new Date() }, terminal)
    }),
  )
signingKeys
  .command('rotate')
  .description(
    'publish a new key, which signs 10 minutes later; the old one stays published 8 days',
  )
  .option('--compromised', 'remove the old keys immediately: their signatures no longer verify')
  .option('--json', 'print JSON')
  .action((flags) =>
    withStore(async (db) => {
      const { rotateSigningKeyCommand } = await import('./commands/store/signing-keys.ts')
      await rotateSigningKeyCommand(flags, { db, now: () => new Date() }, terminal)
    }),
  )
for (const [command, { description, to }] of Object.entries(ORDER_MOVES)) {
  const move = store
    .command(command)
    .argument('<order>', 'the id of the order, see aisle store orders')
    .description(description)
    .option('--json', 'print JSON')
    .action((id, flags) =>
      withStore(async (db) => {
        const { moveOrderCommand } = await import('./commands/store/orders.ts')
        await moveOrderCommand(id, to, flags, db, terminal)
      }),
    )
  if (to !== 'shipped') continue
  move
    .option('--tracking <number>', 'tracking number')
    .option('--carrier <name>', 'shipping carrier')
    .option('--tracking-url <url>', 'URL of the tracking page')
}
store
  .command('refund')
  .argument('<order>', 'the id of the order, see aisle store orders')
  .description('refund an order, or a part of it, and send webhooks')
  .option(
    '--amount <amount>',
    'such as 12.50, in the currency of the order (default: what is left)',
  )
  .option('--reason <text>', 'why, for your own records')
  .option('--key <key>', 'repeat a command with the same key to refund once only')
  .option('--json', 'print JSON')
  .action((id, flags) =>
    withStore(async (db) => {
      const { refundOrderCommand } = await import('./commands/store/refund.ts')
      await refundOrderCommand(id, flags, db, terminal)
    }),
  )

// A package that is installed elsewhere has neither the service nor a corpus.
if (typeof PACKAGED_VERSION === 'undefined') addDevelopmentCommands(program, terminal, config)
else program.version(PACKAGED_VERSION)

try {
  await program.parseAsync()
} catch (error) {
  terminal.endProgress()
  const isHelp = error instanceof CommanderError && error.exitCode === 0
  process.exitCode = isHelp ? 0 : 2
  if (!isHelp) {
    // What commander says is on standard error already.
    if (!(error instanceof CommanderError)) await sayError(error)
    if (!hasPrinted) {
      const { reportFailure } = await import('./commands/formats/deliver.ts')
      await reportFailure(error, process.argv.slice(2), terminal, runner)
    }
  }
}

async function sayError(error: unknown): Promise<void> {
  const isKnown = error instanceof CommandError || error instanceof NoResult
  if (error instanceof CommandError && error.details.length > 0) {
    const { errorText } = await import('./commands/formats/deliver.ts')
    STDERR.line(errorText({ ...error, message: error.message, details: [...error.details] }))
  } else STDERR.line(error instanceof CommandError ? error.printable : printableError(error))
  if (!isKnown && error instanceof Error && process.env.DEBUG) {
    STDERR.line(printableError(error.stack))
  }
}
// Whatever the command found: it has not been said.
if (isOutputMissing) process.exitCode = 2
