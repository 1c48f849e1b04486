import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { EXPORT_FORMATS } from '../../../../shared/walk/export/formats.ts'
import { isWalkOver } from '../../../../shared/walk/stored-walk.ts'
import { requireScope } from '../../../access/auth.ts'
import { coveredBy } from '../../../access/covered-domains.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { transcriptSoFar } from '../../../audit/walk/read-walk.ts'
import { listShares } from '../../../db/access/shares.ts'
import { findWalk, listWalks, type WalkLine } from '../../../db/audit/walks.ts'
import { isUuid } from '../../../db/values.ts'
import { ApiError } from '../../../http/api-error.ts'
import { limitBody } from '../../../http/body-limit.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { createWalkStreams } from '../../../routes/walk/events.ts'
import { answerExport } from '../../../routes/walk/export.ts'
import { pictureAnswers } from '../../../routes/walk/pictures.ts'
import { walkStarter } from '../../../routes/walk/start-walk.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { domainChooser } from '../choose-domain.tsx'
import { coveredDomain } from '../covered-domain.ts'
import { SharePanel } from '../share/SharePanel.tsx'
import { typedForm } from '../typed-form.tsx'
import { readWalkForm, START, WALK_FIELDS, type WalkFormState } from './form.ts'
import { WalkPage } from './WalkPage.tsx'
import { WalksPage } from './WalksPage.tsx'

/**
 * `GET /walks` and `POST /walks`, which starts one; `GET /walks/<id>`, its progress as events and
 * as JSON, its export, and its end. A key sees the walks of the domains that it covers.
 */
export function walkPageRoutes(deps: PageDeps) {
  const { db, now, walks } = deps
  const startWalk = walkStarter(deps)
  const stream = createWalkStreams(deps)
  const answerPicture = pictureAnswers(deps)
  const site = siteOf(deps)
  const signedIn = requireWebSession(deps)
  const choose = domainChooser(deps, {
    path: '/walks',
    title: 'Walks',
    scopes: ['audit'],
    offers: 'here you make purchases in it as agents do, and see where they stop.',
  })
  const ownForm = [refuseForeignForms(deps), signedIn, limitBody] as const

  /** Throws 404 if the walk does not exist, or the key does not cover its domain. */
  async function findOwn(c: Context<ServerEnv>): Promise<WalkLine> {
    requireScope(c, 'audit')
    const id = c.req.param('id') ?? ''
    const walk = isUuid(id) ? await findWalk(db, id, coveredBy(c.var.key.domains)) : null
    if (walk === null) {
      throw new ApiError(
        404,
        'not_found',
        'No walk of your domains has this id. It may have been deleted, or this key may not cover its domain.',
      )
    }
    return walk
  }

  async function showForm(
    c: Context<ServerEnv>,
    domain: string,
    state: WalkFormState,
    { status = 200, extras }: Partial<Pick<ApiError, 'status' | 'extras'>> = {},
  ): Promise<Response> {
    const canPay = c.var.key.scopes.includes('walk')
    const made = await listWalks(db, domain)
    return renderPage(
      c,
      site,
      { title: `Walks of ${domain}`, status, headers: extras?.headers ?? {} },
      <WalksPage {...{ domain, state, canPay }} walks={made} />,
    )
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/walks', signedIn, async (c) => {
    const chosen = await choose(c)
    return 'ask' in chosen ? chosen.ask : showForm(c, chosen.domain, START)
  })
  app.post('/walks', ...typedForm(deps, WALK_FIELDS), async (c) => {
    const form = await readForm(c)
    const domain = coveredDomain(c, 'audit', form.get('domain'))
    const { state, order } = readWalkForm(form, domain)
    if (order === null) return showForm(c, domain, state, { status: 422 })
    try {
      const { id } = await startWalk(c, order)
      return c.redirect(site.path(placeOf(id)), 303)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return showForm(c, domain, { ...state, refusal: error.message }, error)
    }
  })
  app.get('/walks/:id', signedIn, async (c) => {
    const walk = await findOwn(c)
    const { domain, id, state } = walk
    const links = await listShares(db, { domain, view: 'walk', walk_id: id }, now())
    return renderPage(
      c,
      site,
      { title: `Purchases at ${domain}`, scripts: ['walk.js'] },
      <WalkPage
        transcript={await transcriptSoFar(db, walk)}
        isUnderWay={!isWalkOver(state)}
        here={placeOf(id)}
        only={c.req.query('purchase')}
        own={{
          share: <SharePanel domain={domain} view="walk" walkId={id} shares={links} />,
        }}
      />,
    )
  })
  app.get('/walks/:id/state', signedIn, async (c) => {
    const walk = await findOwn(c)
    const transcript = await transcriptSoFar(db, walk)
    return c.json({ under_way: !isWalkOver(walk.state), transcript })
  })
  app.get('/walks/:id/events', signedIn, async (c) => stream(c, await findOwn(c)))
  app.get('/walks/:id/export', signedIn, async (c) => {
    const walk = await findOwn(c)
    const asked = c.req.query('format') ?? 'json'
    const format = EXPORT_FORMATS.find((each) => each === asked)
    if (format === undefined) {
      throw new ApiError(
        422,
        'invalid_request',
        `A walk can be saved as ${EXPORT_FORMATS.join(', ')}.`,
      )
    }
    return answerExport(c, await transcriptSoFar(db, walk), { format })
  })
  app.get('/walks/:id/pictures/:n', signedIn, async (c) =>
    answerPicture(c, await findOwn(c), c.req.param('n')),
  )
  app.post('/walks/:id/stop', ...ownForm, async (c) => {
    await readForm(c)
    const walk = await findOwn(c)
    await walks.cancel(walk, c.req.raw.signal)
    return c.redirect(site.path(placeOf(walk.id)), 303)
  })
  return app
}

const placeOf = (id: string): string => `/walks/${id}`
