import * as z from 'zod'
import { describeIssues, fieldErrors } from '../../../../shared/web/json/field-errors.ts'
import { isRecord, withoutNulls } from '../../../../shared/web/json/json.ts'
import { cardRefusal, OpaqueId } from '../../checkout/caller.ts'
import { CANONICAL_FORM, hasCanonicalForm } from '../../http/routing.ts'
import type { AcpFault } from './answers.ts'

const Text = z.string().max(500)
const Id = z.string().min(1).max(255)

// Unspecified: ACP's Item has no quantity, while its documents send one. An id counts once for each
// time that it is listed, and may have a quantity next to it, or around it as in a LineItem.
const AskedItem = z.union([
  z.object({ id: Id, quantity: z.int().min(1).optional() }),
  z.object({ item: z.object({ id: Id }), quantity: z.int().min(1).optional() }),
])
export type AskedItem = z.infer<typeof AskedItem>
const LineItems = z.array(AskedItem).min(1).max(1000)

export const AcpBuyer = z.object({
  email: z.email().max(320),
  first_name: Text.optional(),
  last_name: Text.optional(),
  full_name: Text.optional(),
  phone_number: Text.optional(),
  customer_id: Text.optional(),
})

/** A part of an address is enough for a quote, although the schema demands all of it. */
export const AcpAddress = z.object({
  name: Text.optional(),
  line_one: Text.optional(),
  line_two: Text.optional(),
  company: Text.optional(),
  city: Text.optional(),
  state: Text.optional(),
  country: Text.optional(),
  postal_code: Text.optional(),
})
export type AcpAddress = z.infer<typeof AcpAddress>

export const AcpFulfillment = z.object({
  name: Text.optional(),
  phone_number: Text.optional(),
  email: z.email().max(320).optional(),
  address: AcpAddress.optional(),
})
export type AcpFulfillment = z.infer<typeof AcpFulfillment>

/** Fields that the store does not use, and answers so: discount codes, groups of parcels. */
const NOT_OFFERED = {
  discounts: z.object({ codes: z.array(Text).max(50).optional() }).optional(),
  coupons: z.array(Text).max(50).optional(),
  fulfillment_groups: z.array(z.looseObject({})).max(100).optional(),
}
const OrderNotes = z.string().max(5000)

/** Unknown members are ignored in any form: they are the agent's own. */
const Capabilities = z.looseObject({
  interventions: z.unknown().optional().meta({ type: 'object' }),
})

export const AcpCreateRequest = z.object({
  line_items: LineItems,
  currency: z.string().max(10),
  capabilities: Capabilities,
  buyer: AcpBuyer.optional(),
  fulfillment_details: AcpFulfillment.optional(),
  ...NOT_OFFERED,
  affiliate_attribution: z.unknown().optional(),
  locale: Text.optional(),
  timezone: Text.optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  order_notes: OrderNotes.optional(),
})
export type AcpCreateRequest = z.infer<typeof AcpCreateRequest>

/** The body of a cart: at create, and complete again at each update. */
export const AcpCartRequest = z.object({ line_items: LineItems, buyer: AcpBuyer.optional() })

const Selection = z.object({
  type: Text,
  option_id: Id,
  item_ids: z.array(Id).max(1000),
})

/** Null clears what was sent before (ACP, Idempotency: null and absent differ). */
export const AcpUpdateRequest = z.object({
  line_items: LineItems.optional(),
  buyer: AcpBuyer.nullish(),
  fulfillment_details: AcpFulfillment.nullish(),
  selected_fulfillment_options: z.array(Selection).max(100).nullish(),
  ...NOT_OFFERED,
  order_notes: OrderNotes.nullish(),
})
export type AcpUpdateRequest = z.infer<typeof AcpUpdateRequest>

const OutcomeDetails = z.object({
  three_ds_cryptogram: OpaqueId,
  electronic_commerce_indicator: z.enum(['01', '02', '05', '06', '07']),
  transaction_id: OpaqueId,
  version: z.string().min(1).max(20),
})

