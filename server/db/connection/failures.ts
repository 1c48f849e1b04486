import { DrizzleQueryError } from 'drizzle-orm/errors'
import { field } from '../../../shared/web/json/json.ts'

/** An error of the driver, alone or as drizzle wraps it. Errors of files have a code as well. */
export const isDatabaseError = (error: unknown): boolean =>
  error instanceof DrizzleQueryError ||
  (error instanceof Error && ('query' in error || /^\d|^CONNECT/.test(codeOf(error))))

/** An error without drizzle's wrapping, whose message holds the parameters of the statement. */
export const withoutStatement = (error: unknown): unknown =>
  error instanceof DrizzleQueryError ? (error.cause ?? error) : error

/**
 * No connection, or a server that is starting, stopping, out of connections or too slow, or that
 * ended this transaction in favour of another. The same statement may succeed later. SQLSTATEs:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isTransactionConflict(error) || /^(08|53|57)...$|^CONNECT|^E[A-Z]+$|^EAI_/.test(codeOf(error))

/**
 * A standby, which nothing can be written to before it has taken over (read_only_sql_transaction).
 */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** Nothing can be written (disk_full). Statements that only read go on. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === '53100'

/**
 * A deadlock, a conflict or a lock of another transaction: a retry may succeed immediately. Class
 * 40, and 55P03 (lock_not_available).
 */
export const isTransactionConflict = (error: unknown): boolean =>
  /^40...$|^55P03$/.test(codeOf(error))

/**
 * A setting that does not exist. To ask for it is how a statement can end its transaction without a
 * function of ours, and the error holds its name.
 */
export const MISTAKEN_VISIT = 'aisle.a_visit_began_otherwise'

/**
 * A batch was classified as if a visit began with one of its events, and it began otherwise: see
 * `insertEvents`. A retry finds out how, and a smaller batch has fewer visits that may begin
 * meanwhile.
 */
export const isVisitMistaken = (error: unknown): boolean =>
  fieldOf(error, 'message').includes(MISTAKEN_VISIT)

/** A lock of another transaction was not waited for any longer (lock_not_available). */
export const isLockRefused = (error: unknown): boolean => codeOf(error) === '55P03'

/** A statement that took longer than it may, or that somebody cancelled (query_canceled). */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/**
 * A row without a partition. All failed checks share this SQLSTATE, and the text is translated.
 * Citus hands on no more than that of what a node says (`ReportResultError`), and no check of a
 * tenant table fails with this code.
 */
export const isPartitionMissing = (error: unknown): boolean =>
  codeOf(error) === '23514' &&
  ['ExecFindPartition', 'ReportResultError'].includes(fieldOf(error, 'routine'))

/** A text holds U+0000, which Postgres stores in none (character_not_in_repertoire). */
export const isNulRefused = (error: unknown): boolean => codeOf(error) === '22021'

/**
 * Postgres rejects the values: out of range, not valid text, or too long for an index. Classes 22,
 * 23 and 54; a retry with the same values fails again.
 */
export const isValueRefused = (error: unknown): boolean =>
  /^(22|23|54)...$/.test(codeOf(error)) && !isPartitionMissing(error)

/**
 * The SQLSTATE, or the code of the connection's failure; empty where the error is none of these.
 */
const codeOf = (error: unknown): string => fieldOf(error, 'code')

/** drizzle wraps the driver's error, which holds what Postgres said. */
function fieldOf(error: unknown, name: 'code' | 'routine' | 'message'): string {
  const cause = withoutStatement(error)
  return cause instanceof Error ? String(field(cause, name) ?? '') : ''
}
