import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { handleRequest } from '../db/connection/request-domain.ts'
import type { CountAnswer } from '../metrics/requests.ts'
import type { Log } from '../process/log.ts'
import { CALLER_LEFT } from './api-error.ts'
import type { ServerEnv } from './env.ts'
import { answerError } from './errors.ts'
import type { LogSums } from './log-sums.ts'

/**
 * For every answer (OWASP REST Security Cheat Sheet): nothing of ours is cached, framed or guessed
 * at. Routes that serve pages or files set their own.
 */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Keys are sent in a header, never in a cookie, so every origin may call, each extension's too. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Idempotent-Replayed, Aisle-Warnings, ETag, Location',
}

/**
 * Answers a preflight under /api/; browsers may keep it for two hours, the most that Chromium
 * allows.
 */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID',
  'Access-Control-Max-Age': '7200',
}

/**
 * Which requests have a line of their own: none, or those that failed, and this share of the others
 * from 0 to 1.
 */
export type LoggedRequests = 'off' | { share: number }

interface FrameDeps {
  log: Log
  loggedRequests: LoggedRequests
  now: () => Date
  /** Where the world reaches this service, without a slash at the end. */
  baseUrl: string
  countAnswer: CountAnswer
  sums: LogSums
}

const REQUEST_ID = 'X-Request-Id'

/**
 * The fixed headers of an answer; HSTS for two years where https reaches the service (RFC 6797).
 */
const headersFor = (baseUrl: string, isApi: boolean): Record<string, string> => ({
  ...HEADERS,
  ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=63072000' }),
  ...(isApi && CORS),
})

/**
 * Gives a request its id. `end` counts its answer, and returns the milliseconds for its line in the
 * log; null where the log has sums of such requests instead of lines.
 */
function beginRequest(c: Context<ServerEnv>, { now, sums, countAnswer }: FrameDeps) {
  const started = now().getTime()
  const began = performance.now()
  const requestId = randomUUID()
  c.set('requestId', requestId)
  return {
    requestId,
    end: (route: string, status: number): number | null => {
      const code = c.get('code')
      const seconds = (performance.now() - began) / 1000
      countAnswer({ method: c.req.method, route, status, seconds, code })
      const summed = c.get('summed')
      if (summed === undefined) return now().getTime() - started
      sums.add({ outcome: code ?? String(status), ...summed })
      return null
    },
  }
}

/**
 * What every request gets: an id, the headers of an answer, CORS under /api/, one line in the log.
 * Headers are set before the handler runs: set afterwards, each costs a copy of the answer.
 */
export const frameRequest = (deps: FrameDeps) => {
  const { baseUrl } = deps
  const logRequest = requestLog(deps)
  const pageHeaders = Object.entries(headersFor(baseUrl, false))
  const apiHeaders = Object.entries(headersFor(baseUrl, true))

  return createMiddleware<ServerEnv>(async (c, next) => {
    const { requestId, end } = beginRequest(c, deps)
    // As it was sent: c.req.path is decoded and may contain line breaks.
    const path = new URL(c.req.url).pathname
    const isApi = path.startsWith('/api/')
    c.header(REQUEST_ID, requestId)
    for (const [name, value] of isApi ? apiHeaders : pageHeaders) c.header(name, value)

    if (isApi && c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method')) {
      c.res = c.body(null, 204, PREFLIGHT)
    } else {
      await handleRequest(next)
    }
    const { status } = c.res
    const ms = end(routePath(c, -1), status)
    if (ms !== null) logRequest(c, redact(path), status, ms)
  })
}

/**
 * `frameRequest` for a busy route that answers by `answerFramed`, which then replaces it. Headers
 * stay a plain object on their way to the socket, which halves the route's cost. Successes are not
 * logged: a line for each event would be most of what the service writes.
 */
export function frameBusyRoute(
  deps: FrameDeps,
  path: string,
  handle: (c: Context<ServerEnv>) => Promise<Response>,
) {
  const { log, baseUrl } = deps
  const logRequest = requestLog(deps)
  const isApi = path.startsWith('/api/')
  const fixed = { ...headersFor(baseUrl, isApi), 'Content-Type': 'application/json' }
  const refuse = answerError(log)

  return async (c: Context<ServerEnv>): Promise<Response> => {
    const { requestId, end } = beginRequest(c, deps)
    const headers = { ...fixed, [REQUEST_ID]: requestId }
    c.set('headers', headers)
    const answer = await handle(c).catch((error: Error) => {
      const refusal = refuse(error, c)
      for (const [name, value] of Object.entries(headers)) refusal.headers.set(name, value)
      return refusal
    })
    const { status } = answer
    const ms = end(path, status)
    // Successes are logged in batches, where the events are stored.
    if (ms !== null && !answer.ok) logRequest(c, path, status, ms)
    return answer
  }
}

/** A 200 with the headers of `frameBusyRoute`, and more of them if need be. */
export const answerFramed = (
  c: Context<ServerEnv>,
  body: object,
  more: Record<string, string> = {},
): Response => {
  const headers = Object.assign(c.get('headers'), more)
  return new Response(JSON.stringify(body), { headers })
}

/** One line for each request that is to have one, with the id of its key and never the key. */
const requestLog =
  ({ log, loggedRequests }: FrameDeps) =>
  (c: Context<ServerEnv>, path: string, status: number, ms: number): void => {
    const request_id = c.get('requestId')
    if (!isLogged(loggedRequests, request_id, status)) return
    log.info({ request_id, method: c.req.method, path, status, ms, key_id: c.get('key')?.id })
  }

const IDS = 2 ** 32

/**
 * Whether a request has a line. Its id decides, which is random, so that other lines of the same
 * request can be told to go with it. A client that left does not count as an error.
 */
export function isLogged(which: LoggedRequests, requestId: string, status: number): boolean {
  if (which === 'off') return false
  if (which.share === 1 || (status >= 400 && status !== CALLER_LEFT)) return true
  return Number.parseInt(requestId.slice(0, 8), 16) < which.share * IDS
}

/** The router decodes `%61` to `a`, so a secret that is sent encoded works and must be redacted. */
const redact = (path: string) =>
  path
    .replaceAll(/%[0-7][0-9a-f]/gi, (coded) => {
      const letter = decodeURIComponent(coded)
      return /\w/.test(letter) ? letter : coded
    })
    .slice(0, 200)
    .replaceAll(/aisle_(live|share|channel)_\w+/g, 'aisle_$1_(redacted)')
