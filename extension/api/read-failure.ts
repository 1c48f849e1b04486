import * as z from 'zod'
import { type ApiFailure, type ApiFailureKind, apiFailure } from './result.ts'

const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z
      .array(z.object({ field: z.string(), code: z.string(), message: z.string() }))
      .default([]),
    request_id: z.string().nullable().default(null),
  }),
})

/**
 * What an error answer means. `text` is its body, which holds the server's error, its code and its
 * fields (spec, Errors); a body in another format is classified by the status alone.
 */
export function failureOf(
  answer: Pick<Response, 'status' | 'headers' | 'type'>,
  text: string,
): ApiFailure {
  const { status, headers, type } = answer
  // Unspecified: redirects are not followed, because the key would be sent along. The browser hides
  // their status (https://fetch.spec.whatwg.org/#concept-filtered-response-opaque-redirect).
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return apiFailure('unexpected', 'The server redirects to another address.', {
      code: 'redirected',
    })
  }
  const said = bodyOf(text)
  return apiFailure(
    kindOf(status, said !== null),
    said?.message ?? `The server answered ${status}.`,
    {
      code: said?.code ?? null,
      status,
      location: headers.get('location'),
      retry_after_s: secondsOf(headers.get('retry-after')),
      request_id: said?.request_id ?? headers.get('x-request-id'),
      details: said?.details ?? [],
    },
  )
}

function bodyOf(text: string): z.infer<typeof ErrorBody>['error'] | null {
  try {
    return ErrorBody.parse(JSON.parse(text)).error
  } catch {
    return null
  }
}

function kindOf(status: number, isOurs: boolean): ApiFailureKind {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 429) return 'rate_limited'
  if (status === 502 || status === 503 || status === 504) return 'unavailable'
  if (status >= 500) return 'server'
  if (!isOurs || status === 405) return 'unexpected'
  return status === 404 ? 'not_found' : 'invalid'
}

/**
 * Only seconds, of the two forms of RFC 9110, section 10.2.3: a date depends on the server's clock.
 */
const secondsOf = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null
