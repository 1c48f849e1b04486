import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { accessOf } from '../../../access/site-access.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { createProperty, describeProperty } from '../../../attribution/properties.ts'
import { findFirstVisits } from '../../../db/attribution/beacon-days.ts'
import {
  deleteProperty,
  listProperties,
  updateProperty,
} from '../../../db/attribution/properties.ts'
import { ApiError } from '../../../http/api-error.ts'
import { limitBody } from '../../../http/body-limit.ts'
import { callByKey } from '../../../http/caller.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { judgePage, tellCheck } from '../../tools/snippet/form.ts'
import { type DomainChoice, domainChooser } from '../choose-domain.tsx'
import { coveredDomain } from '../covered-domain.ts'
import { typedForm } from '../typed-form.tsx'
import { PROPERTY_FIELDS, readNewProperty, readPropertyChange } from './form.ts'
import { PropertiesPage, type PropertiesPageProps } from './PropertiesPage.tsx'
import { tellTurnedAway } from './turned-away.ts'

/**
 * `GET /properties`: the storefronts of a domain, with forms that create, change and delete them;
 * `…/visits` and `…/check` answer a script: whether the first visit arrived, and what is wrong with
 * the tag.
 */
export function propertyPageRoutes(deps: PageDeps) {
  const { db, now, snippet, baseUrl, readPage, hereOf, siteAccess, beaconDays } = deps
  const site = siteOf(deps)
  const signedIn = requireWebSession(deps)
  const ownForm = [refuseForeignForms(deps), signedIn, limitBody] as const
  const typed = typedForm(deps, { shown: ['domain', 'id', ...PROPERTY_FIELDS] })
  const action = site.path('/properties')
  const choose = domainChooser(deps, {
    path: '/properties',
    title: 'Properties',
    scopes: ['report:read'],
    offers: 'you get the tag for its pages, and see whether it works.',
    takesFirst: true,
  })

  async function show(
    c: Context<ServerEnv>,
    domain: string,
    choice: DomainChoice,
    wrong?: PropertiesPageProps['wrong'],
  ): Promise<Response> {
    const properties = await listProperties(db, [domain])
    const visits = await findFirstVisits(
      db,
      domain,
      properties.map(({ id }) => id),
    )
    const shown = properties.map((property) => ({
      ...describeProperty(property, snippet, baseUrl),
      visited: visits.get(property.id) ?? null,
      turned_away: beaconDays.lastTurnedAway(property.id),
    }))
    const isWaiting = shown.some(({ visited }) => visited === null)
    return renderPage(
      c,
      site,
      {
        title: `Properties of ${domain}`,
        scripts: ['copy.js', ...(isWaiting ? (['properties.js'] as const) : [])],
        status: wrong === undefined ? 200 : 422,
      },
      <PropertiesPage
        {...{ domain, choice, wrong }}
        properties={shown}
        canWrite={c.var.key.scopes.includes('report:write')}
      />,
    )
  }

  const again = (domain: string, id?: string): string =>
    `${action}?domain=${domain}${id === undefined ? '' : `#${id}`}`

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/properties', signedIn, async (c) => {
    const chosen = await choose(c)
    return 'ask' in chosen ? chosen.ask : show(c, chosen.domain, chosen.choice)
  })
  app.get('/properties/visits', signedIn, async (c) => {
    const domain = coveredDomain(c, 'report:read', c.req.query('domain'))
    const id = c.req.query('id') ?? ''
    const [visited = null] = (await findFirstVisits(db, domain, [id])).values()
    // Ids are public: what was turned away of another's property is the other's to know.
    const isOwn = (await listProperties(db, [domain])).some((each) => each.id === id)
    const turned_away = isOwn ? beaconDays.lastTurnedAway(id) : null
    return c.json({ visited, told: turned_away && tellTurnedAway(turned_away) }, 200)
  })
  app.get('/properties/check', signedIn, async (c) => {
    const domain = coveredDomain(c, 'report:read', c.req.query('domain'))
    const url = `https://${domain}/`
    const id = c.req.query('id') ?? null
    const access = await accessOf(siteAccess, c.var.key.domains, domain)
    const seen = await readPage(url, callByKey(c), access)
    return c.json(tellCheck(judgePage(url, seen, id), { cdn: baseUrl, id }), 200)
  })
  app.post('/properties', ...typed, async (c) => {
    const form = await readForm(c)
    const domain = coveredDomain(c, 'report:write', form.get('domain'))
    const read = readNewProperty((name) => form.get(name), domain)
    if (read.wanted === undefined) return show(c, domain, NO_CHOICE, { id: null, form: read.form })
    const { id } = await createProperty(db, read.wanted, now(), hereOf(domain))
    return c.redirect(again(domain, id), 303)
  })
  app.post('/properties/change', ...typed, async (c) => {
    const form = await readForm(c)
    const domain = coveredDomain(c, 'report:write', form.get('domain'))
    const id = form.get('id') ?? ''
    const read = readPropertyChange((name) => form.get(name))
    if (read.change === undefined) return show(c, domain, NO_CHOICE, { id, form: read.form })
    if ((await updateProperty(db, id, [domain], read.change)) === null) throw notFound(domain)
    return c.redirect(again(domain, id), 303)
  })
  app.post('/properties/delete', ...ownForm, async (c) => {
    const form = await readForm(c)
    const domain = coveredDomain(c, 'report:write', form.get('domain'))
    // Already deleted is fine.
    await deleteProperty(db, form.get('id') ?? '', [domain])
    return c.redirect(again(domain), 303)
  })
  return app
}

/** A sent form names its domain. */
const NO_CHOICE: DomainChoice = { domains: [], canType: false }

const notFound = (domain: string) =>
  new ApiError(404, 'property_not_found', `${domain} has no such property any more.`)
