import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { createOwnKey } from '../../../access/make-key.ts'
import { requireWebSession } from '../../../access/web-session.ts'
import { listOwnKeys, revokeKey } from '../../../db/access/keys.ts'
import { ApiError } from '../../../http/api-error.ts'
import { limitBody } from '../../../http/body-limit.ts'
import type { ServerEnv } from '../../../http/env.ts'
import { exampleValuesOf } from '../../docs/example-values.ts'
import { firstCallOf } from '../../docs/first-call.ts'
import type { ApiGroup } from '../../docs/operations.ts'
import { renderPage } from '../../render-page.tsx'
import { refuseForeignForms } from '../../same-site.ts'
import type { PageDeps } from '../../site.tsx'
import { siteOf } from '../../site.tsx'
import { readForm } from '../../tools/read-form.ts'
import { typedForm } from '../typed-form.tsx'
import { EMPTY_KEY, KEY_FIELDS, readKeyForm, scopesFor } from './form.ts'
import { KeysPage, type KeysPageProps } from './KeysPage.tsx'

/** The answer that creates a key is the only one that shows it. */
const headers = { 'Cache-Control': 'no-store' }

/** What a key is called that a recipe asks for. */
const NAMES: Readonly<Record<string, string>> = { server: 'store server', plugin: 'store plugin' }

/**
 * `GET /keys`: the keys that were created with the signed-in one; forms that create and revoke
 * them.
 */
export function keyPageRoutes(deps: PageDeps, operations: () => ApiGroup[]) {
  const { baseUrl, db, now } = deps
  const site = siteOf(deps)
  const signedIn = requireWebSession(deps)
  const ownForm = [refuseForeignForms(deps), signedIn, limitBody] as const

  async function show(
    c: Context<ServerEnv>,
    more: Partial<Pick<KeysPageProps, 'state' | 'created' | 'firstCall' | 'refusal'>> = {},
    status: 200 | 403 | 409 | 422 = 200,
  ): Promise<Response> {
    const own = c.var.key
    const made = await listOwnKeys(db, own.id)
    return renderPage(
      c,
      site,
      { title: 'Keys', status, headers, scripts: ['copy.js'] },
      <KeysPage {...{ own, made }} state={EMPTY_KEY} now={now()} {...more} />,
    )
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/keys', signedIn, (c) => {
    const purpose = c.req.query('for') ?? ''
    if (scopesFor(purpose, c.var.key.scopes) === null) return show(c)
    // A recipe says what it needs.
    const domain = c.req.query('domain') ?? ''
    const name = NAMES[purpose] ?? ''
    const domains = domain === '' ? [] : [domain.slice(0, 253)]
    return show(c, { state: { ...EMPTY_KEY, purpose, name, domains } })
  })
  app.post('/keys', ...typedForm(deps, { shown: KEY_FIELDS }), async (c) => {
    const { state, wanted } = readKeyForm(await readForm(c), c.var.key, now())
    if (wanted === null) return show(c, { state }, 422)
    try {
      const created = await createOwnKey(db, c.var.key, wanted, now())
      const values = { ...(await exampleValuesOf(db, created, [])), key: created.key }
      const service = { baseUrl, now: now() }
      const firstCall = firstCallOf(operations(), created.scopes, values, service)
      return await show(c, { created, firstCall })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return show(c, { state, refusal: error.message }, error.status === 409 ? 409 : 403)
    }
  })
  app.post('/keys/revoke', ...ownForm, async (c) => {
    const id = (await readForm(c)).get('id') ?? ''
    const made = await listOwnKeys(db, c.var.key.id)
    if (!made.some((key) => key.id === id)) {
      throw new ApiError(404, 'not_found', 'None of your keys has this id.')
    }
    await revokeKey(db, id, now())
    return c.redirect(site.path('/keys'), 303)
  })
  return app
}
