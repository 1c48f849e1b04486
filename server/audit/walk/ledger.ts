import type { Opening } from '../../../shared/walk/operation.ts'
import type { RouteAddress } from './route-address.ts'

/** A checkout that a walk is about to open in somebody's store, or has opened. */
export interface OpenEntry {
  /** The walk's id. */
  walk: string
  domain: string
  /** Unique for each opening: its idempotency key, with a number if it is sent again. */
  key: string
  /** The opening: sent again under its key, it returns the session's id. It holds no secrets. */
  opening: Opening
  /** Where and in which dialect it was sent, so that it can be cancelled once the id is known. */
  route: RouteAddress
  /** Null until the answer is read. */
  session: string | null
  /** ISO 8601. */
  since: string
}

/**
 * The open sessions, stored so that they survive the process: a walk that is killed leaves its
 * notes, and the next sweep cancels those sessions.
 */
export interface Ledger {
  /** Called before the request is sent. Durable when it resolves. */
  opening(entry: OpenEntry): Promise<void>
  /** The opening was answered with this session. */
  opened(key: string, session: string): Promise<void>
  /** The opening was refused, or its session is cancelled or paid. */
  closed(key: string): Promise<void>
}
