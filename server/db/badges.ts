import { eq } from 'drizzle-orm'
import type { Db } from './connect.ts'
import { badges } from './tables.ts'

export async function hasBadge(db: Db, domain: string): Promise<boolean> {
  return (await db.$count(badges, eq(badges.domain, domain))) > 0
}

export async function setBadge(db: Db, domain: string, shown: boolean, now: Date): Promise<void> {
  if (shown) await db.insert(badges).values({ domain, created_at: now }).onConflictDoNothing()
  else await db.delete(badges).where(eq(badges.domain, domain))
}
