import type { JsonSeen } from '../../web/http/fetched.ts'
import type { Presence } from '../../web/http/presence.ts'

/**
 * The dialects that catalogs are read in: the specification's, and official UCP over any transport.
 */
export type CatalogDialectName = 'spec' | 'ucp'

/** What follows an answer: nothing, the next page by its URL or cursor, or an error. */
export type Next =
  | { is: 'none' }
  /** `url` if the page has its own address. */
  | { is: 'page'; key: string; url?: URL }
  /** `said` follows "On https://…". */
  | { is: 'wrong'; said: string }

/**
 * How one dialect expresses what every catalog says. All functions are total, because answers are
 * untrusted.
 */
export interface CatalogDialect {
  /** Whether the catalog answered. A refusal is a separate case. */
  presenceOf: (seen: JsonSeen) => Presence
  /** The products that it lists, not validated; null without a list. */
  productsOf: (seen: JsonSeen) => unknown[] | null
  /** A product in the form of the specification's Product, as far as possible; not validated. */
  toProduct: (raw: Record<string, unknown>) => Record<string, unknown>
  nextOf: (page: JsonSeen) => Next
  /** What is wrong with the page's pagination; null if nothing is. */
  pagingFault: (page: JsonSeen) => string | null
  /** The total number of products that it states; not validated. */
  totalOf: (page: JsonSeen) => unknown
  /** Caches may keep the answers, so prices may be stale. */
  isCacheable: boolean
  /** Each page has its own address, which may be on another host. */
  hasPageUrls: boolean
}
