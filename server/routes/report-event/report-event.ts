import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import {
  AttributionEvent,
  EventAck,
  MAX_EVENTS,
  type PassedRequest,
  passedRequestOf,
} from '../../../shared/attribution/events.ts'
import { OTHER_AI } from '../../../shared/attribution/surfaces.ts'
import { field } from '../../../shared/web/json/json.ts'
import {
  createAuthenticator,
  createKeyring,
  rememberKeys,
  requireDomain,
} from '../../access/auth.ts'
import type { IncomingEvent } from '../../attribution/ingest/event.ts'
import { OTHER_HOST, unverified } from '../../attribution/ingest/notes.ts'
import { callOf } from '../../attribution/ingest/passed-call.ts'
import { readEvent, withCaller } from '../../attribution/ingest/read-event.ts'
import { tenantOf } from '../../db/access/keys.ts'
import type { Deps } from '../../deps.ts'
import { ApiError, overloaded, RETRY_SOON } from '../../http/api-error.ts'
import { limitBodyTo, parseJsonBody, shareMemory } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { ErrorBody, invalidField, notJsonType, toApiError } from '../../http/errors.ts'
import { refuseOldClient } from '../../http/old-client.ts'
import { answerFramed, frameBusyRoute } from '../../http/request.ts'
import { asError } from '../../process/as-error.ts'
import { component } from '../openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from '../openapi/error-responses.ts'

const LONGEST_KEY = 255
const MAX_KIB = 1024
// Unspecified: the bodies that are being read for one key may have 16 MiB in all.
const MAX_HELD = 16 * 2 ** 20
const limitBody = limitBodyTo(MAX_KIB)

const Ack = component('EventAck', EventAck)

// Unspecified: `POST /api/report` also accepts an array of events, each answered as it would be
// alone.
const Result = z.union([
  z.object({
    status: z.literal(200).describe('The HTTP status that the event would have alone'),
    replayed: z
      .literal(true)
      .optional()
      .describe('Same meaning as the `Idempotent-Replayed` header of a single event.'),
    ack: Ack,
  }),
  z.object({
    status: z.int().describe('The HTTP status that the event would have alone'),
    error: ErrorBody.shape.error.omit({ request_id: true }).describe('Why it was not stored'),
  }),
])
type Result = z.infer<typeof Result>
const Results = z.object({
  results: z.array(Result).describe('One for each event, in the same order'),
})
type Results = z.infer<typeof Results>

const Event = component('AttributionEvent', AttributionEvent)

const ORDER = {
  event: 'ai_checkout_completed',
  domain: 'shop.example',
  session_id: 'order_1001',
  source: 'acp',
  ai_surface: 'chatgpt',
  properties: { value: 24_900, currency: 'USD' },
} satisfies AttributionEvent
const REFUND = {
  event: 'ai_order_refunded',
  domain: 'shop.example',
  session_id: 'order_1001',
  source: 'acp',
  properties: { refund_id: 'refund_1', value: 4_900, currency: 'USD' },
} satisfies AttributionEvent
const VIEW = {
  event: 'ai_product_viewed',
  domain: 'shop.example',
  session_id: 'visit_7',
  source: 'ucp',
  ai_surface: 'google_ai_mode',
  properties: { product_id: 'ao-1001' },
} satisfies AttributionEvent
const RECORDED: EventAck = {
  event_id: '019aa123-4b5c-7d6e-8f70-1a2b3c4d5e6f',
  status: 'recorded',
  session_classified: true,
  ai_source: 'chatgpt',
  confidence: 1,
}

