import type { Database } from '../../db/connect.ts'
import { signalled } from './signalled.ts'

/**
 * Does `work` on a database, and closes it. SIGINT and SIGTERM also close it, even while it is
 * still being opened, and then end the process with 130 or 143: otherwise a private Postgres would
 * run on.
 */
export async function onDatabase(
  connecting: Promise<Database>,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  let code: number | undefined
  try {
    code = await Promise.race([signalled(), connecting.then(work).then(() => undefined)])
  } finally {
    // If it could not be opened, there is nothing to close.
    await connecting.then(
      ({ close }) => close(),
      () => {},
    )
  }
  if (code !== undefined) process.exit(code)
}
