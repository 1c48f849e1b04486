import type { Reply } from '../http/reply.ts'
import type { StoreRequest } from '../http/store-request.ts'
import { type Markup, renderStorePage } from '../shop/pages/frame.ts'
import { SHOP_NAME } from '../shop/settings.ts'

/** What a page takes from elsewhere, and who may show it in a frame. */
export interface PageSources {
  script?: readonly string[]
  frame?: readonly string[]
  connect?: readonly string[]
  framedBy?: string
}

interface PrivatePage {
  title: string
  main: Markup
  status?: number
  /** Seconds after which the browser asks again. */
  refresh?: number
  sources?: PageSources
}

/**
 * A page that only its buyer should see: kept out of caches, indexes, analytics and the referrers
 * of other sites.
 */
export function privatePage(request: StoreRequest, page: PrivatePage): Reply {
  const { title, main, status = 200, refresh, sources = {} } = page
  const reply = renderStorePage(request, {
    status,
    parts: {
      title: `${title} | ${SHOP_NAME}`,
      description: title,
      jsonLd: [],
      feed: null,
      snippets: { head: [], body: [] },
    },
    main,
  })
  return {
    ...reply,
    headers: {
      ...reply.headers,
      ...UNKEPT,
      'x-robots-tag': 'noindex, noarchive',
      'content-security-policy': policyOf(sources),
      ...(refresh !== undefined && { refresh: String(refresh) }),
    },
  }
}

/** To a path of this shop, or to the bank's page; the address that was asked for is not told on. */
export const seeOther = (location: string): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
})

/**
 * Not `no-referrer`: with it browsers send forms with `Origin: null` (Fetch, "append a request
 * Origin header"), and a form of another site could not be told from ours.
 */
const UNKEPT = { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' }

/** No `form-action`: browsers would apply it to the way from a payment to the bank as well. */
const policyOf = ({ script = [], frame = [], connect = [], framedBy = "'none'" }: PageSources) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...script].join(' '),
    ["connect-src 'self'", ...connect].join(' '),
    frame.length === 0 ? "frame-src 'none'" : `frame-src ${frame.join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${framedBy}`,
  ].join('; ')
