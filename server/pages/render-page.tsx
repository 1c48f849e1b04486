import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { english, LanguageContext } from '../../shared/view/language.ts'
import { withLocalAddresses } from '../../shared/web/address/local-shop.ts'
import { isLoopback } from '../../shared/web/address/loopback.ts'
import type { ServerEnv } from '../http/env.ts'
import { localeOf } from './accept-language.ts'
import { Layout, type LayoutProps } from './Layout.tsx'
import { type PageSite, SiteContext } from './site.tsx'

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Referrer-Policy `no-referrer` would make browsers send `Origin: null` with our own forms
 * (https://fetch.spec.whatwg.org/#append-a-request-origin-header).
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy': CSP,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
}

export interface PageOptions extends Omit<LayoutProps, 'current' | 'isSignedIn' | 'children'> {
  status?: ContentfulStatusCode
  headers?: Record<string, string>
}

/**
 * Answers with a page that is rendered for this request (see `keepPages` for those that are the
 * same for everyone). It may only be cached if the caller says so in `headers`.
 */
export function renderPage(
  c: Context<ServerEnv>,
  site: PageSite,
  { status = 200, headers = {}, ...layout }: PageOptions,
  content: ComponentChildren,
): Response {
  const html = renderHtml(
    site,
    localeOf(c.req.header('Accept-Language')),
    {
      ...layout,
      current: new URL(c.req.url).pathname,
      isSignedIn: c.get('key') !== undefined,
    },
    content,
  )
  return c.html(html, status, { ...PAGE_HEADERS, Vary: 'Accept-Language', ...headers })
}

/** The whole document; numbers and dates are formatted for `locale`. */
export const renderHtml = (
  site: PageSite,
  locale: string,
  layout: Omit<LayoutProps, 'children'>,
  content: ComponentChildren,
): string => {
  const html = `<!doctype html>${renderToString(
    <SiteContext.Provider value={site}>
      <LanguageContext.Provider value={english(locale)}>
        <Layout {...layout}>{content}</Layout>
      </LanguageContext.Provider>
    </SiteContext.Provider>,
  )}`
  return isLoopback(site.baseUrl) ? withLocalAddresses(html) : html
}
