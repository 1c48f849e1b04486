import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { dayOf } from '../../../shared/web/moment.ts'
import { findViewer } from '../../access/web-session.ts'
import { SCOPES, type Scope } from '../../db/access/scopes.ts'
import type { ServerEnv } from '../../http/env.ts'
import type { KeptPages } from '../kept-pages.tsx'
import { renderPage } from '../render-page.tsx'
import { type PageDeps, siteOf } from '../site.tsx'
import { curlOf, type ExampleValues, thingsOf } from './curl.ts'
import { ANYBODY, exampleValuesOf } from './example-values.ts'
import { firstCallOf } from './first-call.ts'
import { OperationListPage } from './OperationListPage.tsx'
import { OperationPage } from './OperationPage.tsx'
import type { ApiCall, ApiGroup } from './operations.ts'
import { RulesPage } from './RulesPage.tsx'

/** `/docs`: the API for people, made of the document that describes it to programs. */
export function docsRoutes(
  deps: Pick<PageDeps, 'baseUrl' | 'assets' | 'db' | 'now' | 'snippet'>,
  { answer }: KeptPages,
  groups: () => ApiGroup[],
) {
  const { baseUrl, db, now, snippet } = deps
  const site = siteOf(deps)
  const operations = () => groups().flatMap((group) => group.operations)
  /** What makes the month of an example. */
  const today = () => dayOf(now().getTime())
  const codeOf = (operation: ApiCall, body: string | null, values: ExampleValues) => {
    // The same for all: that of the tag as it is now.
    const ids = { version: snippet.version, ...values.ids }
    return curlOf(operation, body, { ...values, ids }, { baseUrl, now: now() })
  }

  const showList = (values: ExampleValues, scopes: readonly Scope[]) => (
    <OperationListPage
      groups={groups()}
      firstCall={firstCallOf(groups(), scopes, values, { baseUrl, now: now() })}
      isSignedIn={values !== ANYBODY}
    />
  )
  const show = (operation: ApiCall, values: ExampleValues) => (
    <OperationPage
      operation={operation}
      examples={(operation.body?.examples ?? [{ name: null, text: null }]).map(
        ({ name, text }) => ({ name, code: codeOf(operation, text, values) }),
      )}
      isSignedIn={values !== ANYBODY}
    />
  )
  const viewerOf = async (c: Context<ServerEnv>) => {
    const key = await findViewer(c, deps)
    if (key !== null) c.set('key', key)
    return key
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/docs', async (c) => {
    const page = {
      title: 'API',
      description: 'Every call of the API with an example, its fields and its answers.',
      scripts: ['copy.js' as const],
    }
    const key = await viewerOf(c)
    if (key === null) {
      return answer(c, { ...page, current: '/docs' }, () => showList(ANYBODY, SCOPES))
    }
    const values = await exampleValuesOf(db, key, [])
    return renderPage(c, site, page, showList(values, key.scopes))
  })
  app.get('/docs/rules', (c) =>
    answer(
      c,
      {
        title: 'Rules of all calls',
        description: 'Keys, limits, errors and webhooks of the API.',
        scripts: ['copy.js'],
        current: '/docs/rules',
        hasNumbers: true,
      },
      () => <RulesPage />,
    ),
  )
  app.get('/docs/:operation', async (c) => {
    const operation = operations().find(({ id }) => id === c.req.param('operation'))
    if (operation === undefined) return c.notFound()
    const page = {
      title: operation.title,
      description: `${operation.method} ${operation.path}`,
      scripts: ['copy.js' as const],
    }
    const key = await viewerOf(c)
    if (key === null) {
      const current = `/docs/${operation.id}`
      return answer(c, { ...page, current, edition: today() }, () => show(operation, ANYBODY))
    }
    const values = await exampleValuesOf(db, key, thingsOf(operation))
    return renderPage(c, site, page, show(operation, values))
  })
  return app
}
