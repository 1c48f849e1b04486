import { html } from 'hono/html'
import type { Reply } from '../../http/reply.ts'
import type { Visit } from '../../http/store-request.ts'
import { SHOP_NAME } from '../settings.ts'
import { renderPage } from './frame.ts'

export const errorPage = (visit: Visit, status: number, message: string): Reply =>
  renderPage(visit, {
    status,
    parts: { title: `${message} | ${SHOP_NAME}`, description: message, jsonLd: [] },
    main: html`<h1>${message}</h1><p><a href="/">Back to the home page</a></p>`,
  })
