import { and, arrayContains, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { digestsOf } from '../../../shared/watch/digest.ts'
import type { Transaction } from '../connect.ts'
import { isDelivery } from './deliveries.ts'
import { watch_channels, watch_deliveries, watches } from './tables.ts'

/** The channels of a domain that want digests, with what decides which of them share a receiver. */
export const digestChannels = (tx: Transaction, domain: string) =>
  tx
    .select({
      id: watch_channels.id,
      kind: watch_channels.kind,
      target: watch_channels.target,
      key_id: watch_channels.key_id,
    })
    .from(watch_channels)
    .where(and(eq(watch_channels.domain, domain), wantsDigest))
    .orderBy(asc(watch_channels.id))

const wantsDigest = and(
  isNotNull(watch_channels.confirmed_at),
  isNull(watch_channels.disabled_at),
  arrayContains(watch_channels.events, ['digest']),
)

type Receiver = Awaited<ReturnType<typeof digestChannels>>[number]

const isReceiver = ({ kind, target, key_id }: Omit<Receiver, 'id'>) =>
  and(
    eq(watch_channels.kind, kind),
    eq(watch_channels.target, target),
    eq(watch_channels.key_id, key_id),
  )

/** The channels of one receiver, of watches whose digests are due together. */
export const channelsOfReceiver = (
  tx: Transaction,
  receiver: Omit<Receiver, 'id'>,
  time_zone: string,
): Promise<{ id: string; domain: string }[]> =>
  tx
    .select({ id: watch_channels.id, domain: watch_channels.domain })
    .from(watch_channels)
    .innerJoin(watches, eq(watches.domain, watch_channels.domain))
    .where(
      and(
        wantsDigest,
        isReceiver(receiver),
        eq(watches.time_zone, time_zone),
        isNull(watches.paused_at),
      ),
    )
    .orderBy(asc(watch_channels.id))

/**
 * Moves the waiting digests of a deleted channel that cover several domains to another channel of
 * the same receiver, of one of these domains. What is being sent stays, so that it does not arrive
 * twice. Without such a channel nothing is moved.
 */
export async function passDigestsOn(tx: Transaction, gone: Receiver): Promise<void> {
  const waiting = await tx
    .select()
    .from(watch_deliveries)
    .where(
      and(
        eq(watch_deliveries.channel_id, gone.id),
        isNotNull(watch_deliveries.next_at),
        isNull(watch_deliveries.leased_until),
        sql`${watch_deliveries.notice}->'data' ? 'digests'`,
      ),
    )
    .for('update')
  for (const delivery of waiting) {
    const { notice } = delivery
    const [heir] = await tx
      .select({ id: watch_channels.id, domain: watch_channels.domain })
      .from(watch_channels)
      .where(
        and(
          wantsDigest,
          isReceiver(gone),
          inArray(
            watch_channels.domain,
            digestsOf(notice).map((digest) => digest.domain),
          ),
        ),
      )
      .orderBy(asc(watch_channels.id))
      .limit(1)
      // That channel may be deleted at the same time, and the two must not wait for each other.
      .for('update', { skipLocked: true })
    if (heir === undefined) continue
    const { id, domain } = heir
    await tx
      .update(watch_deliveries)
      .set({ channel_id: id, domain, notice: { ...notice, domain } })
      .where(isDelivery(delivery))
  }
}
