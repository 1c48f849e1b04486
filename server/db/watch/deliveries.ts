import { and, eq } from 'drizzle-orm'
import { watch_deliveries } from './tables.ts'

export type WatchDeliveryRow = typeof watch_deliveries.$inferSelect

/** Identifies the one delivery of a notice to a channel. */
export const isDelivery = ({
  channel_id,
  notice_id,
}: Pick<WatchDeliveryRow, 'channel_id' | 'notice_id'>) =>
  and(eq(watch_deliveries.channel_id, channel_id), eq(watch_deliveries.notice_id, notice_id))
