import { DrizzleQueryError } from 'drizzle-orm/errors'

/** No connection, or a server that is starting, stopping, out of connections or too slow. */
export const isDatabaseAway = (error: unknown): boolean =>
  /^(08|53|57)...$|^CONNECT|^E[A-Z]+$/.test(codeOf(error))

/** The values are what Postgres refuses: out of range, not text, or over what an index holds. */
export const isValueRefused = (error: unknown): boolean => /^(22|23|54)...$/.test(codeOf(error))

/** The SQLSTATE, or the code of the connection's failure; empty where the error is none of these. */
function codeOf(error: unknown): string {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
