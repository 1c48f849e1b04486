import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { dayOf } from '../../../shared/web/moment.ts'
import { keyBegins } from '../../access/key-format.ts'
import { findViewer } from '../../access/web-session.ts'
import type { ServerEnv } from '../../http/env.ts'
import { answerKept, KEPT_SHORTLY, keepTextLater } from '../../http/kept-text.ts'
import type { OpenApiDocument } from '../../routes/openapi/openapi.ts'
import type { KeptPages } from '../kept-pages.tsx'
import { renderPage } from '../render-page.tsx'
import type { PageDeps } from '../site.tsx'
import { siteOf } from '../site.tsx'
import { DecisionsPage } from './DecisionsPage.tsx'
import { DocsPage } from './DocsPage.tsx'
import { HelpPage } from './HelpPage.tsx'
import { llmsText } from './llms-text.ts'
import { firstCallOf } from './quickstart.ts'
import { StartPage } from './StartPage.tsx'

const TEXT = { ...KEPT_SHORTLY, 'Content-Type': 'text/plain; charset=utf-8' }

/** What the service is, how to use it, and the same for programs. */
export function infoRoutes(
  deps: Pick<
    PageDeps,
    | 'baseUrl'
    | 'assets'
    | 'db'
    | 'decisions'
    | 'extension'
    | 'help'
    | 'now'
    | 'retentionMonths'
    | 'localShops'
  >,
  { answer }: KeptPages,
  document: () => OpenApiDocument,
) {
  const { baseUrl, decisions, extension, help, now, retentionMonths, localShops } = deps
  const site = siteOf(deps)
  // Unspecified: crawlers may read everything but the API and what needs a key.
  const robots = `User-agent: *\n${[
    '/api/',
    '/shop',
    '/report',
    '/audits',
    '/watches',
    '/walks',
    '/properties',
    '/runs',
    '/keys',
    '/share',
    '/sign-in',
  ]
    .map((path) => `Disallow: ${site.path(path)}\n`)
    .join('')}`

  const today = () => dayOf(now().getTime())
  const answerText = (make: () => string) => {
    const kept = keepTextLater(make)
    return (c: Context) => answerKept(c, kept(), TEXT)
  }

  const app = new OpenAPIHono<ServerEnv>()
  app.get('/', (c) =>
    answer(
      c,
      {
        title: 'Aisle',
        description: 'Checks whether AI agents can find, understand and buy from a store.',
        current: '/',
      },
      () => <StartPage hasExtension={extension.length > 0} hasLocalShops={localShops !== null} />,
    ),
  )
  app.get('/help', (c) =>
    answer(
      c,
      {
        title: 'Help',
        description: 'How to get a key, the first calls, limits, errors, and what is kept.',
        scripts: ['copy.js'],
        current: '/help',
        hasNumbers: true,
        // Its examples name days.
        edition: today(),
      },
      () => <HelpPage help={help} now={now()} retentionMonths={retentionMonths} />,
    ),
  )
  const docs = {
    title: 'API',
    description: 'Every call of the API with its fields and answers.',
    styles: ['swagger-ui.css' as const],
    scripts: ['swagger-ui-bundle.js' as const, 'docs.js' as const, 'copy.js' as const],
  }
  app.get('/docs', async (c) => {
    const key = await findViewer(c, deps)
    if (key === null) return answer(c, { ...docs, current: '/docs' }, () => <DocsPage />)
    c.set('key', key)
    const firstCall = firstCallOf(key, `${keyBegins(key.id)}…`, baseUrl, now())
    return renderPage(c, site, docs, <DocsPage firstCall={firstCall} />)
  })
  app.get('/decisions', (c) =>
    answer(
      c,
      {
        title: 'Decisions',
        description: 'What Aisle does where the specification leaves things open, and why.',
        current: '/decisions',
      },
      () => <DecisionsPage decisions={decisions} />,
    ),
  )
  app.get(
    '/llms.txt',
    answerText(() => llmsText(document(), baseUrl)),
  )
  app.get(
    '/robots.txt',
    answerText(() => robots),
  )
  return app
}
