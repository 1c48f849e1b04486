import { setTimeout as sleep } from 'node:timers/promises'
import { intentsOf } from '../../../shared/walk/intents.ts'
import { type WalkSeen, walkSeenOf } from '../../../shared/walk/seen.ts'
import { isWalkOver } from '../../../shared/walk/stored-walk.ts'
import { DAY_MS } from '../../../shared/web/moment.ts'
import { findWholeWalk, readTranscript, readWalk, type WalkLine } from '../../db/audit/walks.ts'
import type { Db } from '../../db/connect.ts'
import type { Walks } from './jobs.ts'

const ASK_MS = 250

/** A stored walk as the evidence of an audit. */
export interface FreshWalk {
  id: string
  seen: WalkSeen
}

interface FreshDeps {
  db: Db
  now: () => Date
  walks: Pick<Walks, 'join'>
  /** How often the state of a running walk is read. Tests shorten it. */
  askMs?: number
}

/**
 * The newest finished walk of a domain since then (one day unless given); with `pages`, one that
 * walked through pages too. Null without one.
 */
export async function findFreshWalk(
  { db, now }: Pick<FreshDeps, 'db' | 'now'>,
  domain: string,
  {
    since = new Date(now().getTime() - DAY_MS),
    pages = false,
  }: { since?: Date | undefined; pages?: boolean } = {},
): Promise<FreshWalk | null> {
  const row = await findWholeWalk(db, domain, since, pages)
  const transcript = row && (await readTranscript(db, row))
  return row && transcript ? { id: row.id, seen: walkSeenOf(transcript) } : null
}

/**
 * The same. Without one, makes a walk that pays nothing and waits for it, as it waits for one that
 * is running. Null if that walk was ended early. Rejects when `signal` aborts; the walk then goes
 * on.
 */
export async function makeFreshWalk(
  deps: FreshDeps,
  asked: {
    domain: string
    keyId: string
    covered?: readonly string[]
    since?: Date
    pages?: boolean
  },
  signal: AbortSignal,
): Promise<FreshWalk | null> {
  const { domain, keyId, covered = [], since, pages = false } = asked
  const fresh = await findFreshWalk(deps, domain, { since, pages })
  if (fresh !== null) return fresh
  const intents = intentsOf('look')
  const order = { domain, mode: 'look', intents, covered, ...(pages && { pages: {} }) } as const
  let row: WalkLine | null = await deps.walks.join(order, keyId)
  while (row !== null && !isWalkOver(row.state)) {
    await sleep(deps.askMs ?? ASK_MS, undefined, { signal })
    row = await readWalk(deps.db, row)
  }
  return findFreshWalk(deps, domain, { since, pages })
}
