import type { Db } from './db/connect.ts'
import { findSnippetVersion, keepSnippetVersion } from './db/snippet-versions.ts'
import { prepareSnippet, type SnippetAsset } from './snippet-asset.ts'

export type FindSnippet = (version: string) => Promise<SnippetAsset | null>

const VERSION = /^[0-9a-f]{16}$/

/**
 * Finds the snippet that a tag is pinned to: the current one, or one of an earlier release. Those
 * that exist are few, so each is compressed once and kept.
 */
export function findSnippets(db: Db, current: SnippetAsset): FindSnippet {
  const known = new Map([[current.version, current]])
  return async (version) => {
    const kept = known.get(version)
    if (kept !== undefined) return kept
    const code = VERSION.test(version) ? await findSnippetVersion(db, version) : null
    if (code === null) return null
    const asset = await prepareSnippet(code)
    known.set(version, asset)
    return asset
  }
}

/** Keeps the code of this release, so that what is pinned to it outlives it. */
export const keepSnippet = (
  db: Db,
  { version, bodies }: Pick<SnippetAsset, 'version' | 'bodies'>,
  now: Date,
): Promise<void> =>
  keepSnippetVersion(db, {
    version,
    code: Buffer.from(bodies.identity.bytes).toString('utf8'),
    created_at: now,
  })
