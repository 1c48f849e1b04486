import * as z from 'zod'
import type { Fetched } from '../web/http/fetched.ts'
import { challengeIn, contentType, isJsonType, looksLikeHtml } from '../web/http/presence.ts'
import { isRecord } from '../web/json/json.ts'
import { Dialect } from './dialect.ts'
import { MANIFEST_ERROR_CODES } from './fields.ts'

/**
 * The faults of a published manifest: those of the document, and those that only requests can show.
 * A closed list, part of the API.
 */
export const ValidationErrorCode = z.enum([
  ...MANIFEST_ERROR_CODES,
  'not_json',
  'too_large',
  'wrong_content_type',
  'requires_auth',
  'redirected',
  'endpoint_unreachable',
])
export type ValidationErrorCode = z.infer<typeof ValidationErrorCode>

// Unspecified: an endpoint can be `reachable`, `unreachable`, `blocked` (it exists but refuses us:
// 401, 403, 429) or `not_checked`.
export const Reachability = z.enum(['reachable', 'unreachable', 'blocked', 'not_checked'])
export type Reachability = z.infer<typeof Reachability>

/** Spec, Manifest validation. */
export const ValidationError = z.object({
  field: z
    .string()
    .describe('Where it is, as a dotted path; `manifest_url` stands for how the file is served'),
  code: ValidationErrorCode.describe('What is wrong, for programs'),
  message: z.string().describe('What is wrong and what to do, for people'),
})
export type ValidationError = z.infer<typeof ValidationError>

/** Answer of `POST /api/manifest/validate` (spec, Manifest validation). */
export const ManifestValidation = z.object({
  valid: z.boolean().describe('Whether there are no errors'),
  // Unspecified: `dialect` says in which of the dialects under /.well-known/ucp the document is
  // written.
  dialect: Dialect.describe(
    'What the document is written in: `1.0` is the manifest of this API, a date that version of official UCP',
  ),
  // Unspecified: `shoppable` says whether agents can buy, or fill a cart that its buyer pays in the
  // store, as a valid document may offer neither.
  shoppable: z
    .boolean()
    .describe(
      'Whether agents can start a purchase: a valid document may offer neither checkout nor cart',
    ),
  shoppable_reason: z.string().describe('Why they can or cannot, as a sentence'),
  errors: z
    .array(ValidationError)
    .describe('What is wrong with the document or with how it is served'),
  warnings: z.array(z.string()).describe('What to look at although it is valid, as sentences'),
  reachability: z
    .record(z.string(), Reachability)
    .describe(
      'By endpoint, whether it answered a safe request; `blocked` is 401, 403 or 429. All are `not_checked` where `manifest` was sent',
    ),
})
export type ManifestValidation = z.infer<typeof ManifestValidation>

/**
 * Whether it is unknown if agents can buy: a profile that is newer than this code has no known
 * dialect, and no errors as far as this code can judge.
 */
export const isUnjudged = ({
  valid,
  dialect,
  shoppable,
}: Pick<ManifestValidation, 'valid' | 'dialect' | 'shoppable'>): boolean =>
  valid && dialect === 'unknown' && !shoppable

/** Body of `POST /api/manifest/validate`. */
export const ManifestValidationRequest = z
  .strictObject({
    url: z
      .string()
      .max(2000)
      .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
        message: 'Send an absolute URL, such as "https://shop.example/.well-known/ucp".',
      })
      .optional()
      .describe('The address of a published manifest, which is fetched. Send this or `manifest`'),
    manifest: z
      .unknown()
      .optional()
      .describe('The manifest itself, as an object. Send this or `url`'),
  })
  // Unspecified: when `url` and `manifest` are both sent, neither wins: the request is refused, so
  // that the caller decides.
  .refine(({ url, manifest }) => url !== undefined || manifest !== undefined, {
    path: ['url'],
    message: 'Send the url of a manifest, or the manifest itself as an object.',
  })
  .refine(({ url, manifest }) => url === undefined || manifest === undefined, {
    path: ['url'],
    message: 'Send url or manifest, not both.',
  })
export type ManifestValidationRequest = z.infer<typeof ManifestValidationRequest>

/** The purpose of an endpoint, which decides what the answer to a safe request can show. */
export interface AskedEndpoint {
  /**
   * The requested resource may be missing: then the API's own 404, in JSON, shows that it works.
   */
  mayLackResource?: boolean
  /** It takes POST and may support no other method: then a 404 or a page proves nothing. */
  takesPost?: boolean
}

/**
 * Whether an endpoint works, judged by the answer to a safe request. A refusal is enough: 405 is
 * the usual answer of a POST endpoint.
 */
export function reachabilityOf(
  fetched: Fetched,
  { mayLackResource = false, takesPost = false }: AskedEndpoint = {},
): Reachability {
  if (fetched.kind === 'not_asked') return 'not_checked'
  if (fetched.kind === 'no_answer') return 'unreachable'
  const { status } = fetched
  if ([401, 403, 429].includes(status) || challengeIn(fetched) !== null) return 'blocked'
  if (status >= 500) return 'unreachable'
  const isAbsent = takesPost ? 'not_checked' : 'unreachable'
  if (status >= 200 && status < 300) return looksLikeHtml(fetched) ? isAbsent : 'reachable'
  if (status === 404 || status === 410) {
    const speaks = isJsonType(contentType(fetched)) && isJsonObject(fetched.body)
    return mayLackResource && speaks ? 'reachable' : isAbsent
  }
  return 'reachable'
}

/** An API's own 404 has a JSON object as its body; a web server's has HTML or nothing. */
function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}
