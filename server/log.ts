import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** What a reader who does not keep up may leave unread. Lines beyond it are dropped. */
const MOST_UNREAD = 1_048_576

/** JSON lines, to stdout unless another stream is given. */
export const createLog = (stream: DestinationStream = logStream(1)): Log =>
  pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)

/**
 * Writes beside the requests that are logged, not before them: lines that come during a write are
 * the next. At the process' exit it writes what is left.
 */
export const logStream = (dest: number | string) =>
  pino.destination({ dest, sync: false, maxLength: MOST_UNREAD })
