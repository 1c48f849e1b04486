import type { MessageKey } from '../../texts/messages.ts'
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
export const refusalText = (reason: PageRefusalReason): MessageKey => `refusal_${reason}`
