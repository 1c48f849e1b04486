import type { PageRefusalReason } from './page-audit.ts'

/**
 * Browsers keep extensions out of the pages that install extensions
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Content_scripts).
 */
const STORES = [
  /^https:\/\/chromewebstore\.google\.com\//,
  /^https:\/\/chrome\.google\.com\/webstore\b/,
  /^https:\/\/addons\.mozilla\.org\//,
  /^https:\/\/microsoftedge\.microsoft\.com\/addons\b/,
]

/** Why the page at this address cannot be read, or null. `url` is undefined without a grant. */
export function pageRefusal(url: string | undefined): PageRefusalReason | null {
  if (url === undefined || url === '') return 'no_grant'
  const protocol = URL.parse(url)?.protocol ?? ''
  if (protocol === 'http:' || protocol === 'https:') {
    if (STORES.some((store) => store.test(url))) return 'store_page'
    return /\.pdf$/i.test(URL.parse(url)?.pathname ?? '') ? 'not_html' : null
  }
  if (protocol === 'file:') return 'file'
  return /-extension:$/.test(protocol) ? 'extension_page' : 'browser_page'
}

/** HTML as browsers show it, but not pages that they draw themselves (PDF, images, JSON). */
export const isHtmlType = (contentType: string): boolean =>
  /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType)

/** The sentence for a page that cannot be audited. */
export const REFUSAL_WORDS: Record<PageRefusalReason, string> = {
  no_grant:
    "Click the Aisle button in the toolbar to audit this page. The browser's own pages cannot be audited.",
  browser_page: "This is one of the browser's own pages. Open a page of your store.",
  store_page: 'Browsers do not let extensions read this page. Open a page of your store.',
  extension_page: 'This page belongs to an extension. Open a page of your store.',
  file: 'This is a file on your computer. Open the page on your store.',
  not_html: 'This is a file, not a web page. Open a page of your store.',
  no_answer: 'The page did not answer in time. Reload it, then audit it again.',
  too_slow:
    'Reading this page took longer than a minute, so it was not audited. This computer is busy, or the page holds far more markup than stores do. Audit it again.',
  error_page:
    'The server says that there is no page here, or that it may not be opened. Nothing on it can be judged. Open a page of your store.',
  nothing_judged:
    'Nothing on this page could be judged, because it could not be read completely. Open another page of your store.',
  no_tab: 'The tab was closed. Open a page of your store.',
  failed: 'The page could not be read. Reload it, then audit it again.',
}
