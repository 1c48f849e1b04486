import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { MAX_CHANNELS } from '../../../shared/watch/channel.ts'
import type { NoticeEvent, WatchNotice } from '../../../shared/watch/notice.ts'
import type { Db, Transaction } from '../connect.ts'
import { isDelivery, type WatchDeliveryRow } from './deliveries.ts'
import { passDigestsOn } from './digest-receivers.ts'
import { notices, watch_channels, watch_deliveries, watches } from './tables.ts'

export type ChannelRow = typeof watch_channels.$inferSelect

/** Identifies a channel of a domain. */
export type ChannelId = Pick<ChannelRow, 'domain' | 'id'>

const isThis = ({ domain, id }: ChannelId) =>
  and(eq(watch_channels.domain, domain), eq(watch_channels.id, id))

/** Adds a channel, unless the domain is not watched or has the maximum. */
export const insertChannel = (
  db: Db,
  row: ChannelRow,
): Promise<'made' | 'not_watched' | 'too_many'> =>
  db.transaction(async (tx) => {
    // Locks the watch, so that concurrent inserts count each other, and deleting the watch deletes
    // them.
    const [watch] = await tx
      .select({ domain: watches.domain })
      .from(watches)
      .where(eq(watches.domain, row.domain))
      .for('update')
    if (watch === undefined) return 'not_watched'
    const have = await tx.$count(watch_channels, eq(watch_channels.domain, row.domain))
    if (have >= MAX_CHANNELS) return 'too_many'
    await tx.insert(watch_channels).values(row)
    return 'made'
  })

/** The channels of a domain, oldest first. */
export const listChannels = (db: Db, domain: string): Promise<ChannelRow[]> =>
  db
    .select()
    .from(watch_channels)
    .where(eq(watch_channels.domain, domain))
    .orderBy(asc(watch_channels.created_at), asc(watch_channels.id))

/** The channels of these domains that are off or failing, for a list of many. */
export const troubledChannels = (db: Db, domains: readonly string[]): Promise<ChannelRow[]> =>
  db
    .select()
    .from(watch_channels)
    .where(
      and(
        domains.includes('*') ? undefined : inArray(watch_channels.domain, [...domains]),
        or(isNotNull(watch_channels.disabled_at), isNotNull(watch_channels.failing_since)),
      ),
    )
    .orderBy(asc(watch_channels.domain), asc(watch_channels.created_at))

/** Null if the domain does not have this channel. */
export async function findChannel(
  db: Db | Transaction,
  channel: ChannelId,
  lock?: 'for update',
): Promise<ChannelRow | null> {
  const query = db.select().from(watch_channels).where(isThis(channel)).$dynamic()
  const [row] = await (lock === undefined ? query : query.for('update'))
  return row ?? null
}

/** The channel by its id alone, for the link in a mail. */
export async function findChannelById(db: Db, id: string): Promise<ChannelRow | null> {
  const [row] = await db.select().from(watch_channels).where(eq(watch_channels.id, id))
  return row ?? null
}

/** The channels of all domains with the same target and the same key. */
export const channelsTo = (
  db: Db,
  { kind, target, key_id }: Pick<ChannelRow, 'kind' | 'target' | 'key_id'>,
): Promise<ChannelRow[]> =>
  db
    .select()
    .from(watch_channels)
    .where(
      and(
        eq(watch_channels.kind, kind),
        eq(watch_channels.target, target),
        eq(watch_channels.key_id, key_id),
      ),
    )
    .orderBy(asc(watch_channels.domain), asc(watch_channels.id))

/** Changes a channel; null if the domain does not have it. */
export async function updateChannel(
  db: Db | Transaction,
  channel: ChannelId,
  change: Partial<Omit<ChannelRow, 'id' | 'domain'>>,
): Promise<ChannelRow | null> {
  const [row] = await db.update(watch_channels).set(change).where(isThis(channel)).returning()
  return row ?? null
}

/**
 * Deletes a channel and the deliveries that wait for it alone; false if the domain does not have
 * it.
 */
export const deleteChannel = (db: Db, channel: ChannelId): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [gone] = await tx.delete(watch_channels).where(isThis(channel)).returning()
    if (gone === undefined) return false
    await passDigestsOn(tx, gone)
    await tx.delete(watch_deliveries).where(eq(watch_deliveries.channel_id, channel.id))
    return true
  })

/** Switches a channel off, and drops the deliveries that wait for it alone. */
export async function switchChannelOff(
  tx: Transaction,
  channel: ChannelId,
  change: Partial<ChannelRow> & Pick<ChannelRow, 'disabled_at' | 'disabled_why'>,
): Promise<void> {
  const off = await updateChannel(tx, channel, change)
  if (off !== null) await passDigestsOn(tx, off)
  await tx
    .update(watch_deliveries)
    .set({ next_at: null, leased_until: null })
    .where(and(eq(watch_deliveries.channel_id, channel.id), isNotNull(watch_deliveries.next_at)))
}

