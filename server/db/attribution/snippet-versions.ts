import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { snippet_versions } from './tables.ts'

/** Keeps the code of a version, which the code decides: stored again, it is in use again. */
export async function keepSnippetVersion(
  db: Db,
  row: typeof snippet_versions.$inferInsert,
): Promise<void> {
  await db
    .insert(snippet_versions)
    .values(row)
    .onConflictDoUpdate({
      target: snippet_versions.version,
      // The column's default is what was meant to be inserted: Citus takes no now() here.
      set: { last_used_at: sql`excluded.last_used_at` },
    })
}

/** Records that a page loaded a version. */
export async function touchSnippetVersion(db: Db, version: string): Promise<void> {
  await db
    .update(snippet_versions)
    .set({ last_used_at: sql`now()` })
    .where(eq(snippet_versions.version, version))
}

/** The code of each version that is kept, by the version's name. */
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
