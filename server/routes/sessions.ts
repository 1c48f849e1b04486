import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import type { Classification, Signals } from '../../shared/attribution/classify/classify.ts'
import type { Verified } from '../../shared/attribution/classify/verified.ts'
import { bandOf } from '../../shared/attribution/classify/weigh.ts'
import { SessionAck, SessionBeacon } from '../../shared/attribution/events.ts'
import { OTHER_AI } from '../../shared/attribution/surfaces.ts'
import { isVerifiable } from '../attribution/agents/verify-caller.ts'
import { checkBeacon } from '../attribution/beacon/check-beacon.ts'
import { visitEvent } from '../attribution/beacon/visit-event.ts'
import { VERSION } from '../attribution/snippet/asset.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import { limitBodyTo, parseJsonBody } from '../http/body-limit.ts'
import { blockOf, clientAddress } from '../http/client-address.ts'
import type { ServerEnv } from '../http/env.ts'
import { invalidRequest } from '../http/errors.ts'
import { answerFramed, frameBusyRoute } from '../http/request.ts'
import { inRequestWords } from '../http/validation.ts'
import { component, jsonContent } from './openapi/component.ts'
import { errorResponses } from './openapi/error-responses.ts'

const MAX_KIB = 4
const limitBody = limitBodyTo(MAX_KIB)

const PATH = '/sessions'

/** The tag posts to its own folder, which is named after the version if it is pinned. */
const PATH_OF_PINNED = `/:version{${VERSION}}/sessions`

const BEACON = {
  id: 'm2x9k4-7Qd1Zt8Lw',
  referrer: 'https://chatgpt.com',
  landing: 'https://shop.example/?utm_source=chatgpt.com#/products/1001',
  surface: 'chatgpt',
  confidence: 0.97,
} satisfies SessionBeacon

const DOCUMENTED = createRoute({
  method: 'post',
  path: PATH,
  operationId: 'sessions',
  tags: ['Storefront'],
  summary: 'Report an AI session from a storefront',
  description:
    'Sent by the tag from an origin of the property. `text/plain` needs no preflight; `application/json` is accepted as well.',
  parameters: [
    {
      in: 'query',
      name: 'id',
      required: true,
      description: 'The id of the property',
      schema: { type: 'string' },
    },
  ],
  request: {
    body: {
      required: true,
      // JSON as text (JSON Schema Validation 2020-12, 8): clients made from the document send a
      // text.
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
 * `POST /sessions`: what the tag sends, once per AI session. Public, so it only ever counts a
 * session: orders and revenue come by `POST /api/report`. Neither the address nor the User-Agent of
 * the visitor is kept.
 */
export function sessionRoutes(deps: Deps) {
  const { ingest, now, callers, trustedProxies, baseUrl } = deps
  const check = checkBeacon(deps)
  const isBot = createBotTest()

  async function record(c: Context<ServerEnv>): Promise<Response> {
    const property = await check.admit(c)
    const { id: property_id, domain, origins } = property
    await limitBody(c, async () => {})
    const { beacon, bytes } = await readBeacon(c).catch((refusal: unknown) => {
      ingest.refuse('rejected')
      throw refusal
    })
    const verified = await verifiedBy(c, beacon.id)
    const event = visitEvent(beacon, {
      domain,
      property_id,
      origins,
      ts: now(),
      caller: { ...callerOf(c), ...(verified && { verified }) },
    })
    const reason = reasonToIgnore(event.classification, () => isBot(event.signals.userAgent ?? ''))
    if (reason !== null) {
      ingest.refuse('rejected')
      // The owner, who waits for a first visit, must not take it for that.
      check.takeBack(property, reason)
      c.set('summed', { property_id, outcome: reason })
      return answerFramed(c, { status: 'ignored', reason } satisfies SessionAck)
    }

    const { surface, confidence } = await ingest.record(event, bytes)
    c.set('summed', { property_id, outcome: 'recorded' })
    return answerFramed(c, {
      status: 'recorded',
      session_classified: surface !== OTHER_AI,
      ai_source: surface,
      confidence,
    } satisfies SessionAck)
  }

  /** Whose agent sends a beacon, as far as its signature or address proves that. */
  async function verifiedBy(c: Context<ServerEnv>, id: string): Promise<Verified | null> {
    const { method, raw } = c.req
    const { pathname, search } = new URL(c.req.url)
    // By our own name: a signature for another host may come with the name of that host.
    const url = new URL(baseUrl).origin + pathname + search
    const request = { method, url, headers: raw.headers, body: null }
    if (!isVerifiable(request)) return null
    const address = clientAddress(c, trustedProxies)
    const asker = address && blockOf(address)
    const call = { request, address, at: now(), usedFor: `session ${id}`, asker }
    return (await callers.verify(call)).verified
  }

  const routes = new OpenAPIHono<ServerEnv>()
  routes.openAPIRegistry.register('SessionBeacon', component('SessionBeacon', SessionBeacon))
  routes.openAPIRegistry.registerPath(DOCUMENTED)
  for (const path of [PATH, PATH_OF_PINNED]) {
    routes.post(path, frameBusyRoute(deps, path, record))
    const answerPreflight = frameBusyRoute(deps, path, check.answerPreflight)
    // Not with `options()`: a 405 names only the methods for sending sessions.
    routes.use(path, async (c, next) => {
      if (c.req.method === 'OPTIONS') return answerPreflight(c)
      c.set('summed', { property_id: null })
      return next()
    })
  }
  return routes
}

async function readBeacon(
  c: Context<ServerEnv>,
): Promise<{ beacon: SessionBeacon; bytes: number }> {
  if (!/^(text\/plain|application\/json)\s*(;|$)/i.test(c.req.header('Content-Type') ?? '')) {
    throw new ApiError(
      415,
      'unsupported_media_type',
      'Send the body as JSON, with the header "Content-Type: text/plain".',
    )
  }
  const text = await c.req.text()
  const read = SessionBeacon.safeParse(parseJsonBody(text), { error: inRequestWords })
  if (read.success) return { beacon: read.data, bytes: text.length }
  throw invalidRequest(read.error.issues, 'json')
}

/** What the server sees of the caller. */
const callerOf = (c: Context) =>
  ({
    userAgent: c.req.header('User-Agent') ?? null,
    signatureAgent: c.req.header('Signature-Agent') ?? null,
  }) satisfies Signals

/** The User-Agent of an AI agent is that of a bot, but its visit counts, as kind `agent`. */
function reasonToIgnore(
  { kind, confidence }: Classification,
  isOfBot: () => boolean,
): 'not_ai' | 'bot' | null {
  if (kind !== 'agent' && isOfBot()) return 'bot'
  return bandOf(confidence) === 'weak' ? 'not_ai' : null
}

/** Detects bots by their User-Agent, and caches some: most visitors have one of a few hundred. */
function createBotTest(): (userAgent: string) => boolean {
  const known = new LRUCache<string, boolean>({ max: 1000 })
  return (userAgent) => {
    const before = known.get(userAgent)
    if (before !== undefined) return before
    const found = isbot(userAgent)
    // Bounded, because callers can make up any number of them.
    if (userAgent.length <= 500) known.set(userAgent, found)
    return found
  }
}
