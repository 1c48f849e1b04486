import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { escapeJson } from '../../shared/web/text/printable.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/**
 * JSON lines without control characters, to stdout unless another stream is given. `level` may be
 * set later on; until then it is `info`.
 */
export const createLog = (
  stream: DestinationStream = pino.destination(1),
): Log & Pick<Logger, 'level'> =>
  pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } },
    { write: (line) => stream.write(escapeJson(line)) },
  )

/**
 * An error without the data of its statement: Postgres repeats the row in `detail`, and drizzle
 * ends its message with the parameters.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  const chain = [...chainOf(error)]
  const clean = (text: string) =>
    chain.reduce(
      (left, each) => ('params' in each ? left.replaceAll(`\nparams: ${each.params}`, '') : left),
      text,
    )
  // The SQLSTATE, or Node's error code, of the innermost error that has one.
  const code = chain.reduce<unknown>(
    (outer, each) => ('code' in each ? each.code : outer),
    undefined,
  )
  return { type, code, message: clean(message), stack: clean(stack) }
}

const DEEPEST = 8

/** The error, its cause, the cause of that. */
function* chainOf(error: unknown, depth = DEEPEST): Generator<Error> {
  if (!(error instanceof Error) || depth === 0) return
  yield error
  yield* chainOf(error.cause, depth - 1)
}
