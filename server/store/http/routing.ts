import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { cardNumberIn } from '../../../shared/commerce/card-number.ts'
import { isStorable, storableText } from '../../../shared/web/json/json.ts'
import { applyFaults, type Reply, type SeenProduct, type StoreRequest } from './store-request.ts'

export type Env = {
  Bindings: HttpBindings
  Variables: {
    request: StoreRequest
    seen?: SeenProduct
    /** The agent's profile and key, if its signature over the request was verified. */
    signedBy?: { profile: string; kid: string; nonce?: string }
  }
}

/** Reads the request for the handlers, as `c.var.request`. */
export const storeRequest =
  (read: (c: Context<Env>) => StoreRequest): MiddlewareHandler<Env> =>
  async (c, next) => {
    c.set('request', read(c))
    await next()
  }

/**
 * Changes each answer by the faults of the host; `pause` waits in milliseconds. It comes before
 * everything that answers, so that errors are changed as well.
 */
export const changeReply =
  (pause: (ms: number) => Promise<unknown>): MiddlewareHandler<Env> =>
  async (c, next) => {
    await next()
    const { res } = c
    const { request } = c.var
    if (!request.faults.some((fault) => fault.reply)) return
    const right = {
      status: res.status,
      headers: Object.fromEntries(res.headers),
      body: await res.text(),
    }
    const { delay, hangUp, ...reply } = applyFaults(request, 'reply', right)
    // Hono copies the headers of the earlier answer unless it is removed first.
    c.res = undefined
    if (hangUp) {
      c.env.incoming.socket.destroy()
      c.res = RESPONSE_ALREADY_SENT
      return
    }
    if (delay !== undefined) await pause(delay)
    c.res = send(reply)
  }

/** Answers calls that a fault of the host refuses, so that nothing is done. */
export const refuseFirst: MiddlewareHandler<Env> = async (c, next) => {
  const refusal = applyFaults(c.var.request, 'refusal', null)
  return refusal === null ? next() : send(refusal)
}

/** A reply as the Response that Hono sends. */
export const send = ({ status, headers, body }: Reply): Response =>
  new Response(body || null, { status, headers })

/**
 * The body as JSON; undefined if it is not JSON, which every endpoint rejects with its own error.
 * Text that Postgres cannot store becomes NaN, which no JSON has and no field accepts: it is
 * rejected, not changed.
 */
export async function readJsonBody(c: Context<Env>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text(), (_, value) =>
      typeof value === 'string' && !isStorable(value) ? Number.NaN : value,
    )
  } catch {
    return undefined
  }
}

/** The official dialects' message for a body that is not JSON. */
export const NOT_JSON = 'The body is not valid JSON.'

/** A parameter of the path, in a form that can be used in queries. */
export const pathParam = (c: Context<Env>, name: string): string =>
  storableText(c.req.param(name) ?? '')

const REQUEST_ID = 'x-request-id'

/**
 * Gives each answer an id for questions about it, the client's own if it sends a usable one. Errors
 * of ours are reported with it. Unspecified: the id of a request is only in the header
 * X-Request-Id, so that the body of a repeated call stays the same.
 */
export const identifyRequest =
  (onFailure: (error: Error, requestId: string) => void): MiddlewareHandler<Env> =>
  async (c, next) => {
    const sent = c.req.header(REQUEST_ID) ?? c.req.header('request-id') ?? ''
    const requestId = /^[\w.:-]{1,128}$/.test(sent) && !cardNumberIn(sent) ? sent : randomUUID()
    await next()
    const { res } = c
    res.headers.set(REQUEST_ID, requestId)
    if (res.status >= 500)
      onFailure(c.error ?? new Error(`Answered with ${res.status}.`), requestId)
  }

/** Levels of a body: far more than any request has, and far less than the stack takes. */
const MAX_DEPTH = 64

/** What to send instead of a body without a canonical form. */
export const CANONICAL_FORM = `Send JSON of at most ${MAX_DEPTH} levels, its text without NUL or unpaired surrogates.`

/**
 * Whether a JSON body has a canonical form (RFC 8785), which idempotency keys and signatures need:
 * it does not nest too deep, and each string, name and number can be stored. Never throws.
 */
export function hasCanonicalForm(body: unknown): boolean {
  const rest: [unknown, number][] = [[body, 0]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, depth] = next
    if (depth > MAX_DEPTH || !isKept(value)) return false
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (!isStorable(name)) return false
        rest.push([inner, depth + 1])
      }
    }
  }
  return true
}

function isKept(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'string' || isStorable(value)
}
