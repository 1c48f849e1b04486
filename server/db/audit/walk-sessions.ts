import { and, eq, gt, notExists } from 'drizzle-orm'
import { GIVEN_UP_MS } from '../../../shared/walk/operation.ts'
import type { Db } from '../connect.ts'
import { isFree } from '../leases/rows.ts'
import { walk_sessions, walks } from './tables.ts'
import { isWalkAlive } from './walks.ts'

export type WalkSessionRow = typeof walk_sessions.$inferSelect

type SessionName = Pick<WalkSessionRow, 'domain' | 'key'>

/** For this long one replica alone tries to cancel a session. */
export const LEASE_MS = 5 * 60_000

const isNamed = ({ domain, key }: SessionName) =>
  and(eq(walk_sessions.domain, domain), eq(walk_sessions.key, key))

/** Notes a session before it is opened: durable when it resolves. */
export async function insertWalkSession(
  db: Db,
  row: Omit<WalkSessionRow, 'leased_until'>,
): Promise<void> {
  // The same call once more, under its key: what is known of it stays.
  await db.insert(walk_sessions).values(row).onConflictDoNothing()
}

/** Notes the id of the session that an opening was answered with. */
export async function nameWalkSession(db: Db, name: SessionName, session: string): Promise<void> {
  await db.update(walk_sessions).set({ session }).where(isNamed(name))
}

/** Strikes out what is not open in the store any more. */
export async function deleteWalkSession(db: Db, name: SessionName): Promise<void> {
  await db.delete(walk_sessions).where(isNamed(name))
}

/** The condition of sessions whose walk is no longer alive, and that are not given up yet. */
const isLeftOpen = (db: Db, now: Date) =>
  and(
    gt(walk_sessions.since, new Date(now.getTime() - GIVEN_UP_MS)),
    notExists(
      db
        .select({ id: walks.id })
        .from(walks)
        .where(
          and(
            eq(walks.domain, walk_sessions.domain),
            eq(walks.id, walk_sessions.walk_id),
            isWalkAlive(now),
          ),
        ),
    ),
  )

/**
 * What walks have left open that are no longer alive. Each is given to one caller in five minutes,
 * over all replicas, so that a session is not cancelled twice at a time.
 */
export const leaseLeftOpen = (db: Db, now: Date): Promise<WalkSessionRow[]> =>
  db
    .update(walk_sessions)
    .set({ leased_until: new Date(now.getTime() + LEASE_MS) })
    .where(and(isFree(walk_sessions, now), isLeftOpen(db, now)))
    .returning()

/** How many sessions walks have left open that are no longer alive, until they are given up. */
export const countLeftOpen = (db: Db, now: Date): Promise<number> =>
  db.$count(walk_sessions, isLeftOpen(db, now))
