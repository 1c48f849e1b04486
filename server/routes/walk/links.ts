import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import { requireKey } from '../../access/auth.ts'
import { isKeyId } from '../../access/key-format.ts'
import { createShare, openShare, SHARE_DAYS } from '../../access/share-links.ts'
import { walkPath } from '../../audit/walk/jobs.ts'
import { addressesBelow, transcriptSoFar } from '../../audit/walk/read-walk.ts'
import { listShares, revokeShare } from '../../db/access/shares.ts'
import { readWalk, type WalkLine } from '../../db/audit/walks.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { limitJsonBody } from '../../http/body-limit.ts'
import type { ServerEnv } from '../../http/env.ts'
import { requestSchema } from '../../http/validation.ts'
import { component, jsonBody, jsonContent } from '../openapi/component.ts'
import { errorResponses } from '../openapi/error-responses.ts'
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
import { answerExport, ExportQuery } from './export.ts'
import { NOT_KEPT, PictureNumber, pictureAnswers } from './pictures.ts'

const OPEN = [404, 405, 500, 503] as const
const NO_SUCH_LINK = `${GONE} The walk has no link with this id (\`link_not_found\`).`
const NO_LINK = 'The link has expired, was revoked, or is not complete (`link_not_valid`).'

const ByLink = z.object({ token: z.string().describe('The end of the link') })

const Link = z.object({
  id: z.string().describe('The id of the link, by which it is revoked'),
  expires_at: z
    .string()
    .nullable()
    .describe('When it ends, ISO 8601 in UTC. Null: when it is revoked'),
})
const LINK = { id: '5oUwzkV2', expires_at: '2026-12-20T10:00:00.000Z' }
const NewLink = Link.extend({
  url: z.string().describe('The address for people. It is not shown again'),
  api_url: z.string().describe('The address for programs'),
})
const LinkRequest = z.strictObject({
  days: z
    .literal(SHARE_DAYS)
    .optional()
    // Only the first of several values would be documented.
    .meta({
      description: 'How many days it is valid. Left out: until it is revoked',
      enum: [...SHARE_DAYS],
    }),
})

