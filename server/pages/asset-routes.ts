import { OpenAPIHono } from '@hono/zod-openapi'
import { ApiError } from '../http/api-error.ts'
import { codingOf } from '../http/codings.ts'
import type { ServerEnv } from '../http/env.ts'
import type { PageDeps } from './site.tsx'

/** `GET /assets/<name>.<hash>.<ext>`: cached for ever, as changed content has another name. */
export const assetRoutes = ({ assets }: Pick<PageDeps, 'assets'>) =>
  new OpenAPIHono<ServerEnv>().get('/assets/:file', async (c) => {
    const asset = assets.find(c.req.param('file'))
    if (asset === undefined) {
      throw new ApiError(404, 'not_found', 'This file is no longer available. Reload the page.')
    }
    const coding = codingOf(c)
    return c.body(await asset.body(coding), 200, {
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': asset.type,
      'Cross-Origin-Resource-Policy': 'same-origin',
      Vary: 'Accept-Encoding',
      ...(coding !== 'identity' && { 'Content-Encoding': coding }),
    })
  })
