import type { FeedItem, FeedKind } from '../commerce/feed.ts'
import type { Page } from '../markup/page.ts'

/**
 * An HTTP answer as it was received, of any status. Times in milliseconds, header names in lower
 * case.
 */
export interface Answer {
  kind: 'answer'
  method: string
  url: string
  /** Where the answer came from after following `redirects`. */
  final_url: string
  redirects: { status: number; location: string }[]
  status: number
  headers: Record<string, string>
  /** Decoded text; empty where it was read piece by piece. */
  body: string
  /** The body was longer than we read. */
  truncated: boolean
  ms: number
}

/**
 * `unreachable` covers a name without an address, a refused address, a closed port and a failed TLS
 * handshake alike, so that an audit cannot serve as a port scanner.
 */
export interface NoAnswer {
  kind: 'no_answer'
  method: string
  url: string
  why: 'unreachable' | 'timeout' | 'redirect' | 'too_large' | 'protocol'
  /** What happened and what to do, as a part of a sentence. */
  message: string
  ms: number
}

/** A request that was not made, and why: it was not needed, or the audit's budget was used up. */
export interface NotAsked {
  kind: 'not_asked'
  reason: string
}

/** A failed fetch is evidence like any other: nothing throws. */
export type Fetched = Answer | NoAnswer | NotAsked

/** A body that should be JSON. `problem` is a sentence with a full stop. */
export type Json = { ok: true; value: unknown } | { ok: false; problem: string }

/** An answer that should be JSON; `json` is null when there was no answer. */
export interface JsonSeen {
  fetched: Fetched
  json: Json | null
}

/** A page and how it was fetched; null when there was none to read. */
export interface PageSeen {
  fetched: Fetched
  page: Page | null
  /** The page after its scripts ran: only the extension sees it. */
  rendered?: Page
}

/** A page that shows one product, and what led to it. */
export interface ProductPageSeen extends PageSeen {
  found_by: 'catalog' | 'json_ld' | 'sitemap' | 'home_page_link' | 'open_page'
}

/** The domain itself: whether it answers at all. */
export interface Site {
  domain: string
  /** The domain's own label, such as `shop` of www.shop.co.uk. */
  label: string
  https: Fetched
  /** Asked only when `https` gave no answer. */
  http: Fetched
}

/** The manifest of the domain, and where else it was looked for. */
export interface ManifestSeen extends JsonSeen {
  /** The same path on `www.`, asked only when the domain itself has no manifest. */
  www: JsonSeen
}

/** Where an endpoint's address comes from: the manifest, or the spec's path where it has none. */
export interface Endpoint {
  url: string
  declared: boolean
}

/** The catalog as an agent sees it: a few pages, one search, one request with filters. */
export interface CatalogSeen {
  /** Null when it is unknown; `first` says why. */
  endpoint: Endpoint | null
  first: JsonSeen
  /** The first page once more, asked only when no search answer can show whether ids are stable. */
  again: JsonSeen
  /** Pages reached through `pagination.next`, in order, at most two and never off the host. */
  next: JsonSeen[]
  /** Only when the manifest declares search: `q` is a word of a listed product's name. */
  search: { q: string; seen: JsonSeen } | null
  /** Only when the manifest declares filters: one request that carries them all. */
  filters: { params: Record<string, string>; seen: JsonSeen } | null
}

/** The checkout as an agent sees it, without buying anything. */
export interface CheckoutSeen {
  /** Null when it is unknown; `create` says why. */
  endpoint: Endpoint | null
  /** What was put into the carts, as the catalog lists it; null when it lists nothing to buy. */
  item: {
    product_id: string
    variant_id?: string
    name: string
    price: { amount: number; currency: string } | null
  } | null
  /** When the carts were asked for, ISO 8601. */
  asked_at: string
  /** Three carts, every one with `dry_run: true`. */
  create: JsonSeen
  invalid_address: JsonSeen
  unknown_variant: JsonSeen
}

/**
 * What the ACP endpoints of the spec answer to requests that can create nothing: an empty body, and
 * a session that does not exist.
 */
export interface AcpSeen {
  discovery: JsonSeen
  create: JsonSeen
  update: JsonSeen
  complete: JsonSeen
}

/**
 * What the services of an official UCP profile answer: null for a transport that it does not
 * offer. Nothing is created in any of them.
 */
export interface UcpSeen {
  /** A safe request to the checkout sessions of the REST service. */
  rest: Fetched | null
  mcp: { initialize: JsonSeen; tools: JsonSeen } | null
  /** The profiles of other versions: what is wrong with each, null when it is right. */
  versions: { version: string; fault: string | null }[]
}

/** The product feed, or where it was looked for. */
export interface FeedSeen {
  url: string | null
  /** How it was found, in words: `link rel="alternate"`, `robots.txt`, `Shopify /products.json`. */
  found_by: string
  kind: FeedKind | null
  fetched: Fetched
  /** The first 200 items. */
  items: FeedItem[]
  /** Why the feed could not be read. */
  problem: string | null
  /** Every address that was tried. */
  tried: string[]
}

/** All that an audit knows. A rule sees only the keys it reads. */
export interface Evidence {
  site: Site
  robots: Fetched
  manifest: ManifestSeen
  homePage: PageSeen
  productPages: ProductPageSeen[]
  catalog: CatalogSeen
  checkout: CheckoutSeen
  ucp: UcpSeen
  acp: AcpSeen
  feed: FeedSeen
}

/** `GET https://…` answered 404 — the sentence with which details and reasons name a request. */
export function describeFetch(fetched: Fetched): string {
  if (fetched.kind === 'not_asked') return fetched.reason
  const request = `${fetched.method} ${fetched.url}`
  if (fetched.kind === 'no_answer') return `${request} gave no answer: ${fetched.message}`
  const location = fetched.status >= 300 && fetched.status < 400 && fetched.headers.location
  return `${request} answered ${fetched.status}${location ? `, leading to ${location.slice(0, 200)}` : ''}`
}
