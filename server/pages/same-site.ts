import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ServerEnv } from '../http/env.ts'
import { ApiError } from '../http/errors.ts'
import type { PageDeps } from './site.tsx'

/**
 * Lets a form pass that was sent from one of our own pages, or by something that is no browser.
 * A browser says by Sec-Fetch-Site where it comes from, an old one by Origin.
 */
export const refuseForeignForms = ({ baseUrl }: Pick<PageDeps, 'baseUrl'>) => {
  const { origin } = new URL(baseUrl)
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (c.req.method === 'POST' && !isOwn(c, origin)) {
      throw new ApiError(
        403,
        'foreign_origin',
        'This form was sent from another site. Open the page here, and send it again.',
      )
    }
    await next()
  })
}

function isOwn(c: Context, origin: string): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const from = c.req.header('Origin')
  // Behind another name or port than BASE_URL says, the page's own host is ours as well.
  const host = c.req.header('Host') ?? 'unknown'
  return from === undefined || from === origin || URL.parse(from)?.host === host
}
