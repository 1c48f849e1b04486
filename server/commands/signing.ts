import type { Transcript } from '../../shared/walk/transcript.ts'
import { printable } from '../../shared/web/text/printable.ts'
import type { Config } from '../config.ts'
import type { Signer } from '../signatures/signer.ts'
import type { Terminal } from './terminal/terminal.ts'

const UNSIGNED = printable`Requests are not signed, and some stores let in signed agents alone: set BASE_URL to the https address of your Aisle and DATABASE_URL to its database, which has the keys.`

/** Said where nothing was signed, and a store turned a request away. */
export const remarkUnsigned = (terminal: Pick<Terminal, 'remark'>): void =>
  terminal.remark(UNSIGNED)

/** Whether a purchase ended because the store lets in no strangers. */
export const endsShut = ({ routes }: Transcript): boolean =>
  routes
    .flatMap(({ purchases }) => purchases)
    .filter(({ outcome }) => outcome === 'failed')
    .flatMap(({ steps }) => steps.at(-1)?.exchanges ?? [])
    .some(({ answer }) => answer?.status === 401 || answer?.status === 403)

/**
 * The signer of a command: by the keys that the service at BASE_URL publishes, from its database;
 * null without both.
 */
export async function openSigner(
  { publicUrl, databaseUrl, databaseConnections, dataDir, secretsKey }: Config,
  now: () => Date,
): Promise<{ signer: Signer | null; close: () => Promise<void> }> {
  const unsigned = { signer: null, close: async () => {} }
  if (databaseUrl === undefined) return unsigned
  const { createSigner } = await import('../signatures/signer.ts')
  const signer = createSigner(publicUrl ?? '', now)
  if (signer === null) return unsigned
  const { connect } = await import('../db/connect.ts')
  const { sealerOf } = await import('../db/sealing/seal.ts')
  const { serviceKeys } = await import('../signatures/service-keys.ts')
  const database = await connect({ databaseUrl, databaseConnections, dataDir, migrations: null })
  signer.use(database.db, serviceKeys(sealerOf({ secretsKey, dataDir })))
  return { signer, close: database.close }
}
