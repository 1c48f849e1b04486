import { createRoute, OpenAPIHono, type RouteHandler } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { isbot } from 'isbot'
import { classify, type Signals } from '../../shared/attribution/classify/classify.ts'
import { bandOf } from '../../shared/attribution/classify/weigh.ts'
import { SessionAck, SessionBeacon } from '../../shared/attribution/events.ts'
import { OTHER_AI } from '../../shared/attribution/surfaces.ts'
import { type BeaconEnv, checkBeacon } from '../attribution/beacon/check-beacon.ts'
import { visitEvent } from '../attribution/beacon/visit-event.ts'
import { VERSION } from '../attribution/snippet/asset.ts'
import type { Deps } from '../deps.ts'
import { limitBodyTo } from '../http/body-limit.ts'
import { ApiError, invalidRequest } from '../http/errors.ts'
import { parseJsonBody } from '../http/json-body.ts'
import { inRequestWords } from '../http/validation.ts'
import { component, jsonContent } from './component.ts'
import { errorResponses } from './error-responses.ts'

const MAX_KIB = 4

const PATH = '/sessions'

/** The snippet posts to its own folder, which for a pinned one is named after the version. */
const PATH_OF_PINNED = `/:version{${VERSION}}/sessions`

const BEACON = {
  id: 'm2x9k4-7Qd1Zt8Lw',
  referrer: 'https://chatgpt.com',
  landing: 'https://shop.example/?utm_source=chatgpt.com#/products/1001',
  surface: 'chatgpt',
  confidence: 0.97,
  model: '2026-11-21.1a2b3c4d',
} satisfies SessionBeacon

const route = createRoute({
  method: 'post',
  path: PATH,
  operationId: 'sessions',
  tags: ['Storefront'],
  summary: 'Report an AI session from a storefront',
  description:
    'Sent by the snippet from an origin of the property. `text/plain` needs no preflight; `application/json` is accepted as well.',
  parameters: [
    {
      in: 'query',
      name: 'id',
      required: true,
      description: 'The id of the property',
      schema: { type: 'string' },
    },
  ],
  middleware: limitBodyTo(MAX_KIB),
  request: {
    body: {
      required: true,
      // JSON as text (JSON Schema Validation 2020-12, 8): a client that reads the document sends a text.
      content: {
        'text/plain': {
          schema: {
            type: 'string',
            contentMediaType: 'application/json',
            contentSchema: { $ref: '#/components/schemas/SessionBeacon' },
          },
          example: JSON.stringify(BEACON),
        },
      },
    },
  },
  responses: {
    200: {
      description: 'Recorded, or ignored with the reason',
      content: jsonContent(component('SessionAck', SessionAck), {
        status: 'recorded',
        session_classified: true,
        ai_source: 'chatgpt',
        confidence: 0.97,
      }),
    },
    ...errorResponses([400, 403, 404, 405, 413, 415, 422, 429, 500, 503], {
      403: 'The origin of the page is not one of the property (`origin_not_allowed`).',
      404: 'There is no such property (`unknown_property`).',
      413: `The body is over ${MAX_KIB} KiB (\`body_too_large\`).`,
      415: 'The body is neither text/plain nor application/json (`unsupported_media_type`).',
      429: 'Too many sessions from this address or network, or for this property: see `Retry-After` (`rate_limited`). The report counts them as `set_aside`.',
    }),
  },
})

/**
 * `POST /sessions`: what the snippet sends, once per AI session. Public, so it only ever counts a
 * session: orders and revenue come by `POST /api/report`. Neither the address nor the User-Agent
 * of the visitor is kept.
 */
export function sessionRoutes(deps: Deps) {
  const { ingest, now } = deps
  const routes = new OpenAPIHono<BeaconEnv>()
  routes.openAPIRegistry.register('SessionBeacon', component('SessionBeacon', SessionBeacon))
  const check = checkBeacon(deps)
  routes.use(PATH, check).use(PATH_OF_PINNED, check)
  const record: RouteHandler<typeof route, BeaconEnv> = async (c) => {
    const beacon = await readBeacon(c).catch((refusal: unknown) => {
      ingest.refuse('rejected')
      throw refusal
    })
    const { id: property_id, domain } = c.var.property
    const event = visitEvent(beacon, { domain, property_id, ts: now(), caller: callerOf(c) })
    const reason = reasonToIgnore(event.signals)
    if (reason !== null) {
      ingest.refuse('rejected')
      c.set('summed', { property_id, outcome: reason })
      return c.json({ status: 'ignored' as const, reason }, 200)
    }

    const { surface, confidence } = await ingest.record(event)
    c.set('summed', { property_id, outcome: 'recorded' })
    return c.json(
      {
        status: 'recorded' as const,
        session_classified: surface !== OTHER_AI,
        ai_source: surface,
        confidence,
      },
      200,
    )
  }
  routes.openapi({ ...route, path: PATH_OF_PINNED, hide: true }, record)
  return routes.openapi(route, record)
}

async function readBeacon(c: Context<BeaconEnv>): Promise<SessionBeacon> {
  if (!/^(text\/plain|application\/json)\s*(;|$)/i.test(c.req.header('Content-Type') ?? '')) {
    throw new ApiError(
      415,
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: text/plain".',
    )
  }
  const text = await c.req.text()
  const read = SessionBeacon.safeParse(parseJsonBody(text), { error: inRequestWords })
  if (read.success) return read.data
  throw invalidRequest(read.error.issues, 'json')
}

/** What the server sees of the caller. */
const callerOf = (c: Context) =>
  ({
    userAgent: c.req.header('User-Agent') ?? null,
    signatureAgent: c.req.header('Signature-Agent') ?? null,
  }) satisfies Signals

/** The User-Agent of an AI agent is that of a bot, but its visit counts, as kind `agent`. */
function reasonToIgnore(signals: Signals): 'not_ai' | 'bot' | null {
  const { kind, confidence } = classify(signals)
  if (kind !== 'agent' && isbot(signals.userAgent)) return 'bot'
  return bandOf(confidence) === 'weak' ? 'not_ai' : null
}