/** Links that show one walk to anyone who has them, and what they open. They grant nothing else. */
export function walkLinkRoutes(deps: Deps) {
  const { db, now, baseUrl } = deps
  const stream = createWalkStreams(deps)
  const { show, ownWalk } = walkAnswers(deps)
  const answerPicture = pictureAnswers(deps)
  const byKey = requireKey(deps, 'audit')

  /** The walk of a link, with the addresses below the link. */
  async function linkedWalk(c: Context, token: string) {
    const share = await openShare(db, token, now())
    const row = share?.walk_id
      ? await readWalk(db, { domain: share.domain, id: share.walk_id })
      : null
    c.header('X-Robots-Tag', 'noindex')
    if (row !== null)
      return { row, addresses: addressesBelow(baseUrl + walkPath(`shared/${token}`)) }
    throw new ApiError(
      404,
      'link_not_valid',
      'This link is no longer valid, or a part of it is missing. Ask the person who sent it for a new one.',
    )
  }

  const owned = { tags: TAGS, security: KEY, middleware: byKey }

  const share = createRoute({
    method: 'post',
    path: '/api/walk/{id}/links',
    operationId: 'shareWalk',
    tags: TAGS,
    summary: 'Create a link that shows this walk to anyone who has it',
    security: KEY,
    middleware: [byKey, limitJsonBody] as const,
    request: {
      params: WalkById,
      body: jsonBody('LinkRequest', LinkRequest, { days: 30 }),
    },
    responses: {
      200: {
        description: 'The link',
        content: jsonContent(component('WalkLink', NewLink), {
          ...LINK,
          url: 'https://aisle.example/shared/0JpY…',
          api_url: 'https://aisle.example/api/walk/shared/0JpY…',
        }),
      },
      ...errorResponses([400, ...READ, 409, 413, 415, 422], {
        404: GONE,
        409: 'The walk has 100 active links (`too_many_shares`).',
      }),
    },
  })

  const links = createRoute({
    method: 'get',
    path: '/api/walk/{id}/links',
    operationId: 'walkLinks',
    ...owned,
    summary: 'The active links to a walk',
    request: { params: WalkById },
    responses: {
      200: {
        description: 'Newest first, without their secrets',
        content: jsonContent(
          z.object({ links: z.array(Link).describe('The links that are valid') }),
          { links: [LINK] },
        ),
      },
      ...errorResponses(READ, { 404: GONE }),
    },
  })

  const unshare = createRoute({
    method: 'delete',
    path: '/api/walk/{id}/links/{link}',
    operationId: 'revokeWalkLink',
    ...owned,
    summary: 'Revoke a link to a walk',
    request: { params: WalkById.extend({ link: z.string().describe('The id of the link') }) },
    responses: {
      200: {
        description: 'It opens nothing any more',
        content: jsonContent(z.object({ id: z.string().describe('The id of the link') }), {
          id: LINK.id,
        }),
      },
      ...errorResponses(READ, { 404: NO_SUCH_LINK }),
    },
  })

  const readLinked = createRoute({
    method: 'get',
    path: '/api/walk/shared/{token}',
    operationId: 'sharedWalk',
    tags: TAGS,
    summary: 'The walk that a link shows; no key is needed',
    request: { params: ByLink },
    responses: { ...WALK_RESPONSES.polled, ...errorResponses(OPEN, { 404: NO_LINK }) },
  })

  const linkedEvents = createRoute({
    method: 'get',
    path: '/api/walk/shared/{token}/events',
    operationId: 'sharedWalkEvents',
    tags: TAGS,
    summary: 'The walk that a link shows, as server-sent events',
    request: { params: ByLink },
    responses: {
      ...WALK_RESPONSES.streamed,
      ...errorResponses(OPEN, { 404: NO_LINK, 503: TOO_MANY_READERS }),
    },
  })

  const linkedExport = createRoute({
    method: 'get',
    path: '/api/walk/shared/{token}/export',
    operationId: 'exportSharedWalk',
    tags: TAGS,
    summary: 'The transcript that a link shows, as a file',
    request: { params: ByLink, query: requestSchema(ExportQuery) },
    responses: { ...WALK_RESPONSES.exported, ...errorResponses([...OPEN, 422], { 404: NO_LINK }) },
  })

  const linkedPicture = createRoute({
    method: 'get',
    path: '/api/walk/shared/{token}/pictures/{n}',
    operationId: 'sharedWalkPicture',
    tags: TAGS,
    summary: 'A picture of the walk that a link shows',
    request: { params: ByLink.extend({ n: PictureNumber }) },
    responses: {
      ...WALK_RESPONSES.pictured,
      ...errorResponses(OPEN, { 404: `${NO_LINK} ${NOT_KEPT}` }),
    },
  })

  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(share, async (c) => {
    const row = await ownWalk(c, c.req.valid('param').id)
    const shared = sharedBy(row)
    const { days = null } = c.req.valid('json')
    const made = { ...shared, key_id: c.var.key.id, days }
    const { id, token, expires_at } = await createShare(db, made, now())
    const link = { id, expires_at: expires_at?.toISOString() ?? null }
    const [url, api_url] = [`/shared/${token}`, walkPath(`shared/${token}`)]
    return c.json({ ...link, url: baseUrl + url, api_url: baseUrl + api_url }, 200)
  })
  app.openapi(links, async (c) => {
    const row = await ownWalk(c, c.req.valid('param').id)
    const shared = sharedBy(row)
    const open = await listShares(db, shared, now())
    const listed = open.map(({ id, expires_at }) => ({
      id,
      expires_at: expires_at?.toISOString() ?? null,
    }))
    return c.json({ links: listed }, 200)
  })
  app.openapi(unshare, async (c) => {
    const { id, link } = c.req.valid('param')
    const row = await ownWalk(c, id)
    const shared = sharedBy(row)
    if (!isKeyId(link) || !(await revokeShare(db, { ...shared, id: link }, now()))) {
      throw new ApiError(
        404,
        'link_not_found',
        'This walk has no link with this id. GET the links of the walk lists those that are active, with their ids.',
      )
    }
    return c.json({ id: link }, 200)
  })
  app.openapi(readLinked, async (c) => {
    const { row, addresses } = await linkedWalk(c, c.req.valid('param').token)
    return show(c, row, addresses)
  })
  app.openapi(linkedEvents, async (c) => {
    const { token } = c.req.valid('param')
    const isOpen = async () => (await openShare(db, token, now())) !== null
    return stream(c, (await linkedWalk(c, token)).row, isOpen)
  })
  app.openapi(linkedPicture, async (c) => {
    const { token, n } = c.req.valid('param')
    return answerPicture(c, (await linkedWalk(c, token)).row, n)
  })
  app.openapi(linkedExport, async (c) => {
    const { row } = await linkedWalk(c, c.req.valid('param').token)
    return answerExport(c, await transcriptSoFar(db, row), c.req.valid('query'))
  })
  return app
}

/** What the links of a walk open. */
const sharedBy = ({ domain, id }: WalkLine) => ({ domain, view: 'walk', walk_id: id }) as const
