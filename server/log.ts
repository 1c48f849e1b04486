import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** JSON lines, to stdout unless another stream is given. */
export const createLog = (stream?: DestinationStream): Log =>
  pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream ?? pino.destination(1))
