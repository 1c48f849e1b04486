import { type Page, readPage } from '../../../shared/markup/page.ts'
import { withoutEndSlashes } from '../../../shared/web/address/uri.ts'
import type { Answer } from '../../../shared/web/http/fetched.ts'
import type { Collected } from '../collect/collected.ts'
import type { PageAudit } from './page-audit.ts'
import { isHtmlType } from './refusal.ts'

/** The open page in two versions: as its server sends it, and as the browser shows it. */
export interface BothPages {
  /**
   * The version that the rules judge: the served page, or the shown one if that could not be read.
   */
  judged: Page
  rendered: Page
  /** The answer that `judged` came with. */
  answer: Answer
  served: PageAudit['served']
}

/**
 * Reads what the injected script collected. If the served page is unusable (no answer, not 2xx, not
 * HTML, another page), the shown one is judged, and `served` says so.
 */
export function readBoth({ url, html, controls, served }: Collected): BothPages {
  const address = url.replace(/#.*$/s, '')
  const rendered = { ...readPage(html, address), controls }
  const unusable = whyUnusable(address, served)
  if (served.kind === 'failed' || unusable !== null) {
    return {
      judged: rendered,
      rendered,
      answer: answerOf(address, { status: 200, headers: {}, truncated: false, ms: 0 }),
      served: unusable ?? { ok: false, reason: 'unreadable', detail: '' },
    }
  }
  return {
    judged: readPage(served.body, address, { isWhole: !served.truncated, readsChoices: false }),
    rendered,
    answer: answerOf(address, served),
    served: { ok: true, status: served.status },
  }
}

function whyUnusable(
  url: string,
  served: Collected['served'],
): Extract<PageAudit['served'], { ok: false }> | null {
  if (served.kind === 'failed') return { ok: false, reason: served.why, detail: '' }
  const { status, final_url, headers } = served
  if (status < 200 || status > 299) return { ok: false, reason: 'status', detail: String(status) }
  if (pathOf(final_url) !== pathOf(url)) {
    return { ok: false, reason: 'redirected', detail: final_url.slice(0, 300) }
  }
  const type = headers['content-type'] ?? ''
  if (type !== '' && !isHtmlType(type)) {
    return { ok: false, reason: 'not_html', detail: type.slice(0, 100) }
  }
  return null
}

/** A trailing slash or another query is still the same page. */
const pathOf = (url: string): string => withoutEndSlashes(URL.parse(url)?.pathname ?? '')

const answerOf = (
  url: string,
  { status, headers, truncated, ms }: Pick<Answer, 'status' | 'headers' | 'truncated' | 'ms'>,
): Answer => ({
  kind: 'answer',
  method: 'GET',
  url,
  final_url: url,
  redirects: [],
  status,
  headers,
  body: '',
  truncated,
  ms,
})
