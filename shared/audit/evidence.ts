import type { CatalogDialectName } from '../commerce/catalog/dialect.ts'
import type { Counted } from '../commerce/catalog/listing.ts'
import type { FeedItem, FeedKind, FeedTally, FeedVendor } from '../commerce/feed.ts'
import type { Page } from '../markup/page.ts'
import type { PagesSeen } from '../walk/pages/pages-seen.ts'
import type { WalkSeen } from '../walk/seen.ts'
import type { Fetched, JsonSeen } from '../web/http/fetched.ts'
import type { PlatformSign } from './platforms/signs.ts'

/** Software whose list of products is at a known address: a hint is enough to ask for it. */
export type Platform = 'shopify' | 'woocommerce'

/** A page and how it was fetched; null when there was none to read. */
export interface PageSeen<P = Page> {
  fetched: Fetched
  page: P | null
  /** The software whose list of products may be there; left out where nothing hints at one. */
  platform?: Platform
  /** What shows which software made the page; left out where nothing does. */
  signs?: readonly PlatformSign[]
  /** The page after its scripts ran: only the extension sees it. */
  rendered?: Page
}

/** What led to a page. `nothing`: there is none, and its `fetched` says what was tried. */
export type FoundBy =
  | 'catalog'
  | 'feed'
  | 'json_ld'
  | 'earlier_audit'
  | 'sitemap'
  | 'home_page_link'
  | 'category_link'
  | 'home_page'
  | 'open_page'
  | 'nothing'

/** A page that shows one product, and what led to it. */
export interface ProductPageSeen<P = Page> extends PageSeen<P> {
  found_by: FoundBy
  /** Why it was taken for one, as parts of a sentence. */
  because?: readonly string[]
  /** Of the first page, asked only where all are refused. */
  signature?: SignatureSeen
}

/** The domain itself: whether it answers at all. */
export interface Site {
  domain: string
  /** The domain's own label, such as `shop` of www.shop.co.uk. */
  label: string
  /**
   * The answer of the home page, or of robots.txt or the manifest where only one of these answered.
   */
  https: Fetched
  /** Asked only when `https` gave no answer. */
  http: Fetched
  /** Of the home page, asked only where it is refused. */
  signature?: SignatureSeen
}

/** The manifest of the domain, and where else it was looked for. */
export interface ManifestSeen extends JsonSeen {
  /** The same path on `www.`, asked only when the domain itself has no manifest. */
  www: JsonSeen
  /** Of a profile that is newer than this code: the one that it has for agents of today. */
  older?: JsonSeen
}

/** Where an endpoint's address comes from: the manifest, or the spec's path where it has none. */
export interface Endpoint {
  url: string
  declared: boolean
}

/**
 * The catalog as an agent sees it, in any dialect and over any transport: a few pages, one search,
 * one request with filters. Over MCP each answer is what the tool returned.
 */
export interface CatalogSeen {
  dialect: CatalogDialectName
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
  /** What only official UCP has; null in other dialects. */
  official: OfficialCatalogSeen | null
  /**
   * A page from the middle, where the addresses of pages count them and more are left than read.
   */
  middle?: JsonSeen
  /** The word without which the store lists nothing: the pages are only what it finds. */
  word?: string
  /** All pages, where they were read. */
  whole?: WholeCatalog
}

/** Why following the next page of a catalog fails. */
export interface NextFault {
  fault: 'broken' | 'loops' | 'leaves_host'
  detail: string
}

/** What all pages of a catalog show, counted while they were read; the pages are not kept. */
export interface WholeCatalog {
  /** Each product once. */
  products: number
  pages: number
  /** The store's own number of its products; null where it states none that can be true. */
  of: number | null
  /** Why not all was read, as a part of a sentence; null when it was. */
  stopped: string | null
  /** By what is wrong (`findings.ts`). */
  findings: Record<string, Counted>
  next_fault: NextFault | null
}

