import { and, eq } from 'drizzle-orm'
import type { Db } from '../connect.ts'
import { walk_pictures } from './tables.ts'
import type { WalkName } from './walks.ts'

/** Stores a picture of a walk; one of the same number stays. */
export async function keepWalkPicture(
  db: Db,
  { domain, id }: WalkName,
  { n, jpeg, at }: { n: number; jpeg: Uint8Array; at: Date },
): Promise<void> {
  const row = { domain, walk_id: id, n, jpeg: Buffer.from(jpeg), at }
  await db.insert(walk_pictures).values(row).onConflictDoNothing()
}

/** A picture as JPEG; null where none is kept, or no longer. */
export async function readWalkPicture(
  db: Db,
  { domain, id }: WalkName,
  n: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const [row] = await db
    .select({ jpeg: walk_pictures.jpeg })
    .from(walk_pictures)
    .where(
      and(eq(walk_pictures.domain, domain), eq(walk_pictures.walk_id, id), eq(walk_pictures.n, n)),
    )
  return row === undefined ? null : Uint8Array.from(row.jpeg)
}
