import { OpenAPIHono } from '@hono/zod-openapi'
import type { ServerEnv } from '../../http/env.ts'
import type { OpenApiDocument } from '../../routes/openapi.ts'
import { KEPT_SHORTLY, renderPage } from '../render-page.tsx'
import type { PageDeps } from '../site.tsx'
import { siteOf } from '../site.tsx'
import { DecisionsPage } from './DecisionsPage.tsx'
import { DocsPage } from './DocsPage.tsx'
import { HelpPage } from './HelpPage.tsx'
import { llmsText } from './llms-text.ts'
import { StartPage } from './StartPage.tsx'

const TEXT = { ...KEPT_SHORTLY, 'Content-Type': 'text/plain; charset=utf-8' }

/** What the service is, how to use it, and the same for programs. */
export function infoRoutes(
  deps: Pick<PageDeps, 'baseUrl' | 'assets' | 'decisions' | 'extension' | 'help' | 'now'>,
  document: OpenApiDocument,
) {
  const { baseUrl, decisions, extension, help, now } = deps
  const site = siteOf(deps)
  const llms = llmsText(document, baseUrl)
  // Unspecified: crawlers may read everything but the API and what needs a key.
  const robots = `User-agent: *\n${['/api/', '/report', '/audits', '/share', '/sign-in']
    .map((path) => `Disallow: ${site.path(path)}\n`)
    .join('')}`

  return new OpenAPIHono<ServerEnv>()
    .get('/', (c) =>
      renderPage(
        c,
        site,
        {
          title: 'Aisle',
          description: 'Checks whether AI agents can find, understand and buy from a store.',
          headers: KEPT_SHORTLY,
        },
        <StartPage hasExtension={extension.length > 0} />,
      ),
    )
    .get('/help', (c) =>
      renderPage(
        c,
        site,
        {
          title: 'Help',
          description: 'How to get a key, the first calls, limits and errors.',
          scripts: ['copy.js'],
          headers: KEPT_SHORTLY,
        },
        <HelpPage help={help} now={now()} />,
      ),
    )
    .get('/docs', (c) =>
      renderPage(
        c,
        site,
        {
          title: 'API',
          description: 'Every call of the API with its fields and answers.',
          styles: ['swagger-ui.css'],
          scripts: ['swagger-ui-bundle.js', 'docs.js'],
          headers: KEPT_SHORTLY,
        },
        <DocsPage />,
      ),
    )
    .get('/decisions', (c) =>
      renderPage(
        c,
        site,
        {
          title: 'Decisions',
          description: 'What Aisle does where the specification leaves things open, and why.',
          headers: KEPT_SHORTLY,
        },
        <DecisionsPage decisions={decisions} />,
      ),
    )
    .get('/llms.txt', (c) => c.body(llms, 200, TEXT))
    .get('/robots.txt', (c) => c.body(robots, 200, TEXT))
}
