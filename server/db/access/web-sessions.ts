import { eq } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { web_sessions } from './tables.ts'

type WebSession = typeof web_sessions.$inferSelect

/** Stores a new session. */
export async function insertWebSession(db: Db, session: WebSession): Promise<void> {
  await db.insert(web_sessions).values(session)
}

/** The session with this hash of its token; null when there is none or it has expired. */
export async function findWebSession(db: Db, hash: string, now: Date): Promise<WebSession | null> {
  const [row] = await db.select().from(web_sessions).where(eq(web_sessions.token_sha256, hash))
  return row && row.expires_at > now ? row : null
}

/** Ends a session; one that does not exist is not an error. */
export async function deleteWebSession(db: Db, hash: string): Promise<void> {
  await db.delete(web_sessions).where(eq(web_sessions.token_sha256, hash))
}
