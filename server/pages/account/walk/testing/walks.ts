import { randomUUID } from 'node:crypto'
import { intentsOf } from '../../../../../shared/walk/intents.ts'
import { summaryOfWalk } from '../../../../../shared/walk/stored-walk.ts'
import type { Transcript, WalkEvent } from '../../../../../shared/walk/transcript.ts'
import {
  beginWalk,
  endWalk,
  insertWalk,
  insertWalkEvents,
  lastEventOf,
  type WalkName,
} from '../../../../db/audit/walks.ts'
import type { Db } from '../../../../db/connect.ts'

/** Stores a walk that no process runs: it stays under way, after these events, until `endIt`. */
export async function walkUnderWay(
  db: Db,
  { domain, mode, started_at }: Pick<Transcript, 'domain' | 'mode' | 'started_at'>,
  events: readonly WalkEvent[] = [],
): Promise<WalkName> {
  const walk = { domain, id: randomUUID() }
  const asked_at = new Date(started_at)
  const more = { key_id: 'abcdefgh', intents: intentsOf(mode), dialects: null }
  const made = await insertWalk(db, { ...walk, ...more, mode, asked_at, leased_until: null })
  if (made === null) throw new Error(`Another walk of ${domain} is under way.`)
  await beginWalk(db, walk, asked_at)
  await goOn(db, walk, events)
  return walk
}

/** Stores the next event of a walk. */
export async function goOn(db: Db, walk: WalkName, events: readonly WalkEvent[]): Promise<void> {
  if (events.length === 0) return
  const last = await lastEventOf(db, walk)
  const numbered = events.map((event, at) => ({ n: last + at + 1, event }))
  await insertWalkEvents(db, walk, numbered, new Date())
}

/** Stores the end of a walk. */
export async function endIt(db: Db, walk: WalkName, transcript: Transcript): Promise<void> {
  await endWalk(db, walk, {
    state: 'ended',
    stopped: transcript.stopped,
    events: (await lastEventOf(db, walk)) + 1,
    summary: summaryOfWalk(transcript),
    ended_at: new Date(transcript.ended_at ?? transcript.started_at),
    transcript: { ...transcript, id: walk.id },
  })
}

/** Stores a walk that has ended with this transcript. Resolves to its id. */
export async function endedWalk(db: Db, transcript: Transcript): Promise<string> {
  const walk = await walkUnderWay(db, transcript)
  await endIt(db, walk, transcript)
  return walk.id
}
