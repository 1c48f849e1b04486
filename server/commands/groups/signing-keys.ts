import type { Command } from 'commander'
import type { KeyRing } from '../../signatures/keys.ts'
import type { Surroundings } from './surroundings.ts'

interface Owner extends Pick<Surroundings, 'now' | 'terminal'> {
  whose: string
  /** What follows "list the keys that". */
  where: string
  rings: () => Promise<KeyRing[]>
  withDb: Surroundings['withDatabase']
}

/** The commands for the signing keys of one owner. */
export function addSigningKeys(
  parent: Command,
  { whose, where, rings, withDb, now, terminal }: Owner,
): void {
  const signingKeys = parent.command('signing-keys').description(whose)
  signingKeys
    .command('list')
    .description(`list the keys that ${where}, oldest first`)
    .option('--json', 'print JSON')
    .action((flags) =>
      withDb(async (db) => {
        const { listSigningKeysCommand } = await import('../signing-keys.ts')
        await listSigningKeysCommand(flags, { rings: await rings(), db, now }, terminal)
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
      withDb(async (db) => {
        const { rotateSigningKeyCommand } = await import('../signing-keys.ts')
        await rotateSigningKeyCommand(flags, { rings: await rings(), db, now }, terminal)
      }),
    )
}
