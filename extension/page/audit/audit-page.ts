import type { Evidence, PageSeen, ProductPageSeen, Site } from '../../../shared/audit/evidence.ts'
import { recognisePlatform } from '../../../shared/audit/platforms/recognise.ts'
import { readPlatformSigns } from '../../../shared/audit/platforms/signs.ts'
import {
  type AuditResult,
  type GapLinks,
  judgedPages,
  NO_LINKS,
  type PlatformSeen,
  scoredParts,
  toResult,
} from '../../../shared/audit/result/result.ts'
import { type Outcome, runRules } from '../../../shared/audit/rule.ts'
import { scoreOf } from '../../../shared/audit/score.ts'
import type { PageKind } from '../../../shared/markup/product-page.ts'
import { isGone } from '../../../shared/web/http/presence.ts'
import type { Collected } from '../collect/collected.ts'
import { targetsOf } from '../highlight/target.ts'
import { findOnPage } from './found.ts'
import { type BothPages, readBoth } from './judged-page.ts'
import { kindOf } from './kind-of-page.ts'
import type { PageAudit, PageRefusal } from './page-audit.ts'
import { pagePlaceOf } from './page-place.ts'
import { PAGE_CHECKS, PAGE_RULES } from './page-rules.ts'
import { isHtmlType, pageRefusal } from './refusal.ts'
import { listScriptOnly } from './script-only.ts'

/**
 * Judges the open page by the server's rules. Pure: nothing is sent. `links` lead to the pages of
 * the server, if one is configured.
 */
export function auditPage(
  collected: Collected,
  now: () => Date,
  links: GapLinks = NO_LINKS,
): PageAudit | PageRefusal {
  const refusal = pageRefusal(collected.url)
  if (refusal !== null) return { refusal }
  if (!isHtmlType(collected.content_type)) return { refusal: 'not_html' }
  const url = URL.parse(collected.url)
  if (url === null) return { refusal: 'failed' }
  const started = performance.now()
  const both = readBoth(collected)
  const kind = kindOf(both)
  if (isErrorPage(collected, kind)) return { refusal: 'error_page' }
  const productPages = [productPageOf(both, kind)]
  const judgement = judge(both, url, productPages)
  const result = resultOf(
    judgement,
    url.hostname,
    now(),
    links,
    productPages,
    platformOf(collected),
  )
  if (result === null) return { refusal: 'nothing_judged' }
  return {
    url: url.href,
    origin: url.origin,
    domain: url.hostname,
    title: both.rendered.title?.slice(0, 300) ?? null,
    at: result.checked_at,
    result,
    is_scored: judgement.isOwn,
    place: pagePlaceOf(both, kind),
    kind,
    found: findOnPage(both),
    needs_script: both.served.ok ? listScriptOnly(both) : [],
    served: both.served,
    targets: targetsOf(result.gaps, both.judged),
    ms: Math.round(performance.now() - started),
  }
}

/** The software that made the page, from its HTML as sent and as shown. */
function platformOf({ html, served }: Collected): PlatformSeen | null {
  const sent = served.kind === 'answer' ? readPlatformSigns(served.body, served.headers) : []
  return recognisePlatform({ homePage: { signs: [...sent, ...readPlatformSigns(html, {})] } })
}

/** The open page, or why it is not judged as a product page. */
function productPageOf({ judged, rendered, answer }: BothPages, kind: PageKind): ProductPageSeen {
  if (kind.is === 'product') {
    const { because } = kind
    return { fetched: answer, page: judged, rendered, found_by: 'open_page', because }
  }
  const why = kind.because[0] ?? 'nothing on it shows a product'
  const reason = `this is not a product page: ${why}`
  return { fetched: { kind: 'not_asked', reason }, page: null, found_by: 'nothing' }
}

/**
 * The result over what this page can show: rules that need another page are listed as not judged,
 * with the reason, and do not count. Null if nothing was judged.
 */
function resultOf(
  { outcomes, counted }: Judgement,
  domain: string,
  at: Date,
  links: GapLinks,
  productPages: readonly ProductPageSeen[],
  platform: PlatformSeen | null,
): AuditResult | null {
  const score = scoreOf(counted)
  if (score === null) return null
  const pages = judgedPages(productPages)
  const result = toResult(domain, PAGE_CHECKS, outcomes, at, links, { pages, platform })
  // Those that are not counted have no points.
  const gaps = result.gaps.map(({ points: _, held_back: __, ...gap }) => gap)
  return { ...result, ...scoredParts(score, gaps) }
}

interface Judgement {
  outcomes: Outcome[]
  /** Those of checks that this page can answer for. */
  counted: Outcome[]
  /** Something of the page itself was judged, and not the tag alone. */
  isOwn: boolean
}

function judge(both: BothPages, url: URL, productPages: ProductPageSeen[]): Judgement {
  const { judged, rendered, answer } = both
  const page: PageSeen = { fetched: answer, page: judged, rendered }
  const isHome = url.pathname === '/'
  const evidence: Partial<Evidence> = {
    site: siteOf(url, answer),
    homePage: isHome ? page : otherPage(url),
    productPages,
  }
  const schema = runRules(PAGE_RULES.schema, evidence)
  const entity = runRules(PAGE_RULES.entity, evidence)
  // Unspecified: the tag belongs on every page, so each open page is judged for it like the home
  // page.
  const attribution = runRules(PAGE_RULES.attribution, { homePage: page })
  // Unspecified: named, and not counted, as the server does not run this check by default. One
  // page's buttons are not its checkout.
  const pages = runRules(PAGE_RULES.pages, evidence)
  const isProduct = productPages.some((each) => each.page !== null)
  const own = [...(isProduct ? schema : []), ...(isHome ? entity : [])]
  return {
    outcomes: [...schema, ...entity, ...attribution, ...pages],
    counted: [...own, ...attribution],
    isOwn: scoreOf(own) !== null,
  }
}

/**
 * Whether the server says that there is no such page. `served` is what an agent gets, without
 * cookies; a page that shows a product here is not called an error because of it.
 */
function isErrorPage({ status, served }: Collected, kind: PageKind): boolean {
  if (status !== null) return status >= 400
  return isGone(served) && kind.is !== 'product'
}

const otherPage = ({ origin }: URL): PageSeen => ({
  fetched: { kind: 'not_asked', reason: `open ${origin}/ to check it` },
  page: null,
})

const siteOf = (url: URL, answer: Site['https']): Site => ({
  domain: url.hostname,
  label: siteLabel(url.hostname),
  https:
    url.protocol === 'https:'
      ? answer
      : { kind: 'not_asked', reason: 'this page is not served over https' },
  http: { kind: 'not_asked', reason: 'the page was already open' },
})

/**
 * The domain's own label, such as `shop` of www.shop.co.uk: the longest before the last, as the
 * public suffix list is larger than the whole panel.
 */
export function siteLabel(host: string): string {
  const labels = host.split('.').slice(0, -1)
  const longest = labels.reduce((best, label) => (label.length >= best.length ? label : best), '')
  return longest === '' ? host : longest
}
