import { ErrorBody } from '../http/errors.ts'
import { component } from './component.ts'

const WHEN = {
  400: 'The body is not JSON (`malformed_json`).',
  401: 'No key, or none that is valid (`missing_key`, `invalid_key`, `revoked_key`, `expired_key`).',
  403: 'The key lacks the scope or the domain (`insufficient_scope`, `domain_not_allowed`).',
  404: 'There is nothing here.',
  405: 'The path serves other methods: see `Allow` (`method_not_allowed`).',
  413: 'The body is over 256 KiB (`body_too_large`).',
  415: 'The body is not declared as application/json (`unsupported_media_type`).',
  422: 'A field is missing, unknown or wrong: see `details` (`invalid_request`).',
  429: 'The quota is used up: see `Retry-After` (`rate_limited`).',
  500: 'Something failed on our side (`internal_error`).',
  503: 'Not now: see `Retry-After` (`database_unavailable`, `busy`).',
} as const

type Status = keyof typeof WHEN

const content = { 'application/json': { schema: component('Error', ErrorBody) } }

/** The refusals of a route, for its OpenAPI entry; `words` replace those of a status. */
export function errorResponses<S extends Status>(
  statuses: readonly S[],
  words: Partial<Record<S, string>> = {},
) {
  const entries = statuses.map((status) => [
    status,
    { description: words[status] ?? WHEN[status], content },
  ])
  return asResponses<S>(Object.fromEntries(entries))
}

/** `entries` above has exactly one entry for each status of `S`. */
const asResponses = <S extends Status>(responses: Record<string, unknown>) =>
  responses as Record<S, { description: string; content: typeof content }>
