import type { Signals } from '../../../shared/attribution/classify/classify.ts'
import type { Source } from '../../../shared/attribution/events.ts'
import type { StoredEvent } from '../../db/tables.ts'

/** An event that was read and found right, before it is classified. */
export interface IncomingEvent {
  domain: string
  event: StoredEvent
  source: Source
  session_id: string
  /** `visitOf` the browser's session where the event names one, else `sessionOf` its own. */
  visit_id: string
  ts: Date
  /** Of all events of the domain under this key, the first counts. */
  key: string
  /** Tells a retry from another event under the same key. */
  fingerprint: string
  /** What the event says of where it came from; what is known of its visit is added. */
  signals: Signals
  /** As the merchant declared it. */
  ai_surface: string | null
  value: number | null
  currency: string | null
  properties: Record<string, unknown>
}

/** What was stored: now, or under the same key before. */
export interface Recorded {
  event_id: string
  /** The key was there. What is said here is what was stored first. */
  replayed: boolean
  /** The key was there with another fingerprint. */
  conflict: boolean
  surface: string
  confidence: number
  /** It speaks of a visit that no browser reported. */
  unknown_visit?: true
}
