import type { AuditResult } from '../../../shared/audit/result/result.ts'
import type { PageKind } from '../../../shared/markup/product-page.ts'
import type { HighlightTarget } from '../highlight/target.ts'

/** The audit of one open page. Made in the browser; nothing was sent. */
export interface PageAudit {
  url: string
  origin: string
  /** The host, as the server would be asked about it. */
  domain: string
  title: string | null
  /** ISO 8601. */
  at: string
  /** Score, breakdown and gaps over the rules that this page gave evidence for. */
  result: AuditResult
  /**
   * Whether it has a number: product pages and the home page do, where something of their own was
   * judged. On others only the tag is, which says nothing of the page.
   */
  is_scored: boolean
  /** What it is, in a person's words. */
  place: PagePlace
  /** Whether the page shows one product for sale, and the signs for it. */
  kind: PageKind
  found: FoundOnPage
  /** What the browser shows and the server's HTML lacks. */
  needs_script: ScriptOnly[]
  /** Whether the served HTML could be read; if not, the shown page was judged. */
  served: { ok: true; status: number } | { ok: false; reason: ServedReason; detail: string }
  /** Where each gap is on the page, by the gap's id. */
  targets: Record<string, HighlightTarget>
  /** Milliseconds of reading and judging. */
  ms: number
}

/** `visitor`: a cart, a checkout, an account. `list`: a category, a search. */
export type PagePlace = 'product' | 'home' | 'visitor' | 'list' | 'other' | 'unclear'

/** `detail` holds the status or the address that belongs to it. */
type ServedReason = 'status' | 'redirected' | 'not_html' | 'timeout' | 'unreachable' | 'unreadable'

export interface FoundOnPage {
  products: FoundProduct[]
  organizations: FoundOrganization[]
  snippet: FoundSnippet | null
  json_ld_blocks: number
  broken_blocks: number
}

export interface FoundProduct {
  type: 'Product' | 'ProductGroup'
  name: string | null
  /** `JSON-LD block 2, $` or `microdata at line 88, column 5`. */
  where: string
  sku: string | null
  variants: number
  offers: FoundOffer[]
  in_served: boolean
}

export interface FoundOffer {
  /** As written in the markup. */
  price: string | null
  currency: string | null
  availability: string | null
}

export interface FoundOrganization {
  types: string[]
  name: string | null
  url: string | null
  where: string
  in_served: boolean
}

export interface FoundSnippet {
  /** The property id; null if the address has none. */
  id: string | null
  src: string
  count: number
  in_head: boolean
  /** The directive that blocks it from loading or reporting, as the policy writes it. */
  blocked_by_csp: string | null
  in_served: boolean
}

export interface ScriptOnly {
  what: 'product' | 'offer' | 'organization' | 'snippet' | 'title' | 'description' | 'canonical'
  /** Its name, price or address: untrusted text. */
  text: string
}

/** A page that cannot be audited, and the text that gives the reason. */
export interface PageRefusal {
  refusal: PageRefusalReason
}

export type PageRefusalReason =
  | 'no_grant'
  | 'browser_page'
  | 'store_page'
  | 'extension_page'
  | 'file'
  | 'not_html'
  | 'no_answer'
  | 'too_slow'
  | 'error_page'
  | 'nothing_judged'
  | 'no_tab'
  | 'failed'
