import { and, eq, isNotNull, isNull, ne, notInArray, sql } from 'drizzle-orm'
import type { WatchNotice } from '../../shared/watch/notice.ts'
import { tellAt } from '../../shared/watch/quiet-hours.ts'
import { storableValue } from '../../shared/web/json/json.ts'
import type { Transaction } from '../db/connect.ts'
import { channelEventOf } from '../db/watch/channels.ts'
import { notices, watch_channels, watch_deliveries } from '../db/watch/tables.ts'
import type { WatchRow } from '../db/watch/watches.ts'

/** The settings of a watch that decide when a notice goes out. */
type NoticeSender = Pick<WatchRow, 'domain' | 'quiet_hours' | 'time_zone'>

/**
 * Stores a notice and queues it for its channels, in the transaction that stores its cause: both
 * exist, or neither. In quiet hours it waits for their end. Characters that Postgres cannot store
 * are replaced.
 */
export async function enqueueNotice(
  tx: Transaction,
  { domain, quiet_hours, time_zone }: NoticeSender,
  told: WatchNotice,
  now: Date,
  /** Ids of channels that are notified in another way. */
  except: readonly string[] = [],
): Promise<void> {
  const notice = storableValue(told)
  const { id, event } = notice
  await tx.insert(notices).values({ domain, id, at: now, event, notice })
  const channels = await tx
    .select({ channel_id: watch_channels.id })
    .from(watch_channels)
    .where(
      and(
        eq(watch_channels.domain, domain),
        // A feed is built from the notices themselves.
        ne(watch_channels.kind, 'feed'),
        isNotNull(watch_channels.confirmed_at),
        isNull(watch_channels.disabled_at),
        sql`${channelEventOf(sql`${JSON.stringify(notice)}::jsonb`)} = any(${watch_channels.events})`,
        notInArray(watch_channels.id, [...except]),
      ),
    )
  if (channels.length === 0) return
  const next_at = tellAt(quiet_hours, time_zone, now)
  await tx.insert(watch_deliveries).values(
    channels.map(({ channel_id }) => ({
      channel_id,
      notice_id: id,
      domain,
      notice,
      created_at: now,
      next_at,
    })),
  )
}

/**
 * Withdraws what quiet hours still hold back of an incident that is over: in the morning it would
 * be stale. Returns the ids of the channels that never received it, and need no notice of its end.
 */
export async function recallNotice(
  tx: Transaction,
  domain: string,
  incidentId: string,
): Promise<string[]> {
  const gone = await tx
    .delete(watch_deliveries)
    .where(
      and(
        eq(watch_deliveries.domain, domain),
        eq(watch_deliveries.attempts, 0),
        isNull(watch_deliveries.delivered_at),
        isNotNull(watch_deliveries.next_at),
        isNull(watch_deliveries.leased_until),
        sql`${watch_deliveries.notice}->>'event' = 'incident.opened'`,
        sql`${watch_deliveries.notice}->'data'->'incident'->>'id' = ${incidentId}`,
      ),
    )
    .returning({ id: watch_deliveries.channel_id })
  return gone.map(({ id }) => id)
}
