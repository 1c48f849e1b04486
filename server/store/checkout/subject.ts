import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { sessions } from '../db/tables.ts'
import type { OperationCall } from '../http/store-request.ts'
import { findSession } from './sessions.ts'

/**
 * Changes which checkout a call is about, as a fault of the shop demands: one that was reopened
 * after its cancellation, or a copy, so that each payment makes its own order. The answer is plain
 * JSON and names the checkout that the call named.
 */
export async function aboutSubject<Answer>(
  db: Db,
  { id, subject }: { id: string; subject: OperationCall['subject'] },
  run: (id: string) => Promise<Answer>,
): Promise<Answer> {
  if (subject === 'reopened') await reopen(db, id)
  if (subject !== 'copied') return run(id)
  const copy = await copySession(db, id)
  return JSON.parse(JSON.stringify(await run(copy)).replaceAll(copy, id))
}

const reopen = (db: Db, id: string) =>
  db
    .update(sessions)
    .set({ status: 'pending_confirmation' })
    .where(and(eq(sessions.id, id), eq(sessions.status, 'canceled')))

async function copySession(db: Db, id: string): Promise<string> {
  const session = await findSession(db, id)
  if (session?.status !== 'pending_confirmation') return id
  const copy = `checkout_${randomUUID()}`
  await db.insert(sessions).values({ ...session, id: copy })
  return copy
}
