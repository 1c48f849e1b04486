import { html } from 'hono/html'
import { NOTHING_HERE } from '../../http/refusals.ts'
import type { Reply, StoreRequest } from '../../http/store-request.ts'
import { SHOP_NAME } from '../settings.ts'
import { renderStorePage } from './frame.ts'

/** An error for people: the message is the page's title and text. */
export const errorPage = (request: StoreRequest, status: number, message: string): Reply =>
  renderStorePage(request, {
    status,
    parts: { title: `${message} | ${SHOP_NAME}`, description: message, jsonLd: [] },
    main: html`<h1>${message}</h1><p><a href="/">Back to the home page</a></p>`,
  })

/** The page for an unknown address. */
export const notFoundPage = (request: StoreRequest): Reply => errorPage(request, 404, NOTHING_HERE)
