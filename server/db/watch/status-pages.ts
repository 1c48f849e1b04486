import { eq } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { status_pages } from './tables.ts'

/** Whether the owner of the domain publishes whether agents can buy there. */
export async function hasStatusPage(db: Db, domain: string): Promise<boolean> {
  return (await db.$count(status_pages, eq(status_pages.domain, domain))) > 0
}

/** Publishes the status of a domain, or withdraws it. Doing either twice changes nothing. */
export async function setStatusPage(
  db: Db,
  domain: string,
  { shown, now }: { shown: boolean; now: Date },
): Promise<void> {
  if (shown) await db.insert(status_pages).values({ domain, created_at: now }).onConflictDoNothing()
  else await db.delete(status_pages).where(eq(status_pages.domain, domain))
}
