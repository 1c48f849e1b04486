#!/usr/bin/env node
// Not its parts by name: an older Node lacks some, and could not say so.
import nodeModule from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { CommanderError } from 'commander'
import { NoResult } from '../shared/audit/result/no-result.ts'
import { printable, printableError, printableLines } from '../shared/web/text/printable.ts'
import { addAuditCommands } from './commands/groups/audits.ts'
import { addDatabaseCommands } from './commands/groups/database.ts'
import { addDevelopmentCommands } from './commands/groups/development.ts'
import { addFeedCommands } from './commands/groups/feed.ts'
import { addServiceCommands } from './commands/groups/service.ts'
import { addStoreCommands } from './commands/groups/store.ts'
import type { Surroundings } from './commands/groups/surroundings.ts'
import { addWatchCommands } from './commands/groups/watches.ts'
import { AisleCommand } from './commands/terminal/aisle-command.ts'
import { codeCacheFolder } from './commands/terminal/code-cache.ts'
import { CommandError } from './commands/terminal/command-error.ts'
import { oldNodeText } from './commands/terminal/old-node.ts'
import { onDatabase } from './commands/terminal/on-database.ts'
import { shortLivedFlags } from './commands/terminal/short-lived.ts'
import { type Terminal, terminalOf } from './commands/terminal/terminal.ts'
import type { ConnectConfig, Db } from './db/connect.ts'
import type { Schema } from './db/schema/schema.ts'
import { STDERR, STDOUT } from './process/output.ts'
import { AISLE_VERSION } from './version.ts'

/** Set where the program is built for the package of the commands (`server/build/compile.ts`). */
declare const PACKAGED: true

// A command's code is imported when it runs, so that the others start without it.

const tooOld = oldNodeText(process.versions.node)
if (tooOld !== null) {
  STDERR.line(printable`${tooOld}`)
  process.exit(2)
}
for (const flag of shortLivedFlags(process.versions.v8)) setFlagsFromString(flag)
// In a checkout, each build would leave a cache behind. A folder that cannot be written is fine.
if (typeof PACKAGED !== 'undefined') {
  const folder = codeCacheFolder(AISLE_VERSION, process.env, process.platform)
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
// A reader may end early, like `head`: the command still does its work.
let isOutputMissing = false
void STDOUT.lost.then((error) => {
  if (error.code === 'EPIPE') return
  isOutputMissing = true
  process.exitCode = 2
  terminal.endProgress()
  STDERR.line(printable`The output cannot be written: ${error.message}.`)
})
const config = async () => (await import('./config.ts')).readConfig(process.env)
/** The environment of a step on a runner of GitHub Actions. */
const runner = { summary: process.env.GITHUB_STEP_SUMMARY, output: process.env.GITHUB_OUTPUT }
const program = new AisleCommand('aisle')
  .description('Checks whether AI agents can find, understand and buy from a store.')
  .version(AISLE_VERSION)
  .addHelpText(
    'after',
    `
The options of a command: aisle help <command>, such as aisle help keys create.
Exit code: 0 all is as it was asked for, 1 something falls short, 2 it could not be done.
The file - is standard input, where a command reads one. NO_COLOR=1 leaves the colours out.`,
  )
const helpOf = (text: string) => printableLines(text.trimEnd().split('\n'))
// Before the commands are added: they copy it.
program.configureOutput({
  writeOut: (text) => STDOUT.line(helpOf(text)),
  writeErr: (text) => STDERR.line(helpOf(text)),
  // Errors repeat what was typed.
  outputError: (text) => STDERR.line(printableError(text.trimEnd())),
})

// A mistyped command ends like every failure: below, with exit code 2.
program.exitOverride()
// A flag after the name of a command belongs to it.
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
/** The tables of the server, or of the store. */
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
const surroundings: Surroundings = {
  // Passed to the commands: a chunk of its own would be another file to read at each start.
  version: AISLE_VERSION,
  terminal,
  config,
  env: process.env,
  now: () => new Date(),
  runner,
  withDatabase,
  withStore,
  withSchema,
}
addAuditCommands(program, surroundings)
addServiceCommands(program, surroundings)
addWatchCommands(program, surroundings)
addDatabaseCommands(program, surroundings)
addFeedCommands(program, surroundings)
addStoreCommands(program, surroundings)
// A package that is installed elsewhere does not have the service.
if (typeof PACKAGED === 'undefined') addDevelopmentCommands(program, surroundings)

try {
  await program.parseAsync()
} catch (error) {
  terminal.endProgress()
  const isHelp = error instanceof CommanderError && error.exitCode === 0
  process.exitCode = isHelp ? 0 : 2
  if (!isHelp) {
    // commander's own message is on standard error already.
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
// The result was not printed.
if (isOutputMissing) process.exitCode = 2
