import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import * as z from 'zod'
import { AttributionEvent, EventAck, MAX_EVENTS } from '../../shared/report.ts'
import { OTHER_AI } from '../../shared/surfaces.ts'
import type { Deps, ServerEnv } from '../app.ts'
import { requireDomain, requireKey } from '../auth.ts'
import { limitBodyTo } from '../body-limit.ts'
import { ApiError, ErrorBody, toApiError } from '../errors.ts'
import { isChosen, readEvent } from '../ingest/read-event.ts'
import { busy } from '../ingest/refusals.ts'
import { component } from './component.ts'
import { errorResponses } from './error-responses.ts'

const LONGEST_KEY = 255

// Unspecified: extensions. An array of events, each answered as it would be alone.
const Results = z.object({
  results: z.array(
    z.union([
      z.object({ status: z.literal(200), ack: EventAck }),
      z.object({
        status: z.int(),
        error: ErrorBody.shape.error.omit({ request_id: true }),
      }),
    ]),
  ),
})
type Results = z.infer<typeof Results>

const Event = component('AttributionEvent', AttributionEvent)

const DOCUMENTED = createRoute({
  method: 'post',
  path: '/api/report',
  operationId: 'reportEvent',
  tags: ['Attribution'],
  summary: 'Report that an AI surface brought a view, a checkout or an order',
  description:
    'A retry counts once and is answered as the first time. An order (`ai_checkout_completed`) counts once per domain and session, a view once per session, product, variant and timestamp, any other event once per session, unless `Idempotency-Key` tells them apart.',
  security: [{ key: ['report:write'] }],
  request: {
    headers: z.object({
      'Idempotency-Key': z
        .string()
        .min(1)
        .max(LONGEST_KEY)
        .optional()
        .describe('The same over all tries of one request.'),
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
      413: 'The body is over 1 MiB (`body_too_large`).',
      422: 'A field is missing, unknown or wrong (`invalid_request`), the `Idempotency-Key` is that of another event (`idempotency_conflict`), or a value does not fit (`not_storable`).',
      503: 'Not now: see `Retry-After` (`busy`, `database_unavailable`), or perhaps stored already (`not_confirmed`). A retry counts once.',
    }),
  },
})

/** `POST /api/report` (spec, Attribution event). */
export function reportEventRoutes(deps: Deps) {
  const { ingest, now, log } = deps

  const shed = createMiddleware<ServerEnv>(async (_, next) => {
    if (ingest.isFull()) {
      ingest.refuse('shed')
      throw busy()
    }
    await next()
  })

  async function report(c: Context<ServerEnv>, body: unknown, index: number | null) {
    const idempotencyKey = c.req.header('Idempotency-Key') ?? null
    let recording: ReturnType<typeof readEvent>
    try {
      recording = readEvent(body, { idempotencyKey, index }, now())
      requireDomain(c, recording.event.domain)
    } catch (refusal) {
      ingest.refuse('rejected')
      throw refusal
    }
    const { event, notes } = recording
    const { event_id, replayed, conflict, surface, confidence } = await ingest.record(event)
    if (conflict && isChosen(event.key)) throw keyReused()
    if (conflict) notes.push('This event was recorded before with other fields. The first counts.')
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

  async function reportItem(c: Context<ServerEnv>, body: unknown, index: number) {
    try {
      const { ack } = await report(c, body, index)
      return { status: 200 as const, ack }
    } catch (error) {
      const { status, code, message, extras } = toApiError(asError(error))
      if (status === 500) log.error({ request_id: c.var.requestId, err: error }, 'event failed')
      const { details } = extras
      return { status, error: { code, message, ...(details && { details }) } }
    }
  }

  const routes = new OpenAPIHono<ServerEnv>()
  // Not by `openapi()`, whose validator would read an event and an array of them differently.
  routes.openAPIRegistry.registerPath(DOCUMENTED)
  return routes.post(
    '/api/report',
    shed,
    requireKey(deps, 'report:write'),
    limitBodyTo(1024),
    async (c) => {
      const body = await readJson(c)
      if (!Array.isArray(body)) {
        const { ack, replayed } = await report(c, body, null)
        return c.json<EventAck, 200>(ack, 200, replayed ? { 'Idempotent-Replayed': 'true' } : {})
      }
      refuseCount(body.length)
      const results = await Promise.all(body.map((each, n) => reportItem(c, each, n)))
      return c.json<Results, 200>({ results }, 200)
    },
  )
}

async function readJson(c: Context<ServerEnv>): Promise<unknown> {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(c.req.header('Content-Type') ?? '')) {
    throw new HTTPException(415)
  }
  const key = c.req.header('Idempotency-Key')
  if (key !== undefined && (key === '' || key.length > LONGEST_KEY)) {
    const message = `Send 1 to ${LONGEST_KEY} characters, or leave the header out.`
    throw invalidField('Idempotency-Key', 'invalid', message)
  }
  const text = await c.req.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new HTTPException(400)
  }
}

function refuseCount(events: number): void {
  if (events === 0) throw invalidField('body', 'too_small', 'Send at least one event.')
  if (events <= MAX_EVENTS) return
  throw invalidField('body', 'too_big', `Send at most ${MAX_EVENTS} events in one request.`)
}

const invalidField = (field: string, code: string, message: string) =>
  new ApiError(422, 'invalid_request', `Correct ${field}: see details.`, {
    details: [{ field, code, message }],
  })

const keyReused = () =>
  new ApiError(
    422,
    'idempotency_conflict',
    'Another event was recorded under this Idempotency-Key. Send each event under its own.',
  )

const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))
