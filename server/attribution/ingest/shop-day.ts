import { dayIn } from '../../../shared/web/moment.ts'
import type { TimeZones } from '../../db/attribution/time-zones.ts'
import type { IncomingEvent } from './event.ts'
import { IN_FUTURE } from './notes.ts'
import { AHEAD_MS } from './read-event.ts'

/**
 * The day that an event counts on, in the zone of its shop, and the notes for its sender.
 * Where the sender names a day alone it is that day, or today where it has not begun in the shop.
 */
export function shopDayOf(
  { domain, ts, sent_day }: IncomingEvent,
  receivedAt: Date,
  zones: TimeZones,
): { day: string; notes: string[] } {
  const dayAt = (time: number) => dayIn(time, zones.get(domain))
  if (sent_day === undefined) return { day: dayAt(ts.getTime()), notes: [] }
  const now = receivedAt.getTime()
  return sent_day > dayAt(now + AHEAD_MS)
    ? { day: dayAt(now), notes: [IN_FUTURE] }
    : { day: sent_day, notes: [] }
}
