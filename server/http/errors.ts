import type { HttpBindings } from '@hono/node-server'
import type { Hook } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import * as z from 'zod'
import { Overdue, QueueFull } from '../db/batching/batcher.ts'
import { isDatabaseError, isNulRefused, withoutStatement } from '../db/connection/failures.ts'
import { databaseAway } from '../db/connection/readiness.ts'
import type { Log } from '../process/log.ts'
import { ApiError, callerLeft, overloaded } from './api-error.ts'
import type { ServerEnv } from './env.ts'
import { detailsOf, ErrorDetail } from './validation.ts'

// Unspecified: errors of the hosted API have the envelope of the specification's UCP errors. 422 is
// for input that could be read but not accepted, 400 for what could not be read.

/** The body of every error response. `code` is for programs and stays; `message` is for people. */
export const ErrorBody = z.object({
  error: z
    .object({
      code: z.string().describe('What went wrong, for programs; it does not change'),
      message: z.string().describe('What went wrong and what to do, for people'),
      details: z.array(ErrorDetail).optional().describe('What is wrong with each field'),
      request_id: z.string().describe('Names the request in the logs of the service'),
    })
    .describe('Why the request failed'),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/**
 * What reading a body throws when its sender is gone: Node's error of a request that was aborted,
 * or that of @hono/node-server.
 */
const isCallerGone = (error: Error): boolean =>
  (error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET') ||
  error.message === 'Client connection prematurely closed.'

/** Whether the connection ended before the body. */
const isCut = (c: Context<ServerEnv>): boolean => bindingsOf(c).incoming?.readableAborted === true

/** @hono/node-server hands these to every request; a test that asks the app itself has none. */
const bindingsOf = (c: Context<ServerEnv>): Partial<HttpBindings> =>
  (c.env ?? {}) as Partial<HttpBindings>

/** Thrown by a full queue; the caller did nothing wrong. */
const isOverload = (error: unknown): boolean =>
  error instanceof QueueFull || error instanceof Overdue

/** Answers anything that was thrown. Details of our own failures go only to the log. */
export const answerError =
  (log: Log) =>
  (error: Error, c: Context<ServerEnv>): Response => {
    const read = toApiError(error)
    // hono's validator takes a body that breaks off for one that is not JSON.
    const known = read.code === 'malformed_json' && isCut(c) ? callerLeft() : read
    if (error instanceof ApiError || isOverload(error)) {
      // Thrown on purpose, under overload thousands of times: its stack would not help.
      if (known.status >= 500 && c.var.summed === undefined)
        log.warn({ request_id: c.var.requestId, code: known.code }, 'temporarily unavailable')
    } else if (known.status === 500 || (known.status > 500 && c.var.summed === undefined)) {
      // drizzle's message holds the statement and its values, which may be personal.
      log.error({ request_id: c.var.requestId, err: withoutStatement(error) }, 'request failed')
    }
    return answer(c, known)
  }

export const answerNotFound = (c: Context<ServerEnv>): Response =>
  answer(
    c,
    new ApiError(404, 'not_found', 'This path does not exist. See /openapi.json for all paths.'),
  )

/** For a path that exists with other methods. RFC 9110, 15.5.6: a 405 names them in Allow. */
export const answerMethodNotAllowed = (c: Context<ServerEnv>, methods: string[]): Response => {
  const allowed = methods.join(', ')
  const message = `This path does not support ${c.req.method}. Use ${allowed}.`
  return answer(
    c,
    new ApiError(405, 'method_not_allowed', message, { headers: { Allow: allowed } }),
  )
}

/** For `defaultHook`: the response to input that its schema rejects. */
export const refuseInvalid: Hook<unknown, ServerEnv, string, unknown> = (result, c) =>
  result.success ? undefined : answer(c, invalidRequest(result.error.issues, result.target))

/** `target` names the input itself, such as `json` for a body. */
export const invalidRequest = (issues: readonly z.core.$ZodIssue[], target: string): ApiError =>
  invalidFields(detailsOf(issues, target))

function invalidFields(details: ErrorDetail[]): ApiError {
  const fields = details.map(({ field }) => field).join(', ')
  return new ApiError(422, 'invalid_request', `Correct ${fields}: see details.`, { details })
}

export const invalidField = (field: string, code: string, message: string): ApiError =>
  invalidFields([{ field, code, message }])

export const malformedJson = (): ApiError =>
  new ApiError(400, 'malformed_json', 'The body is not valid JSON. Check its syntax.')

export const notJsonType = (): ApiError =>
  new ApiError(
    415,
    'unsupported_media_type',
    'Send the body as JSON, with the header "Content-Type: application/json".',
  )
/** The error as a response; its request id lets the operator find it in the log. */
function answer(c: Context<ServerEnv>, error: ApiError): Response {
  const { code, message, extras } = error
  c.set('code', code)
  const { details, headers } = extras
  const body: ErrorBody = {
    error: { code, message, ...(details && { details }), request_id: c.var.requestId },
  }
  return c.json(body, error.status, headers)
}

/** What hono's validator throws for a body that is not JSON (hono/validator, case "json"). */
const MALFORMED_JSON = 'Malformed JSON in request body'

const badRequest = () =>
  new ApiError(400, 'bad_request', 'The request cannot be read. Check its headers and its body.')
/**
 * The API's error for anything that was thrown. What is not known becomes a 500 without its
 * message, which may hold data of others.
 */
export function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error
  if (isOverload(error)) return overloaded()
  if (isCallerGone(error)) return callerLeft()
  if (error instanceof HTTPException) {
    if (error.message === MALFORMED_JSON) return malformedJson()
    if (error.status === 400) return badRequest()
    if (error.status === 415) return notJsonType()
  }
  // For what no schema names, such as an id in a path. No text of ours holds it, so it was sent.
  if (isDatabaseError(error) && isNulRefused(error)) {
    return new ApiError(422, 'invalid_request', 'The request holds U+0000 (%00). Leave it out.')
  }
  const away = databaseAway(error)
  if (away) {
    return new ApiError(
      503,
      'database_unavailable',
      'The service cannot reach its database. Try again in a few seconds.',
      { headers: { 'Retry-After': String(away.retryAfter) } },
    )
  }
  return new ApiError(
    500,
    'internal_error',
    'Something failed on our side. Try again; if it keeps happening, send the operator this request_id.',
  )
}
