import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Context } from 'hono'
import * as z from 'zod'
import { cardNumberIn } from '../../../../shared/commerce/card-number.ts'
import { ACP, type AcpDelegation } from '../../../../shared/protocols/acp/versions.ts'
import { carries } from '../../../metrics/bearer.ts'
import { CANONICAL_FORM, hasCanonicalForm } from '../../http/routing.ts'
import type { Grants } from './grants.ts'
import type { createReplay } from './replay.ts'
import { TEST_CARDS } from './tokens.ts'

const Short = z.string().min(1).max(256)

const Metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((metadata) => Object.keys(metadata).length <= 20)

const CardOf = (iinDigits: number) =>
  z.strictObject({
    type: z.literal('card'),
    card_number_type: z.enum(['fpan', 'network_token']),
    number: z.string().max(64),
    display_card_funding_type: z.enum(['credit', 'debit', 'prepaid']),
    metadata: Metadata,
    virtual: z.boolean().optional(),
    exp_month: z
      .string()
      .regex(/^(?:0[1-9]|1[0-2])$/)
      .optional(),
    exp_year: z
      .string()
      .regex(/^\d{4}$/)
      .optional(),
    name: z.string().max(256).optional(),
    cvc: z
      .string()
      .regex(/^\d{3,4}$/)
      .optional(),
    cryptogram: z.string().max(5000).optional(),
    eci_value: z.string().max(2).optional(),
    checks_performed: z
      .array(z.enum(['avs', 'cvv', 'ani', 'auth0']))
      .max(4)
      .optional(),
    iin: z
      .string()
      .regex(new RegExp(`^\\d{1,${iinDigits}}$`))
      .optional(),
    display_wallet_type: z.string().max(64).optional(),
    display_brand: z.string().max(64).optional(),
    display_last4: z
      .string()
      .regex(/^\d{4}$/)
      .optional(),
  })

const Allowance = z.strictObject({
  reason: z.literal('one_time'),
  max_amount: z.int().min(0),
  currency: z.string().regex(/^[a-z]{3}$/),
  checkout_session_id: Short,
  merchant_id: Short,
  expires_at: z.iso.datetime({ offset: true }),
  order_id: Short.optional(),
})

const RiskSignal = z.strictObject({
  type: z.literal('card_testing'),
  score: z.int(),
  action: z.enum(['blocked', 'manual_review', 'authorized']),
})

const RequestOf = ({ iinDigits, minSignals }: AcpDelegation) =>
  z.strictObject({
    payment_method: CardOf(iinDigits),
    allowance: Allowance,
    risk_signals: z.array(RiskSignal).min(minSignals).max(20),
    metadata: Metadata,
    billing_address: z.record(z.string(), z.string().max(256).nullable()).optional(),
  })

interface DelegateOptions {
  /** The credential of agents. */
  agentKey: string
  grants: Grants
  replay: ReturnType<typeof createReplay>
  now: () => Date
}

/**
 * ACP's `POST /agentic_commerce/delegate_payment`: a token that stands for a test card, and pays
 * once within the allowance. Card data is neither stored nor repeated, and only test cards are
 * accepted. Source: rfc.delegate_payment.md §3 to §5.
 */
