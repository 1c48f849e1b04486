import type { Opening } from '../../../shared/walk/operation.ts'
import type { RouteAddress } from './route-address.ts'

/** A checkout that a walk is about to open, or has opened, in somebody's store. */
export interface OpenEntry {
  /** The walk's id. */
  walk: string
  domain: string
  /** Unique for each opening: its idempotency key, and a number where it is sent again. */
  key: string
  /** What opens it: sent again under its key, it tells the session's id. It has no secrets. */
  opening: Opening
  /** Where and in which dialect it was sent, and can be cancelled once the id is known. */
  route: RouteAddress
  /** Null until the answer was read. */
  session: string | null
  /** ISO 8601. */
  since: string
}

/**
 * What is open in stores, kept where it survives the process: a walk that is killed leaves its
 * notes, and whoever comes next cancels what they name.
 */
export interface Ledger {
  /** Before the request goes out. Durable when it resolves. */
  opening(entry: OpenEntry): Promise<void>
  /** The session that this opening was answered with. */
  opened(key: string, session: string): Promise<void>
  /** It was refused, cancelled or paid. */
  closed(key: string): Promise<void>
}
