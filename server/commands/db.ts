import { shardStatements } from '../db/sharding.ts'
import { CommandError } from './command-error.ts'
import type { Terminal } from './terminal.ts'

/** Prints how to shard; running it is for the operator, with the service stopped. */
export function shardCommand(flags: { print?: boolean }, terminal: Terminal): void {
  if (!flags.print) {
    throw new CommandError(
      'This changes no database. Print the statements with --print, and run them on the coordinator of a Citus cluster, such as by psql, while no server runs.',
    )
  }
  terminal.print(
    shardStatements()
      .map((statement) => `${statement};`)
      .join('\n'),
  )
}
