import { eq } from 'drizzle-orm'
import type { Db } from './connect.ts'
import { snippet_versions } from './tables.ts'

export async function keepSnippetVersion(
  db: Db,
  row: typeof snippet_versions.$inferInsert,
): Promise<void> {
  await db.insert(snippet_versions).values(row).onConflictDoNothing()
}

/** The code of a version; null when none was ever served under this name. */
export async function findSnippetVersion(db: Db, version: string): Promise<string | null> {
  const [row] = await db
    .select({ code: snippet_versions.code })
    .from(snippet_versions)
    .where(eq(snippet_versions.version, version))
  return row?.code ?? null
}