const OUTCOMES_WITH_DETAILS = ['authenticated', 'attempt_acknowledged', 'informational'] as const
const AuthenticationResult = z
  .object({
    outcome: z.enum([
      ...OUTCOMES_WITH_DETAILS,
      'denied',
      'rejected',
      'canceled',
      'abandoned',
      'not_supported',
      'processing_error',
      'internal_error',
    ]),
    outcome_details: OutcomeDetails.optional(),
  })
  .refine(
    ({ outcome, outcome_details }) =>
      outcome_details !== undefined || !OUTCOMES_WITH_DETAILS.some((each) => each === outcome),
    { path: ['outcome_details'], message: 'is missing' },
  )
export type AuthenticationResult = z.infer<typeof AuthenticationResult>

export const AcpCompleteRequest = z.object({
  payment_data: z.object({
    handler_id: Id.optional(),
    instrument: z
      .object({
        type: Id,
        brand: Text.optional(),
        credential: z.object({ type: Id, token: OpaqueId }),
      })
      .optional(),
    purchase_order_number: Text.optional(),
  }),
  buyer: AcpBuyer.optional(),
  authentication_result: AuthenticationResult.optional(),
  affiliate_attribution: z.unknown().optional(),
  order_notes: OrderNotes.optional(),
})
export type AcpCompleteRequest = z.infer<typeof AcpCompleteRequest>

/** Unspecified: the reason for a cancellation is validated but not stored. */
export const AcpCancelRequest = z.object({
  intent_trace: z
    .object({ reason_code: Text, trace_summary: z.string().max(500).optional() })
    .optional(),
})

const inWords = fieldErrors({ string: 'must be a string without NUL or unpaired surrogates' })

/** The body as the schema reads it; or the error that says what to fix. */
export function readAcp<T extends z.ZodType>(
  schema: T,
  body: unknown,
): { data: z.output<T> } | { fault: AcpFault } {
  const card = cardRefusal(withoutAttribution(body))
  if (card) {
    const message = 'Send a token of the payment provider, never a card number.'
    return { fault: { status: 400, code: 'card_number_not_allowed', message } }
  }
  const pii = piiFault(body)
  if (pii) return { fault: pii }
  const read = schema.safeParse(withoutNulls(schema, body), { error: inWords })
  if (read.success) return { data: read.data }
  const { issues } = read.error
  const wrong = describeIssues(issues, (path, message) => `${path || 'the body'} ${message}`)
  return {
    fault: {
      status: 400,
      code: issues.every(({ message }) => message === 'is missing')
        ? 'missing_field'
        : 'invalid_request',
      message: `Fix and send again: ${wrong}.`,
      param: jsonPath(issues[0]?.path ?? []),
    },
  }
}

/** JSONPath (RFC 9535) of a field that the schema names. */
const jsonPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${String(step)}`),
    '$',
  )

/** Why a body cannot be read as JSON that the checkout can compare and store. Never throws. */
export const bodyFault = (body: unknown): AcpFault | null =>
  hasCanonicalForm(body) ? null : { status: 400, code: 'invalid_request', message: CANONICAL_FORM }

function withoutAttribution(body: unknown): unknown {
  if (!isRecord(body)) return body
  const { affiliate_attribution: _, ...rest } = body
  return rest
}

// One character before the @ is enough; with all of them, a long text would take quadratic time.
const PERSONAL = /[^\s@]@[^\s@]+\.[^\s@]|^\s*\+\d[\d\s().-]{6,}$/
const PERSONAL_NAMES =
  /^(e_?mail|phone|phone_?number|(first|last|full)_?name|address|birth_?date)(_|$)/i

/**
 * ACP, Affiliate attribution: it never stops a purchase, but must not carry personal data. The
 * store has no affiliates and stores none of it. Unspecified: e-mail addresses, international phone
 * numbers and fields named after personal data are personal.
 */
function piiFault(body: unknown): AcpFault | null {
  if (!isRecord(body)) return null
  const { affiliate_attribution: attribution } = body
  const rest: unknown[] = [attribution]
  let isPersonal = false
  for (; rest.length > 0 && !isPersonal; ) {
    const next = rest.pop()
    if (typeof next === 'string') isPersonal = PERSONAL.test(next)
    if (typeof next !== 'object' || next === null) continue
    isPersonal = !Array.isArray(next) && Object.keys(next).some((key) => PERSONAL_NAMES.test(key))
    rest.push(...Object.values(next))
  }
  const message = 'Leave personal data out of affiliate_attribution.'
  return isPersonal
    ? { status: 400, code: 'pii_not_allowed', message, param: '$.affiliate_attribution' }
    : null
}