/**
 * The channel event that a notice belongs to. Incidents from orders belong to `signal`, opened or
 * closed: a channel without it may belong to a key that may not read reports.
 */
export const channelEventOf = (notice: SQLWrapper) => sql<NoticeEvent>`
  case ${notice}->'data'->'incident'->>'kind' when 'signal' then 'signal' else ${notice}->>'event' end`

/** The newest deliveries of a channel, of these events only. */
export const listChannelDeliveries = (
  db: Db,
  channel: ChannelId,
  { events, limit = 50 }: { events?: readonly NoticeEvent[]; limit?: number } = {},
): Promise<WatchDeliveryRow[]> =>
  db
    .select()
    .from(watch_deliveries)
    .where(
      and(
        eq(watch_deliveries.domain, channel.domain),
        eq(watch_deliveries.channel_id, channel.id),
        events && inArray(channelEventOf(watch_deliveries.notice), [...events]),
      ),
    )
    .orderBy(desc(watch_deliveries.created_at), desc(watch_deliveries.notice_id))
    .limit(limit)

/** The newest notices of a feed: those of its events, and its own tests. */
export async function newestNotices(
  db: Db,
  { id, domain, events }: Pick<ChannelRow, 'id' | 'domain' | 'events'>,
  limit: number,
): Promise<WatchNotice[]> {
  const rows = await db
    .select({ notice: notices.notice })
    .from(notices)
    .where(
      and(
        eq(notices.domain, domain),
        or(
          inArray(channelEventOf(notices.notice), [...events]),
          and(eq(notices.event, 'test'), sql`${notices.notice}->'data'->'channel'->>'id' = ${id}`),
        ),
      ),
    )
    .orderBy(desc(notices.at), desc(notices.id))
    .limit(limit)
  return rows.map(({ notice }) => notice)
}

/**
 * Deliveries that may be tried now: due, no other of the channel under way, and no earlier one of
 * the same incident still waiting, so that its end never arrives first.
 */
const isDue = (now: Date) =>
  and(
    lte(watch_deliveries.next_at, now),
    sql`not exists (
      select from watch_deliveries other
      where other.channel_id = ${watch_deliveries.channel_id}
        and (other.leased_until >= ${now.toISOString()}::timestamptz
          or (other.next_at is not null and other.created_at < ${watch_deliveries.created_at}
            and other.notice->'data'->'incident'->>'id'
              = ${watch_deliveries.notice}->'data'->'incident'->>'id'))
    )`,
  )

/**
 * Channels with due deliveries, the longest waiting first. Mail has its own slots, because it goes
 * to one server and everything else to many.
 */
export async function dueChannels(
  db: Db,
  { kind, now, most }: { kind: 'mail' | 'http'; now: Date; most: number },
): Promise<ChannelRow[]> {
  const rows = await db
    .select({ channel: watch_channels })
    .from(watch_channels)
    .innerJoin(watch_deliveries, eq(watch_deliveries.channel_id, watch_channels.id))
    .where(
      and(
        isDue(now),
        isNull(watch_channels.disabled_at),
        sql`(${watch_channels.kind} = 'mail') = ${kind === 'mail'}`,
      ),
    )
    .groupBy(watch_channels.id)
    .orderBy(sql`min(${watch_deliveries.next_at})`, asc(watch_channels.id))
    .limit(most)
  return rows.map(({ channel }) => channel)
}

/**
 * Takes the next due delivery of a channel; null if there is none, or while another replica holds
 * one of this channel. The lease blocks further ones; after a crash the delivery is due again when
 * it ends.
 */
export const claimWatchDelivery = (
  db: Db,
  channelId: string,
  { now, until }: { now: Date; until: Date },
): Promise<WatchDeliveryRow | null> =>
  db.transaction(async (tx) => {
    // Serializes two takers, as neither would see the other's lease. Not a lock of the channel's
    // row, which the search for a digest's new receiver skips.
    const [mine] = await tx.execute<{ taken: boolean }>(sql`
      select pg_try_advisory_xact_lock(hashtextextended('aisle channel ' || ${channelId}, 0)) as taken`)
    if (!mine?.taken) return null
    const [row] = await tx
      .select()
      .from(watch_deliveries)
      .where(and(eq(watch_deliveries.channel_id, channelId), isDue(now)))
      .orderBy(asc(watch_deliveries.created_at), asc(watch_deliveries.notice_id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (row === undefined) return null
    await tx.update(watch_deliveries).set({ leased_until: until }).where(isDelivery(row))
    return row
  })
