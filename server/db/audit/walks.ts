import { and, asc, desc, eq, getTableColumns, gt, gte, isNull, lt, max, sql } from 'drizzle-orm'
import type { Transcript, WalkEvent } from '../../../shared/walk/transcript.ts'
import type { Db } from '../connect.ts'
import { jobRows } from '../leases/rows.ts'
import { askAmong, askEverywhere } from '../sharding/shards.ts'
import { walk_events, walks } from './tables.ts'

type WalkRow = typeof walks.$inferSelect

/** A walk without its transcript, which may have megabytes. */
export type WalkLine = Omit<WalkRow, 'transcript'>

/** Which walk: the domain says on which node of a cluster it is. */
export type WalkName = Pick<WalkRow, 'domain' | 'id'>

type NewWalk = Pick<
  WalkRow,
  'domain' | 'id' | 'key_id' | 'mode' | 'intents' | 'dialects' | 'asked_at' | 'leased_until'
>

const { transcript: _, ...LINE } = getTableColumns(walks)

// As the index `walks_one_at_a_time` has it.
const isOpen = sql`${walks.state} in ('queued', 'under_way')`

const jobs = jobRows(walks, isOpen)

export const { extend: keepWalk, askToCancel } = jobs

/** The condition of walks that have not ended and whose process lives. */
export const isWalkAlive = (now: Date) => and(isOpen, gte(walks.leased_until, now))

/** Notes a walk that waits. Null where another one of the domain has not ended. */
export async function insertWalk(db: Db, walk: NewWalk): Promise<WalkLine | null> {
  const [row] = await db
    .insert(walks)
    .values({ ...walk, state: 'queued' })
    .onConflictDoNothing({ target: walks.domain, where: sql`state in ('queued', 'under_way')` })
    .returning(LINE)
  return row ?? null
}

/** The walk of a domain that has not ended; null without one. */
export async function findOpenWalk(db: Db, domain: string): Promise<WalkLine | null> {
  const [row] = await db
    .select(LINE)
    .from(walks)
    .where(and(eq(walks.domain, domain), isOpen))
  return row ?? null
}

/** The walk with this id, if its domain is one of these; `*` among them is all. */
export async function findWalk(
  db: Db,
  id: string,
  domains: readonly string[],
): Promise<WalkLine | null> {
  const [found] = await (domains.includes('*')
    ? askEverywhere<{ domain: string }>(
        db.$client,
        sql`select domain from walks where id = ${id}::uuid`,
      )
    : askAmong<{ domain: string }>(
        db.$client,
        domains,
        (asked) =>
          sql`select domain from walks where id = ${id}::uuid and domain in (select ${asked})`,
      ))
  return found === undefined ? null : readWalk(db, { domain: found.domain, id })
}

/** The walk as it is now; null once it was deleted. */
export async function readWalk(db: Db, name: WalkName): Promise<WalkLine | null> {
  const [row] = await db.select(LINE).from(walks).where(jobs.isNamed(name))
  return row ?? null
}

/** The transcript of a walk that has ended; null before, and for one of another form. */
export async function readTranscript(db: Db, name: WalkName): Promise<Transcript | null> {
  const [row] = await db
    .select({ transcript: walks.transcript })
    .from(walks)
    .where(jobs.isNamed(name))
  return asTranscript(row?.transcript)
}

/** Only `endWalk` writes it, and its form has a number. */
const asTranscript = (stored: unknown): Transcript | null => {
  const transcript = stored as Transcript | null | undefined
  return transcript?.version === 1 ? transcript : null
}

/**
 * The newest that came to its end by itself, and not before this moment; with `pages`, one that
 * walked through pages too. Null without one.
 */
export async function findWholeWalk(
  db: Db,
  domain: string,
  since: Date,
  pages = false,
): Promise<WalkLine | null> {
  const isWhole = and(
    eq(walks.state, 'ended'),
    isNull(walks.stopped),
    gte(walks.ended_at, since),
    pages ? sql`${walks.transcript} ? 'pages'` : undefined,
  )
  const [row] = await db
    .select(LINE)
    .from(walks)
    .where(and(eq(walks.domain, domain), isWhole))
    .orderBy(desc(walks.ended_at))
    .limit(1)
  return row ?? null
}

/** The walks of a domain, newest first, at most `limit`. */
export const listWalks = (db: Db, domain: string, limit = 50): Promise<WalkLine[]> =>
  db
    .select(LINE)
    .from(walks)
    .where(eq(walks.domain, domain))
    .orderBy(desc(walks.asked_at))
    .limit(limit)

/** A walk that waited begins. False when it has ended meanwhile. */
export async function beginWalk(db: Db, name: WalkName, now: Date): Promise<boolean> {
  const rows = await db
    .update(walks)
    .set({ state: 'under_way', started_at: now })
    .where(and(jobs.isNamed(name), eq(walks.state, 'queued')))
    .returning({ id: walks.id })
  return rows.length > 0
}

/** How a walk ended. */
type WalkEnd = Pick<WalkRow, 'state' | 'stopped' | 'events' | 'summary'> & {
  ended_at: Date
  transcript: Transcript
}

/**
 * Ends a walk with its transcript. False when it had ended before: that stays, unless it was
 * stopped with the reason `instead` by somebody who took it for dead.
 */
export async function endWalk(
  db: Db,
  name: WalkName,
  end: WalkEnd,
  instead: string | null = null,
): Promise<boolean> {
  const rows = await db
    .update(walks)
    .set(end)
    .where(jobs.mayEnd(name, walks.stopped, instead))
    .returning({ id: walks.id })
  return rows.length > 0
}

/** Walks that have not ended and whose process is gone. */
export const listDeadWalks = (db: Db, now: Date): Promise<WalkLine[]> =>
  db
    .select(LINE)
    .from(walks)
    .where(and(isOpen, lt(walks.leased_until, now)))

/** Something that happened in a walk, and its number within it. */
export interface NumberedEvent {
  n: number
  event: WalkEvent
}

/** Stores what happened in a walk; a number that is stored stays as it is. */
export async function insertWalkEvents(
  db: Db,
  { domain, id }: WalkName,
  events: readonly NumberedEvent[],
  at: Date,
): Promise<void> {
  await db
    .insert(walk_events)
    .values(events.map((each) => ({ ...each, domain, walk_id: id, at })))
    .onConflictDoNothing()
}

/** What happened after the event with this number, in order, at most `limit`. */
export async function listWalkEvents(
  db: Db,
  { domain, id }: WalkName,
  after = 0,
  limit = 100_000,
): Promise<NumberedEvent[]> {
  const rows = await db
    .select({ n: walk_events.n, event: walk_events.event })
    .from(walk_events)
    .where(
      and(eq(walk_events.domain, domain), eq(walk_events.walk_id, id), gt(walk_events.n, after)),
    )
    .orderBy(asc(walk_events.n))
    .limit(limit)
  return rows.map(({ n, event }) => ({ n, event: asWalkEvent(event) }))
}

/** Only `insertWalkEvents` writes it. */
const asWalkEvent = (stored: unknown) => stored as WalkEvent

/** The number of the last event so far; 0 before the first. */
export async function lastEventOf(db: Db, { domain, id }: WalkName): Promise<number> {
  const [row] = await db
    .select({ n: max(walk_events.n) })
    .from(walk_events)
    .where(and(eq(walk_events.domain, domain), eq(walk_events.walk_id, id)))
  return row?.n ?? 0
}
