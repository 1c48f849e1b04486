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
  /** What the server said, else what happened, as a sentence. */
  message: string
  status: number | null
  /** The address that the answer names (`Location`), such as that of a walk under way. */
  location: string | null
  /** Seconds to wait, where the server named them. */
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

/** What a call gave, or why it failed: calls never throw. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: ApiFailure }

/** A failure of which only `rest` is known beside its kind and its sentence. */
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
