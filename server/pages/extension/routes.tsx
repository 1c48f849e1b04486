import { OpenAPIHono } from '@hono/zod-openapi'
import { etag } from 'hono/etag'
import { ApiError } from '../../http/api-error.ts'
import type { ServerEnv } from '../../http/env.ts'
import { KEPT_SHORTLY } from '../../http/kept-text.ts'
import { renderPage } from '../render-page.tsx'
import type { PageDeps } from '../site.tsx'
import { siteOf } from '../site.tsx'
import { ExtensionPage } from './ExtensionPage.tsx'
import { ExtensionPrivacyPage } from './ExtensionPrivacyPage.tsx'

/** `GET /extension` and its files: packed with the service, or 404 with what to do about it. */
export function extensionRoutes(deps: Pick<PageDeps, 'baseUrl' | 'assets' | 'extension'>) {
  const { extension } = deps
  const site = siteOf(deps)
  return (
    new OpenAPIHono<ServerEnv>()
      .get('/extension', (c) => {
        if (extension.length === 0) {
          throw new ApiError(
            404,
            'not_found',
            'This service was built without the extension. Its operator can add it: run "npm run zip" and start the service again.',
          )
        }
        return renderPage(
          c,
          site,
          {
            title: 'Browser extension',
            description: 'Download the extension that audits the open page of a store.',
            headers: KEPT_SHORTLY,
          },
          <ExtensionPage packed={extension} />,
        )
      })
      // Also of a service without the extension: the browsers' stores name this address.
      .get('/extension/privacy', (c) =>
        renderPage(
          c,
          site,
          {
            title: 'Privacy of the browser extension',
            description:
              'What the extension reads, keeps and sends, and what its permissions are for.',
            headers: KEPT_SHORTLY,
          },
          <ExtensionPrivacyPage />,
        ),
      )
      // During development the version stays while the content changes, so copies are revalidated.
      .get('/extension/:file', etag(), async (c) => {
        const packed = extension.find(({ file }) => file === c.req.param('file'))
        if (packed === undefined) {
          throw new ApiError(404, 'not_found', 'This version is not here. See /extension.')
        }
        const content = await packed.read()
        return c.body(content, 200, {
          'Cache-Control': 'no-cache',
          'Content-Disposition': `attachment; filename="${packed.file}"`,
          'Content-Length': String(content.length),
          'Content-Type': 'application/zip',
          'Cross-Origin-Resource-Policy': 'same-origin',
        })
      })
  )
}
