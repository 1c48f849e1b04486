import { eq } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { badges } from './tables.ts'

/** Whether the owner of the domain has published its grade. */
export async function hasBadge(db: Db, domain: string): Promise<boolean> {
  return (await db.$count(badges, eq(badges.domain, domain))) > 0
}

/** Publishes the grade of a domain, or takes it back. Doing either twice changes nothing. */
export async function setBadge(db: Db, domain: string, shown: boolean, now: Date): Promise<void> {
  if (shown) await db.insert(badges).values({ domain, created_at: now }).onConflictDoNothing()
  else await db.delete(badges).where(eq(badges.domain, domain))
}
