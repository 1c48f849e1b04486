import { UCP_ERROR_CODES, UcpError } from '../../../protocols/spec/ucp.ts'
import { type Answer, describeFetch, type JsonSeen } from '../../../web/http/fetched.ts'
import { contentType, excerpt, isJsonType, jsonOf, presenceOf } from '../../../web/http/presence.ts'
import { field, shown } from '../../../web/json/json.ts'
import type { CheckoutSeen, Evidence } from '../../evidence.ts'
import { pass, skip, type Verdict } from '../../rule.ts'
import { type AcpSales, salesOver } from '../acp/steps.ts'

/** The error code, inside the spec's `error` object or at the top level. */
export const refusalCode = (seen: JsonSeen): unknown =>
  field(field(jsonOf(seen), 'error'), 'code') ?? field(jsonOf(seen), 'code')

/** Whether the answer has one of the spec's codes: then the cart was read, with any status. */
export const hasUcpCode = (seen: JsonSeen): boolean =>
  UCP_ERROR_CODES.some((code) => code === refusalCode(seen))

/** Any 3xx; agents do not send a cart to another address. */
export const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400

/**
 * Judges the cart that a valid request was answered with; skips when none was sent or accepted, for
 * which there are other gaps.
 */
export function whenCart(
  checkout: CheckoutSeen,
  audit: (cart: unknown, answer: Answer) => Verdict,
): Verdict {
  const presence = presenceOf(checkout.create.fetched)
  if (presence.is !== 'present' || presence.answer.method !== 'POST')
    return skip(describeFetch(checkout.create.fetched))
  const reply = rejectionOf(checkout.create)
  if (typeof reply === 'string') return skip(reply)
  if (reply.kind === 'refused') return skip(`the cart was rejected: ${excerpt(reply.answer)}`)
  const cart = jsonOf(checkout.create)
  return cart === undefined ? skip('the cart is not valid JSON') : audit(cart, presence.answer)
}

/**
 * Whether the store took a cart. A sentence where the answer says nothing about the cart, such as a
 * bare 401 or a redirect.
 */
export function rejectionOf(
  seen: JsonSeen,
): { kind: 'refused' | 'accepted'; answer: Answer } | string {
  const { fetched } = seen
  if (fetched.kind !== 'answer') return describeFetch(fetched)
  const { status } = fetched
  const refused = { kind: 'refused', answer: fetched } as const
  // Unspecified: the HTTP status of UCP errors is open, so that the error body is a refusal under
  // any. Only 429 with a code of the store's own is about how often the audit asks.
  if (hasUcpCode(seen)) return refused
  if (status === 429) return describeFetch(fetched)
  if (typeof field(field(jsonOf(seen), 'error'), 'code') === 'string') return refused
  if (status >= 200 && status < 300) return { kind: 'accepted', answer: fetched }
  // A 404 may mean an unknown product; the body shows which.
  if (status === 401 || status === 403 || isRedirect(fetched)) return describeFetch(fetched)
  return refused
}

/** What an error response lacks of the spec's error body; null when complete or not judgeable. */
export function errorBodyFault(seen: JsonSeen, code?: string): string | null {
  const refusal = rejectionOf(seen)
  if (typeof refusal === 'string' || refusal.kind === 'accepted') return null
  const { answer } = refusal
  const what = `${answer.status} ${excerpt(answer)}`
  if (!isJsonType(contentType(answer))) {
    return `${what} is sent as ${shown(answer.headers['content-type'])}`
  }
  const read = UcpError.safeParse(jsonOf(seen))
  if (!read.success) {
    const issue = read.error.issues[0]
    return `${what} lacks ${issue?.path.join('.') || 'an object'}: ${issue?.message}`
  }
  return code === undefined || read.data.error.code === code
    ? null
    : `${what} has the code ${shown(read.data.error.code)}, expected ${shown(code)}`
}

/** Why a rule about a cart is open in a store that sells over ACP. */
export const NEEDS_ACP_SESSION =
  'agents buy over ACP, and this shows only in a checkout session: ACP has no dry run'

/**
 * How a store without a UCP checkout sells over ACP; null if it has one, or its manifest says so.
 * ACP was asked for only if there is no manifest, or if its check was wanted.
 */
export function acpInstead(
  { endpoint, create }: CheckoutSeen,
  { acp }: Partial<Evidence>,
): AcpSales | null {
  if (acp === undefined || endpoint === null || endpoint.declared) return null
  return presenceOf(create.fetched).is === 'present' ? null : salesOver(acp)
}

// Unspecified: the check `checkout` is about the availability of "the UCP/ACP checkout endpoint",
// so that ACP alone is one that can be reached. What UCP would show beyond that is lost with its
// manifest until a walk shows it over ACP.
export function reachedOverAcp({ are, where }: AcpSales, without: string): Verdict {
  if (are === 'certain') {
    return pass(`agents buy over ACP, at ${where}; those that speak UCP alone cannot`)
  }
  const why = {
    likely: `agents may buy over ACP, at ${where}, which no acp.json names`,
    announced: `acp.json names ${where}, where a stranger cannot see whether agents can buy`,
  }
  return skip(`${without}, and ${why[are]}`)
}
