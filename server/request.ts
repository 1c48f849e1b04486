import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { Deps, ServerEnv } from './app.ts'

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Keys travel in a header, never in a cookie, so any origin may ask (the extension has one each). */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id',
}

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
  'Access-Control-Max-Age': '7200',
}

/**
 * What every request gets: an id, the headers of an answer, CORS under /api/, one line in the log.
 * Headers are set before the handler runs: set afterwards, each costs a copy of the answer.
 */
export const frameRequest = ({ log, now, baseUrl }: Pick<Deps, 'log' | 'now' | 'baseUrl'>) => {
  const everywhere = baseUrl.startsWith('https:')
    ? { ...HEADERS, 'Strict-Transport-Security': 'max-age=63072000' }
    : HEADERS
  const answerHeaders = Object.entries(everywhere)
  const apiHeaders = Object.entries(CORS)

  return createMiddleware<ServerEnv>(async (c, next) => {
    const started = now().getTime()
    const requestId = randomUUID()
    const { method } = c.req
    // As it was sent: c.req.path is decoded, line breaks and all.
    const path = new URL(c.req.url).pathname
    const isApi = path.startsWith('/api/')
    c.set('requestId', requestId)
    c.header('X-Request-Id', requestId)
    for (const [name, value] of answerHeaders) c.header(name, value)
    if (isApi) for (const [name, value] of apiHeaders) c.header(name, value)

    if (isApi && method === 'OPTIONS' && c.req.header('Access-Control-Request-Method')) {
      c.res = c.body(null, 204, PREFLIGHT)
    } else {
      await next()
    }
    log.info({
      request_id: requestId,
      method,
      path: redact(path),
      status: c.res.status,
      ms: now().getTime() - started,
      key_id: c.var.key?.id,
    })
  })
}

const redact = (path: string) =>
  path.slice(0, 200).replaceAll(/aisle_(live|share)_\w+/g, 'aisle_$1_(redacted)')
