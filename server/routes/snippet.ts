import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import type { SnippetAsset } from '../attribution/snippet/asset.ts'
import { findSnippets } from '../attribution/snippet/pinned.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import { codingOf } from '../http/codings.ts'
import type { ServerEnv } from '../http/env.ts'
import { hasTag } from '../http/kept-text.ts'
import { errorResponses } from './openapi/error-responses.ts'
import { headerRefs } from './openapi/headers.ts'

// Unspecified: attribution.js may be cached for an hour. A visit loads it once, and a fix reaches
// every storefront within an hour.
const MUTABLE = 'public, max-age=3600'
const PINNED = 'public, max-age=31536000, immutable'

/** Storefronts load it from another origin; with an integrity hash, the browser needs CORS. */
const FOR_EVERYONE = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // Lets the script see whether it was in the cache of the browser: see snippet/attribution.ts.
  'Timing-Allow-Origin': '*',
  Vary: 'Accept-Encoding',
}

const id = {
  in: 'query' as const,
  name: 'id',
  description: 'The property that sessions are reported for. The code is the same for all.',
  schema: { type: 'string' as const },
}
const version = {
  in: 'path' as const,
  name: 'version',
  required: true,
  description: 'The version that the tag is pinned to.',
  schema: { type: 'string' as const },
}
const SCRIPT = {
  description: 'The script',
  headers: headerRefs('ETag'),
  content: { 'text/javascript': { schema: z.string() } },
}
const UNCHANGED = { description: 'Not modified', headers: headerRefs('ETag') }

const current = createRoute({
  method: 'get',
  path: '/attribution.js',
  operationId: 'snippet',
  tags: ['Storefront'],
  summary: 'The script that a storefront embeds',
  // Not under `request`: an invalid query must not be refused.
  parameters: [id],
  responses: { 200: SCRIPT, 304: UNCHANGED, ...errorResponses([405, 500, 503]) },
})

const pinned = createRoute({
  method: 'get',
  path: '/{version}/attribution.js',
  operationId: 'pinnedSnippet',
  tags: ['Storefront'],
  summary: 'One version of the script, which never changes',
  parameters: [version, id],
  responses: {
    200: SCRIPT,
    304: UNCHANGED,
    ...errorResponses([404, 405, 500, 503], {
      404: 'This version does not exist (`unknown_version`).',
    }),
  },
})

/**
 * `GET /attribution.js`, for any `id`, so that an invalid one cannot break a storefront. A pinned
 * tag gets its own version, even one of an earlier release.
 */
export function snippetRoutes({ db, snippet }: Pick<Deps, 'db' | 'snippet'>) {
  const find = findSnippets(db, snippet)
  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(current, (c) => serveSnippet(c, snippet, MUTABLE))
  app.openapi(pinned, async (c) => {
    const asset = await find(c.req.param('version'))
    if (asset !== null) return serveSnippet(c, asset, PINNED)
    throw new ApiError(
      404,
      'unknown_version',
      'This version of attribution.js does not exist. Use the tag from "aisle properties list" or GET /api/properties.',
    )
  })
  return app
}

function serveSnippet(c: Context, { bodies }: SnippetAsset, caching: string) {
  const coding = codingOf(c)
  const { bytes, etag } = bodies[coding]
  const headers = { ...FOR_EVERYONE, 'Cache-Control': caching, ETag: etag }
  if (hasTag(c, etag)) return c.body(null, 304, headers)
  return c.body(bytes, 200, {
    ...headers,
    'Content-Length': String(bytes.length),
    'Content-Type': 'text/javascript; charset=utf-8',
    ...(coding !== 'identity' && { 'Content-Encoding': coding }),
  })
}
