import { printableJson, printableLines } from '../../shared/web/text/printable.ts'
import type { Db } from '../db/connect.ts'
import type { KeyRing, ListedKey } from '../signatures/keys.ts'
import type { Terminal } from './terminal/terminal.ts'

interface Deps {
  /** Whose keys: those of the service are of two kinds. */
  rings: readonly KeyRing[]
  db: Db
  now: () => Date
}

/** Lists the published keys. The first of a kind is made if there is none. */
export async function listSigningKeysCommand(
  flags: { json?: boolean },
  { rings, db, now }: Deps,
  terminal: Terminal,
): Promise<void> {
  const keys = (await Promise.all(rings.map((ring) => ring.list(db, now())))).flat()
  terminal.print(flags.json ? printableJson(keys) : printableLines(keys.map(describe)))
}

/** Publishes a new key of each kind and lists all. What runs on the same database uses it. */
export async function rotateSigningKeyCommand(
  { compromised, json }: { compromised?: boolean; json?: boolean },
  deps: Deps,
  terminal: Terminal,
): Promise<void> {
  for (const ring of deps.rings) {
    await ring.rotate(deps.db, deps.now(), { compromised: compromised === true })
  }
  await listSigningKeysCommand({ json: json === true }, deps, terminal)
}

function describe({ kid, alg, state, created_at, retired_at, published_until }: ListedKey) {
  const until = retired_at && ` until ${minute(retired_at)}`
  const published = published_until && `published until ${minute(published_until)}`
  const words = {
    signs: `signs${until ?? ''}`,
    next: 'signs next',
    unreadable: 'cannot be opened with this SECRETS_KEY',
    retired: 'retired',
  }
  return [kid, alg, minute(created_at), [words[state], published].filter(Boolean).join(', ')].join(
    '  ',
  )
}

const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')
