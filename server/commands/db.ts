import { printable, printableLines } from '../../shared/web/printable.ts'
import { shardStatements } from '../db/sharding.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

/** One statement stores a batch of events, which may be of several domains, in several tables. */
const CAUTION =
  '-- Try this on a copy first: it is not verified that Citus accepts the statement that stores events of several domains.'

/** Prints the statements only: the operator runs them while the service is stopped. */
export function shardCommand(flags: { print?: boolean }, terminal: Terminal): void {
  if (!flags.print) {
    throw new CommandError(
      printable`Nothing was changed. Use --print and run the statements with psql on the Citus coordinator while the service is stopped.`,
    )
  }
  terminal.print(
    printableLines([CAUTION, ...shardStatements().map((statement) => `${statement};`)]),
  )
}
