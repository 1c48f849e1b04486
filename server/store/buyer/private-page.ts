import type { Reply, StoreRequest } from '../http/store-request.ts'
import { type Markup, renderStorePage } from '../shop/pages/frame.ts'
import { SHOP_NAME } from '../shop/settings.ts'

/** The external sources of a page, and who may frame it. */
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
  /** Seconds until the browser reloads. */
  refresh?: number
  sources?: PageSources
}

/**
 * A page for its buyer only: kept out of caches, indexes, analytics and the referrers of other
 * sites.
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
      tools: false,
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

/**
 * Redirects to a path of this shop, or to the bank's page, without passing the requested address
 * on.
 */
export const seeOther = (location: string): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  body: '',
})

/**
 * Not `no-referrer`: with it browsers send forms with `Origin: null` (Fetch, "append a request
 * Origin header"), like a form of another site.
 */
const UNKEPT = { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' }

/** No `form-action`: browsers would also apply it to the redirect from a payment to the bank. */
const policyOf = ({ script = [], frame = [], connect = [], framedBy = "'none'" }: PageSources) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...script].join(' '),
    ["connect-src 'self'", ...connect].join(' '),
    frame.length === 0 ? "frame-src 'none'" : `frame-src ${frame.join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${framedBy}`,
  ].join('; ')
