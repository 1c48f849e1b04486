import { hash, randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import * as z from 'zod'
import { surfaceIdOf } from '../../../shared/attribution/events.ts'
import { cardNumberIn } from '../../../shared/commerce/card-number.ts'
import { isRecord, shown, storableText } from '../../../shared/web/json/json.ts'
import type { PartialAddress } from '../db/tables.ts'
import { type Env, readJsonBody } from '../http/routing.ts'
import { json, type Reply } from '../http/store-request.ts'
import type { CheckoutAnswer } from './answers.ts'
import type { StoreDeps } from './deps.ts'
import type { CountCheckout } from './quota.ts'
import type { CheckoutRefusal } from './refusals.ts'

/** What every call of a checkout needs. */
export interface CheckoutContext {
  deps: StoreDeps
  count: CountCheckout
}

/** The longest idempotency key, payment token or option id: longer than any client needs. */
export const OpaqueId = z.string().min(1).max(255)

// Unspecified: an agent may name the AI surface that it buys for as `ai_surface`, in any form. It
// is only reported: it stops no purchase, and does not make two calls with one key different.
export const AiSurface = z
  .unknown()
  .optional()
  .meta({ type: 'string', description: 'The AI surface that you buy for, such as chatgpt' })

/**
 * The id of a named surface, and the sent spelling if it differs, so that the merchant can inform
 * the agent. Digits are hidden, because they may be a card number.
 */
export function attributionOf(named: unknown): Record<string, string> | null {
  if (named === undefined) return null
  const ai_surface = surfaceIdOf(named)
  const sent = storableText(shown(named).replaceAll(/\p{Nd}/gu, '#'))
  return {
    ...(ai_surface !== null && { ai_surface }),
    ...(ai_surface !== named && { ai_surface_sent: sent }),
  }
}

/** One call as it came. */
export interface AgentCall {
  /** Undefined if it is not JSON. */
  body: unknown
  idempotencyKey: string | undefined
  authorization: string | undefined
}

/** A header without a credential in it, such as `Bearer ` from a client that has no key. */
export const isEmptyCredential = (authorization: string | undefined): boolean =>
  authorization !== undefined && credentialOf(authorization) === null

/**
 * RFC 9110 §11.4: a scheme, which is the same in any case, and a credential. Null without one.
 */
function credentialOf(authorization: string | undefined): string | null {
  const [, scheme = '', credential = ''] =
    /^(\S+)\s+(\S.*)$/.exec(authorization?.trim() ?? '') ?? []
  const kind = scheme.toLowerCase()
  // Quotes with nothing in them, and Basic without a name and a password.
  const said = kind === 'basic' ? Buffer.from(credential, 'base64').toString() : credential
  return /^["':\s]*$/.test(said) ? null : `${kind} ${credential}`
}

// Unspecified: agents need not authenticate at the store. A caller with a credential is identified
// by its hash: it can read its history, and its idempotency keys are its own. So equal keys under
// another Authorization header are two calls: no agent gets another one's answer.
export function callerOf({ authorization }: Pick<AgentCall, 'authorization'>): string {
  const credential = credentialOf(authorization)
  return credential === null ? 'anyone' : hash('sha256', credential)
}

/**
 * Who is counted and may see the history: the known caller, else the addressee. Unspecified: while
 * no name is known, each checkout is counted separately, because buyers who cannot be distinguished
 * must not use up one another's attempts.
 */
export function buyerOf(call: AgentCall, { name, zip, country }: PartialAddress): string {
  if (credentialOf(call.authorization) !== null) return callerOf(call)
  const addressee = name === undefined ? randomUUID() : [name.toLowerCase(), zip, country]
  return hash('sha256', JSON.stringify(addressee))
}

/**
 * Spec, Authentication 8: raw card numbers are never handled. The number is not repeated. An
 * idempotency key may look like one by chance; it is stored as a hash.
 */
export function cardRefusal(body: unknown): CheckoutRefusal | null {
  const { idempotency_key: _, ...rest } = isRecord(body) ? body : {}
  return cardNumberIn(rest) ? NO_CARDS : null
}

const NO_CARDS = {
  code: 'invalid',
  message:
    'For your safety we do not take card numbers here. The number was not stored, and nothing was charged for this request.',
  detail: 'Send a token of the payment provider, never a card number.',
} as const

/** Reads a call of an agent, its body as far as it is JSON. */
export const agentCall = async (c: Context<Env>): Promise<AgentCall> => ({
  body: await readJsonBody(c),
  idempotencyKey: c.req.header('idempotency-key'),
  authorization: c.req.header('authorization'),
})

/** No cache may store the answers of a checkout. */
export const replyOf = ({ status, body, retryAfter, replayed }: CheckoutAnswer): Reply =>
  json(body, {
    status,
    headers: {
      'cache-control': 'no-store',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...(replayed && { 'idempotent-replayed': 'true' }),
    },
  })
