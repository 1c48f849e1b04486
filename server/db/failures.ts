import { DrizzleQueryError } from 'drizzle-orm/errors'
import { field } from '../../shared/web/json.ts'

/**
 * No connection, or a server that is starting, stopping, out of connections or too slow, or that
 * ended this transaction for the sake of another. The same may go through later.
 */
export const isDatabaseAway = (error: unknown): boolean =>
  isCrossed(error) || /^(08|53|57)...$|^CONNECT|^E[A-Z]+$/.test(codeOf(error))

/** Another transaction stood in the way, by a deadlock or a lock: the same may go through now. */
export const isCrossed = (error: unknown): boolean => /^40...$|^55P03$/.test(codeOf(error))

/** A row that no partition is there for. Its SQLSTATE is that of any check, its text is translated. */
export const isPartitionMissing = (error: unknown): boolean =>
  codeOf(error) === '23514' && fieldOf(error, 'routine') === 'ExecFindPartition'

/** The values are what Postgres refuses: out of range, not text, or over what an index holds. */
export const isValueRefused = (error: unknown): boolean =>
  /^(22|23|54)...$/.test(codeOf(error)) && !isPartitionMissing(error)

/** The SQLSTATE, or the code of the connection's failure; empty where the error is none of these. */
const codeOf = (error: unknown): string => fieldOf(error, 'code')

function fieldOf(error: unknown, name: 'code' | 'routine'): string {
  const cause = error instanceof DrizzleQueryError ? error.cause : error
  return cause instanceof Error ? String(field(cause, name) ?? '') : ''
}
