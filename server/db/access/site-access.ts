import { eq } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { site_access } from './tables.ts'

export type AccessRow = typeof site_access.$inferSelect

/** What is given for this site; null where nothing is. */
export async function findAccess(db: Db, domain: string): Promise<AccessRow | null> {
  const [row] = await db.select().from(site_access).where(eq(site_access.domain, domain))
  return row ?? null
}

/** Stores what is given, in place of what was given before. */
export async function saveAccess(db: Db, row: AccessRow): Promise<void> {
  const { domain: _, ...change } = row
  await db
    .insert(site_access)
    .values(row)
    .onConflictDoUpdate({ target: site_access.domain, set: change })
}

/** Whether there was any. */
export async function deleteAccess(db: Db, domain: string): Promise<boolean> {
  const gone = await db
    .delete(site_access)
    .where(eq(site_access.domain, domain))
    .returning({ domain: site_access.domain })
  return gone.length > 0
}
