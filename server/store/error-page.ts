import { html } from 'hono/html'
import { renderPage } from './page-frame.ts'
import type { Reply } from './reply.ts'
import { SHOP_NAME } from './shop.ts'
import type { Visit } from './visit.ts'

export const errorPage = (visit: Visit, status: number, message: string): Reply =>
  renderPage(visit, {
    status,
    parts: { title: `${message} | ${SHOP_NAME}`, description: message, jsonLd: [] },
    main: html`<h1>${message}</h1><p><a href="/">Back to the home page</a></p>`,
  })
