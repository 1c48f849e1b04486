import { hash, randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import * as z from 'zod'
import { isRecord } from '../../../shared/web/json.ts'
import type { PartialAddress } from '../db/tables.ts'
import { json, type Reply } from '../http/reply.ts'
import { type Env, readJsonBody } from '../http/routing.ts'
import { cardNumberIn } from '../psp/card-number.ts'
import type { CheckoutAnswer, CheckoutRefusal } from './answers.ts'
import type { StoreDeps } from './deps.ts'
import type { CountCheckout } from './quota.ts'

/** What every call of a checkout needs. */
export interface CheckoutContext {
  deps: StoreDeps
  count: CountCheckout
}

/** An idempotency key or a token: longer than any that a client has reason to send is refused. */
export const Key = z.string().min(1).max(255)

// Unspecified: how an agent names the AI surface that it buys for. It may, and it is only reported.
export const AiSurface = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be lower snake_case')
  .refine((text) => !cardNumberIn(text), 'must name an AI surface')

/** One call as it came. */
export interface AgentCall {
  /** Undefined when it is no JSON. */
  body: unknown
  idempotencyKey: string | undefined
  authorization: string | undefined
}

// Unspecified: how agents authenticate. They need not. A caller with an Authorization header is
// identified by its hash: its keys are separate from those of others, and it can read its history.
export const callerOf = ({ authorization }: Pick<AgentCall, 'authorization'>): string =>
  authorization === undefined ? 'anyone' : hash('sha256', authorization)

/** Who is counted and may see the history: the caller that is known, else the addressee. */
// Unspecified: who is counted while no name is known. Each checkout by itself, because buyers who
// cannot be told apart must not use up one another's attempts.
export function buyerOf(call: AgentCall, { name, zip, country }: PartialAddress): string {
  if (call.authorization !== undefined) return callerOf(call)
  const addressee = name === undefined ? randomUUID() : [name.toLowerCase(), zip, country]
  return hash('sha256', JSON.stringify(addressee))
}

/**
 * Spec, Authentication 8: raw card numbers are never handled. The number is not repeated. An
 * idempotency key may look like one by chance; it is kept as a hash.
 */
export function cardRefusal(body: unknown): CheckoutRefusal | null {
  const { idempotency_key: _, ...rest } = isRecord(body) ? body : {}
  return cardNumberIn(rest) ? { code: 'invalid', message: NO_CARDS } : null
}

const NO_CARDS =
  'Send a token of the payment provider, never a card number. The number was not stored.'

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
