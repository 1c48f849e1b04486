import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import * as z from 'zod'
import { AttributionEvent, EventAck, MAX_EVENTS } from '../../shared/attribution/events.ts'
import { OTHER_AI } from '../../shared/attribution/surfaces.ts'
import { createGate, requireDomain } from '../access/auth.ts'
import { createKeyring, rememberKeys } from '../access/keyring.ts'
import type { IncomingEvent } from '../attribution/ingest/event.ts'
import { type ReadEvent, readEvent } from '../attribution/ingest/read-event.ts'
import type { Deps } from '../deps.ts'
import { limitBodyTo, shareMemory } from '../http/body-limit.ts'
import type { ServerEnv } from '../http/env.ts'
import { ApiError, ErrorBody, overloaded, SOON, toApiError } from '../http/errors.ts'
import { answerFramed, frameBusyRoute } from '../http/request.ts'
import { component } from './component.ts'
import { errorResponses } from './error-responses.ts'

const LONGEST_KEY = 255
const MAX_KIB = 1024
// Unspecified: what the bodies under way of one key may hold together, 16 MiB.
const MAX_HELD = 16 * 2 ** 20
const limitBody = limitBodyTo(MAX_KIB)
const KEPT = 'This event was recorded before with other fields. The first counts.'

// Unspecified: extensions. An array of events, each answered as it would be alone.
const Result = z.union([
  z.object({
    status: z.literal(200),
    replayed: z.literal(true).optional().describe('As `Idempotent-Replayed` of an event alone.'),
    ack: EventAck,
  }),
  z.object({ status: z.int(), error: ErrorBody.shape.error.omit({ request_id: true }) }),
])
type Result = z.infer<typeof Result>
const Results = z.object({ results: z.array(Result) })
type Results = z.infer<typeof Results>

const Event = component('AttributionEvent', AttributionEvent)

const DOCUMENTED = createRoute({
  method: 'post',
  path: '/api/report',
  operationId: 'reportEvent',
  tags: ['Attribution'],
  summary: 'Report that an AI surface brought a view, a checkout or an order',
  description:
    'A retry counts once and is answered as the first time. An order (`ai_checkout_completed`) counts once per domain and session, whatever its `Idempotency-Key`. Any other event counts once per `Idempotency-Key`; without one, a view counts once per session, product, variant and timestamp, the others once per session. In an array, where all events have one `Idempotency-Key`, both count together: what failed of it may come again in any array, of one event if need be.',
  security: [{ key: ['report:write'] }],
  request: {
    headers: z.object({
      'Idempotency-Key': z
        .string()
        .min(1)
        .max(LONGEST_KEY)
        .optional()
        .describe(
          'The same over all tries of one request, and of each event in it. It makes two of what would else be a retry; events of other sessions, and other events of one, stay apart under it. With other fields the same event is refused (`idempotency_conflict`); an order keeps its first, and `notes` say so.',
        ),
    }),
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.union([Event, z.array(Event).min(1).max(MAX_EVENTS)]),
        },
      },
    },
  },
  responses: {
    200: {
      description: 'Stored. An array is answered event by event, in its order.',
      headers: z.object({
        'Idempotent-Replayed': z
          .literal('true')
          .optional()
          .describe('The event was stored before, and this is what was answered then.'),
      }),
      content: {
        'application/json': {
          schema: z.union([component('EventAck', EventAck), component('EventResults', Results)]),
        },
      },
    },
    ...errorResponses([400, 401, 403, 405, 413, 415, 422, 500, 503], {
      400: 'The body is not JSON (`malformed_json`), or not in UTF-8 (`not_utf8`).',
      413: 'The body is over 1 MiB (`body_too_large`).',
      422: 'A field is missing, unknown or wrong (`invalid_request`), the event was recorded under this `Idempotency-Key` with other fields (`idempotency_conflict`), or a value does not fit (`not_storable`).',
      503: 'Not now: see `Retry-After` (`busy`, `database_unavailable`), or perhaps stored already (`not_confirmed`). A retry counts once. Of an array it says that every event was answered 5xx, one by one in `results` beside `error`.',
      500: 'Something failed on our side (`internal_error`); of an array as with 503.',
    }),
  },
})

