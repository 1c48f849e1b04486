import { shardStatements } from '../db/sharding.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

/** The events of a batch are stored by one statement, over domains and tables. */
const CAUTION =
  '-- On a copy first: that Citus takes the statement which stores events of several domains is not proven.'

/** Prints how to shard; running it is for the operator, with the service stopped. */
export function shardCommand(flags: { print?: boolean }, terminal: Terminal): void {
  if (!flags.print) {
    throw new CommandError(
      'This changes no database. Print the statements with --print, and run them on the coordinator of a Citus cluster, such as by psql, while no server runs.',
    )
  }
  terminal.print([CAUTION, ...shardStatements().map((statement) => `${statement};`)].join('\n'))
}
