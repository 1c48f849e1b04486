import { OpenAPIHono } from '@hono/zod-openapi'
import { requireWebSession } from '../../../access/web-session.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { domainChooser } from '../choose-domain.tsx'
import { readShop } from './read-shop.ts'
import { ShopPage } from './ShopPage.tsx'

/** `GET /shop`, where who signs in arrives: one shop, as far as the key may see it. */
export function shopPageRoutes(deps: PageDeps) {
  const { db, now, siteAccess } = deps
  const site = siteOf(deps)
  const choose = domainChooser(deps, {
    path: '/shop',
    title: 'Store',
    scopes: ['report:read', 'audit'],
    offers: 'the page shows how it stands.',
    takesFirst: true,
  })

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/shop', requireWebSession(deps), async (c) => {
    const chosen = await choose(c)
    if ('ask' in chosen) return chosen.ask
    const { domain, choice } = chosen
    const { scopes } = c.var.key
    const at = now()
    const mayAudit = scopes.includes('audit')
    const [shop, access] = await Promise.all([
      readShop(db, domain, at, { mayAudit, mayReadReport: scopes.includes('report:read') }),
      mayAudit ? siteAccess.show(domain) : null,
    ])
    return renderPage(
      c,
      site,
      { title: domain },
      <ShopPage domain={domain} now={at} {...{ choice, access, mayAudit }} {...shop} />,
    )
  })
  return app
}
