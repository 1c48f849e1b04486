import { printableJson, printableLines } from '../../../shared/web/text/printable.ts'
import type { Db } from '../../db/connect.ts'
import type { ListedKey } from '../../signatures/keys.ts'
import { STORE_KEYS } from '../../store/signatures/store-keys.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface Deps {
  db: Db
  now: () => Date
}

/** Lists the published keys. A store without a key gets its first one. */
export async function listSigningKeysCommand(
  flags: { json?: boolean },
  { db, now }: Deps,
  terminal: Terminal,
): Promise<void> {
  const keys = await STORE_KEYS.list(db, now())
  terminal.print(flags.json ? printableJson(keys) : printableLines(keys.map(describe)))
}

/** Publishes a new key and lists all. A store that runs on the same database uses it. */
export async function rotateSigningKeyCommand(
  { compromised, json }: { compromised?: boolean; json?: boolean },
  deps: Deps,
  terminal: Terminal,
): Promise<void> {
  await STORE_KEYS.rotate(deps.db, deps.now(), { compromised: compromised === true })
  await listSigningKeysCommand({ json: json === true }, deps, terminal)
}

function describe({ kid, state, created_at, retired_at, published_until }: ListedKey) {
  const until = retired_at && ` until ${minute(retired_at)}`
  const published = published_until && `published until ${minute(published_until)}`
  const words = {
    signs: `signs${until ?? ''}`,
    next: 'signs next',
    retired: 'retired',
  }
  return [kid, minute(created_at), [words[state], published].filter(Boolean).join(', ')].join('  ')
}

const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')
