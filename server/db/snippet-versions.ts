import { inArray } from 'drizzle-orm'
import type { Db } from './connect.ts'
import { snippet_versions } from './tables.ts'

/**
 * Keeps the code of a version. A version is derived from its code, so that storing it again changes
 * nothing.
 */
export async function keepSnippetVersion(
  db: Db,
  row: typeof snippet_versions.$inferInsert,
): Promise<void> {
  await db.insert(snippet_versions).values(row).onConflictDoNothing()
}

/** The code of each version that was ever served, by the version's name. */
export async function findSnippetVersions(
  db: Db,
  versions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ version: snippet_versions.version, code: snippet_versions.code })
    .from(snippet_versions)
    .where(inArray(snippet_versions.version, [...versions]))
  return new Map(rows.map(({ version, code }) => [version, code]))
}