const DOCUMENTED = createRoute({
  method: 'post',
  path: '/api/report',
  operationId: 'reportEvent',
  tags: ['Attribution'],
  summary:
    'Report that an AI surface brought a view, a checkout or an order, or that one was refunded',
  description:
    'A retry counts once and gets the same response as the first request. An order (`ai_checkout_completed`) counts once per domain, regardless of its `Idempotency-Key`: reports are of one order if they have the same `session_id`, or if `properties.checkout_id` or `properties.order_id` of one is an id of the other. A `value` without a `currency` counts in the currency of the property, or else of most orders so far, and `notes` says so; where there is neither, the event is rejected. Any other event counts once per `Idempotency-Key`; without one, a view counts once per session, product, variant and timestamp, and any other event once per session. A refund (`ai_order_refunded`) has a `session_id`, `properties.checkout_id` or `properties.order_id` of its order, the amount as `value` with its `currency`, and an id of its own, `properties.refund_id`, under which it counts once per domain; it counts under the surface and the `source` of its order, on the day of its `timestamp`. Where no such order was reported it is kept and not counted, and `notes` says so: it counts once the order is reported. What is reported of an order that the operator has erased is not stored, and `notes` says so. The events of an array share one `Idempotency-Key`, which is combined with these fields: send events that failed again with the same key, in any array, even one of a single event.',
  security: [{ key: ['report:write'] }],
  request: {
    headers: z.object({
      'Idempotency-Key': z
        .string()
        .min(1)
        .max(LONGEST_KEY)
        .optional()
        .describe(
          'Use the same key for all attempts of one request. Two different keys record two events even if all fields match. One key may be shared by different events of an array. The same event with different fields is rejected (`idempotency_conflict`); for an order or a refund the first version is kept, and `notes` says so.',
        ),
    }),
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.union([Event, z.array(Event).min(1).max(MAX_EVENTS)]),
          examples: {
            order: { summary: 'An order', value: ORDER },
            refund: { summary: 'A part of its money goes back', value: REFUND },
            array: { summary: 'Events of one call', value: [ORDER, VIEW] },
          },
        },
      },
    },
  },
  responses: {
    200: {
      description:
        'Stored. For an array: one result per event, in the same order; at least one event was stored.',
      headers: z.object({
        'Idempotent-Replayed': z
          .literal('true')
          .optional()
          .describe('The event was already stored; this is the original response.'),
      }),
      content: {
        'application/json': {
          schema: z.union([Ack, component('EventResults', Results)]),
          examples: {
            event: { summary: 'Of one event', value: RECORDED },
            array: {
              summary: 'Of an array',
              value: { results: [{ status: 200, replayed: true, ack: RECORDED }] },
            },
          },
        },
      },
    },
    ...errorResponses([400, 401, 403, 405, 413, 415, 422, 426, 500, 503], {
      400: 'The body is not valid JSON (`malformed_json`) or not valid UTF-8 (`not_utf8`).',
      403: `${NEEDS_DOMAIN[403]} For an array: no event was stored; see \`results\`.`,
      413: 'The body is over 1 MiB (`body_too_large`).',
      422: 'A field is missing, unknown or invalid (`invalid_request`), the `Idempotency-Key` was used for this event with different fields (`idempotency_conflict`), or a value cannot be stored (`not_storable`). For an array: no event was stored; see `results`, if any.',
      503: 'Temporarily unavailable: see `Retry-After` (`busy`, `database_unavailable`), or the event may already be stored (`not_confirmed`). A retry counts once. For an array: every event failed; see `results`.',
      500: 'Something failed on our side (`internal_error`). For an array: every event failed; see `results`.',
    }),
  },
})

