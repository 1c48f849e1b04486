import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import { Domain } from '../../shared/web/address/domain.ts'
import { SiteAccess } from '../../shared/web/site-access.ts'
import { requireDomain, requireKey } from '../access/auth.ts'
import { NewSiteAccess } from '../access/site-access-input.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import { limitJsonBody } from '../http/body-limit.ts'
import type { ServerEnv } from '../http/env.ts'
import { requestSchema } from '../http/validation.ts'
import { component, jsonBody, jsonContent } from './openapi/component.ts'
import { errorResponses, NEEDS_DOMAIN } from './openapi/error-responses.ts'

const PATH = '/api/access/{domain}'
const OfDomain = requestSchema(z.object({ domain: Domain.describe('The domain of the store') }))
const NONE = 'Nothing is given for the domain (`no_access`).'

const EXAMPLE: SiteAccess = {
  domain: 'shop.example',
  kinds: ['headers'],
  headers: ['Signature', 'Signature-Input', 'Signature-Agent'],
  set_at: '2026-11-20T10:00:00.000Z',
  ends_at: '2027-02-18T10:00:00.000Z',
  state: 'valid',
}

// Unspecified: `PUT`, `GET` and `DELETE /api/access/{domain}`: what an owner gives for a store that
// is closed, or shows strangers less. A key for `*` may give and take it back, but audits and walks
// send it for keys that name the domain alone, and for the watch of the domain.

/** What an owner gives for a domain; no answer ever shows it. */
export function siteAccessRoutes({ siteAccess, ...deps }: Deps) {
  const byKey = requireKey(deps, 'audit')
  const common = { tags: ['Audit'], security: [{ key: ['audit'] }], path: PATH }
  const Shown = component('SiteAccess', SiteAccess)

  const read = createRoute({
    ...common,
    method: 'get',
    operationId: 'siteAccess',
    summary: 'What is given for a domain, without its secrets',
    middleware: byKey,
    request: { params: OfDomain },
    responses: {
      200: { description: 'What there is', content: jsonContent(Shown, EXAMPLE) },
      ...errorResponses([401, 403, 404, 405, 422, 500, 503], { ...NEEDS_DOMAIN, 404: NONE }),
    },
  })

  const give = createRoute({
    ...common,
    method: 'put',
    operationId: 'giveSiteAccess',
    summary: 'Give request headers, a preview password or basic authentication for a domain',
    description:
      'It replaces what was given before. It is kept encrypted, never shown again, and sent over https to the domain and its `www.` sibling alone, by audits and walks of keys that name the domain and by its watch. What is seen with it says so.',
    middleware: [byKey, limitJsonBody] as const,
    request: {
      params: OfDomain,
      body: jsonBody('NewSiteAccess', NewSiteAccess, { preview_password: 'open sesame' }),
    },
    responses: {
      200: { description: 'What there is now', content: jsonContent(Shown, EXAMPLE) },
      ...errorResponses([400, 401, 403, 405, 409, 413, 415, 422, 500, 503], {
        ...NEEDS_DOMAIN,
        409: 'The service has no key to keep secrets with (`no_secrets_key`).',
      }),
    },
  })

  const takeBack = createRoute({
    ...common,
    method: 'delete',
    operationId: 'takeBackSiteAccess',
    summary: 'Delete what is given for a domain',
    middleware: byKey,
    request: { params: OfDomain },
    responses: {
      200: {
        description: 'It is deleted',
        content: jsonContent(z.object({ domain: z.string().describe('The domain') }), {
          domain: 'shop.example',
        }),
      },
      ...errorResponses([401, 403, 404, 405, 422, 500, 503], { ...NEEDS_DOMAIN, 404: NONE }),
    },
  })

  /** The domain of the path, which the key must cover. */
  const ownDomain = (c: Context<ServerEnv>, { domain }: { domain: string }): string => {
    requireDomain(c, domain)
    return domain
  }
  const none = (domain: string) =>
    new ApiError(404, 'no_access', `Nothing is given for ${domain}. Send PUT to give something.`)

  const app = new OpenAPIHono<ServerEnv>()
  app.openapi(read, async (c) => {
    const domain = ownDomain(c, c.req.valid('param'))
    const shown = await siteAccess.show(domain)
    if (shown === null) throw none(domain)
    return c.json(shown, 200)
  })
  app.openapi(give, async (c) => {
    const domain = ownDomain(c, c.req.valid('param'))
    return c.json(await siteAccess.give(domain, c.req.valid('json'), c.var.key), 200)
  })
  app.openapi(takeBack, async (c) => {
    const domain = ownDomain(c, c.req.valid('param'))
    if (!(await siteAccess.takeBack(domain))) throw none(domain)
    return c.json({ domain }, 200)
  })
  return app
}
