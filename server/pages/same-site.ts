import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ApiError } from '../http/api-error.ts'
import type { ServerEnv } from '../http/env.ts'
import type { PageDeps } from './site.tsx'

/**
 * Admits forms from our own pages, and from clients that are not browsers. Browsers name the source
 * in Sec-Fetch-Site (https://w3c.github.io/webappsec-fetch-metadata/), old ones in Origin, the
 * oldest in Referer alone.
 */
export const refuseForeignForms = ({ baseUrl }: Pick<PageDeps, 'baseUrl'>) => {
  const { origin } = new URL(baseUrl)
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (c.req.method === 'POST' && !isOwn(c, origin)) {
      throw new ApiError(
        403,
        'foreign_origin',
        'This form was sent from another site. Open the page on this site and send it again.',
      )
    }
    await next()
  })
}

function isOwn(c: Context, origin: string): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const from = c.req.header('Origin') ?? (c.req.header('Referer') || undefined)
  // Under another name or port than BASE_URL, the host of the request is ours as well.
  const host = c.req.header('Host') ?? 'unknown'
  return from === undefined || URL.parse(from)?.origin === origin || URL.parse(from)?.host === host
}
