/** Why a call to the server failed. Each kind has its own text and its own next step. */
export type ApiFailureKind =
  | 'offline'
  | 'bad_url'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable'
  | 'server'
  | 'unexpected'
  | 'cancelled'

export interface ApiFailure {
  kind: ApiFailureKind
  /** The server's own code, such as `no_cached_audit`; `timeout` and `redirected` are ours. */
  code: string | null
  /** The server's sentence, else what happened. */
  message: string
  status: number | null
  /** The address in `Location`, such as that of a running walk. */
  location: string | null
  /** Seconds to wait, if the server gave them. */
  retry_after_s: number | null
  request_id: string | null
  details: FailureDetail[]
}

interface FailureDetail {
  /** Dotted path of the field that was refused. */
  field: string
  code: string
  message: string
}

/** The result of a call, or why it failed: calls never throw. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: ApiFailure }

/** A failure with its kind, its message and `rest`. */
export const apiFailure = (
  kind: ApiFailureKind,
  message: string,
  rest: Partial<ApiFailure> = {},
): ApiFailure => ({
  kind,
  message,
  code: null,
  status: null,
  location: null,
  retry_after_s: null,
  request_id: null,
  details: [],
  ...rest,
})

/** The same as the result of a call. */
export const failed = (
  kind: ApiFailureKind,
  message: string,
  rest: Partial<ApiFailure> = {},
): { ok: false; failure: ApiFailure } => ({ ok: false, failure: apiFailure(kind, message, rest) })
