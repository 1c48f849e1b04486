import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { english, LanguageContext } from '../../shared/view/language.ts'
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
const HEADERS = {
  'Content-Security-Policy': CSP,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'same-origin',
  Vary: 'Accept-Language',
}

export interface PageOptions extends Omit<LayoutProps, 'current' | 'isSignedIn' | 'children'> {
  status?: ContentfulStatusCode
  headers?: Record<string, string>
}

/** Answers with a page. It may only be cached if the caller says so in `headers`. */
export function renderPage(
  c: Context<ServerEnv>,
  site: PageSite,
  { status = 200, headers = {}, ...layout }: PageOptions,
  content: ComponentChildren,
): Response {
  const locale = localeOf(c.req.header('Accept-Language'))
  const html = renderToString(
    <SiteContext.Provider value={site}>
      <LanguageContext.Provider value={english(locale)}>
        <Layout
          {...layout}
          current={new URL(c.req.url).pathname}
          // Only behind a sign-in: the open pages say the same to everyone.
          isSignedIn={c.get('key') !== undefined}
        >
          {content}
        </Layout>
      </LanguageContext.Provider>
    </SiteContext.Provider>,
  )
  return c.html(`<!doctype html>${html}`, status, { ...HEADERS, ...headers })
}

/** Pages that say the same to everyone, until the service is updated. */
export const KEPT_SHORTLY = { 'Cache-Control': 'public, max-age=300' }
