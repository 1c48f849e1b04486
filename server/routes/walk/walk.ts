import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { intentsOf } from '../../../shared/walk/intents.ts'
import { isWalkOver, WalkListed } from '../../../shared/walk/stored-walk.ts'
import { WalkRequest } from '../../../shared/walk/walk-request.ts'
import { Domain } from '../../../shared/web/address/domain.ts'
import { requireDomain, requireKey } from '../../access/auth.ts'
import type { WalkOrder } from '../../audit/walk/order.ts'
import { transcriptSoFar } from '../../audit/walk/read-walk.ts'
import { listWalks } from '../../db/audit/walks.ts'
import type { Deps } from '../../deps.ts'
import { limitJsonBody } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { requestSchema } from '../../http/validation.ts'
import { component, jsonBody, jsonContent } from '../openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from '../openapi/error-responses.ts'
import { countedResponses, headerRefs } from '../openapi/headers.ts'
import {
  GONE,
  KEY,
  READ,
  TAGS,
  TOO_MANY_READERS,
  WALK_RESPONSES,
  WalkById,
  walkAnswers,
} from './answers.ts'
import { createWalkStreams } from './events.ts'
import { CANCELLED, QUEUED, UNDER_WAY, WALKED } from './examples.ts'
import { answerExport, ExportQuery } from './export.ts'
import { NO_PICTURE, PictureOfWalk, pictureAnswers } from './pictures.ts'
import { walkStarter } from './start-walk.ts'

const Listed = component('WalkListed', WalkListed)

