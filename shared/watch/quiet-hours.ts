import * as z from 'zod'
import { DAY_MS } from '../web/moment.ts'

const TimeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Send a time of day such as 22:00.')

/** When no alert is sent, in the watch's time zone; from evening to morning is one span. */
export const QuietHours = z
  .strictObject({
    from: TimeOfDay.describe('When they begin, such as 22:00'),
    to: TimeOfDay.describe('When they end, such as 07:00'),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'Send another time than in from: these hours would never end, or never begin.',
  })
export type QuietHours = z.infer<typeof QuietHours>

const MINUTE_MS = 60_000
const DAY_MINUTES = DAY_MS / MINUTE_MS

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Minutes since midnight in a time zone. */
function clockIn(timeZone: string, moment: Date): number {
  const text = moment.toLocaleTimeString('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return minutesOf(text)
}

/**
 * When a notice of this moment may be sent: now, or at the end of the quiet hours. On the days when
 * clocks change it may be an hour early or late.
 */
export function tellAt(quiet: QuietHours | null, timeZone: string, moment: Date): Date {
  if (quiet === null) return moment
  const clock = clockIn(timeZone, moment)
  const from = minutesOf(quiet.from)
  const to = minutesOf(quiet.to)
  const isQuiet = from < to ? clock >= from && clock < to : clock >= from || clock < to
  if (!isQuiet) return moment
  const wait = (to - clock + DAY_MINUTES) % DAY_MINUTES
  const start = Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS
  return new Date(start + wait * MINUTE_MS)
}
