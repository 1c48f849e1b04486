import { DAY_MS } from '../../../shared/web/moment.ts'
import {
  findSnippetVersions,
  keepSnippetVersion,
  touchSnippetVersion,
} from '../../db/attribution/snippet-versions.ts'
import { createLookUp } from '../../db/batching/look-up.ts'
import type { Db } from '../../db/connect.ts'
import { coalesce } from '../../http/coalesce.ts'
import { prepareSnippet, type SnippetAsset, VERSION } from './asset.ts'

/** The snippet of a version; null for one that is not kept. */
type FindSnippet = (version: string) => Promise<SnippetAsset | null>

const IS_VERSION = new RegExp(`^${VERSION}$`)

/**
 * Finds the snippet that a tag is pinned to: the current one, or one of an earlier release. Those
 * that exist are few, so each is compressed once and kept.
 */
export function findSnippets(db: Db, current: SnippetAsset): FindSnippet {
  const known = new Map([[current.version, current]])
  const codeOf = createLookUp((versions) => findSnippetVersions(db, versions))
  const find = coalesce(
    (version: string) => version,
    async (version) => {
      const code = await codeOf(version)
      if (code === null) return null
      const asset = await prepareSnippet(code)
      known.set(version, asset)
      return asset
    },
  )
  const touched = new Map<string, number>()
  /** Once a day and version. What fails is made up for by the next day's page. */
  const touch = (version: string) => {
    const at = performance.now()
    if (at - (touched.get(version) ?? Number.NEGATIVE_INFINITY) < DAY_MS) return
    touched.set(version, at)
    touchSnippetVersion(db, version).catch(() => {})
  }
  return async (version) => {
    // The form is checked first, so that made-up paths cost no query.
    const asset = known.get(version) ?? (IS_VERSION.test(version) ? await find(version) : null)
    if (asset !== null) touch(version)
    return asset
  }
}

/** Stores the code of this release, so that tags pinned to it keep working after the next one. */
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
