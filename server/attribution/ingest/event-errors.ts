import { Overdue, QueueFull } from '../../db/batching/batcher.ts'
import {
  isDatabaseUnavailable,
  isPartitionMissing,
  isValueRefused,
  isVisitMistaken,
} from '../../db/connection/failures.ts'
import { ApiError, overloaded, RETRY_SOON } from '../../http/api-error.ts'

/** As the IETF draft on the Idempotency-Key header has it: 422 for a key with another body. */
export const idempotencyConflict = () =>
  new ApiError(
    422,
    'idempotency_conflict',
    'This Idempotency-Key was already used for this event with different fields. Send a different event with its own key.',
  )

/**
 * The error that the sender of an event gets; null for an internal error. 503 means that the event
 * may have been stored: a repeat finds it under its key.
 */
export function toEventError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof QueueFull) return overloaded()
  const isLater =
    isDatabaseUnavailable(error) || isPartitionMissing(error) || isVisitMistaken(error)
  if (error instanceof Overdue || isLater) {
    return new ApiError(
      503,
      'not_confirmed',
      'We could not confirm that the event was stored. Send it again; a repeat is counted once.',
      RETRY_SOON,
    )
  }
  if (isValueRefused(error)) {
    return new ApiError(
      422,
      'not_storable',
      'A value in this event cannot be stored. Check that its numbers are in range.',
    )
  }
  return null
}