export async function delegatePayment(options: DelegateOptions, c: Context): Promise<Response> {
  const { agentKey, grants, replay, now } = options
  const key = c.req.header('idempotency-key') ?? ''
  const version = c.req.header('api-version')
  if (!carries(agentKey, c.req.header('authorization') ?? null)) {
    return refuse(c, 401, 'unauthorized', 'Send the key of the agent as a bearer token.')
  }
  if (!ACP.isServed(version)) {
    const supported_versions = ACP.served.toReversed()
    const code = version === undefined ? 'missing_api_version' : 'unsupported_api_version'
    const message = `Send API-Version, one of ${supported_versions.join(', ')}.`
    return refuse(c, 400, code, message, { supported_versions })
  }
  if (key === '' || key.length > 255) {
    const message = 'Send an Idempotency-Key of 1 to 255 characters.'
    return refuse(c, 400, 'idempotency_key_required', message)
  }
  const sent: unknown = await c.req.json().catch(() => undefined)
  if (!hasCanonicalForm(sent)) return refuse(c, 400, 'invalid_card', CANONICAL_FORM, { param: '$' })
  const read = RequestOf(ACP.of(version).delegation).safeParse(sent)
  if (!read.success) {
    const param = pathOf(read.error.issues[0]?.path ?? [])
    return refuse(c, 400, 'invalid_card', 'A field is missing or malformed.', { param })
  }
  const { payment_method, allowance, metadata } = read.data
  const card = TEST_CARDS.find(({ number }) => number === payment_method.number)
  if (card === undefined) {
    const param = '$.payment_method.number'
    return refuse(c, 400, 'invalid_card', 'Only test card numbers are accepted here.', { param })
  }
  if (cardNumberIn(metadata)) {
    const message = 'Metadata must not contain a card number.'
    return refuse(c, 400, 'invalid_card', message, { param: '$.metadata' })
  }
  const expiresAt = Math.floor(Date.parse(allowance.expires_at) / 1000)

  // Unspecified: refusals are not stored. The same request gets the same one again, and the hash of
  // a real card number must not be stored.
  const fingerprint = hash('sha256', canonicalize(read.data) ?? '')
  const before = replay.begin(key, fingerprint)
  if (before !== null) {
    const replayed = before.status === 201 ? { 'idempotent-replayed': 'true' } : {}
    return answer(c, before.status, before.text, replayed)
  }
  if (expiresAt <= now().getTime() / 1000) {
    replay.end(key, null)
    const param = '$.allowance.expires_at'
    return refuse(c, 400, 'invalid_card', 'The allowance has expired already.', { param })
  }
  const grant = grants.make('vt', card.token, {
    currency: allowance.currency,
    maxAmount: allowance.max_amount,
    expiresAt,
    merchantId: allowance.merchant_id,
    sessionId: allowance.checkout_session_id,
  })
  const text = JSON.stringify({
    id: grant.id,
    created: new Date(grant.created * 1000).toISOString(),
    metadata: { ...metadata, merchant_id: allowance.merchant_id, idempotency_key: key },
  })
  replay.end(key, { status: 201, text })
  return answer(c, 201, text)
}

const error = (code: string, message: string, more: object = {}) =>
  JSON.stringify({ type: 'invalid_request', code, message, ...more })

/** The answer for a key that is in use, or was used for another request. */
export const DELEGATE_CONFLICTS = {
  other: {
    status: 422,
    text: error('idempotency_conflict', 'The Idempotency-Key was used for another request.'),
  },
  running: {
    status: 409,
    text: error('idempotency_in_flight', 'A request with this Idempotency-Key is being processed.'),
  },
}

/** JSONPath (RFC 9535), without the names that the caller made up: they may be anything. */
function pathOf(path: readonly PropertyKey[]): string {
  const madeUp = path.findIndex((name) => name === 'metadata' || name === 'billing_address')
  const known = madeUp === -1 ? path : path.slice(0, madeUp + 1)
  return known.reduce<string>(
    (text, name) => (typeof name === 'number' ? `${text}[${name}]` : `${text}.${String(name)}`),
    '$',
  )
}

const refuse = (c: Context, status: number, code: string, message: string, more: object = {}) =>
  answer(c, status, error(code, message, more))

function answer(c: Context, status: number, text: string, more: Record<string, string> = {}) {
  const echoed = ['idempotency-key', 'request-id'].flatMap((name) => {
    const value = c.req.header(name)
    return value === undefined || value.length > 255 ? [] : [[name, value] as const]
  })
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(echoed), ...more },
  })
}
