import { ErrorBody } from '../../http/errors.ts'
import { component } from './component.ts'

const WHEN = {
  400: 'The body is not valid JSON (`malformed_json`).',
  401: 'Missing or invalid key (`missing_key`, `invalid_key`, `revoked_key`, `expired_key`).',
  403: 'The key does not have the scope (`insufficient_scope`).',
  404: 'Not found.',
  405: 'The path does not support this method: see `Allow` (`method_not_allowed`).',
  409: 'It cannot be done as things are.',
  413: 'The body is over 256 KiB (`body_too_large`).',
  415: 'The body is not declared as application/json (`unsupported_media_type`).',
  422: 'A field is missing, unknown or invalid: see `details` (`invalid_request`).',
  426: 'The package that sends this, such as `aisle-node`, is too old (`client_too_old`).',
  429: 'The quota is used up (`rate_limited`), or too many requests of the key are waiting (`too_many_waiting`): see `Retry-After`.',
  500: 'Something failed on our side (`internal_error`).',
  503: 'Temporarily unavailable: see `Retry-After` (`database_unavailable`, `busy`).',
} as const

type Status = keyof typeof WHEN

/** The answers of operations that name a domain. */
export const NEEDS_DOMAIN = {
  403: 'The key does not have the scope or the domain (`insufficient_scope`, `domain_not_allowed`).',
} as const

const content = { 'application/json': { schema: component('Error', ErrorBody) } }

/**
 * The error responses of a route, for its OpenAPI entry; `words` replaces descriptions. Those name
 * their codes in brackets: `error-examples.ts` has an example of each.
 */
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
