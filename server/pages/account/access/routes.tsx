import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { coveredBy, namesDomain } from '../../../access/covered-domains.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { ApiError } from '../../../http/api-error.ts'
import { limitBody } from '../../../http/body-limit.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { coveredDomain } from '../covered-domain.ts'
import { typedForm } from '../typed-form.tsx'
import { ACCESS_FIELDS, type AccessForm, EMPTY_ACCESS_FORM, readAccessForm } from './form.ts'
import { GivenAccessPage } from './GivenAccessPage.tsx'

/**
 * `GET /access/<domain>`, what its owner gives for it; `POST` replaces it, `…/delete` deletes it.
 */
export function accessPageRoutes(deps: PageDeps) {
  const { now, siteAccess } = deps
  const site = siteOf(deps)
  const signedIn = requireWebSession(deps)
  const typed = typedForm(deps, ACCESS_FIELDS)

  async function show(
    c: Context<ServerEnv>,
    domain: string,
    form: AccessForm = EMPTY_ACCESS_FORM,
    status: 200 | 409 | 422 = 200,
  ): Promise<Response> {
    return renderPage(
      c,
      site,
      { title: `Access to ${domain}`, status },
      <GivenAccessPage
        domain={domain}
        hosts={coveredBy([domain])}
        now={now()}
        given={await siteAccess.show(domain)}
        isOwner={namesDomain(c.var.key.domains, domain)}
        form={form}
      />,
    )
  }
  const again = (domain: string) => site.path(`/access/${domain}`)

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/access/:domain', signedIn, (c) =>
    show(c, coveredDomain(c, 'audit', c.req.param('domain'))),
  )
  app.post('/access/:domain', ...typed, async (c) => {
    const domain = coveredDomain(c, 'audit', c.req.param('domain'))
    const sent = await readForm(c)
    const read = readAccessForm((name) => sent.get(name) ?? '', now())
    if ('form' in read) return show(c, domain, read.form, 422)
    try {
      await siteAccess.give(domain, read.given, c.var.key)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error
      return show(c, domain, { ...EMPTY_ACCESS_FORM, problem: error.message }, 409)
    }
    return c.redirect(again(domain), 303)
  })
  app.post('/access/:domain/delete', refuseForeignForms(deps), signedIn, limitBody, async (c) => {
    const domain = coveredDomain(c, 'audit', c.req.param('domain'))
    await readForm(c)
    // Already deleted is fine.
    await siteAccess.takeBack(domain)
    return c.redirect(again(domain), 303)
  })
  return app
}
