import { printable } from '../../shared/web/printable.ts'
import type { Db } from '../db/connect.ts'
import { isLockRefused } from '../db/connection/failures.ts'
import { countOldBuilds } from '../db/events/old-builds.ts'
import { compactKeys, findKeyForm } from '../db/events/short-keys.ts'
import { CommandError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'

/**
 * Keeps keys of events and ids of sessions as hashes from now on, and makes hashes of those that
 * are there. Events come in meanwhile. Run again, it does what is left.
 */
export async function compactCommand(db: Db, terminal: Terminal): Promise<void> {
  const sql = db.$client
  const form = await findKeyForm(sql)
  if (form === 'hashes') return terminal.print(printable`The database is compact already.`)
  const old = form === 'texts' ? await countOldBuilds(sql) : 0
  if (old > 0) {
    throw new CommandError(
      printable`Release 0.1.0 has ${old} connections to this database, and could store no event afterwards, so nothing was changed. Replace its replicas, and run "aisle db compact" again.`,
    )
  }
  const { rows, isDone } = await compactKeys(sql).catch((error: unknown) => {
    if (!isLockRefused(error)) throw error
    throw new CommandError(
      printable`A table was in use for too long, by a dump or a long transaction, so nothing is lost and the rest is left to do. Run "aisle db compact" again when that is over.`,
    )
  })
  terminal.print(
    isDone
      ? printable`The database is compact: ${rows} rows were changed. Their space is used again by new rows.`
      : printable`Another process is compacting the database. Run "aisle db compact" again to see whether it is done.`,
  )
}
