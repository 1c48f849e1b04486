import { Overdue, QueueFull } from '../../db/batcher.ts'
import { isDatabaseAway, isPartitionMissing, isValueRefused } from '../../db/failures.ts'
import { ApiError, overloaded, SOON } from '../../http/errors.ts'

export const keyReused = () =>
  new ApiError(
    422,
    'idempotency_conflict',
    'This event was recorded under this Idempotency-Key with other fields. Send another under its own.',
  )

/** What whoever sent the event is told of an error; null where it is a fault of ours. */
export function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof QueueFull) return overloaded()
  if (error instanceof Overdue || isDatabaseAway(error) || isPartitionMissing(error)) {
    return new ApiError(
      503,
      'not_confirmed',
      'The event may be stored or not. Send it again: it counts once.',
      SOON,
    )
  }
  if (isValueRefused(error)) {
    return new ApiError(
      422,
      'not_storable',
      'The database refuses a value of this event. Check for numbers that no order has.',
    )
  }
  return null
}