/** `POST /api/report` (spec, Attribution event). */
export function reportEventRoutes(deps: Deps) {
  const { db, ingest, now, log, callers, retentionMonths, completeFrom } = deps
  const authenticate = createAuthenticator(
    deps,
    'report:write',
    rememberKeys(createKeyring(db), now),
  )

  /** A request whose key could not be looked up counts as received and shed. */
  const authenticateAndCount = (c: Context<ServerEnv>) =>
    authenticate(c).catch((error: unknown) => {
      if (toApiError(asError(error)).status >= 500) ingest.refuse('shed')
      throw error
    })

  function refuseAsOverload(): never {
    ingest.refuse('shed')
    throw overloaded()
  }
  const sharingMemory = shareMemory(MAX_HELD, MAX_KIB * 1024, refuseAsOverload)

  function read(c: Context<ServerEnv>, body: unknown, text: string | null): IncomingEvent {
    try {
      const idempotencyKey = c.req.header('Idempotency-Key') ?? null
      const at = { now: now(), retentionMonths, completeFrom }
      const event = readEvent(body, { idempotencyKey, text }, at)
      requireDomain(c, event.domain)
      return event
    } catch (refusal) {
      ingest.refuse('rejected')
      throw refusal
    }
  }

  async function record(event: IncomingEvent, bytes?: number) {
    const { event_id, replayed, surface, confidence, notes } = await ingest.record(event, bytes)
    const ack: EventAck = {
      event_id,
      status: 'recorded',
      session_classified: surface !== OTHER_AI,
      ai_source: surface,
      confidence,
      ...(notes.length > 0 && { notes }),
    }
    return { ack, replayed }
  }

  /** The same for an event whose shop passes on the agent's request. */
  async function recordCalled(event: IncomingEvent, passed: PassedRequest, asker: string) {
    const call = callOf(event, passed, asker, now())
    if (call === null) return record(withCaller(event, null, unverified(OTHER_HOST)))
    const { verified, refusal } = await callers.verify(call)
    return record(withCaller(event, verified, refusal && unverified(refusal)))
  }

  function toErrorResult(c: Context<ServerEnv>, error: unknown): Result {
    const { status, code, message, extras } = toApiError(asError(error))
    if (status === 500) log.error({ request_id: c.var.requestId, err: error }, 'event failed')
    const { details } = extras
    return { status, error: { code, message, ...(details && { details }) } }
  }

  function reported(c: Context<ServerEnv>, body: unknown, text: string | null) {
    const event = read(c, body, text)
    const passed = passedRequestOf(field(body, 'properties'))
    return passed === null
      ? record(event, text?.length)
      : recordCalled(event, passed, c.get('key').id)
  }

  function reportItem(c: Context<ServerEnv>, body: unknown) {
    try {
      return reported(c, body, null).then(
        ({ ack, replayed }): Result => ({ status: 200, ...(replayed && { replayed }), ack }),
        (error: unknown) => toErrorResult(c, error),
      )
    } catch (error) {
      return toErrorResult(c, error)
    }
  }

  /** An array has one status, which hides the events in it that are refused. */
  function logRefused(c: Context<ServerEnv>, results: readonly Result[]): void {
    const refused = results.filter(({ status }) => status >= 400 && status < 500).length
    if (refused === 0) return
    const of = { request_id: c.var.requestId, key_id: c.var.key.id }
    log.info({ ...of, events: results.length, refused }, 'events refused')
  }

  // Not async functions: their frames would keep the body in memory while the events wait.
  const reportOne = (c: Context<ServerEnv>, body: unknown, text: string) =>
    reported(c, body, text).then(({ ack, replayed }) =>
      answerFramed(c, ack, replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    )
  const reportAll = (c: Context<ServerEnv>, bodies: unknown[]) =>
    Promise.all(bodies.map((each) => reportItem(c, each))).then((results) => {
      logRefused(c, results)
      return answerAll(c, results)
    })

  const routes = new OpenAPIHono<ServerEnv>()
  // Not by `openapi()`, whose validator would read an event and an array differently. One handler
  // without middleware, because the cost of each is noticeable on this route.
  routes.openAPIRegistry.registerPath(DOCUMENTED)
  const handle = async (c: Context<ServerEnv>) => {
    if (ingest.isFull()) refuseAsOverload()
    await authenticateAndCount(c)
    refuseOldClient(c.req.header('User-Agent'))
    await limitBody(c, async () => {})
    const text = await sharingMemory(c, tenantOf(c.get('key')), () => readText(c))
    const body = parseJsonBody(text)
    return Array.isArray(body) ? reportAll(c, checkCount(body)) : reportOne(c, body, text)
  }
  routes.post('/api/report', frameBusyRoute(deps, '/api/report', handle))
  return routes
}

// Unspecified: an array of which nothing is stored is refused as a whole, so that a client that
// only reads the status notices: with 503 or 500 if an event may be sent again, else with 422, or
// with 403 if the key covers none of the domains. The error lists the result of each event.
function answerAll(c: Context<ServerEnv>, results: Result[]): Response {
  const headers = results.some(({ status }) => status === 503) ? RETRY_SOON.headers : {}
  const refusals = results.filter((each) => 'error' in each)
  const status = REFUSED_BY.find((each) => refusals.some((one) => one.status === each))
  const refusal = refusals.find((each) => each.status === status)
  if (status === undefined || refusal === undefined || refusals.length < results.length) {
    return answerFramed(c, { results } satisfies Results, headers)
  }
  const error = { ...refusal.error, request_id: c.var.requestId }
  c.set('code', error.code)
  const body = { error, results } satisfies ErrorBody & Results
  return c.json(body, status, { ...c.get('headers'), ...headers })
}

/** The reasons to refuse an event, in the order in which an array reports them. */
const REFUSED_BY = [503, 500, 422, 403] as const

async function readText(c: Context<ServerEnv>): Promise<string> {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(c.req.header('Content-Type') ?? '')) {
    throw notJsonType()
  }
  const key = c.req.header('Idempotency-Key')
  if (key !== undefined && (key === '' || key.length > LONGEST_KEY)) {
    const message = `Send 1 to ${LONGEST_KEY} characters, or leave the header out.`
    throw invalidField('Idempotency-Key', 'invalid', message)
  }
  const text = await c.req.text()
  refuseInvalidUtf8(c, text)
  return text
}

/**
 * Invalid UTF-8 is decoded as U+FFFD (https://encoding.spec.whatwg.org/#utf-8-decode), which would
 * make different ids equal. Unless U+FFFD was sent, the text is then longer than Content-Length
 * (except where three bytes of a four-byte sequence became one U+FFFD).
 */
function refuseInvalidUtf8(c: Context<ServerEnv>, text: string): void {
  if (!text.includes('\uFFFD')) return
  if (Buffer.byteLength(text) === Number(c.req.header('Content-Length'))) return
  throw new ApiError(
    400,
    'not_utf8',
    'The body is not valid UTF-8. If it really contains U+FFFD, send a Content-Length.',
  )
}

function checkCount(events: unknown[]): unknown[] {
  if (events.length === 0) throw invalidField('body', 'too_small', 'Send at least one event.')
  if (events.length <= MAX_EVENTS) return events
  throw invalidField('body', 'too_big', `Send at most ${MAX_EVENTS} events in one request.`)
}
