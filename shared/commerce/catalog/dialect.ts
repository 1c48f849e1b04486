import type { JsonSeen } from '../../web/fetched.ts'
import type { Presence } from '../../web/presence.ts'

/**
 * The dialects that catalogs are read in: the specification's, and official UCP over any transport.
 */
export type CatalogDialectName = 'spec' | 'ucp'

/** What an answer leads on to: nothing, the next page by its URL or cursor, or something wrong. */
export type Next =
  | { is: 'none' }
  /** `url` where the page has an address of its own. */
  | { is: 'page'; key: string; url?: URL }
  /** `said` follows "On https://…". */
  | { is: 'wrong'; said: string }

/**
 * How one dialect says what every catalog says. Each function is total: the answers are untrusted.
 */
export interface CatalogDialect {
  /** Whether there was an answer of the catalog, refusals set apart. */
  presenceOf: (seen: JsonSeen) => Presence
  /** What it lists, not validated; null where it has no such list. */
  productsOf: (seen: JsonSeen) => unknown[] | null
  /** A product in the words of the specification's Product, as far as it says so; not validated. */
  toProduct: (raw: Record<string, unknown>) => Record<string, unknown>
  nextOf: (page: JsonSeen) => Next
  /** What is wrong with how a page says where it stands among others; null when nothing is. */
  pagingFault: (page: JsonSeen) => string | null
  /** How many products it says that there are in all; not validated. */
  totalOf: (page: JsonSeen) => unknown
  /** The answers may be kept by caches, so that prices get old. */
  isCacheable: boolean
  /** A page has an address of its own, which may be on another host. */
  hasPageUrls: boolean
}
