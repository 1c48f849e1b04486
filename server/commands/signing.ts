import { printable } from '../../shared/web/text/printable.ts'
import type { Config } from '../config.ts'
import type { Signer } from '../signatures/signer.ts'
import type { Terminal } from './terminal/terminal.ts'

const UNSIGNED = printable`Requests are not signed, and some stores let in signed agents alone: set BASE_URL to the https address of your Aisle and DATABASE_URL to its database, which has the keys.`

/**
 * The signer of a command: by the keys that the service at BASE_URL publishes, from its database.
 * Without both nothing is signed, which is said.
 */
export async function openSigner(
  { publicUrl, databaseUrl, databaseConnections, dataDir }: Config,
  now: () => Date,
  terminal: Pick<Terminal, 'remark'>,
): Promise<{ signer: Signer | null; close: () => Promise<void> }> {
  const unsigned = () => {
    terminal.remark(UNSIGNED)
    return { signer: null, close: async () => {} }
  }
  if (databaseUrl === undefined) return unsigned()
  const { createSigner } = await import('../signatures/signer.ts')
  const signer = createSigner(publicUrl ?? '', now)
  if (signer === null) return unsigned()
  const { connect } = await import('../db/connect.ts')
  const database = await connect({ databaseUrl, databaseConnections, dataDir, migrations: null })
  signer.use(database.db)
  return { signer, close: database.close }
}
