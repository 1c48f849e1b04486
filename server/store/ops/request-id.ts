import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { cardNumberIn } from '../../../shared/commerce/card-number.ts'
import type { Env } from '../http/routing.ts'

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
