import type { ContentfulStatusCode, UnofficialStatusCode } from 'hono/utils/http-status'
import type { ErrorDetail } from './validation.ts'

/** What an error adds to its code and message. */
interface Extras {
  details?: ErrorDetail[]
  headers?: Record<string, string>
}

/** An error that the caller can act on; its message says how and may be shown to anyone. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly extras: Extras

  constructor(status: ContentfulStatusCode, code: string, message: string, extras: Extras = {}) {
    super(message)
    this.status = status
    this.code = code
    this.extras = extras
  }
}

/** For what may be sent again in a second. */
export const RETRY_SOON = { headers: { 'Retry-After': '1' } }

/** The answer when more is asked for than one process can handle. */
export const overloaded = (): ApiError =>
  new ApiError(503, 'busy', 'The service is overloaded. Try again in a second.', RETRY_SOON)

/** The answer to what would have to be ended before it is done. */
export const shuttingDown = (): ApiError =>
  new ApiError(503, 'busy', 'The service is shutting down. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  })

/**
 * As nginx writes it: the status of a request whose client has left. Only the log ever shows it.
 */
export const CALLER_LEFT = 499

/** For work that ends because its caller left. */
export function callerLeft(): ApiError {
  // hono's own way to a status that is registered nowhere.
  const status = CALLER_LEFT as UnofficialStatusCode
  return new ApiError(status, 'caller_left', 'The client closed the connection before the answer.')
}