/** `/api/walk`: whole purchases in a store, which go on after the request that started them. */
export function walkRoutes(deps: Deps) {
  const { db, walks } = deps
  const startWalk = walkStarter(deps)
  const stream = createWalkStreams(deps)
  const { listed, show, ownWalk } = walkAnswers(deps)
  const answerPicture = pictureAnswers(deps)
  const byKey = requireKey(deps, 'audit')
  const owned = { tags: TAGS, security: KEY, middleware: byKey }

  const refusals = errorResponses([400, 401, 403, 405, 409, 413, 415, 422, 429, 500, 503], {
    403: 'The key lacks the scope `audit`, or for mode `sandbox` the scope `walk` (`insufficient_scope`), or does not cover the domain (`domain_not_allowed`).',
    409: 'Another walk of the domain is under way: see `Location` (`walk_under_way`).',
  })
  const start = createRoute({
    method: 'post',
    path: '/api/walk',
    operationId: 'walk',
    tags: TAGS,
    summary: 'Walk through whole purchases in a store, as an agent makes them',
    description:
      'Answered as soon as the walk is accepted; watch it at `events_url`, or ask `url` again. Mode `look` pays nothing and cancels every session that it opens. Mode `sandbox` pays with the tokens of `payment`, and needs the scope `walk` as well. One walk of a domain is under way at a time.',
    // Mode `look` needs only the first.
    security: [{ key: ['audit'] }, { key: ['audit', 'walk'] }],
    middleware: [byKey, limitJsonBody] as const,
    request: {
      body: jsonBody('WalkRequest', WalkRequest, {
        domain: 'shop.example',
        intents: ['cheapest_variant'],
      }),
    },
    responses: countedResponses(
      {
        202: {
          description: 'Accepted. `Location` is its `url`',
          headers: headerRefs('Location'),
          content: jsonContent(Listed, QUEUED),
        },
        ...refusals,
        409: { ...refusals[409], headers: headerRefs('Location') },
      },
      [202, 409, 429, 500, 503],
    ),
  })

  const list = createRoute({
    method: 'get',
    path: '/api/walk',
    operationId: 'walks',
    ...owned,
    summary: 'The newest walks of a domain',
    request: { query: requestSchema(z.object({ domain: Domain })) },
    responses: {
      200: {
        description: 'At most 50, newest first',
        content: jsonContent(
          z.object({
            walks: z.array(Listed).describe('The walks of the domain'),
          }),
          { walks: [WALKED] },
        ),
      },
      ...errorResponses([401, 403, 405, 422, 500, 503], NEEDS_DOMAIN),
    },
  })

  const read = createRoute({
    method: 'get',
    path: '/api/walk/{id}',
    operationId: 'walkById',
    ...owned,
    summary: 'The state of a walk, and its transcript as far as it is',
    request: { params: WalkById },
    responses: { ...WALK_RESPONSES.polled, ...errorResponses(READ, { 404: GONE }) },
  })

  const cancel = createRoute({
    method: 'delete',
    path: '/api/walk/{id}',
    operationId: 'cancelWalk',
    ...owned,
    summary: 'Cancel a walk; what it has open in the store is cancelled first',
    description: 'A walk that has ended stays as it is.',
    request: { params: WalkById },
    responses: {
      200: {
        description: 'It has ended',
        content: jsonContent(Listed, CANCELLED),
      },
      202: {
        description: 'It will, once the store has answered: ask `url` again',
        headers: headerRefs('Retry-After'),
        content: jsonContent(Listed, UNDER_WAY),
      },
      ...errorResponses(READ, { 404: GONE }),
    },
  })

  const events = createRoute({
    method: 'get',
    path: '/api/walk/{id}/events',
    operationId: 'walkEvents',
    ...owned,
    summary: 'A walk as it goes on, as server-sent events',
    request: { params: WalkById },
    responses: {
      ...WALK_RESPONSES.streamed,
      ...errorResponses(READ, { 404: GONE, 503: TOO_MANY_READERS }),
    },
  })

  const exported = createRoute({
    method: 'get',
    path: '/api/walk/{id}/export',
    operationId: 'exportWalk',
    ...owned,
    summary: 'The transcript of a walk as a file',
    request: { params: WalkById, query: requestSchema(ExportQuery) },
    responses: { ...WALK_RESPONSES.exported, ...errorResponses([...READ, 422], { 404: GONE }) },
  })

  const picture = createRoute({
    method: 'get',
    path: '/api/walk/{id}/pictures/{n}',
    operationId: 'walkPicture',
    ...owned,
    summary: 'A picture of a walk through pages',
    request: { params: PictureOfWalk },
    responses: { ...WALK_RESPONSES.pictured, ...errorResponses(READ, { 404: NO_PICTURE }) },
  })

  return new OpenAPIHono<ServerEnv>()
    .openapi(start, async (c) => {
      const walk = listed(await startWalk(c, orderOf(c.req.valid('json'))))
      return c.json(walk, 202, { Location: walk.url })
    })
    .openapi(list, async (c) => {
      const { domain } = c.req.valid('query')
      requireDomain(c, domain)
      return c.json({ walks: (await listWalks(db, domain)).map(listed) }, 200)
    })
    .openapi(read, async (c) => show(c, await ownWalk(c, c.req.valid('param').id)))
    .openapi(cancel, async (c) => {
      const found = await ownWalk(c, c.req.valid('param').id)
      const row = (await walks.cancel(found, c.req.raw.signal)) ?? found
      if (isWalkOver(row.state)) return c.json(listed(row), 200)
      return c.json(listed(row), 202, { 'Retry-After': '1' })
    })
    .openapi(events, async (c) => stream(c, await ownWalk(c, c.req.valid('param').id)))
    .openapi(picture, async (c) => {
      const { id, n } = c.req.valid('param')
      return answerPicture(c, await ownWalk(c, id), n)
    })
    .openapi(exported, async (c) => {
      const row = await ownWalk(c, c.req.valid('param').id)
      return answerExport(c, await transcriptSoFar(db, row), c.req.valid('query'))
    })
}

// Unspecified: a walk without `intents` has all intents of its mode, each once.
function orderOf({ domain, mode = 'look', ...asked }: WalkRequest): WalkOrder {
  const { intents = intentsOf(mode), dialects, item, payment, agent_key } = asked
  const { pages = false, product_url: url } = asked
  return {
    domain,
    mode,
    intents: [...new Set(intents)],
    ...(dialects && { dialects: [...new Set(dialects)] }),
    ...(item !== undefined && { item }),
    ...(pages && { pages: url === undefined ? {} : { url } }),
    ...(payment && { tokens: payment }),
    ...(agent_key !== undefined && { agentKey: agent_key }),
  }
}