/** `POST /api/report` (spec, Attribution event). */
export function reportEventRoutes(deps: Deps) {
  const { db, ingest, now, log, retentionMonths, wholeFrom } = deps
  const gate = createGate(deps, 'report:write', rememberKeys(createKeyring(db), now))

  /** A request whose key could not be looked up was received, and came to nothing. */
  const admit = (c: Context<ServerEnv>) =>
    gate(c).catch((error: unknown) => {
      if (toApiError(asError(error)).status >= 500) ingest.refuse('shed')
      throw error
    })

  function shed(): never {
    ingest.refuse('shed')
    throw overloaded()
  }
  const sharingMemory = shareMemory(MAX_HELD, MAX_KIB * 1024, shed)

  function read(c: Context<ServerEnv>, body: unknown, text: string | null): ReadEvent {
    try {
      const idempotencyKey = c.req.header('Idempotency-Key') ?? null
      const at = { now: now(), retentionMonths, wholeFrom }
      const recording = readEvent(body, { idempotencyKey, text }, at)
      requireDomain(c, recording.event.domain)
      return recording
    } catch (refusal) {
      ingest.refuse('rejected')
      throw refusal
    }
  }

  async function record({ event, notes }: ReadEvent) {
    const recorded = await ingest.record(event)
    const { event_id, replayed, conflict, surface, confidence } = recorded
    const told = [...notes]
    if (recorded.unknown_visit) told.push(strangeVisit(event))
    if (conflict) told.push(KEPT)
    const ack: EventAck = {
      event_id,
      status: 'recorded',
      session_classified: surface !== OTHER_AI,
      ai_source: surface,
      confidence,
      ...(told.length > 0 && { notes: told }),
    }
    return { ack, replayed }
  }

  function refusalOf(c: Context<ServerEnv>, error: unknown): Result {
    const { status, code, message, extras } = toApiError(asError(error))
    if (status === 500) log.error({ request_id: c.var.requestId, err: error }, 'event failed')
    const { details } = extras
    return { status, error: { code, message, ...(details && { details }) } }
  }

  function reportItem(c: Context<ServerEnv>, body: unknown) {
    try {
      return record(read(c, body, null)).then(
        ({ ack, replayed }): Result => ({ status: 200, ...(replayed && { replayed }), ack }),
        (error: unknown) => refusalOf(c, error),
      )
    } catch (error) {
      return refusalOf(c, error)
    }
  }

  // Neither is an async function: its frame would keep the body for as long as the events wait.
  const reportOne = (c: Context<ServerEnv>, body: unknown, text: string) =>
    record(read(c, body, text)).then(({ ack, replayed }) =>
      answerFramed(c, ack, replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    )
  const reportAll = (c: Context<ServerEnv>, bodies: unknown[]) =>
    Promise.all(bodies.map((each) => reportItem(c, each))).then((results) => answerAll(c, results))

  const routes = new OpenAPIHono<ServerEnv>()
  // Not by `openapi()`, whose validator would read an event and an array of them differently; and
  // one handler, because on this route each middleware shows in what it costs.
  routes.openAPIRegistry.registerPath(DOCUMENTED)
  const handle = async (c: Context<ServerEnv>) => {
    if (ingest.isFull()) shed()
    await admit(c)
    await limitBody(c, async () => {})
    const text = await sharingMemory(c, c.get('key').id, () => readText(c))
    const body = parseJson(text)
    return Array.isArray(body) ? reportAll(c, countable(body)) : reportOne(c, body, text)
  }
  return routes.post('/api/report', frameBusyRoute(deps, '/api/report', handle))
}

// Unspecified: an array of which nothing is stored is refused as a whole, so that a client that reads
// the status alone sends it again; what became of each event stands beside the error.
function answerAll(c: Context<ServerEnv>, results: Result[]): Response {
  const later = results.find(({ status }) => status === 503)
  const headers = later === undefined ? {} : SOON.headers
  const refusal = later ?? results[0]
  if (!refusal || !('error' in refusal) || results.some(({ status }) => status < 500)) {
    return answerFramed(c, { results } satisfies Results, headers)
  }
  const error = { ...refusal.error, request_id: c.var.requestId }
  const body = { error, results } satisfies ErrorBody & Results
  return c.json(body, refusal.status === 503 ? 503 : 500, { ...c.get('headers'), ...headers })
}

async function readText(c: Context<ServerEnv>): Promise<string> {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(c.req.header('Content-Type') ?? '')) {
    throw new HTTPException(415)
  }
  const key = c.req.header('Idempotency-Key')
  if (key !== undefined && (key === '' || key.length > LONGEST_KEY)) {
    const message = `Send 1 to ${LONGEST_KEY} characters, or leave the header out.`
    throw invalidField('Idempotency-Key', 'invalid', message)
  }
  const text = await c.req.text()
  refuseGarbled(c, text)
  return text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HTTPException(400)
  }
}

/**
 * Bytes that are no UTF-8 were read as U+FFFD, so two ids that differ there would be one. Each takes
 * more bytes than what it stands for, unless it was sent.
 */
function refuseGarbled(c: Context<ServerEnv>, text: string): void {
  if (!text.includes('\uFFFD')) return
  if (Buffer.byteLength(text) === Number(c.req.header('Content-Length'))) return
  throw new ApiError(
    400,
    'not_utf8',
    'The body is not UTF-8. Encode all of it so; where U+FFFD is meant, send its Content-Length.',
  )
}

function countable(events: unknown[]): unknown[] {
  if (events.length === 0) throw invalidField('body', 'too_small', 'Send at least one event.')
  if (events.length <= MAX_EVENTS) return events
  throw invalidField('body', 'too_big', `Send at most ${MAX_EVENTS} events in one request.`)
}

const invalidField = (field: string, code: string, message: string) =>
  new ApiError(422, 'invalid_request', `Correct ${field}: see details.`, {
    details: [{ field, code, message }],
  })

const strangeVisit = ({ domain, properties }: IncomingEvent) =>
  `No visit ${properties.visit_id} is known at ${domain}.`

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))
