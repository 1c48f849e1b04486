import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { createShare, SHARE_DAYS } from '../../../access/share-links.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { revokeShare, type Share } from '../../../db/access/shares.ts'
import { readWalk } from '../../../db/audit/walks.ts'
import { isUuid } from '../../../db/values.ts'
import { ApiError } from '../../../http/api-error.ts'
import { limitBody } from '../../../http/body-limit.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { coveredDomain } from '../covered-domain.ts'
import { ShareMade } from './ShareMade.tsx'

const SCOPE_OF = { report: 'report:read', audit: 'audit' } as const

/** `POST /shares` and `POST /shares/end`: a key that may see a page may create and revoke links. */
export function shareRoutes(deps: PageDeps) {
  const { db, now } = deps
  const site = siteOf(deps)
  const ownForm = [refuseForeignForms(deps), requireWebSession(deps), limitBody] as const

  /** What a form's link shows, once the key is known to cover it. */
  async function readShared(c: Context<ServerEnv>, form: URLSearchParams): Promise<Shared> {
    if (form.get('view') !== 'walk') {
      const view = form.get('view') === 'audit' ? 'audit' : 'report'
      return { view, domain: coveredDomain(c, SCOPE_OF[view], form.get('domain')) }
    }
    const domain = coveredDomain(c, 'audit', form.get('domain'))
    const id = form.get('walk') ?? ''
    if (!isUuid(id) || (await readWalk(db, { domain, id })) === null) {
      throw new ApiError(404, 'not_found', 'There is no such walk of this domain.')
    }
    return { view: 'walk', domain, walk_id: id }
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.post('/shares', ...ownForm, async (c) => {
    const form = await readForm(c)
    const shared = await readShared(c, form)
    const made = { ...shared, key_id: c.var.key.id, days: readDays(form.get('days')) }
    const { token, expires_at } = await createShare(db, made, now())
    return renderPage(
      c,
      site,
      { title: 'Link created', scripts: ['copy.js'] },
      <ShareMade
        {...shared}
        link={`${site.baseUrl}/shared/${token}`}
        back={site.path(panelOf(shared))}
        expires_at={expires_at}
      />,
    )
  })
  app.post('/shares/end', ...ownForm, async (c) => {
    const form = await readForm(c)
    const shared = await readShared(c, form)
    await revokeShare(db, { ...shared, id: form.get('id') ?? '' }, now())
    return c.redirect(site.path(panelOf(shared)), 303)
  })
  return app
}

type Shared = Pick<Share, 'domain'> &
  ({ view: 'report' | 'audit' } | { view: 'walk'; walk_id: string })

/** Null if the link does not expire. A value that our form does not offer gets the shortest. */
const readDays = (text: string | null): number | null =>
  text === '' ? null : (SHARE_DAYS.find((days) => String(days) === text) ?? SHARE_DAYS[0])

function panelOf(shared: Shared): string {
  if (shared.view === 'walk') return `/walks/${shared.walk_id}#share`
  const { domain, view } = shared
  return view === 'audit' ? `/audits/${domain}#share` : `/report?domain=${domain}#share`
}