/** What official UCP's catalog answers apart from a search, and over its other transport. */
export interface OfficialCatalogSeen {
  /** The version that it was asked in. */
  version: string
  /** The transport of the pages: the first that the profile names and that answers. */
  transport: 'rest' | 'mcp'
  /** The one that was asked for the search and the product where both are offered. */
  other: 'rest' | 'mcp' | null
  /**
   * A product by its id, a variant by its own, and an id that no store has; null without lookup.
   */
  lookup: { product: string; variant: string; seen: JsonSeen } | null
  /** One product, with the options of this variant selected; null without lookup. */
  detail: { product: string; variant: string; selected: OptionSelected[]; seen: JsonSeen } | null
}

/** UCP, Selected Option. */
export interface OptionSelected {
  name: string
  label: string
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
 * The operations of every dialect of ACP, as one dialect serves them. Nothing is created by any.
 */
export interface AcpDialectSeen {
  dialect: 'official' | 'specification'
  /** An invalid body, and for the other two an id that no store has. */
  create: JsonSeen
  update: JsonSeen
  complete: JsonSeen
}

/** How an MCP service is asked for its tools: what every later request of it has as well. */
export type McpWay =
  /** `tools/list` alone, accepting JSON: what most agents send. */
  | 'plain'
  /** `tools/list` alone, accepting event streams too. */
  | 'event_stream'
  /** After `initialize`, with what that agreed on. */
  | 'handshake'
  /** As MCP 2026-07-28 has it: each request says in itself what it is. */
  | 'stateless'

/** What an MCP service answered, and how it had to be asked. */
export interface McpSeen {
  endpoint: string
  /** What was needed for the list of its tools; null where it could not be read. */
  how: McpWay | null
  /** Each question until then, in order; `initialize` is the greeting, the others ask for tools. */
  tried: { how: McpWay | 'initialize'; seen: JsonSeen }[]
  /** The last answer to `tools/list`, and its further pages, at most two. */
  tools: JsonSeen
  more: JsonSeen[]
  /** The checkout of an id that no store has; null where no such tool was called. */
  unknown: JsonSeen | null
  signature?: SignatureSeen
}

/** What the same request got with our signature and without; left out where nothing is signed. */
export interface SignatureSeen {
  /** Where our keys are published: `https://aisle.example`. */
  as: string
  signed: Fetched
  unsigned: Fetched
}

/**
 * What is particular to official ACP, asked below the address that acp.json names, or a usual one.
 */
export interface OfficialAcpSeen {
  base: string
  /** Asked in each of these versions for a session that does not exist. */
  versions: { asked: string; seen: JsonSeen }[]
  /** An invalid cart; null where acp.json does not name carts. */
  carts: JsonSeen | null
  /** The service over MCP, where acp.json names that; left out where it was not looked for. */
  mcp?: AcpMcpSeen
}

/**
 * Official ACP over MCP, whose address no document names: what the usual ones answer to a list of
 * tools, until one has a tool of ACP.
 */
export interface AcpMcpSeen {
  asked: McpSeen[]
  /** The one that has a tool of ACP; null where none does. */
  found: McpSeen | null
}

/** What a store with ACP answers to requests that can create nothing. */
export interface AcpSeen {
  discovery: JsonSeen
  /** The dialects that the store speaks, as far as that is known; one at least. */
  spoken: AcpDialectSeen[]
  official: OfficialAcpSeen | null
  /** Where official ACP may be, by an answer that is not the server's own 404. */
  perhaps: string | null
  /** Why an address that is not there proves nothing; null where it does. */
  doubt: string | null
}

/**
 * What the services of an official UCP profile answer: null for a transport that it does not
 * offer. Nothing is created in any of them.
 */
export interface UcpSeen {
  /** The address of our own profile, in whose name they were asked. */
  agent: string
  /**
   * The REST service: a checkout whose lines are of the wrong type, so that nothing can be made of
   * it, and the checkout of an id that no store has, null where it was not asked for.
   */
  rest: {
    endpoint: string
    checkout: JsonSeen
    unknown: JsonSeen | null
    signature?: SignatureSeen
  } | null
  mcp: McpSeen | null
  /** The card of the agent that the profile names; nothing else of A2A is asked. */
  a2a: { endpoint: string; card: JsonSeen } | null
  /** The profiles of other versions: what is wrong with each, null when it is right. */
  versions: { version: string; fault: string | null }[]
}

/** The product feed, or where it was looked for. */
export interface FeedSeen {
  url: string | null
  /** How it was found, in words: `link rel="alternate"`, `robots.txt`, `Shopify /products.json`. */
  found_by: string
  kind: FeedKind | null
  /** Whose names its rows have; null for the list of a platform, and for names of no vendor. */
  vendor: FeedVendor | null
  fetched: Fetched
  /** The first 200 items: what is compared with pages and catalog. */
  items: FeedItem[]
  /** What is wrong with all rows that were read, counted. */
  tally: FeedTally
  /** Which limit of ours ended the reading, in words that follow "because of". */
  cut: string | null
  /** Why the feed could not be read. */
  problem: string | null
  /** Every address that was tried. */
  tried: string[]
}

/** What one answer shows: texts at the length that a finding quotes. */
export interface AccessContent {
  /** After decompression. */
  bytes: number
  title: string | null
  /** Characters that a person sees, white space aside. */
  text: number
  /** The page's product and its prices as marked up; null and empty where it marks up none. */
  product: string | null
  prices: string[]
  /** Whose bot challenge it is instead of the page. */
  challenge: string | null
}

/** One answer; its body is not kept. */
export interface AccessAnswer {
  fetched: Fetched
  content: AccessContent | null
}

/**
 * One page as browsers and agents get it: nothing but the User-Agent tells their requests apart.
 */
export interface AccessPage {
  url: string
  is: 'home page' | 'product page'
  /** Asked before the agents, and again after them. */
  browsers: AccessAnswer[]
  /** A robot whose name no firewall knows. */
  robot: AccessAnswer
  /** By product token. A second answer where the first differed from the browser's. */
  agents: { token: string; answers: AccessAnswer[] }[]
  /** Our own request, signed; left out where nothing is signed. */
  signed?: AccessAnswer
}

/** The store's pages under the names of AI agents. */
export interface AccessSeen {
  /** Why nothing was asked in their names; null when it was. */
  not_asked: string | null
  pages: AccessPage[]
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
  access: AccessSeen
  /** The keys by which others verify what the store signs. */
  signatureDirectory: JsonSeen
  /** What whole purchases showed; null where none were made. */
  walk: WalkSeen | null
  /** What a walk through the pages showed; null where none was made. */
  pagesWalk: PagesSeen | null
}

/** What is read of a store, as a person would say it. */
export const EVIDENCE_READS: Record<keyof Evidence, string> = {
  site: 'the answer of the domain over https, and over http if that fails',
  robots: 'robots.txt',
  manifest: '/.well-known/ucp',
  homePage: 'the HTML of the home page, as the server sends it',
  productPages: 'the HTML of up to five product pages, as the server sends it',
  catalog: 'the catalog endpoint: its first pages, a search and a filter if declared',
  checkout: 'three carts sent to the checkout endpoint, each with "dry_run": true',
  ucp: 'the services of the official UCP profile, with requests that create nothing',
  acp: 'the ACP endpoints, with requests that they have to reject',
  feed: 'the rows of the product feed, of which the first 200 are compared with pages and catalog',
  access:
    'the home page and one product page, as a browser, as a robot without a known name and as each AI agent that documents its User-Agent; only for the owner of the domain',
  signatureDirectory: '/.well-known/http-message-signatures-directory',
  walk: 'whole purchases up to the payment, each cancelled again; only where the owner of the domain has them made',
  pagesWalk:
    'the pages from a product to the last step before paying, as a browser shows them; only where the owner of the domain has them walked through',
}
